"""Marks of the figures on the number of heads, as SVG."""

from __future__ import annotations

from html import escape

from playground import es

WIDTH = 520  # SVG units
LEFT, RIGHT, TOP, BOTTOM, PLOT_HEIGHT = 46, 506, 24, 150, 190  # of a plot


def text(style: str, x: float, y: float, words: str) -> str:
    """Words at a place."""
    return f'<text class="{style}" x="{round(x, 1):g}" y="{round(y, 1):g}">{escape(words)}</text>'


def _line(style: str, x1: float, x2: float, y1: float, y2: float) -> str:
    return f'<line class="{style}" x1="{x1:g}" x2="{x2:g}" y1="{y1:g}" y2="{y2:g}"/>'


def svg(style: str, height: float, said: str, marks: list[str]) -> str:
    """A picture of the figures' width, with its words."""
    return (
        f'<svg class="{style}" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{escape(said)}">{"".join(marks)}</svg>'
    )


def dots_svg(
    columns: list[tuple[str, list[float]]],
    ticks: list[float],
    y_label: str,
    said: str,
    *,
    digits: int,
    current: int | None = None,
    means: bool = False,
    named: bool = False,
) -> str:
    """Measured values as dots, one column a number of heads.

    Parameters
    ----------
    columns : list of (label, values)
    ticks : list of float
        Of the vertical axis, in rising order.
    said : str
        The picture in words.
    digits : int
        Decimals on the axis.
    current : int, optional
        The column to mark.
    means, named : bool
        Draw each column's mean as a stroke; write each value over its dot.
    """
    step = (RIGHT - LEFT) / len(columns)

    def up(value: float) -> float:
        return BOTTOM - (value - ticks[0]) / (ticks[-1] - ticks[0]) * (BOTTOM - TOP)

    marks = [text("ex-note", 0, 10, y_label)]
    for tick in ticks:
        marks.append(_line("grid", LEFT, RIGHT, round(up(tick), 1), round(up(tick), 1)))
        marks.append(text("tick end", LEFT - 8, up(tick) + 4, es(tick, digits)))
    for i, (label, values) in enumerate(columns):
        x, now = round(LEFT + (i + 0.5) * step, 1), " now" if i == current else ""
        if now:
            marks.append(_line("ex-now", x, x, TOP, BOTTOM))
        marks.append(text(f"tick{now}", x, BOTTOM + 18, label))
        for k, value in enumerate(values):
            at = x + (k - (len(values) - 1) / 2) * 6  # equal values stay apart
            place = f'cx="{at:g}" cy="{up(value):.1f}" r="{5.5 if now else 4}"'
            marks.append(f'<circle class="ex-dot{now}" {place}/>')
            if named:
                marks.append(text(f"ex-value{now}", x, up(value) - 9, es(value, digits)))
        if means:
            y = round(up(sum(values) / len(values)), 1)
            marks.append(_line("ex-mean", x - 22, x + 22, y, y))
    marks.append(text("ex-note middle", (LEFT + RIGHT) / 2, PLOT_HEIGHT - 4, "número de cabezas"))
    return svg("ex-plot", PLOT_HEIGHT, said, marks)
