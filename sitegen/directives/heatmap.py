"""``{heatmap}`` with ``:from: cell``: the attention viewer, fed by what that cell draws."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

import wire
from sitegen.directive import Directive, Kind
from sitegen.markup import json_script, template

if TYPE_CHECKING:
    from sitegen.lesson import Lesson
    from sitegen.render import Page

HTML = template("""
<div class="heatmap" data-heatmap="{{ name }}"
{%- if source %} id="{{ name }}" data-from="{{ source }}"{% endif %}
{%- if sentence_cell %} data-sentence-cell="{{ sentence_cell }}"{% endif %}>{{ figure }}
<script type="application/json" class="heatmap-payload">{{ payload }}</script></div>
""")


@dataclass
class Heatmap(Directive):
    """The viewer; ``source_cell`` feeds it, ``:sentence-cell:`` is where its sentence is typed."""

    source_cell: str = ""

    def link(self, lesson: Lesson) -> None:
        """Both options name cells."""
        self.source_cell = lesson.cell_named_by(self, "from").name
        if "sentence-cell" in self.options:
            lesson.cell_named_by(self, "sentence-cell")

    def takes(self, cell_name: str, display: dict) -> bool:
        """Maps meant for this viewer, and those of its cell that are meant for none."""
        if display["kind"] != "heads":
            return False
        target = display["target"]
        return target == self.name or (target is None and self.source_cell == cell_name)

    def html(self, page: Page) -> Markup:
        """The viewer with the last maps of its cell."""
        shown = [
            display
            for display in page.outputs[self.source_cell].display
            if page.taker(self.source_cell, display) is self
        ]
        if not shown:
            raise page.lesson.error(
                self.line,
                f"cell {self.source_cell!r} draws nothing for the heatmap {self.name!r}",
                "call show_heads(...) in that cell",
            )
        sentence_cell = self.options.get("sentence-cell", "")
        return viewer(page, self.name, shown[-1], self.source_cell, sentence_cell)


def viewer(
    page: Page, name: str, display: dict, source: str = "", sentence_cell: str = ""
) -> Markup:
    """The viewer's node: a figure that reads without scripts, and the payload for them."""
    payload = wire.plain(display["payload"])
    return HTML(
        name=name,
        source=source,
        sentence_cell=sentence_cell,
        figure=page.picture("heads", payload),
        payload=json_script(payload),
    )


KINDS = {"heatmap": Kind(Heatmap, required=("name", "from"), optional=("sentence-cell",))}
