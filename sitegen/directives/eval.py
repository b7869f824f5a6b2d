"""``{eval}`expression```: a value in the prose, computed at build time with the cells' names."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sitegen.lesson import Lesson


def evaluated(lesson: Lesson, line: int, expression: str, namespace: dict) -> str:
    """The expression's value, as text.

    Raises
    ------
    LessonError
        The expression raises.
    """
    try:
        value = eval(compile(expression, f"{lesson.path}:{line}", "eval"), namespace)
    except Exception as error:
        what = f"{{eval}}`{expression}` raises {type(error).__name__}: {error}"
        raise lesson.error(line, what, "use names that the cells above define") from None
    return value if isinstance(value, str) else repr(value)


ROLES = {"eval": evaluated}
