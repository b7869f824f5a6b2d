"""``:::{hint}``: a folded callout; with ``:for: exercise`` one step towards its solution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from sitegen.directive import Kind
from sitegen.directives.exercise import Part
from sitegen.markup import WORDS, template

if TYPE_CHECKING:
    from sitegen.lesson import Lesson
    from sitegen.render import Page

HTML = template("""
<details class="admonition hint"><summary>{{ title }}</summary>{{ body }}</details>
""")


@dataclass
class Hint(Part):
    """A hint of an exercise, or of nothing in particular."""

    @property
    def exercise(self) -> str:
        """What ``:for:`` names."""
        return self.options.get("for", "")

    def link(self, lesson: Lesson) -> None:
        """A hint may stand alone."""
        if "for" in self.options:
            super().link(lesson)

    def html(self, page: Page) -> Markup:
        """The callout; an exercise shows its hints itself."""
        if self.exercise:
            return Markup("")
        title = page.inline(self.argument or WORDS["admonition"]["hint"])
        return HTML(title=title, body=page.blocks(self.children))


KINDS = {"hint": Kind(Hint, optional=("name", "for"), markdown=True)}
