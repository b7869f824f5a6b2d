"""Exercises: find each one's cell, hints, check, wrong answers and solution; ship what may be."""

from __future__ import annotations

import re

from sitegen.records import Check, CodeCell, Exercise, Hint, Solution, Wrong

HIDDEN = re.compile(r"^(`{3,})\{(?:check|wrong)\}.*?^\1`*[ \t]*\n+", re.M | re.S)


def group(lesson) -> None:
    """Hand every exercise its parts and number the exercises from 1.

    The cell is the one tagged ``exercise`` between an exercise and the next; hints name theirs in
    ``:for:``; checks, wrong answers and solutions in their argument.

    Parameters
    ----------
    lesson : sitegen.lesson.Lesson
        Its `Exercise` records are filled in place.

    Raises
    ------
    LessonError
        A part of no exercise, a second check or solution, a check without its cell, solution or
        wrong answers, an exercise cell of no exercise.
    """
    found = {d.name: d for d in lesson.directives if isinstance(d, Exercise)}
    for number, exercise in enumerate(found.values(), 1):
        exercise.number = number
    current = None
    for d in lesson.directives:
        if isinstance(d, Exercise):
            current = d
        elif isinstance(d, CodeCell) and "exercise" in d.tags:
            if current is None or current.cell:
                raise lesson.error(
                    d.line, f"cell {d.name!r} has no exercise", "put one {exercise} before it"
                )
            current.cell, d.exercise = d, current.name
        elif isinstance(d, Check | Wrong | Solution) or "for" in d.options:
            _hand_over(lesson, found, d)
    for exercise in found.values():
        _check_whole(lesson, exercise)


def _hand_over(lesson, found: dict[str, Exercise], part) -> None:
    """Give a part to the exercise that it names."""
    name = part.options["for"] if isinstance(part, Hint) else part.argument
    if name not in found:
        known = ", ".join(sorted(found)) or "none"
        raise lesson.error(
            part.line, f"{{{part.kind}}} of no exercise {name!r}", f"exercises: {known}"
        )
    exercise = found[name]
    if isinstance(part, Hint):
        exercise.hints.append(part)
    elif isinstance(part, Wrong):
        exercise.wrongs.append(part)
    elif getattr(exercise, part.kind):
        raise lesson.error(part.line, f"a second {{{part.kind}}} of {name!r}", "leave one")
    else:
        setattr(exercise, part.kind, part)
    if isinstance(part, Solution):
        fences = [t.content for t in part.children if t.type == "fence" and t.info == "python"]
        part.code = fences[0] if fences else ""


def _check_whole(lesson, exercise: Exercise) -> None:
    """A check needs somewhere to write, a way out, and answers that it must refuse."""
    if exercise.check is None:
        return
    lacking = [
        what
        for what, there in (
            ("a cell tagged exercise", exercise.cell),
            ("a {solution} with a ```python fence", exercise.solution and exercise.solution.code),
            ("a {wrong} answer", exercise.wrongs),
        )
        if not there
    ]
    if lacking:
        raise lesson.error(
            exercise.line, f"exercise {exercise.name!r} is checked and lacks {lacking[0]}", "add it"
        )


def page_check(check: Check) -> dict[str, str]:
    """What the page runs to try out the reader's cell; its result is a verdict as JSON."""
    source = f"import exercise_checks\nexercise_checks.verdict({check.body!r}, globals())"
    return {"source": source}


def without_answers(text: str) -> str:
    """A lesson's Markdown without its checks and wrong answers: what a notebook may show."""
    return HIDDEN.sub("", text)
