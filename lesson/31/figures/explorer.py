"""``{explorer}`` with ``:name:``, ``:d-model:``, ``:seq-len:``: a slider over the number of heads.

Everything is computed here, by ``explorers`` and so by ``mha``; the page's slider only chooses
which panel is seen, and without JavaScript one panel and the table of all stay. The body is the
caption.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING

from markupsafe import Markup

import explorers
from playground import es
from sitegen.directive import Directive, Kind
from sitegen.markup import template

from ._drawing import WIDTH, dots_svg, svg, text
from .shapes import wide_shapes

if TYPE_CHECKING:
    from sitegen.lesson import Lesson
    from sitegen.render import Page

HEADS = (1, 2, 4, 8, 16, 32, 64)
FIRST = 8  # the panel that is open before anyone moves the slider
BAR = 30  # SVG units: the height of a vector
MAP, MAP_STEP, MAPS_A_ROW = 27, 32.8, 16  # side of a map, from one to the next

HTML = template("""
{% macro metric(what, value, share, style="") %}
<div><dt>{{ what }}</dt><dd>{{ value }}</dd><dd class="ex-bar{{ style }}" aria-hidden="true"><span
 style="--share:{{ share }}%"></span></dd></div>
{%- endmacro %}
<section class="explorer" id="{{ name }}" data-explorer
 aria-label="Explorador: el número de cabezas">
<div class="ex-control" hidden>
<label for="{{ name }}-h">Número de cabezas</label>
<input type="range" id="{{ name }}-h" min="0" max="{{ panels | length - 1 }}" step="1"
 value="{{ first }}">
<output class="ex-output" for="{{ name }}-h"></output>
</div>
{% for p in panels %}
<div class="ex-panel" data-h="{{ p.num_heads }}" data-said="{{ p.heads }} de {{ p.d_k }} columnas"
{%- if loop.index0 != first %} hidden{% endif %}>
<p class="ex-lead"><strong>h = {{ p.num_heads }}</strong> <span>d<sub>model</sub> =
{{ d_model }}, {{ seq_len }} tokens</span></p>
<div class="ex-figures">
{{ p.slices }}
{% if p.plot %}
<div class="ex-measured">{{ p.plot }}
<p>
{%- if p.measured -%}
Medido en 2017: BLEU <strong>{{ p.bleu }}</strong>, perplejidad
<strong>{{ p.perplexity }}</strong>.
{%- else -%}
Con {{ p.heads }} no se midió.
{%- endif %}
</p></div>
{% endif %}
</div>
<div class="ex-shapes table-scroll" tabindex="0">{{ p.shapes }}</div>
<dl class="ex-metrics">
{{ metric("d<sub>k</sub>, anchura de cada cabeza" | safe, p.d_k, p.shares.d_k) }}
{{ metric("parámetros", p.parameters, p.shares.parameters) }}
{{ metric("multiplicaciones con suma", p.multiply_adds, p.shares.multiply_adds) }}
{{ metric("pesos de atención, h·n² (" ~ p.megabytes ~ " MB en float32)", p.stored,
          p.shares.stored_weights, " rising") }}
</dl>
</div>
{% endfor %}
<details class="ex-table"><summary>Todos los números, en una tabla</summary>
<div class="table-scroll" tabindex="0"><table>
<thead><tr><th scope="col">h</th><th scope="col">d<sub>k</sub></th><th
 scope="col">parámetros</th><th scope="col">multiplicaciones</th><th
 scope="col">pesos, h·n²</th><th scope="col">BLEU</th></tr></thead>
<tbody>
{%- for p in panels %}
<tr data-h="{{ p.num_heads }}"><th scope="row">{{ p.num_heads }}</th>
{%- for value in (p.d_k, p.parameters, p.multiply_adds, p.stored, p.bleu or "–") -%}
<td>{{ value }}</td>
{%- endfor %}</tr>
{% endfor %}</tbody></table></div></details>
{% if caption %}<p class="ex-caption">{{ caption }}</p>{% endif %}
</section>
""")


@dataclass
class Explorer(Directive):
    """The slider's panels."""

    d_model: int = 0
    seq_len: int = 0

    def read(self, lesson: Lesson) -> None:
        """Two sizes; every stop of the slider divides the width."""
        self.read_sizes(lesson, "d-model", "seq-len")
        if self.d_model % max(HEADS):
            what = f"d-model {self.d_model} is no multiple of {max(HEADS)}"
            stops = ", ".join(map(str, HEADS))
            raise lesson.error(self.line, what, f"the slider stops at {stops}")

    def html(self, page: Page) -> Markup:
        """Every panel, all but one hidden, and the table of all."""
        context = explorer_context(self.d_model, self.seq_len)
        return HTML(name=self.name, caption=page.inline(self.body.strip()), **context)


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


def _head(head: int, num_heads: int, x: float, y: float, width: float, height: float) -> str:
    """A head's rectangle, numbered where numbers fit."""
    box = f'x="{round(x, 2):g}" y="{y:g}" width="{round(width, 2):g}" height="{height:g}"'
    number = text("ex-head", x + width / 2, y + height / 2 + 4.5, str(head + 1))
    return f'<rect class="shape-h{head % 8}" {box}/>' + (number if num_heads <= 16 else "")


def slices_svg(d_model: int, seq_len: int, num_heads: int) -> str:
    """A token's vector cut into heads, and the map that each head makes of the sequence."""
    d_k, step = d_model // num_heads, WIDTH / num_heads
    gap = 1.5 if num_heads > 1 else 0
    maps = "un mapa" if num_heads == 1 else f"{num_heads} mapas"
    marks = [text("ex-note", 0, 13, f"cada vector, {d_model} números: {num_heads} × {d_k}")]
    for head in range(num_heads):
        marks.append(_head(head, num_heads, head * step, 22, step - gap, BAR))
    top = 22 + BAR + 28
    marks.append(text("ex-note", 0, top, f"{maps} de {seq_len} × {seq_len}"))
    for head in range(num_heads):
        x, y = head % MAPS_A_ROW * MAP_STEP, top + 9 + head // MAPS_A_ROW * MAP_STEP
        marks.append(_head(head, num_heads, x, y, MAP, MAP))
    height = top + 9 + math.ceil(max(HEADS) / MAPS_A_ROW) * MAP_STEP
    said = (
        f"Cada vector de {d_model} números se corta en {num_heads} rebanadas de {d_k}; "
        f"hay {maps} de {seq_len} por {seq_len}."
    )
    return svg("ex-slices", height, said, marks)


def bleu_svg(measured: dict, current: int) -> str:
    """Vaswani's measured points over the slider's stops, the current one marked."""
    columns = [(str(h), [measured[h]["bleu"]] if h in measured else []) for h in HEADS]
    known = "; ".join(f"h = {h}: {es(row['bleu'], 1)}" for h, row in measured.items())
    said = f"BLEU según el número de cabezas. {known}. "
    said += f"Aquí, h = {current}" + ("." if current in measured else ", que no se midió.")
    marked = {"current": HEADS.index(current), "named": True}
    return dots_svg(columns, [24.5, 25.0, 25.5, 26.0], "BLEU", said, digits=1, **marked)


KINDS = {"explorer": Kind(Explorer, required=("name", "d-model", "seq-len"))}
