"""What a directive is: the API of ``sitegen/directives/`` and of a lesson's ``figures/``.

One file is one directive. It holds

- a record, a dataclass under `Directive`: the build makes one for every fence of that name;
- ``KINDS``, from a fence's name to its `Kind`: that record and what the fence may carry;
- its HTML, a `sitegen.markup.template`.

That the file lies in the folder is enough: `sitegen.plugins` finds it. Of each record the build
asks, in this order, what it needs; each has a default that does nothing:

``read(lesson)``
    Options, argument and body are set, and checked against the `Kind`. Make fields of them; raise
    ``lesson.error(line, what, allowed)`` for what is wrong.
``link(lesson)``
    All directives are read: find the others that this one speaks of (``lesson.directives``,
    ``lesson.cells``, `Lesson.cell_named_by`).
``program()``
    Python that the build runs where the fence stands.
``takes(cell_name, display)``
    Whether what that cell draws is shown here and not below the cell.
``html(page)``
    The HTML. ``page.lesson``; ``page.outputs``, what each program left, by the directive's name;
    ``page.inline(text)`` and ``page.blocks(tokens)`` set Markdown.
``files()``
    What the page fetches later, by address.

A file may hold ``ROLES`` as well, from a role's name to a function that gives its text:
``role(lesson, line, content, namespace) -> str``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

if TYPE_CHECKING:
    from sitegen.lesson import Lesson
    from sitegen.render import Page

Role = Callable[["Lesson", int, str, dict], str]


class LessonError(Exception):
    """Something in the lesson file that stops the build."""

    def __init__(self, path: Path, line: int, what: str, allowed: str):
        super().__init__(f"{path}:{line}: {what}; {allowed}")


@dataclass(frozen=True)
class Program:
    """Python that the build runs; its output is kept under the directive's name."""

    source: str
    filename: str  # what tracebacks call it
    line: int  # of the lesson's file, where the source begins
    raises: bool = False  # whether it has to raise
    alone: bool = False  # whether what it binds is forgotten after it


@dataclass
class Directive:
    """One fence: where it stands and what it holds."""

    kind: str
    argument: str
    line: int  # 1-based line of the opening fence
    body_line: int  # 1-based line of the body's first line
    body: str
    options: dict[str, str] = field(default_factory=dict)
    children: list = field(default_factory=list)  # Markdown tokens of its body, where it has any

    @property
    def name(self) -> str:
        """The directive's unique name, or an empty string."""
        return self.options.get("name", "")

    def read(self, lesson: Lesson) -> None:
        """Turn options, argument and body into fields."""

    def link(self, lesson: Lesson) -> None:
        """Find the directives that this one speaks of; all are read."""

    def program(self) -> Program | None:
        """Give what the build runs here."""
        return None

    def takes(self, cell_name: str, display: dict) -> bool:
        """Whether a cell's display is shown here and not below the cell."""
        return False

    def html(self, page: Page) -> Markup:
        """What the page shows here; nothing where it's shown elsewhere, or nowhere."""
        return Markup("")

    def files(self) -> dict[str, bytes]:
        """Address → content of what the page fetches later."""
        return {}

    def read_sizes(self, lesson: Lesson, *keys: str) -> None:
        """Options that are whole numbers become fields of the same name."""
        for key in keys:
            value = self.options[key]
            if not value.isdigit() or int(value) < 1:
                raise lesson.error(self.line, f":{key}: {value!r}", "a whole number from 1 up")
            setattr(self, key.replace("-", "_"), int(value))


@dataclass(frozen=True)
class Kind:
    """What a fence of one name makes, and what it may carry."""

    record: type[Directive]
    required: tuple[str, ...] = ()  # options
    optional: tuple[str, ...] = ()
    argument: bool = False  # whether there has to be one
    markdown: bool = False  # whether its body is Markdown: ``children`` are its tokens
    secret: bool = False  # whether it is left out of the notebook that a reader takes home
