"""What the explorer of h shows: one panel a number of heads, its pictures and its numbers.

Everything is computed here, by ``explorers`` and so by ``mha``; the page's slider only chooses
which panel is seen, and without JavaScript one panel and the table of all stay.
"""

from __future__ import annotations

import math
from html import escape
from types import SimpleNamespace

from markupsafe import Markup

import explorers
from playground import es
from sitegen.shapes import wide_shapes

HEADS = (1, 2, 4, 8, 16, 32, 64)
FIRST = 8  # the panel that is open before anyone moves the slider

WIDTH, BAR = 520, 30  # SVG units
MAP, MAP_STEP, MAPS_A_ROW = 27, 32.8, 16  # side of a map, from one to the next
LEFT, RIGHT, TOP, BOTTOM, PLOT_HEIGHT = 46, 506, 24, 150, 190  # of a plot


def explorer_context(d_model: int, seq_len: int) -> dict:
    """All that the template needs.

    Parameters
    ----------
    d_model : int
        A multiple of every one of `HEADS`.
    seq_len : int

    Returns
    -------
    context : dict
        ``panels``, one namespace for each of `HEADS`; ``first``, the index of the open one.
    """
    rows = explorers.head_table(d_model, seq_len, HEADS)
    measured = {
        row["num_heads"]: row
        for row in explorers.VASWANI_2017
        if row["num_heads"] * row["d_k"] == d_model
    }
    panels = [_panel(row, rows, measured, d_model, seq_len) for row in rows]
    return {"panels": panels, "first": HEADS.index(FIRST), "d_model": d_model, "seq_len": seq_len}


def _panel(row: dict, rows: list[dict], measured: dict, d_model: int, seq_len: int):
    h = row["num_heads"]

    keys = ("d_k", "parameters", "multiply_adds", "stored_weights")
    largest = {key: max(other[key] for other in rows) for key in keys}

    return SimpleNamespace(
        num_heads=h,
        heads="una cabeza" if h == 1 else f"{h} cabezas",
        d_k=es(row["d_k"]),
        parameters=es(row["parameters"]),
        multiply_adds=es(row["multiply_adds"]),
        stored=es(row["stored_weights"]),
        megabytes=es(row["stored_bytes"] / 1e6, 1),
        shares={key: round(100 * row[key] / largest[key], 3) for key in keys},
        measured=measured.get(h),
        bleu=es(measured[h]["bleu"], 1) if h in measured else "",
        perplexity=es(measured[h]["perplexity"]) if h in measured else "",
        slices=Markup(slices_svg(d_model, seq_len, h)),
        shapes=Markup(wide_shapes(seq_len, d_model, h)),
        plot=Markup(bleu_svg(measured, h)) if measured else Markup(""),
    )


def _text(style: str, x: float, y: float, text: str) -> str:
    return f'<text class="{style}" x="{round(x, 1):g}" y="{round(y, 1):g}">{escape(text)}</text>'


def _line(style: str, x1: float, x2: float, y1: float, y2: float) -> str:
    return f'<line class="{style}" x1="{x1:g}" x2="{x2:g}" y1="{y1:g}" y2="{y2:g}"/>'


def _head(head: int, num_heads: int, x: float, y: float, width: float, height: float) -> str:
    """A head's rectangle, numbered where numbers fit."""
    box = f'x="{round(x, 2):g}" y="{y:g}" width="{round(width, 2):g}" height="{height:g}"'
    number = _text("ex-head", x + width / 2, y + height / 2 + 4.5, str(head + 1))
    return f'<rect class="shape-h{head % 8}" {box}/>' + (number if num_heads <= 16 else "")


def _svg(style: str, height: float, said: str, marks: list[str]) -> str:
    return (
        f'<svg class="{style}" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label="{escape(said)}">{"".join(marks)}</svg>'
    )


