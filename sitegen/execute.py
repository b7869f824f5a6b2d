"""Run a lesson's cells natively, in order, and store what each printed, returned and drew."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import cell_runner
from sitegen.directive import Bug, CodeCell
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
    """Run every cell, and replace every ``{eval}`` role by its value, in document order.

    Parameters
    ----------
    lesson : Lesson
        Its ``{eval}`` tokens get their value in ``token.meta["value"]``.

    Returns
    -------
    dict
        Cell name → `Output`.

    Raises
    ------
    LessonError
        A cell that raises without the tag ``raises-exception`` (or the other way round), or a role
        whose expression raises.
    """
    namespace = cell_runner.new_namespace()
    outputs: dict[str, Output] = {}
    run = (CodeCell, Bug)
    steps: list[tuple[int, object]] = [(d.line, d) for d in lesson.directives if isinstance(d, run)]
    for token in inline_tokens(lesson.tokens):
        for child in token.children or []:
            if child.type == "myst_role":
                steps.append((child.meta["line"], child))
    for line, step in sorted(steps, key=lambda pair: pair[0]):
        if isinstance(step, CodeCell):
            outputs[step.name] = _run(lesson, step, namespace)
        elif isinstance(step, Bug):
            outputs[step.name] = _run(lesson, step.cell(), dict(namespace))
        else:
            step.meta["value"] = _evaluate(lesson, line, step.content, namespace)
    return outputs


def _run(lesson: Lesson, cell: CodeCell, namespace: dict) -> Output:
    output = Output()
    asked = (cell.body, cell.filename, namespace, output.write)
    if cell_runner.needs_await(cell.body):
        outcome = asyncio.run(cell_runner.run_cell_async(*asked))
    else:
        outcome = cell_runner.run_cell(*asked)
    output.result, output.display = outcome.get("result"), last_drawn(outcome["display"])
    if outcome["status"] == "failed":
        output.error = outcome
    expected = "raises-exception" in cell.tags
    if output.error and not expected:
        line = cell.body_line - 1 + (output.error["line"] or 1)
        what = f"cell {cell.name!r} raises {output.error['name']}: {output.error['message']}"
        raise lesson.error(line, what, "mend it, or tag the cell raises-exception")
    if expected and not output.error:
        raise lesson.error(cell.line, f"cell {cell.name!r} raises nothing", "drop raises-exception")
    return output


def last_drawn(displays: list[dict]) -> list[dict]:
    """Of pictures of one kind, place and title, the last: a cell redraws them while it runs."""
    kept = {}
    for number, display in enumerate(displays):
        title = display["payload"]["title"] or number  # pictures without a title all stay
        kept[display["kind"], display["target"], title] = display
    return list(kept.values())


def _evaluate(lesson: Lesson, line: int, expression: str, namespace: dict) -> str:
    try:
        value = eval(compile(expression, f"{lesson.path}:{line}", "eval"), namespace)
    except Exception as error:
        what = f"{{eval}}`{expression}` raises {type(error).__name__}: {error}"
        raise lesson.error(line, what, "use names that the cells above define") from None
    return value if isinstance(value, str) else repr(value)
