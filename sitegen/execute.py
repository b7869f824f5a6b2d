"""Run a lesson's cells natively, in order, and store what each printed, returned and drew."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import cell_runner
from sitegen.directive import Directive, Program
from sitegen.lesson import Lesson, inline_tokens


@dataclass
class Output:
    """What one cell left behind."""

    streams: list[tuple[str, str]] = field(default_factory=list)  # (stdout|stderr, text), joined
    result: str | None = None
    display: list[dict] = field(default_factory=list)
    error: dict | None = None

    def write(self, stream: str, text: str) -> None:
        """Append printed text; neighbours of one stream become one piece."""
        if self.streams and self.streams[-1][0] == stream:
            self.streams[-1] = (stream, self.streams[-1][1] + text)
        else:
            self.streams.append((stream, text))


def execute(lesson: Lesson) -> dict[str, Output]:
    """Run every directive's program, and give every role its text, in document order.

    Parameters
    ----------
    lesson : Lesson
        Its role tokens get their text in ``token.meta["value"]``.

    Returns
    -------
    dict
        Directive's name → `Output`.

    Raises
    ------
    LessonError
        A program that raises and should not (or the other way round), or a role that can't be told.
    """
    namespace = cell_runner.new_namespace()
    outputs: dict[str, Output] = {}
    steps: list[tuple[int, object]] = [(d.line, d) for d in lesson.directives]
    for token in inline_tokens(lesson.tokens):
        for child in token.children or []:
            if child.type == "myst_role":
                steps.append((child.meta["line"], child))
    for line, step in sorted(steps, key=lambda pair: pair[0]):
        if not isinstance(step, Directive):
            role = lesson.vocabulary.roles[step.meta["name"]]
            step.meta["value"] = role(lesson, line, step.content, namespace)
        elif program := step.program():
            shared = dict(namespace) if program.alone else namespace
            outputs[step.name] = _run(lesson, step, program, shared)
    return outputs


def _run(lesson: Lesson, directive: Directive, program: Program, namespace: dict) -> Output:
    output = Output()
    compiled = cell_runner.compile_cell(program.source, program.filename)
    if compiled.awaits:
        outcome = asyncio.run(cell_runner.run_cell_async(compiled, namespace, output.write))
    else:
        outcome = cell_runner.run_cell(compiled, namespace, output.write)
    output.result, output.display = outcome.get("result"), last_drawn(outcome["display"])
    if outcome["status"] == "failed":
        output.error = outcome
    cell = f"cell {directive.name!r}"
    if output.error and not program.raises:
        line = program.line - 1 + (output.error["line"] or 1)
        what = f"{cell} raises {output.error['name']}: {output.error['message']}"
        raise lesson.error(line, what, "mend it, or tag the cell raises-exception")
    if program.raises and not output.error:
        raise lesson.error(directive.line, f"{cell} raises nothing", "drop raises-exception")
    return output


def last_drawn(displays: list[dict]) -> list[dict]:
    """Of pictures of one kind, place and title, the last: a cell redraws them while it runs."""
    kept = {}
    for number, display in enumerate(displays):
        title = display["payload"]["title"] or number  # pictures without a title all stay
        kept[display["kind"], display["target"], title] = display
    return list(kept.values())
