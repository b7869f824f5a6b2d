"""What a cell calls to draw: it validates arrays, records what to show, and hands it to the page.

Outside the page (plain Python, Jupyter) the same calls work: they only record. The toy sentences
and the hand-made heads of ``hand_made_heads`` are offered from here too.
"""

from __future__ import annotations

import numpy as np

import displays
import mha
from display_checks import (
    check_count,
    check_mask,
    check_shape,
    check_weights,
    numbers,
    texts,
)
from displays import take_displays
from hand_made_heads import (
    FEATURES,
    HEADS,
    SENTENCES,
    START,
    VOCABULARY,
    add_word,
    embed,
    hand_made_heads,
    reslice,
    tokenize,
)

__all__ = [
    "FEATURES", "HEADS", "SENTENCES", "START", "VOCABULARY", "add_word", "embed", "es",
    "hand_made_heads", "head_deltas", "reslice", "show_heads", "show_lines", "show_matrix",
    "show_progress",
    "take_displays", "tokenize",
]  # fmt: skip


def show_heads(
    attn_weights,
    tokens,
    tokens_k=None,
    *,
    mask=None,
    head_labels=None,
    title: str = "",
    target: str | None = None,
    head_deltas=None,
    layers=None,
) -> None:
    """Draw attention maps in the lesson's heatmap.

    Parameters
    ----------
    attn_weights : (num_heads, n_q, n_k) ndarray
        Rows sum to 1, or are 0 where ``mask`` hides every key. (n_q, n_k) is one head; with
        ``layers``, (num_layers, num_heads, n_q, n_k).
    tokens : list of str
        The n_q queries; also the keys, unless ``tokens_k`` gives the n_k keys.
    mask : bool ndarray that broadcasts to (n_q, n_k), optional
        True = hidden, as in ``mha``.
    head_labels : list of num_heads str, optional
        Default: "cabeza 1", "cabeza 2"…
    title : str, optional
    target : str, optional
        Name of the lesson's heatmap to redraw; by default the one that belongs to the cell.
    head_deltas : (num_heads, n_q) ndarray, optional
        ‖Δoutput‖ when that head is switched off, as `head_deltas` computes it; with ``layers``,
        (num_layers, num_heads, n_q).
    layers : list of num_layers str, optional

    Raises
    ------
    ValueError
        Naming the argument, the place, the value found and the way out. Nothing is drawn then.
    """
    tokens_q = texts("tokens", tokens)
    tokens_k = tokens_q if tokens_k is None else texts("tokens_k", tokens_k)
    layers = None if layers is None else texts("layers", layers)
    weights = numbers("attn_weights", attn_weights)
    if weights.ndim == 2 and layers is None:
        weights = weights[None]
    check_shape(weights, tokens_q, tokens_k, layers)
    num_heads = weights.shape[-3]
    if head_labels is None:
        head_labels = [f"cabeza {h + 1}" for h in range(num_heads)]
    head_labels = texts("head_labels", head_labels)
    check_count("head_labels", head_labels, num_heads, "cabezas")
    if mask is not None:
        mask = check_mask(mask, weights.shape[-2:])
    check_weights(weights, mask, tokens_q)
    payload = {
        "tokens_q": tokens_q,
        "tokens_k": list(tokens_k),
        "attn_weights": weights,
        "mask": mask,
        "head_labels": head_labels,
        "title": str(title or ""),
    }
    if head_deltas is not None:
        deltas = numbers("head_deltas", head_deltas)
        if deltas.shape != weights.shape[:-1]:
            raise ValueError(
                f"head_deltas tiene forma {deltas.shape} y hace falta {weights.shape[:-1]}: "
                "un número por cabeza y token; los da head_deltas(attention, x)."
            )
        if (deltas < 0).any():
            raise ValueError(f"head_deltas contiene {deltas.min():.3g}: una norma no es negativa.")
        payload["head_deltas"] = deltas
    if layers is not None:
        payload["layers"] = layers
    displays.record("heads", target, payload)


