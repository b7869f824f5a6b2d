"""What a cell draws, as HTML below the cell: maps of heads, charts, progress."""

from __future__ import annotations

from markupsafe import Markup

from sitegen.directives.heatmap import viewer
from sitegen.markup import template

CHART = template("""
<figure class="chart">{% if title %}<figcaption>{{ title }}</figcaption>{% endif %}
<div class="chart-scroll" tabindex="0"><svg viewBox="0 0 {{ drawing.width }} {{ drawing.height }}"
 width="{{ drawing.width }}" role="img" aria-label="{{ drawing.label }}">
{% for tag, attributes, text in drawing.marks %}
<{{ tag }}{% for key, value in attributes.items() %} {{ key }}="{{ value }}"{% endfor %}>
{{- text if text is not none }}</{{ tag }}>
{%- endfor %}
</svg></div>
<details><summary>{{ words.chart.numbers }}</summary><div class="table-scroll" tabindex="0"><table>
<thead><tr>
{%- for text in drawing.table.head %}<th scope="col">{{ text }}</th>{% endfor %}</tr></thead>
<tbody>
{%- for row in drawing.table.rows %}<tr><th>{{ row[0] }}</th>
{%- for text in row[1:] %}<td>{{ text }}</td>{% endfor %}</tr>
{%- endfor %}</tbody>
</table></div></details></figure>
""")
PROGRESS = template("""
<p class="progress-bar"><progress value="{{ bar.done }}" max="{{ bar.total }}"
 aria-label="{{ bar.title or words.chart.progress }}"></progress> <span>{{ bar.said }}</span></p>
""")


def picture(name: str, display: dict) -> Markup:
    """One display; ``name`` is the place of a map of heads in the page."""
    payload = display["payload"]
    if display["kind"] == "heads":
        return viewer(name, display)
    if display["kind"] == "progress":
        return PROGRESS(bar=payload)
    return CHART(title=payload["title"], drawing=payload["drawing"])
