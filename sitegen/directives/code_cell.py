"""``{code-cell} python`` with ``:name:``, ``:title:``, ``:tags:``: a cell that a reader can run."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import yaml
from markupsafe import Markup

import wire
from sitegen.directive import Directive, Kind, Program
from sitegen.directives.heatmap import viewer
from sitegen.markup import WORDS, highlighted, template
from sitegen.names import defined_and_used

if TYPE_CHECKING:
    from sitegen.lesson import Lesson
    from sitegen.render import Page

TAGS = {
    "raises-exception",  # it has to raise
    "remove-cell",  # only the build runs it
    "playground",  # it looks like a place to play in
    "exercise",  # it is the cell of the exercise before it
}
ICONS = {
    "run": '<path d="M4 2.5v11l9-5.5z"/>',
    "stop": '<rect x="3.5" y="3.5" width="9" height="9" rx="1"/>',
    "reset": '<path d="M8 3a5 5 0 1 1-4.6 3" fill="none" stroke="currentColor" stroke-width="1.6"'
    ' stroke-linecap="round"/><path d="M2.6 2.4v4.2h4.2z"/>',
}
HTML = template("""
{% set say = words.cell %}
{% macro icon(name) %}
<svg class="icon" viewBox="0 0 16 16" width="12" height="12" aria-hidden="true" focusable="false">
{{- icons[name] | safe }}</svg>
{%- endmacro %}
{% macro output() %}
{% for stream, text in out.streams %}<pre class="stream {{ stream }}">{{ text }}</pre>{% endfor %}
{% if out.result is not none %}<pre class="result">{{ out.result }}</pre>{% endif %}
{% if out.error %}
<div class="cell-error"><p class="error-message"><strong>
{{- out.error.name }}</strong>: {{ out.error.message }}</p>
<details class="error-trace" open><summary>{{ say.traceback }}</summary><pre>
{{- out.error.traceback }}</pre></details></div>
{%- endif %}
{% for picture in pictures %}{{ picture }}{% endfor %}
{% endmacro %}
<section class="cell{{ " is-playground" if "playground" in cell.tags }}"
 aria-label="{{ say.title.format(cell=cell.label, title=cell.title) }}" id="{{ cell.name }}"
 data-cell="{{ cell.name }}" data-number="{{ cell.number }}" data-filename="{{ cell.filename }}"
 data-defines="{{ cell.defines | join(" ") }}" data-uses="{{ cell.uses | join(" ") }}"
 data-state="idle">
<div class="cell-bar">
<span class="cell-label"><span
 class="cell-number">{{ cell.label }}</span><span
 class="cell-title">{{ cell.title }}</span><span
 class="cell-edited" hidden>{{ say.edited }}</span></span>
<span class="cell-status" aria-live="polite"></span>
<span class="cell-buttons">
<button type="button" class="button primary" data-action="run" title="{{ say.run_keys }}">
{{- icon("run") }}{{ say.run }}</button>
<button type="button" class="button" data-action="stop" aria-disabled="true">
{{- icon("stop") }}{{ say.stop }}</button>
<button type="button" class="button" data-action="reset" title="{{ say.reset_to }}">
{{- icon("reset") }}{{ say.reset }}</button>
<details class="menu"><summary class="button quiet"
 aria-label="{{ say.more.format(number=cell.number) }}">⋯</summary><span class="menu-items">
<button type="button" data-action="run-to">{{ say.run_to }}</button>
<button type="button" data-action="run-next">{{ say.run_next }}</button>
</span></details>
</span>
</div>
<div class="cell-editor"><pre class="code" tabindex="0"
 aria-label="{{ say.code.format(number=cell.number) }}"><code>{{ code }}</code></pre></div>
<div class="cell-output" role="log" aria-label="{{ say.output }}" data-stored tabindex="-1">
{{- output() }}</div>
</section>
""")


@dataclass
class CodeCell(Directive):
    """A runnable cell; ``number`` counts the visible ones from 1."""

    tags: tuple[str, ...] = ()
    title: str = ""
    number: int = 0
    defines: list[str] = field(default_factory=list)  # names bound at its top level
    uses: list[str] = field(default_factory=list)  # names it needs from before
    exercise: str = ""  # the exercise that is solved here, and that shows it

    @property
    def hidden(self) -> bool:
        """Whether only the build runs it."""
        return "remove-cell" in self.tags

    @property
    def label(self) -> str:
        """What readers call it, beside its title."""
        said = WORDS["cell"]
        return said["number"].format(number=self.number) if self.number else said["hidden"]

    @property
    def filename(self) -> str:
        """What tracebacks call it."""
        return f"{self.label} ({self.name})"

    def read(self, lesson: Lesson) -> None:
        """Tags, title, and the names that the source defines and needs."""
        if self.argument not in ("python", "ipython3"):
            raise lesson.error(self.line, f"cell language {self.argument!r}", "cells are `python`")
        tags = yaml.safe_load(self.options.get("tags", "[]"))
        tags = [tags] if isinstance(tags, str) else tags
        for tag in tags:
            if tag not in TAGS:
                known = ", ".join(sorted(TAGS))
                raise lesson.error(self.line, f"unknown tag {tag!r}", f"tags: {known}")
        self.tags = tuple(tags)
        self.title = self.options.get("title", self.name.replace("-", " "))
        self.body = self.body.rstrip("\n")
        self.defines, self.uses = defined_and_used(self.body)

    def link(self, lesson: Lesson) -> None:
        """Count it; an exercise that stands before it has claimed it by now."""
        if not self.hidden:
            self.number = [c.name for c in lesson.cells if not c.hidden].index(self.name) + 1
        if "exercise" in self.tags and not self.exercise:
            what = f"cell {self.name!r} has no exercise"
            raise lesson.error(self.line, what, "put one {exercise} before it")

    def program(self) -> Program:
        """Run it where it stands; cells share their names."""
        raises = "raises-exception" in self.tags
        return Program(self.body, self.filename, self.body_line, raises)

    def html(self, page: Page) -> Markup:
        """The cell, unless it is hidden or its exercise shows it."""
        return Markup("") if self.hidden or self.exercise else self.shown(page)

    def shown(self, page: Page) -> Markup:
        """The cell with the output that the build stored."""
        out = page.outputs[self.name]
        below = [d for d in out.display if page.taker(self.name, d) is None]
        pictures = [
            viewer(page, f"{self.name}-{number}", d)
            if d["kind"] == "heads"
            else page.picture(d["kind"], wire.plain(d["payload"]))
            for number, d in enumerate(below)
        ]
        code = highlighted(self.body, "python")
        return HTML(cell=self, code=code, out=out, pictures=pictures, icons=ICONS)


KINDS = {"code-cell": Kind(CodeCell, required=("name",), optional=("tags", "title"), argument=True)}
