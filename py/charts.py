"""Lay out small charts as plain marks, so that the builder and the page draw the very same thing.

A drawing is ``{"width", "height", "label", "marks", "table"}``: sizes in px; ``label`` says the
chart in words; a mark is ``[tag, attributes, text]`` of an SVG element; ``table`` is
``{"head": [...], "rows": [[...]]}``, the numbers for whoever does not see the picture.
Colours and fonts belong to the style sheet: marks carry class names only.
"""

from __future__ import annotations

import math

WIDTH, HEIGHT = 600, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 120, 18, 46
DASHES = ("", "7 4", "2 3", "9 3 2 3", "4 2", "1 3")  # colour is never the only signal
MAX_CELLS = 1600  # squares of a matrix that are drawn
NUMBERS_UP_TO = 12  # columns: beyond, squares are too narrow for their number


def short_number(value: float, digits: int = 3) -> str:
    """Short number with a decimal comma, as an axis shows it."""
    text = f"{value:.{digits}g}"
    if "e" in text and 1e-4 < abs(value) < 1e7:
        text = f"{value:.0f}"
    return text.replace(".", ",").replace("-", "−")


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers that span ``[low, high]``: steps of 1, 2 or 5 times a power of ten."""
    span = high - low or abs(high) or 1.0
    raw = span / max(1, about)
    power = 10 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(i * step, 12) for i in range(first, max(last, first + 1) + 1)]


def lines_drawing(payload: dict) -> dict:
    """Curves with axes, each labelled at its end and told apart by dashes too.

    Parameters
    ----------
    payload : dict
        As `playground.show_lines` records it: ``title``, ``x_label``, ``y_label``, ``series``.

    Returns
    -------
    dict
        A drawing.
    """
    series = payload["series"]
    xs = [x for line in series for x in line["x"]] or [0.0]
    ys = [y for line in series for k in ("y", "low", "high") for y in line.get(k, [])] or [0.0]
    x_ticks, y_ticks = ticks(min(xs), max(xs)), ticks(min(ys), max(ys))

    def at(x: float, y: float) -> tuple[float, float]:
        across = (x - x_ticks[0]) / (x_ticks[-1] - x_ticks[0])
        up = (y - y_ticks[0]) / (y_ticks[-1] - y_ticks[0])
        return (
            round(LEFT + across * (WIDTH - LEFT - RIGHT), 1),
            round(HEIGHT - BOTTOM - up * (HEIGHT - TOP - BOTTOM), 1),
        )

    marks = _axes(x_ticks, y_ticks, at)
    ends = []
    for number, line in enumerate(series):
        marks += _curve(number, line, at)
        if line["x"]:
            ends.append([at(line["x"][-1], line["y"][-1]), number, line["label"]])
    marks += _end_labels(ends)
    x_label, y_label = payload["x_label"], payload["y_label"]
    middle = (LEFT + WIDTH - RIGHT) / 2
    if x_label:
        marks.append(["text", {"class": "axis-title", "x": middle, "y": HEIGHT - 6}, x_label])
    if y_label:
        marks.append(["text", {"class": "axis-title start", "x": 4, "y": 12}, y_label])
    said = "; ".join(
        f"{line['label']}: de {short_number(line['y'][0])} a {short_number(line['y'][-1])}"
        for line in series
        if line["y"]
    )
    head = [x_label or "x", *(line["label"] for line in series)]
    return _drawing(payload, WIDTH, HEIGHT, said, marks, {"head": head, "rows": _columns(series)})


def _axes(x_ticks: list[float], y_ticks: list[float], at) -> list:
    marks = []
    for y in y_ticks:
        (x0, py), (x1, _) = at(x_ticks[0], y), at(x_ticks[-1], y)
        marks.append(["line", {"class": "grid", "x1": x0, "x2": x1, "y1": py, "y2": py}, None])
        marks.append(["text", {"class": "tick end", "x": x0 - 8, "y": py + 4}, short_number(y)])
    for x in x_ticks:
        px, py = at(x, y_ticks[0])
        marks.append(["text", {"class": "tick", "x": px, "y": py + 18}, short_number(x)])
    return marks


def _curve(number: int, line: dict, at) -> list:
    points = [at(x, y) for x, y in zip(line["x"], line["y"], strict=True)]
    style = f"series-{number % 8}"
    marks = []
    if "low" in line:
        over = [at(x, y) for x, y in zip(line["x"], line["high"], strict=True)]
        under = [at(x, y) for x, y in zip(line["x"], line["low"], strict=True)]
        marks.append(
            ["path", {"class": f"band {style}", "d": f"{_path(over + under[::-1])}Z"}, None]
        )
    attributes = {"class": f"curve {style}", "d": _path(points)}
    if DASHES[number % len(DASHES)]:
        attributes["stroke-dasharray"] = DASHES[number % len(DASHES)]
    marks.append(["path", attributes, None])
    if len(points) <= 12:
        marks += [
            ["circle", {"class": f"dot {style}", "cx": x, "cy": y, "r": 3.2}, None]
            for x, y in points
        ]
    return marks


def _path(points: list[tuple[float, float]]) -> str:
    return "M" + "L".join(f"{x} {y}" for x, y in points) if points else ""


def _end_labels(ends: list) -> list:
    """Labels at the curves' ends, pushed apart where they would touch."""
    marks = []
    lowest = -math.inf
    for (x, y), number, label in sorted(ends):
        y = max(y, lowest + 16)
        lowest = y
        text = label if len(label) <= 18 else f"{label[:17]}…"
        marks.append(["text", {"class": f"name series-{number % 8}", "x": x + 8, "y": y + 4}, text])
    return marks


