"""``:::{bug} question``: a mistake of the gallery, foretold and then computed.

The choices are a quiz's. ``:title:``, ``:right:`` and ``:broken:`` show the mistake; ``:run:`` is
what computes its outcome, with the names that the cell of ``:from:`` leaves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

import wire
from sitegen.directive import Kind, Program
from sitegen.directives.quiz import Quiz
from sitegen.markup import json_script, template

if TYPE_CHECKING:
    from sitegen.lesson import Lesson
    from sitegen.render import Page

KEPT = ("title", "row_labels", "col_labels", "values")  # of a matrix, for the page to draw again
HTML = template("""
<section class="bug" id="{{ bug.name }}-error" data-bug="{{ bug.name }}"
 data-from="{{ bug.options["from"] }}" data-run="{{ bug.options.run }}"
 aria-labelledby="{{ bug.name }}-title">
<h3 id="{{ bug.name }}-title">{{ bug.options.title }}</h3>
<dl class="bug-code">
<div><dt>Bien</dt><dd><code>{{ bug.options.right }}</code></dd></div>
<div><dt>Con el error</dt><dd><code>{{ bug.options.broken }}</code></dd></div>
</dl>
{{ prediction }}
<details class="bug-outcome"><summary>Lo que pasa</summary>
<div class="bug-maps" hidden></div>
<pre class="bug-numbers" tabindex="0"
 aria-label="Los números, bien y con el error">{{ text }}</pre>
<p class="bug-source">Salida guardada.</p>
</details>
<script type="application/json" class="bug-stored">{{ stored }}</script>
</section>
""")


@dataclass
class Bug(Quiz):
    """A mistake: predict (the choices), then see what ``:run:`` computes."""

    def link(self, lesson: Lesson) -> None:
        """The page runs the cell of ``:from:`` first."""
        lesson.cell_named_by(self, "from")

    def program(self) -> Program:
        """What ``:run:`` computes, stored; it changes nothing for the cells after it."""
        filename = f"celda oculta ({self.name})"
        return Program(self.options["run"], filename, self.line + 1, alone=True)

    def html(self, page: Page) -> Markup:
        """The mistake, its quiz, and what the build computed."""
        output = page.outputs[self.name]
        text = "".join(text for _, text in output.streams)
        maps = [
            wire.plain({key: display["payload"][key] for key in KEPT})
            for display in output.display
            if display["kind"] == "matrix"
        ]
        stored = json_script({"text": text, "maps": maps})
        return HTML(bug=self, prediction=super().html(page), text=text, stored=stored)


KINDS = {
    "bug": Kind(Bug, required=("name", "title", "run", "from", "right", "broken"), argument=True)
}
