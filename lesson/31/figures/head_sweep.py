"""``{head-sweep}``: accuracy by number of heads, every seed a dot; the body is the caption."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING

from markupsafe import Markup

import explorers
from playground import es
from sitegen.directive import Directive, Kind
from sitegen.markup import template

from ._drawing import dots_svg

if TYPE_CHECKING:
    from sitegen.render import Page

HTML = template("""
<figure class="sweep">{{ plot }}
{% if caption %}<figcaption>{{ caption }}</figcaption>{% endif %}
<details class="ex-table"><summary>Ver los números</summary>
<div class="table-scroll" tabindex="0"><table>
<thead><tr><th scope="col">h</th><th scope="col">d<sub>k</sub></th><th
 scope="col">media</th><th scope="col">peor</th><th scope="col">mejor</th><th
 scope="col">semillas</th></tr></thead>
<tbody>
{%- for r in rows %}
<tr><th scope="row">{{ r.num_heads }}</th>
{%- for value in (r.d_k, r.mean, r.low, r.high, r.seeds) %}<td>{{ value }}</td>{% endfor %}</tr>
{% endfor %}</tbody></table></div></details></figure>
""")


@dataclass
class HeadSweep(Directive):
    """The precomputed sweep."""

    def html(self, page: Page) -> Markup:
        """The picture and its numbers."""
        return HTML(caption=page.inline(self.body.strip()), **sweep_context())


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


KINDS = {"head-sweep": Kind(HeadSweep, optional=("name",))}
