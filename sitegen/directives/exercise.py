"""``:::{exercise} title`` with ``:name:``: a task, and the parts of it that stand elsewhere.

Its cell is the one tagged ``exercise`` between it and the next exercise; hints name it in
``:for:``; checks, wrong answers and solutions in their argument. Those have files of their own,
which import `Part` from here.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from markupsafe import Markup

from sitegen.directive import Directive, Kind
from sitegen.directives.code_cell import CodeCell
from sitegen.markup import json_script, template

if TYPE_CHECKING:
    from sitegen.lesson import Lesson
    from sitegen.render import Page

HTML = template("""
{% set say = words.exercise %}
<section class="exercise" id="{{ exercise.name }}" data-exercise="{{ exercise.name }}"
 aria-labelledby="{{ exercise.name }}-title">
<h3 id="{{ exercise.name }}-title"><span
 class="exercise-label">{{ say.number.format(number=exercise.number) }}</span> <span
 class="exercise-title">{{ title }}</span> <span
 class="exercise-done" hidden>{{ say.done }}</span></h3>
{{ body }}
{{ cell }}
{% if check %}
<script type="application/json" class="exercise-check">{{ check }}</script>
<div class="exercise-tools" hidden>
<button type="button" class="button primary" data-action="check">{{ say.check }}</button>
{% if hints %}
<button type="button" class="button" data-action="hint">
{{- say.first_hint.format(count=hints | length) }}</button>
{%- endif %}
</div>
<div class="exercise-result" role="status"></div>
{% endif %}
{% for hint in hints %}
<details class="admonition hint"><summary>
{{- say.hint.format(number=loop.index) }}</summary>{{ hint }}</details>
{% endfor %}
{% if solution %}
<details class="solution" data-exercise="{{ exercise.name }}"><summary>
{{- say.solution }}</summary>
{{- solution }}</details>
{%- endif %}
</section>
""")


@dataclass
class Part(Directive):
    """A part of an exercise; the exercise shows it, if anyone."""

    @property
    def exercise(self) -> str:
        """The name of the exercise that it belongs to."""
        return self.argument

    def link(self, lesson: Lesson) -> None:
        """There has to be that exercise."""
        exercises = [d.name for d in lesson.directives if isinstance(d, Exercise)]
        if self.exercise not in exercises:
            known = ", ".join(sorted(exercises)) or "none"
            what = f"{{{self.kind}}} of no exercise {self.exercise!r}"
            raise lesson.error(self.line, what, f"exercises: {known}")


@dataclass
class Exercise(Directive):
    """A task; `link` finds its parts."""

    number: int = 0
    cell: CodeCell | None = None
    hints: list[Part] = field(default_factory=list)
    check: Part | None = None
    wrongs: list[Part] = field(default_factory=list)
    solution: Part | None = None

    def link(self, lesson: Lesson) -> None:
        """Count it and gather its parts."""
        exercises = [d for d in lesson.directives if isinstance(d, Exercise)]
        place = exercises.index(self)
        self.number = place + 1
        end = exercises[place + 1].line if exercises[place + 1 :] else float("inf")
        tagged = [c for c in lesson.cells if "exercise" in c.tags and self.line < c.line < end]
        if tagged:
            self.cell = tagged[0]
            self.cell.exercise = self.name
        parts = [d for d in lesson.directives if isinstance(d, Part) and d.exercise == self.name]
        self.hints = [part for part in parts if part.kind == "hint"]
        self.wrongs = [part for part in parts if part.kind == "wrong"]
        self.check = self._only("check", parts, lesson)
        self.solution = self._only("solution", parts, lesson)
        if self.check:
            self._require_whole(lesson)

    def _only(self, kind: str, parts: list[Part], lesson: Lesson) -> Part | None:
        """The one part of its kind, if there is any."""
        found = [part for part in parts if part.kind == kind]
        if found[1:]:
            what = f"a second {{{kind}}} of {self.name!r}"
            raise lesson.error(found[1].line, what, "leave one")
        return found[0] if found else None

    def _require_whole(self, lesson: Lesson) -> None:
        """A check needs somewhere to write, a way out, and answers that it must refuse."""
        needed = {
            "a cell tagged exercise": self.cell,
            "a {solution} with a ```python fence": self.solution and self.solution.code,
            "a {wrong} answer": self.wrongs,
        }
        for what, there in needed.items():
            if not there:
                lacking = f"exercise {self.name!r} is checked and lacks {what}"
                raise lesson.error(self.line, lacking, "add it")

    def html(self, page: Page) -> Markup:
        """The task with all its parts, wherever in the file they stand."""
        return HTML(
            exercise=self,
            title=page.inline(self.argument),
            body=page.blocks(self.children),
            cell=self.cell.shown(page) if self.cell else "",
            check=json_script({"source": self.check.page_source}) if self.check else "",
            hints=[page.blocks(hint.children) for hint in self.hints],
            solution=page.blocks(self.solution.children) if self.solution else "",
        )


KINDS = {"exercise": Kind(Exercise, required=("name",), argument=True, markdown=True)}