def _columns(series: list[dict]) -> list[list[str]]:
    xs = sorted({x for line in series for x in line["x"]})
    step = max(1, len(xs) // 50)
    shown = xs[::step] if xs[-1:] == xs[::step][-1:] else [*xs[::step], xs[-1]]
    found = [dict(zip(line["x"], line["y"], strict=True)) for line in series]
    return [
        [short_number(x), *(short_number(f[x], 4) if x in f else "" for f in found)] for x in shown
    ]


def matrix_drawing(payload: dict) -> dict:
    """A matrix as shaded cells with their numbers; negative values take another hue.

    Parameters
    ----------
    payload : dict
        As `playground.show_matrix` records it: ``title``, ``row_labels``, ``col_labels``,
        ``values`` (r, c).

    Returns
    -------
    dict
        A drawing. Of a large matrix only the first rows are drawn, and the label says so.
    """
    values = payload["values"]
    rows, columns = values.shape
    shown = max(1, min(rows, MAX_CELLS // columns))
    room = 560 // (columns + 2)
    size = max(8, min(46, room))
    longest = max(len(str(label)) for label in payload["col_labels"])
    width = max(size, min(7 * longest + 7, room))  # a cell is as wide as its column's name
    left = 12 + 7 * max(len(str(label)) for label in payload["row_labels"])
    top = 26
    largest = float(abs(values).max()) or 1.0
    marks = []
    for j, label in enumerate(payload["col_labels"]):
        x = left + j * width + width / 2
        marks.append(["text", {"class": "tick", "x": x, "y": top - 8}, _short(label, width)])
    for i in range(shown):
        y = top + i * size
        row = {"class": "tick end", "x": left - 6, "y": y + size / 2 + 4}
        marks.append(["text", row, str(payload["row_labels"][i])])
        for j in range(columns):
            box = {"x": left + j * width, "y": y, "width": width - 1, "height": size - 1}
            marks += _cell(float(values[i, j]), box, largest, columns)
    cut = f"; se dibujan las primeras {shown} filas de {rows}" if shown < rows else ""
    low, high = short_number(values.min()), short_number(values.max())
    said = f"matriz de {rows} por {columns}, de {low} a {high}{cut}"
    table = {
        "head": ["", *map(str, payload["col_labels"])],
        "rows": [
            [str(payload["row_labels"][i]), *(short_number(float(v), 4) for v in values[i])]
            for i in range(shown)
        ],
    }
    return _drawing(payload, left + columns * width + 4, top + shown * size + 4, said, marks, table)


def _cell(value: float, box: dict, largest: float, columns: int) -> list:
    strength = abs(value) / largest
    sign = "negative" if value < 0 else "positive"
    marks = [["rect", {"class": f"cell-{sign}", "fill-opacity": round(strength, 3), **box}, None]]
    if columns <= NUMBERS_UP_TO:
        style = "number strong" if strength > 0.55 else "number"
        place = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2 + 4.5}
        marks.append(["text", {"class": style, **place}, short_number(value, 2)])
    return marks


def _short(label, width: float) -> str:
    text, room = str(label), max(1, int(width // 7))
    return text if len(text) <= room else f"{text[: max(1, room - 1)]}…"


def _drawing(payload: dict, width, height, said: str, marks: list, table: dict) -> dict:
    title = payload["title"]
    label = f"{title}: {said}" if title else said
    return {"width": width, "height": height, "label": label, "marks": marks, "table": table}
