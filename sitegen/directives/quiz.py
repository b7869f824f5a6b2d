"""``{quiz} question``: ``- [ ] answer`` and ``- [x] answer``, each followed by ``  > feedback``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup

from sitegen.directive import Directive, Kind
from sitegen.markup import template

if TYPE_CHECKING:
    from sitegen.lesson import Lesson
    from sitegen.render import Page

CHOICE = re.compile(r"- \[([ x])\]\s+(.*)")
HTML = template("""
{% set say = words.quiz %}
<form class="quiz" id="{{ name }}" data-quiz="{{ name }}" aria-labelledby="{{ name }}-question">
<fieldset>
<legend id="{{ name }}-question">{{ question }}</legend>
{% for choice in choices %}{% set id = name ~ "-" ~ loop.index %}
<div class="choice" data-correct="{{ "yes" if choice.correct else "no" }}">
<input type="radio" name="{{ name }}" id="{{ id }}" value="{{ loop.index }}"
 aria-describedby="{{ id }}-feedback">
<label for="{{ id }}">{{ choice.text }}</label>
<details class="choice-feedback" id="{{ id }}-feedback"><summary>
{{- say.is_it }}</summary><p><strong>
{{- say.right if choice.correct else say.wrong }}</strong> {{ choice.feedback }}</p></details>
</div>
{% endfor %}
</fieldset>
<p class="quiz-feedback" role="status"></p>
</form>
""")


@dataclass
class Choice:
    """One answer of a quiz and what the reader is told about it."""

    text: str
    correct: bool
    feedback: str


@dataclass
class Quiz(Directive):
    """One question; exactly one choice is correct."""

    choices: tuple[Choice, ...] = ()

    def read(self, lesson: Lesson) -> None:
        """Two or more choices, one right, each with its feedback."""
        choices = self._choices(lesson)
        right = sum(c.correct for c in choices)
        if right != 1 or len(choices) < 2:
            raise lesson.error(
                self.line, f"{len(choices)} choices, {right} right", "two or more, one right"
            )
        for choice in choices:
            if not choice.feedback:
                what = f"choice {choice.text!r} has no feedback"
                raise lesson.error(self.line, what, "add `  > …`")
        self.choices = tuple(choices)

    def _choices(self, lesson: Lesson) -> list[Choice]:
        choices: list[Choice] = []
        for number, text in enumerate(self.body.split("\n")):
            stripped = text.strip()
            found = CHOICE.match(stripped)
            if found:
                choices.append(Choice(found[2], found[1] == "x", ""))
            elif not stripped:
                continue
            elif choices and stripped.startswith(">"):
                choices[-1].feedback = f"{choices[-1].feedback} {stripped[1:].strip()}".strip()
            elif choices and not choices[-1].feedback and text.startswith("  "):
                choices[-1].text += f" {stripped}"
            else:
                what = f"not part of a quiz: {stripped!r}"
                allowed = "`- [ ] answer`, `- [x] answer`, each with `  > feedback`"
                raise lesson.error(self.body_line + number, what, allowed)
        return choices

    def html(self, page: Page) -> Markup:
        """The question as a form that also reads without scripts."""
        choices = [
            Choice(page.inline(c.text), c.correct, page.inline(c.feedback)) for c in self.choices
        ]
        return HTML(name=self.name, question=page.inline(self.argument), choices=choices)


KINDS = {"quiz": Kind(Quiz, required=("name",), argument=True)}
