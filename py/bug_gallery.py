"""Set the right attention beside a broken one: two maps of one head, and what can be measured."""

from __future__ import annotations

import numpy as np

import playground
from playground import es

WIDTHS = (21, 10, 11)  # characters of the printed columns


def compare(attend, bug: str, x, layer, tokens: list[str], *, head: int, mask=None) -> None:
    """Run ``attend`` with and without a bug; print the numbers, show both maps.

    Parameters
    ----------
    attend : callable
        ``attend(x, layer, mask=..., bug=..., rng=...) -> (output, attn_weights)``; ``bug=None``
        is right.
    bug : str
    x : (n, d_model) ndarray
    layer : mha.MultiHeadAttention
    tokens : list of n str
    head : int
        Whose map is shown.
    mask : (n, n) ndarray of bool, optional
    """
    rng = np.random.default_rng(31)
    output, weights = attend(x, layer, mask=mask, bug=None, rng=rng)
    broken_output, broken = attend(x, layer, mask=mask, bug=bug, rng=rng)
    again, _ = attend(x, layer, mask=mask, bug=bug, rng=rng)
    for title, maps in (("bien", weights), ("con el error", broken)):
        playground.show_matrix(maps[head], tokens, tokens, title=title)
    _line("", "bien", "con error")
    _line("suma de las filas", _span(weights.sum(-1)), _span(broken.sum(-1)))
    _line("suma de las columnas", _span(weights.sum(-2)), _span(broken.sum(-2)))
    _line("peso mayor, de media", es(weights.max(-1).mean()), es(broken.max(-1).mean()))
    _line("peso hacia delante", es(_ahead(weights)), es(_ahead(broken)))
    _line("cambia la salida", es(0.0), es(_distance(output, broken_output)))
    _line("cambia al repetir", es(0.0), es(_distance(broken_output, again)))


def _line(*texts: str) -> None:
    first, *rest = (text.rjust(width) for text, width in zip(texts, WIDTHS, strict=True))
    print(texts[0].ljust(WIDTHS[0]) + "".join(rest))


def _span(values: np.ndarray) -> str:
    low, high = es(values.min()), es(values.max())
    return low if low == high else f"{low}–{high}"


def _ahead(weights: np.ndarray) -> float:
    """Share of all the weight that falls on later tokens."""
    return float(np.triu(weights, 1).sum() / weights.sum())


def _distance(one: np.ndarray, other: np.ndarray) -> float:
    return float(np.abs(one - other).max())
