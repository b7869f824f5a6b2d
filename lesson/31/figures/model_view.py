"""``{model-view}`` with ``:name:``: a real model's 144 heads, with the names that some earn.

One small file a sentence is fetched when asked for. Without JavaScript the page shows the pronoun's
row in every sentence, as text with ink. The body is the caption.
"""

from __future__ import annotations

import base64
import hashlib
import json
from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import TYPE_CHECKING

import numpy as np
from markupsafe import Markup

import real_heads
from playground import es
from real_heads import head_habits, pronoun_wins, sentences
from sitegen.directive import Directive, Kind
from sitegen.markup import json_script, template

if TYPE_CHECKING:
    from sitegen.render import Page

FOLDER = "cabezas"
HABITS = {
    "previous": "token anterior",
    "next": "token siguiente",
    "sink": "sumidero en <s>",
}
HTML = template("""
<section class="model-view" id="{{ name }}" data-model-view
 aria-label="Las cabezas de un modelo de verdad">
<p class="mv-title">A quién mira el pronombre: la fila de «ella» y de «él» en la capa
{{ layer }}, cabeza {{ head }}</p>
<ul class="mv-strips">
{% for s in sentences %}
<li>
{%- for c in s.chips %}<span class="mv-chip{{ " mv-own" if loop.index0 == s.row }}"
 style="--w:{{ c.share }}%"><bdi>{{ c.word }}</bdi> <span
 class="mv-value">{{ c.weight }}</span></span>{{ " " }}
{%- endfor %}</li>
{% endfor %}
</ul>
<button type="button" class="button mv-open" hidden>Ver las 144 cabezas</button>
<p class="mv-message" role="status"></p>
<div class="mv-live" hidden>
<fieldset class="mv-sentences"><legend>Frase</legend>
{% for s in sentences %}
<label><input type="radio" name="{{ name }}-frase" value="{{ s.href }}"
{%- if loop.first %} checked{% endif %}> {{ s.sentence }}</label>
{% endfor %}
</fieldset>
<label class="mv-sinks"><input type="checkbox" name="{{ name }}-sumideros"> Tapar &lt;s&gt; y
&lt;/s&gt; en la vista general, sin renormalizar el resto</label>
<p class="mv-help">Filas: capas. Columnas: cabezas. Elige una para verla entera debajo; con el
teclado, las flechas.</p>
<div class="mv-grid-box"></div>
<p class="mv-chosen" aria-live="polite"></p>
<div class="mv-map"></div>
</div>
<p class="ex-caption">{{ caption }}</p>
<script type="application/json" class="mv-options">{{ options }}</script>
</section>
""")


@dataclass
class ModelView(Directive):
    """All heads of the real model."""

    def html(self, page: Page) -> Markup:
        """The pronoun's row, and room for the live view."""
        caption = page.inline(self.body.strip())
        return HTML(name=self.name, caption=caption, **model_view_context())

    def files(self) -> dict[str, bytes]:
        """A file a sentence."""
        return files()


def head_names() -> dict[str, str]:
    """Names of the heads that earn one: ``{"7-0": "pronombre → su nombre", …}``, from 0."""
    names = {
        f"{layer}-{head}": HABITS[habit]
        for habit, mean in head_habits().items()
        for layer, head in np.argwhere(mean > real_heads.NAMED_FROM).tolist()
    }
    for layer, head in np.argwhere(pronoun_wins() == len(sentences())).tolist():
        names[f"{layer}-{head}"] = "pronombre → su nombre"
    return names


def levels(attn_weights: np.ndarray) -> np.ndarray:
    """Weights in 255ths such that every row still sums to 1: largest remainders are rounded up."""
    exact = attn_weights * 255
    floor = np.floor(exact + 1e-9).astype(int)
    missing = 255 - floor.sum(axis=-1, keepdims=True)
    rank = (floor - exact).argsort(axis=-1, kind="stable").argsort(axis=-1)
    return (floor + (rank < missing)).astype(np.uint8)


@cache
def files() -> dict[str, bytes]:
    """Address → content of what the page fetches, one JSON file a sentence."""
    made = {}
    for s in sentences():
        record = {
            "sentence": s.sentence,
            "tokens": s.words,
            "shape": list(s.attn_weights.shape),
            "levels": base64.b64encode(levels(s.attn_weights).tobytes()).decode(),
        }
        content = json.dumps(record, ensure_ascii=False, separators=(",", ":")).encode()
        made[f"{FOLDER}/{s.name}-{hashlib.sha256(content).hexdigest()[:12]}.json"] = content
    return made


def model_view_context() -> dict:
    """All that the template needs: the sentences with the pronoun's row, names, addresses."""
    layer, head = real_heads.PRONOUN_LAYER, real_heads.PRONOUN_HEAD
    shown = [
        SimpleNamespace(
            name=s.name,
            sentence=s.sentence,
            href=href,
            pronoun=s.words[s.row],
            chips=[
                SimpleNamespace(word=word, weight=es(value), share=round(100 * float(value), 1))
                for word, value in zip(s.words, s.attn_weights[layer, head, s.row], strict=True)
            ],
            row=s.row,
        )
        for s, href in zip(sentences(), files(), strict=True)
    ]  # fmt: skip
    options = json_script({"names": head_names(), "layer": layer, "head": head})
    return {"sentences": shown, "options": options, "layer": layer + 1, "head": head + 1}


KINDS = {"model-view": Kind(ModelView, required=("name",))}
