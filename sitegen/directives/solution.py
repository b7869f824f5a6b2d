"""``:::{solution} exercise``: how it can be done, folded; its first Python fence is tested."""

from __future__ import annotations

from dataclasses import dataclass

from sitegen.directive import Kind
from sitegen.directives.exercise import Part


@dataclass
class Solution(Part):
    """The solution of an exercise; its body is Markdown."""

    @property
    def code(self) -> str:
        """Its first Python fence."""
        fences = [t.content for t in self.children if t.type == "fence" and t.info == "python"]
        return fences[0] if fences else ""


KINDS = {"solution": Kind(Solution, optional=("name",), argument=True, markdown=True)}
