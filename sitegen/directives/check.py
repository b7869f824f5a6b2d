"""```` ```{check} exercise ````: Python that judges what a reader wrote; sent along, not shown."""

from __future__ import annotations

from dataclasses import dataclass

from sitegen.directive import Kind
from sitegen.directives.exercise import Part


@dataclass
class Check(Part):
    """What tries out the exercise's cell."""

    @property
    def page_source(self) -> str:
        """What the page runs; its result is a verdict as JSON."""
        return f"import exercise_checks\nexercise_checks.verdict({self.body!r}, globals())"


KINDS = {"check": Kind(Check, argument=True, secret=True)}
