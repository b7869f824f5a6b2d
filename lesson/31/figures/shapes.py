"""``{shapes}`` with its sizes: multi-head attention drawn, X → Q, K, V → heads → concat → W_O.

Two layouts of the same seven stages, one wide and one tall; the style sheet shows the one that
fits. Heads are told apart by a number as well as by a colour. The body is the caption.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from markupsafe import Markup

from sitegen.directive import Directive, Kind
from sitegen.markup import template

if TYPE_CHECKING:
    from sitegen.lesson import Lesson
    from sitegen.render import Page

CELL = 12  # px a matrix cell, at most
WIDE_STEP, TALL_STEP = 148, 136
HTML = template("""
<figure class="shapes">{{ svg }}
{%- if caption %}<figcaption>{{ caption }}</figcaption>{% endif %}</figure>
""")


@dataclass
class Shapes(Directive):
    """The picture, for the given sizes."""

    seq_len: int = 0
    d_model: int = 0
    num_heads: int = 0

    def read(self, lesson: Lesson) -> None:
        """Three sizes; heads divide the width."""
        self.read_sizes(lesson, "seq-len", "d-model", "num-heads")
        if self.d_model % self.num_heads:
            what = f"d-model {self.d_model} is no multiple of num-heads {self.num_heads}"
            raise lesson.error(self.line, what, "choose a divisor")

    def html(self, page: Page) -> Markup:
        """Both layouts with the caption."""
        svg = Markup(shapes_figure(self.seq_len, self.d_model, self.num_heads))
        return HTML(svg=svg, caption=page.inline(self.body.strip()))


@dataclass(frozen=True)
class Stage:
    """One array on the way: what it is called, its shape, how it is drawn."""

    title: str
    shape: str
    drawing: str  # plain, banded, stack, maps
    words: str


def stages(seq_len: int, d_model: int, num_heads: int) -> list[Stage]:
    """The seven arrays, with their shapes for the given sizes."""
    d_k = d_model // num_heads
    return [
        Stage("x", f"({seq_len}, {d_model})", "plain", "un vector por token"),
        Stage("q, k, v", f"({seq_len}, {d_model})", "banded", "proyecciones: x·w_q, x·w_k, x·w_v"),
        Stage("split", f"({num_heads}, {seq_len}, {d_k})", "stack", "una rebanada por cabeza"),
        Stage("attn_weights", f"({num_heads}, {seq_len}, {seq_len})", "maps", "un mapa por cabeza"),
        Stage("head_outputs", f"({num_heads}, {seq_len}, {d_k})", "stack", "cada mapa por su V"),
        Stage("concat", f"({seq_len}, {d_model})", "banded", "las rebanadas, otra vez juntas"),
        Stage("salida", f"({seq_len}, {d_model})", "plain", "concat · w_o mezcla las cabezas"),
    ]


def shapes_figure(seq_len: int, d_model: int, num_heads: int) -> str:
    """Both layouts of the picture.

    Parameters
    ----------
    seq_len, d_model, num_heads : int
        Sizes; ``d_model`` is a multiple of ``num_heads``.

    Returns
    -------
    str
        Two ``<svg>``; the tall one is hidden from assistive technology, the wide one described.
    """
    row = stages(seq_len, d_model, num_heads)
    return _svg(row, seq_len, d_model, num_heads, tall=False) + _svg(
        row, seq_len, d_model, num_heads, tall=True
    )


def wide_shapes(seq_len: int, d_model: int, num_heads: int) -> str:
    """The wide layout alone, for a place that scrolls where it is too narrow."""
    row = stages(seq_len, d_model, num_heads)
    return _svg(row, seq_len, d_model, num_heads, tall=False)


def _svg(row: list[Stage], seq_len: int, d_model: int, num_heads: int, *, tall: bool) -> str:
    pen = _Pen(seq_len, d_model, num_heads)
    parts = []
    for number, stage in enumerate(row):
        x, y = (78, 66 + number * TALL_STEP) if tall else (74 + number * WIDE_STEP, 74)
        parts.append(f'<g transform="translate({x} {y})">{pen.draw(stage.drawing)}</g>')
        parts.append(_label(stage, x + 84 if tall else x, y if tall else y + 82, tall))
        if number:
            parts.append(_arrow(x, y, tall))
    width, height = (340, len(row) * TALL_STEP + 4) if tall else (len(row) * WIDE_STEP, 220)
    words = "; ".join(f"{s.title} {s.shape}: {s.words}" for s in row)
    described = 'aria-hidden="true"' if tall else f'role="img" aria-label="{escape(words)}"'
    kind = "tall" if tall else "wide"
    box = f'class="shapes-{kind}" viewBox="0 0 {width} {height}"'
    return f"<svg {box} {described}>{''.join(parts)}</svg>"


def _label(stage: Stage, x: float, y: float, tall: bool) -> str:
    anchor = "start" if tall else "middle"
    offsets = (-14, 6, 25) if tall else (0, 20, 40)
    title, shape, words = (y + o for o in offsets)
    said = "".join(
        f'<tspan x="{x}" dy="{0 if i == 0 else 15}">{escape(line)}</tspan>'
        for i, line in enumerate(_wrap(stage.words, 30 if tall else 20))
    )
    return (
        f'<g text-anchor="{anchor}">'
        f'<text class="shape-title" x="{x}" y="{title}">{escape(stage.title)}</text>'
        f'<text class="shape-size" x="{x}" y="{shape}">{stage.shape}</text>'
        f'<text class="shape-words" x="{x}" y="{words}">{said}</text></g>'
    )


def _wrap(words: str, width: int) -> list[str]:
    lines = [""]
    for word in words.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def _arrow(x: float, y: float, tall: bool) -> str:
    turn = f"translate({x} {y - 66}) rotate(90)" if tall else f"translate({x - 75} {y})"
    return f'<path class="shape-arrow" transform="{turn}" d="M-8 0H7M3 -4l4 4l-4 4"/>'


class _Pen:
    """Draws one array, centred on the origin, inside about 100 x 110 px."""

    def __init__(self, seq_len: int, d_model: int, num_heads: int):
        self.n, self.h = seq_len, num_heads
        self.cell = min(CELL, 96 / d_model, 72 / seq_len)
        self.width, self.height = d_model * self.cell, seq_len * self.cell
        self.d_k = d_model // num_heads
        self.ruled = self.cell >= 3  # finer cells would be a grey blur
        self.numbered = num_heads <= 8

    def draw(self, drawing: str) -> str:
        """SVG of one array."""
        return getattr(self, f"_{drawing}")()

    def _grid(self, x: float, y: float, columns: int, rows: int, style: str) -> str:
        w, h = columns * self.cell, rows * self.cell
        box = f'<rect class="{style}" x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}"/>'
        if not self.ruled:
            return box
        lines = "".join(f"M{x + i * self.cell:.1f} {y:.1f}v{h:.1f}" for i in range(1, columns))
        lines += "".join(f"M{x:.1f} {y + i * self.cell:.1f}h{w:.1f}" for i in range(1, rows))
        return f'{box}<path class="shape-grid" d="{lines}"/>'

    def _number(self, head: int, x: float, y: float) -> str:
        if not self.numbered:
            return ""
        return f'<text class="shape-head" x="{x:.1f}" y="{y:.1f}">{head + 1}</text>'

    def _plain(self) -> str:
        return self._grid(
            -self.width / 2, -self.height / 2, self.d_k * self.h, self.n, "shape-plain"
        )

    def _banded(self) -> str:
        band = self.d_k * self.cell
        out = []
        for head in range(self.h):
            x = -self.width / 2 + head * band
            out.append(self._grid(x, -self.height / 2, self.d_k, self.n, f"shape-h{head % 8}"))
            out.append(self._number(head, x + band / 2, -self.height / 2 - 5))
        return "".join(out)

    def _pile(self, columns: int) -> str:
        step = min(12.0, 36 / max(1, self.h - 1))
        w = columns * self.cell
        left, top = -(w + step * (self.h - 1)) / 2, -(self.height - step * (self.h - 1)) / 2
        out = []
        for head in reversed(range(self.h)):
            x, y = left + head * step, top - head * step
            out.append(self._grid(x, y, columns, self.n, f"shape-h{head % 8}"))
            if step >= 9:
                out.append(self._number(head, x - 6, y + 9))
        return "".join(out)

    def _stack(self) -> str:
        return self._pile(self.d_k)

    def _maps(self) -> str:
        return self._pile(self.n)


KINDS = {"shapes": Kind(Shapes, required=("seq-len", "d-model", "num-heads"), optional=("name",))}
