"""The typed records that directives become, and what each directive may carry."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


class LessonError(Exception):
    """Something in the lesson file that stops the build."""

    def __init__(self, path: Path, line: int, what: str, allowed: str):
        super().__init__(f"{path}:{line}: {what}; {allowed}")


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


@dataclass
class CodeCell(Directive):
    """A runnable cell; ``number`` counts the visible ones from 1."""

    tags: tuple[str, ...] = ()
    title: str = ""
    number: int = 0
    defines: list[str] = field(default_factory=list)  # names bound at its top level
    uses: list[str] = field(default_factory=list)  # names it needs from before
    exercise: str = ""  # the exercise that is solved here

    @property
    def hidden(self) -> bool:
        """Whether only the build runs it."""
        return "remove-cell" in self.tags

    @property
    def filename(self) -> str:
        """What tracebacks call it."""
        return (
            f"Celda {self.number} ({self.name})" if self.number else f"celda oculta ({self.name})"
        )


@dataclass
class Admonition(Directive):
    """A callout with a title; its body is Markdown."""


@dataclass
class Heatmap(Directive):
    """The attention viewer; ``source_cell`` feeds it."""

    source_cell: str = ""


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
class CodeBlock(Directive):
    """Code that is shown, not run."""


@dataclass
class Bug(Quiz):
    """A mistake of the gallery: predict (the choices), then see what ``:run:`` computes."""

    def cell(self) -> CodeCell:
        """What the build runs to store the outcome."""
        source = self.options["run"]
        return CodeCell("code-cell", "python", self.line, self.line + 1, source, self.options)


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


@dataclass(frozen=True)
class Kind:
    """What a directive may carry."""

    record: type[Directive]
    options: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()
    argument: str = "optional"  # none, optional or required


KINDS: dict[str, Kind] = {
    "code-cell": Kind(
        CodeCell, frozenset({"name", "tags", "title"}), frozenset({"name"}), "required"
    ),
    "code-block": Kind(CodeBlock, frozenset({"name", "caption"}), argument="required"),
    "heatmap": Kind(
        Heatmap,
        frozenset({"name", "from", "sentence-cell"}),
        frozenset({"name", "from"}),
    ),
    "quiz": Kind(Quiz, frozenset({"name"}), frozenset({"name"}), "required"),
    "shapes": Kind(
        Shapes,
        frozenset({"name", "seq-len", "d-model", "num-heads"}),
        frozenset({"seq-len", "d-model", "num-heads"}),
    ),
    "explorer": Kind(
        Explorer,
        frozenset({"name", "d-model", "seq-len"}),
        frozenset({"name", "d-model", "seq-len"}),
    ),
    "head-sweep": Kind(HeadSweep, frozenset({"name"})),
    "model-table": Kind(ModelTable, frozenset({"name"})),
    "model-view": Kind(ModelView, frozenset({"name"}), frozenset({"name"})),
    "exercise": Kind(Exercise, frozenset({"name"}), frozenset({"name"}), "required"),
    "solution": Kind(Solution, frozenset({"name"}), argument="required"),
    "bug": Kind(
        Bug,
        frozenset({"name", "title", "run", "from", "right", "broken"}),
        frozenset({"name", "title", "run", "from", "right", "broken"}),
        "required",
    ),
    "hint": Kind(Hint, frozenset({"name", "for"})),
    "check": Kind(Check, argument="required"),
    "wrong": Kind(Wrong, frozenset({"fails"}), frozenset({"fails"}), "required"),
    "admonition": Kind(Admonition, frozenset({"name", "class"}), argument="required"),
    "note": Kind(Admonition, frozenset({"name"})),
    "tip": Kind(Admonition, frozenset({"name"})),
    "warning": Kind(Admonition, frozenset({"name"})),
}
