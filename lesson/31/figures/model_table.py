"""``{model-table}``: published models, put through the lesson's own counts."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import TYPE_CHECKING

from markupsafe import Markup

import explorers
from playground import es
from sitegen.directive import Directive, Kind
from sitegen.markup import template

if TYPE_CHECKING:
    from sitegen.render import Page

HTML = template("""
<div class="table-scroll models" tabindex="0"><table>
<thead><tr><th scope="col">modelo</th><th scope="col">h</th><th
 scope="col">d<sub>k</sub></th><th scope="col">h·d<sub>k</sub></th><th
 scope="col">d<sub>model</sub></th><th scope="col">¿iguales?</th><th
 scope="col">millones de parámetros por capa de atención</th></tr></thead>
<tbody>
{%- for r in rows %}
<tr><th scope="row">{{ r.name }} <small>{{ r.source }}</small></th>
{%- for value in (r.num_heads, r.d_k, r.inner, r.d_model) %}<td>{{ value }}</td>{% endfor %}
<td>{{ "sí" if r.even else "no" }}</td><td>{{ r.parameters }}</td></tr>
{% endfor %}</tbody></table></div>
""")


@dataclass
class ModelTable(Directive):
    """A row a model."""

    def html(self, page: Page) -> Markup:
        """The table."""
        return HTML(rows=model_rows())


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


KINDS = {"model-table": Kind(ModelTable, optional=("name",))}