def slices_svg(d_model: int, seq_len: int, num_heads: int) -> str:
    """A token's vector cut into heads, and the map that each head makes of the sequence."""
    d_k, step = d_model // num_heads, WIDTH / num_heads
    gap = 1.5 if num_heads > 1 else 0
    maps = "un mapa" if num_heads == 1 else f"{num_heads} mapas"
    marks = [_text("ex-note", 0, 13, f"cada vector, {d_model} números: {num_heads} × {d_k}")]
    for head in range(num_heads):
        marks.append(_head(head, num_heads, head * step, 22, step - gap, BAR))
    top = 22 + BAR + 28
    marks.append(_text("ex-note", 0, top, f"{maps} de {seq_len} × {seq_len}"))
    for head in range(num_heads):
        x, y = head % MAPS_A_ROW * MAP_STEP, top + 9 + head // MAPS_A_ROW * MAP_STEP
        marks.append(_head(head, num_heads, x, y, MAP, MAP))
    height = top + 9 + math.ceil(max(HEADS) / MAPS_A_ROW) * MAP_STEP
    said = (
        f"Cada vector de {d_model} números se corta en {num_heads} rebanadas de {d_k}; "
        f"hay {maps} de {seq_len} por {seq_len}."
    )
    return _svg("ex-slices", height, said, marks)


def bleu_svg(measured: dict, current: int) -> str:
    """Vaswani's measured points over the slider's stops, the current one marked."""
    columns = [(str(h), [measured[h]["bleu"]] if h in measured else []) for h in HEADS]
    known = "; ".join(f"h = {h}: {es(row['bleu'], 1)}" for h, row in measured.items())
    said = f"BLEU según el número de cabezas. {known}. "
    said += f"Aquí, h = {current}" + ("." if current in measured else ", que no se midió.")
    marked = {"current": HEADS.index(current), "named": True}
    return dots_svg(columns, [24.5, 25.0, 25.5, 26.0], "BLEU", said, digits=1, **marked)


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

    marks = [_text("ex-note", 0, 10, y_label)]
    for tick in ticks:
        marks.append(_line("grid", LEFT, RIGHT, round(up(tick), 1), round(up(tick), 1)))
        marks.append(_text("tick end", LEFT - 8, up(tick) + 4, es(tick, digits)))
    for i, (label, values) in enumerate(columns):
        x, now = round(LEFT + (i + 0.5) * step, 1), " now" if i == current else ""
        if now:
            marks.append(_line("ex-now", x, x, TOP, BOTTOM))
        marks.append(_text(f"tick{now}", x, BOTTOM + 18, label))
        for k, value in enumerate(values):
            at = x + (k - (len(values) - 1) / 2) * 6  # equal values stay apart
            place = f'cx="{at:g}" cy="{up(value):.1f}" r="{5.5 if now else 4}"'
            marks.append(f'<circle class="ex-dot{now}" {place}/>')
            if named:
                marks.append(_text(f"ex-value{now}", x, up(value) - 9, es(value, digits)))
        if means:
            y = round(up(sum(values) / len(values)), 1)
            marks.append(_line("ex-mean", x - 22, x + 22, y, y))
    marks.append(_text("ex-note middle", (LEFT + RIGHT) / 2, PLOT_HEIGHT - 4, "número de cabezas"))
    return _svg("ex-plot", PLOT_HEIGHT, said, marks)


def sweep_context() -> dict:
    """The sweep of h on the two-token task: its picture, and a row a number of heads."""
    sweep = explorers.head_sweep()
    rows = [
        SimpleNamespace(
            num_heads=h, d_k=32 // h, mean=es(sum(runs) / len(runs), 3),
            low=es(min(runs), 3), high=es(max(runs), 3), seeds=len(runs),
        )
        for h, runs in sweep.items()
    ]  # fmt: skip
    said = "Acierto con cada número de cabezas, un punto por semilla. "
    said += "; ".join(f"h = {r.num_heads}: media {r.mean}, de {r.low} a {r.high}" for r in rows)
    columns = [(str(h), runs) for h, runs in sweep.items()]
    ticks = [0.88, 0.92, 0.96, 1.0]
    plot = dots_svg(columns, ticks, "acierto", f"{said}.", digits=2, means=True)
    return {"rows": rows, "plot": Markup(plot)}


def model_rows() -> list[SimpleNamespace]:
    """Published models, each put through ``mha``'s own counts."""
    rows = []
    for model in explorers.MODELS:
        check = explorers.model_check(model)
        rows.append(
            SimpleNamespace(
                name=model["name"],
                num_heads=es(model["num_heads"]),
                d_k=es(model["d_k"]),
                inner=es(check["inner"]),
                d_model=es(model["d_model"]),
                even=check["even"],
                parameters=es(check["parameters"] / 1e6, 1),
                source=model["source"],
            )
        )
    return rows
