"""Records that have no file of their own yet."""

from __future__ import annotations

from dataclasses import dataclass, field

from sitegen.directive import Directive, Kind, Program
from sitegen.directives.admonition import Admonition
from sitegen.directives.code_cell import CodeCell
from sitegen.directives.quiz import Quiz


@dataclass
class Shapes(Directive):
    """The picture of the shapes, drawn for the given sizes."""

    seq_len: int = 0
    d_model: int = 0
    num_heads: int = 0


@dataclass
class Explorer(Directive):
    """A slider over the number of heads, its numbers and pictures; the body is the caption."""

    d_model: int = 0
    seq_len: int = 0


@dataclass
class HeadSweep(Directive):
    """Accuracy by number of heads, every seed a dot; the body is the caption."""


@dataclass
class ModelTable(Directive):
    """Published models, put through the lesson's own counts."""


@dataclass
class ModelView(Directive):
    """All heads of the real model, fetched when asked for; the body is the caption."""


@dataclass
class Bug(Quiz):
    """A mistake of the gallery: predict (the choices), then see what ``:run:`` computes."""

    def program(self) -> Program:
        """What `:run:` computes, stored; it changes nothing for the cells after it."""
        filename = f"celda oculta ({self.name})"
        return Program(self.options["run"], filename, self.line + 1, alone=True)


@dataclass
class Hint(Admonition):
    """One step towards the solution of the exercise that ``:for:`` names."""


@dataclass
class Check(Directive):
    """Python that tries out what the reader wrote; sent with the page, not shown."""


@dataclass
class Wrong(Directive):
    """A wrong answer whose check must fail with ``:fails:``; read by the tests only."""


@dataclass
class Solution(Directive):
    """The solution of the exercise that ``argument`` names, folded."""

    code: str = ""  # its first Python fence


@dataclass
class Exercise(Directive):
    """A task, and its parts as `sitegen.exercises.group` finds them."""

    number: int = 0
    cell: CodeCell | None = None
    hints: list[Hint] = field(default_factory=list)
    check: Check | None = None
    wrongs: list[Wrong] = field(default_factory=list)
    solution: Solution | None = None


KINDS: dict[str, Kind] = {
    "shapes": Kind(Shapes, ("seq-len", "d-model", "num-heads"), ("name",)),
    "explorer": Kind(Explorer, ("name", "d-model", "seq-len")),
    "head-sweep": Kind(HeadSweep, (), ("name",)),
    "model-table": Kind(ModelTable, (), ("name",)),
    "model-view": Kind(ModelView, ("name",)),
    "exercise": Kind(Exercise, ("name",), argument=True, markdown=True),
    "solution": Kind(Solution, (), ("name",), argument=True, markdown=True),
    "bug": Kind(Bug, ("name", "title", "run", "from", "right", "broken"), argument=True),
    "hint": Kind(Hint, (), ("name", "for"), markdown=True),
    "check": Kind(Check, argument=True, secret=True),
    "wrong": Kind(Wrong, ("fails",), argument=True, secret=True),
}
