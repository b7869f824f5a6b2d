"""Callouts: ``{admonition} title`` with ``:class:``, and ``{note}``, ``{tip}``, ``{warning}``."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from sitegen.directive import Directive, Kind
from sitegen.markup import WORDS, template

if TYPE_CHECKING:
    from sitegen.render import Page

HTML = template("""
<aside class="admonition {{ kind }}"><p class="admonition-title">{{ title }}</p>
{{- body }}</aside>
""")


@dataclass
class Admonition(Directive):
    """A callout with a title; its body is Markdown."""

    def html(self, page: Page) -> Markup:
        """The callout, open."""
        title = page.inline(self.argument or WORDS["admonition"][self.kind])
        kind = self.options.get("class", self.kind)
        return HTML(kind=kind, title=title, body=page.blocks(self.children))


KINDS = {
    "admonition": Kind(Admonition, optional=("name", "class"), argument=True, markdown=True),
    "note": Kind(Admonition, optional=("name",), markdown=True),
    "tip": Kind(Admonition, optional=("name",), markdown=True),
    "warning": Kind(Admonition, optional=("name",), markdown=True),
}
