"""Records that have no file of their own yet."""

from __future__ import annotations

from dataclasses import dataclass

from sitegen.directive import Directive, Kind, Program
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


KINDS: dict[str, Kind] = {
    "shapes": Kind(Shapes, ("seq-len", "d-model", "num-heads"), ("name",)),
    "explorer": Kind(Explorer, ("name", "d-model", "seq-len")),
    "head-sweep": Kind(HeadSweep, (), ("name",)),
    "model-table": Kind(ModelTable, (), ("name",)),
    "model-view": Kind(ModelView, ("name",)),
    "bug": Kind(Bug, ("name", "title", "run", "from", "right", "broken"), argument=True),
}
