"""The real model's 144 heads: one small file a sentence, fetched when asked for, and their names.

Without JavaScript the page shows the pronoun's row in every sentence, as text with ink.
"""

from __future__ import annotations

import base64
import hashlib
import json
from functools import cache
from types import SimpleNamespace

import numpy as np

import real_heads
from playground import es
from real_heads import head_habits, pronoun_wins, sentences

FOLDER = "cabezas"
HABITS = {
    "previous": "token anterior",
    "next": "token siguiente",
    "sink": "sumidero en <s>",
}


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
    options = {"names": head_names(), "layer": layer, "head": head}
    return {"sentences": shown, "options": options, "layer": layer + 1, "head": head + 1}
