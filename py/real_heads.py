"""Attention of a real model on real Spanish: committed maps, and one layer to run with ``mha``.

The model is multilingual-e5-small, quantised to 4 bits (MIT): 12 layers × 12 heads, d_model 384,
d_k 32. ``scripts/extract_heads.py`` made the files in ``data/``; each carries its provenance.
Layers and heads count from 0, as arrays do.
"""

from __future__ import annotations

import base64
import json
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np

import mha

DATA = Path(__file__).resolve().parent / "data"
SENTENCES = ("maria-ella", "maria-el", "juan-ella", "juan-el")
NAMED_FROM = 0.6  # `head_habits` from which the lesson gives a head a name
PRONOUN_LAYER, PRONOUN_HEAD = 7, 0  # the head that goes from él and ella to whom they mean


def load_maps(name: str) -> SimpleNamespace:
    """All 144 maps of one sentence.

    Parameters
    ----------
    name : str
        One of `SENTENCES`.

    Returns
    -------
    maps : namespace
        ``sentence`` (str), ``tokens`` (list of n str: the model's pieces, with its ``<s>`` and
        ``</s>``), ``words`` (list of n int: the word that each piece belongs to) and
        ``attn_weights`` (12, 12, n, n) in steps of 1/255, every row summing to 1.
    """
    if name not in SENTENCES:
        raise ValueError(f"La frase {name!r} no está; hay: {', '.join(SENTENCES)}.")
    record = json.loads(_file(f"e5-{name}.json").read_text(encoding="utf-8"))
    levels = np.frombuffer(base64.b64decode(record["levels_base64"]), np.uint8)
    return SimpleNamespace(
        sentence=record["sentence"],
        tokens=record["tokens"],
        words=record["words"],
        attn_weights=levels.reshape(record["shape"]) / 255,
    )


@cache
def sentences() -> tuple[SimpleNamespace, ...]:
    """The four sentences between whole words, with the places that their pronoun is about.

    Returns
    -------
    sentences : tuple of namespace
        ``name``, ``sentence``, ``words`` (n str), ``attn_weights`` (12, 12, n, n), ``row`` (of
        the pronoun), ``meant`` and ``other`` (columns of the two people's names).
    """
    found = []
    for name in SENTENCES:
        maps = load_maps(name)
        weights, words = merge_pieces(maps.attn_weights, maps.tokens, maps.words)
        pronoun = "ella" if name.endswith("ella") else "él"
        meant, other = ("María", "Juan") if pronoun == "ella" else ("Juan", "María")
        places = {"row": words.index(pronoun), "meant": words.index(meant)}
        places["other"] = words.index(other)
        found.append(
            SimpleNamespace(
                name=name, sentence=maps.sentence, words=words, attn_weights=weights, **places
            )
        )
    return tuple(found)


def pronoun_wins() -> np.ndarray:
    """In how many sentences each head prefers the person meant to the other: (12, 12) int."""
    wins = np.zeros((12, 12), int)
    for s in sentences():
        row = s.attn_weights[:, :, s.row]
        wins += row[..., s.meant] > row[..., s.other]
    return wins


def head_habits() -> dict[str, np.ndarray]:
    """Mean weight that the words of the four sentences put on one fixed place.

    Returns
    -------
    habits : dict
        ``"previous"`` and ``"next"`` word, and ``"sink"``, the model's ``<s>``: (12, 12) each.
    """
    sums = dict.fromkeys(("previous", "next", "sink"), 0.0)
    for s in sentences():
        words = s.attn_weights[:, :, 1:-1]  # rows of words only: not those of <s> and </s>
        i = np.arange(words.shape[-2])  # row i is token i + 1
        sums["previous"] = sums["previous"] + words[:, :, i[1:], i[1:]].mean(axis=-1)
        sums["next"] = sums["next"] + words[:, :, i[:-1], i[:-1] + 2].mean(axis=-1)
        sums["sink"] = sums["sink"] + words[..., 0].mean(axis=-1)
    return {habit: total / len(SENTENCES) for habit, total in sums.items()}


def load_layer() -> SimpleNamespace:
    """Layer 7 as stored: its weights, and what goes into it for two sentences.

    Returns
    -------
    layer : namespace
        ``w_q``, ``w_k``, ``w_v``, ``w_o`` (384, 384), applied as ``x @ w``; ``b_q`` … ``b_o``
        (384,); ``num_heads`` (12); ``x``, a dict from ``"maria-ella"`` and ``"maria-el"`` to
        (14, 384) ndarray.
    """
    with np.load(_file(f"e5-layer{PRONOUN_LAYER}.npz")) as stored:
        layer = SimpleNamespace(num_heads=12, x={})
        for name in "qkvo":
            matrix = _dequantise(stored[f"w_{name}_scales"], stored[f"w_{name}_nibbles"])
            setattr(layer, f"w_{name}", np.ascontiguousarray(matrix.T))  # stored as (out, in)
            setattr(layer, f"b_{name}", stored[f"b_{name}"].astype(np.float64))
        for name in stored.files:
            if name.startswith("x_"):
                layer.x[name[2:]] = stored[name].astype(np.float64)
    return layer


def as_mha(layer: SimpleNamespace) -> mha.MultiHeadAttention:
    """The layer inside an ``mha.MultiHeadAttention``, ready to be called on ``layer.x[…]``."""
    names = [kind + name for kind in ("w_", "b_") for name in "qkvo"]
    arrays = {name: getattr(layer, name) for name in names}
    return mha.MultiHeadAttention.from_weights(num_heads=layer.num_heads, **arrays)


def merge_pieces(
    attn_weights: np.ndarray, tokens: list[str], words: list[int]
) -> tuple[np.ndarray, list[str]]:
    """Maps between whole words, where the model cut some into pieces.

    A word receives the sum of what its pieces receive, and looks as its pieces do on average:
    rows still sum to 1 (Clark et al., 2019).

    Parameters
    ----------
    attn_weights : (..., n, n) ndarray
    tokens : list of n str
    words : list of n int

    Returns
    -------
    attn_weights : (..., n_words, n_words) ndarray
    tokens : list of n_words str
    """
    belongs = np.equal.outer(np.unique(words), words).astype(float)  # (n_words, n)
    mean = belongs / belongs.sum(axis=1, keepdims=True)
    whole = [""] * len(belongs)
    for token, word in zip(tokens, words, strict=True):
        whole[word] += token.replace("▁", "")
    return mean @ attn_weights @ belongs.T, whole


def _dequantise(scales: np.ndarray, nibbles: np.ndarray) -> np.ndarray:
    """32 weights share a scale; the low halves of 16 bytes come first, then the high ones."""
    levels = np.concatenate([nibbles & 15, nibbles >> 4], axis=-1).astype(np.float64) - 8
    return (levels * scales[..., None].astype(np.float64)).reshape(len(scales), -1)


def _file(name: str) -> Path:
    path = DATA / name
    if not path.exists():
        raise FileNotFoundError(
            f"Falta data/{name}, que se descarga cuando una celda lo pide. Recarga la página y "
            "vuelve a ejecutar la celda."
        )
    return path