def show_lines(series, *, title="", x_label="", y_label="", target=None) -> None:
    """Draw curves.

    Parameters
    ----------
    series : dict of str to (x, y) or (x, y, low, high)
        One line a label; x and y have the same length. ``low`` and ``high`` bound a band around
        the line: its spread.
    title, x_label, y_label : str, optional
    target : str, optional
        As in `show_heads`.

    Raises
    ------
    ValueError
        For lengths that differ, or values that aren't finite numbers.
    """
    if not isinstance(series, dict) or not series:
        raise ValueError('series necesita un dict con alguna línea: {"pérdida": (x, y)}.')
    lines = []
    for label, values in series.items():
        if not isinstance(values, (tuple, list)) or len(values) not in (2, 4):
            raise ValueError(f"series[{label!r}] necesita (x, y) o (x, y, low, high).")
        line = {"label": str(label)}
        for name, value in zip(("x", "y", "low", "high"), values, strict=False):
            where = f"series[{label!r}], {name}"
            array = numbers(where, value)
            if array.ndim != 1:
                raise ValueError(f"{where} tiene forma {array.shape}; hace falta una lista.")
            line[name] = array.tolist()
        lengths = {name: len(value) for name, value in line.items() if name != "label"}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"series[{label!r}] tiene longitudes distintas: {lengths}.")
        lines.append(line)
    texts = {"title": str(title), "x_label": str(x_label), "y_label": str(y_label)}
    displays.record("lines", target, {**texts, "series": lines})


def show_matrix(values, row_labels=None, col_labels=None, *, title="", target=None) -> None:
    """Draw any matrix of finite numbers, (r, c), with its row and column labels.

    Raises
    ------
    ValueError
        For a shape that isn't 2-D, a wrong number of labels, or values that aren't finite.
    """
    values = numbers("values", values)
    if values.ndim != 2 or 0 in values.shape:
        raise ValueError(f"values tiene forma {values.shape}; hace falta (filas, columnas).")
    rows, columns = values.shape
    row_labels = texts("row_labels", range(rows) if row_labels is None else row_labels)
    col_labels = texts("col_labels", range(columns) if col_labels is None else col_labels)
    check_count("row_labels", row_labels, rows, "filas")
    check_count("col_labels", col_labels, columns, "columnas")
    named = {"row_labels": row_labels, "col_labels": col_labels}
    displays.record("matrix", target, {"title": str(title), **named, "values": values})


def show_progress(done, total, *, title="", target=None) -> None:
    """Draw how much of a long computation is done; calling again moves the same bar.

    Parameters
    ----------
    done, total : float
        ``0 <= done <= total``, ``total > 0``; of whatever ``title`` names.
    title : str, optional
        What is counted: ``"pasos"``. One bar a title.
    target : str, optional
        As in `show_heads`.

    Raises
    ------
    ValueError
        For a total that isn't positive, or a part outside it.
    """
    done, total = (float(numbers(name, v)) for name, v in (("done", done), ("total", total)))
    if not 0 <= done <= total or total == 0:
        raise ValueError(
            f"done={done:g} y total={total:g}: hacen falta 0 ≤ done ≤ total y total > 0."
        )
    displays.record("progress", target, {"title": str(title), "done": done, "total": total})


def head_deltas(
    attention: mha.MultiHeadAttention, x, *, mask=None, causal: bool = False
) -> np.ndarray:
    """‖Δoutput‖ of each token when one head is switched off, and nothing else changes.

    The output is a sum over heads (`MultiHeadAttention.head_contributions`): without a head, its
    term is what is missing.

    Parameters
    ----------
    x : (n, d_model) ndarray
    mask, causal : optional
        As in ``mha``.

    Returns
    -------
    deltas : (num_heads, n) ndarray
    """
    contributions = attention.head_contributions(x, mask=mask, causal=causal)  # (h, n, d_model)
    return np.linalg.norm(contributions, axis=-1)


def es(value, digits: int = 2) -> str:
    """Number as Spanish prose writes it: ``0,62``, ``−1,50``, ``1 048 576``.

    Integers and the integer part are grouped in threes from 10 000 on (narrow no-break spaces).
    """
    if isinstance(value, (bool, np.bool_)):
        return "sí" if value else "no"
    text = f"{abs(value):d}" if isinstance(value, (int, np.integer)) else f"{abs(value):.{digits}f}"
    if text in ("nan", "inf"):
        return "no es un número" if text == "nan" else "∞" if value > 0 else "−∞"
    whole, _, decimals = text.partition(".")
    if len(whole) > 4:
        whole = f"{int(whole):,}".replace(",", "\u202f")
    minus = "−" if value < 0 and text.strip("0.") else ""
    return minus + whole + ("," + decimals if decimals else "")
