"""Draw a heatmap at build time: what a reader without JavaScript, and paper, get.

The figure holds every head as SVG, the same numbers as real tables, and the payload as JSON for
``static/heatmap.js``, which takes the node over and removes the figure.
"""

from __future__ import annotations

import json
from html import escape
from itertools import groupby
from typing import Any

import numpy as np

CELL = 30  # SVG units a square
LABELLED_UP_TO = 24  # tokens; larger maps are drawn without names
DRAWN_UP_TO = 64  # tokens; larger maps are left to the live viewer, and the page says so
TABLES_UP_TO = 1200  # numbers in all tables together
LEVELS = 40  # shades in the SVG: 2.5 % a step
LETTER = 8.2  # SVG units, a generous mean width of a letter at 14 units


def _array(raw: Any) -> np.ndarray:
    """Read an array or its plain form ``{"shape", "data"}``."""
    if isinstance(raw, dict):
        return np.asarray(raw["data"], dtype=float).reshape(raw["shape"])
    return np.asarray(raw, dtype=float)


def _plain(value: Any) -> Any:
    """Turn every array of a payload into its JSON-ready form."""
    if isinstance(value, np.ndarray):
        flat = value.ravel()
        data = flat.astype(int).tolist() if value.dtype == bool else flat.tolist()
        return {"shape": list(value.shape), "data": data}
    if isinstance(value, np.generic):
        return value.item()
    return value


def payload_script(payload: dict) -> str:
    """Bake a payload into the page.

    Parameters
    ----------
    payload : dict
        The payload of a display record; arrays or their plain form.

    Returns
    -------
    str
        A JSON script element that no token can close.

    Raises
    ------
    ValueError
        A number is not finite.
    """
    plain = {key: _plain(value) for key, value in payload.items()}
    text = json.dumps(plain, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for mark in "<>&\u2028\u2029":
        text = text.replace(mark, f"\\u{ord(mark):04x}")
    # A lone surrogate cannot be written as UTF-8; JSON can escape it.
    text = "".join(f"\\u{ord(c):04x}" if 0xD800 <= ord(c) <= 0xDFFF else c for c in text)
    return f'<script type="application/json" class="heatmap-payload">{text}</script>'


def visible(token: str) -> str:
    """Show a token: empty and blank ones get a sign, lone surrogates a replacement."""
    if token == "":
        return "∅"
    signs = {" ": "␣", "\n": "↵", "\r": "␍", "\t": "⇥", "\u00a0": "⍽"}
    shown = []
    for i, c in enumerate(token):
        inside = c == " " and 0 < i < len(token) - 1 and token.strip() != ""
        if c in signs and not inside:
            shown.append(signs[c])
        elif ord(c) < 32:
            shown.append(chr(0x2400 + ord(c)))
        elif c in "\u200b\ufeff" or 0x202A <= ord(c) <= 0x202E or 0x2066 <= ord(c) <= 0x2069:
            shown.append(f"‹{ord(c):04X}›")
        else:
            shown.append("\ufffd" if 0xD800 <= ord(c) <= 0xDFFF else c)
    return "".join(shown)


def spanish(value: float) -> str:
    """Two places, with a comma."""
    return f"{value:.2f}".replace(".", ",")


def _cut(text: str, limit: int = 16) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _names(tokens: list[str]) -> list[str]:
    """Visible tokens; repeated ones carry their turn as a subscript."""
    turns: dict[str, int] = {}
    names = []
    for token in tokens:
        turns[token] = turns.get(token, 0) + 1
        turn = str(turns[token]).translate(str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉"))
        names.append(_cut(visible(token)) + (turn if tokens.count(token) > 1 else ""))
    return names


def _squares(weights: np.ndarray, hidden: np.ndarray) -> str:
    """Draw one path for each shade, one for the masked squares' hatching."""
    level = np.rint(np.clip(weights, 0, 1) * LEVELS).astype(int)
    cells = [(int(level[i, j]), i, j) for i, j in np.ndindex(*level.shape)]
    side = CELL - 1
    parts = []
    for shade, group in groupby(sorted(cells), key=lambda cell: cell[0]):
        path = "".join(f"M{j * CELL} {i * CELL}h{side}v{side}h-{side}z" for _, i, j in group)
        parts.append(f'<path class="hm-q" style="--w:{100 * shade / LEVELS:g}%" d="{path}"/>')
    lines = "".join(
        f"M{j * CELL + max(0, d - side)} {i * CELL + min(d, side)}"
        f"L{j * CELL + min(d, side)} {i * CELL + max(0, d - side)}"
        for i, j in np.argwhere(hidden)
        for d in range(6, 2 * side, 7)
    )
    return "".join(parts) + (f'<path class="hm-q-hidden" d="{lines}"/>' if lines else "")


def _svg(weights: np.ndarray, hidden: np.ndarray, rows: list[str], columns: list[str]) -> str:
    """One head; labels where they are readable."""
    n_q, n_k = weights.shape
    labelled = max(n_q, n_k) <= LABELLED_UP_TO
    left = max(map(len, rows)) * LETTER + 14 if labelled else 0
    longest = max(map(len, columns)) * LETTER
    slanted = longest > CELL - 4
    top = (longest * 0.71 + 18 if slanted else 22) if labelled else 0
    right = longest * 0.71 - CELL / 2 if labelled and slanted else 0
    width, height = left + n_k * CELL + max(right, 0), top + n_q * CELL
    text = []
    if labelled:
        for i, name in enumerate(rows):
            y = i * CELL + CELL / 2 + 5
            text.append(f'<text x="-8" y="{y:g}" text-anchor="end">{escape(name)}</text>')
        for j, name in enumerate(columns):
            x = j * CELL + CELL / 2
            place = f"translate({x + 3:g} -6)" + (" rotate(-45)" if slanted else "")
            anchor = "" if slanted else ' text-anchor="middle"'
            text.append(f'<text transform="{place}"{anchor}>{escape(name)}</text>')
    return (
        f'<svg viewBox="{-left:g} {-top:g} {width:g} {height:g}" font-size="14" '
        f'style="max-width:{width:g}px" aria-hidden="true" focusable="false">'
        f"{_squares(weights, hidden)}{''.join(text)}</svg>"
    )


def _table(
    weights: np.ndarray, hidden: np.ndarray, rows: list[str], columns: list[str], caption: str
) -> str:
    head = "".join(f'<th scope="col"><bdi>{escape(name)}</bdi></th>' for name in columns)
    lines = []
    for i, name in enumerate(rows):
        if hidden[i].all():
            cells = f'<td colspan="{len(columns)}" class="hm-td-none">sin claves</td>'
        else:
            cells = "".join(
                '<td class="hm-td-hidden">oculta</td>'
                if hidden[i, j]
                else f"<td>{spanish(weights[i, j])}</td>"
                for j in range(len(columns))
            )
        lines.append(f'<tr><th scope="row"><bdi>{escape(name)}</bdi></th>{cells}</tr>')
    return (
        f'<table class="hm-table"><caption>{escape(caption)}</caption>'
        f"<thead><tr><td></td>{head}</tr></thead><tbody>{''.join(lines)}</tbody></table>"
    )


def static_heatmap(name: str, payload: dict) -> str:
    """Draw the inside of a heatmap node.

    Parameters
    ----------
    name : str
        The directive's name, for error messages.
    payload : dict
        ``tokens_q``, ``tokens_k``, ``attn_weights`` (num_heads, n_q, n_k), ``mask``,
        ``head_labels``, ``title`` and the optional extras; arrays or their plain form. With
        ``layers`` the figure shows the first layer.

    Returns
    -------
    str
        The figure (SVG small multiples and tables) and the payload's script element.

    Raises
    ------
    ValueError
        The shapes of tokens, mask and weights do not agree, or a weight is not finite.
    """
    weights = _array(payload["attn_weights"])
    layers = payload.get("layers")
    if weights.ndim != (4 if layers else 3):
        raise ValueError(f"heatmap {name}: attn_weights has shape {weights.shape}")
    heads = weights[0] if layers else weights
    num_heads, n_q, n_k = heads.shape
    tokens_q = list(payload["tokens_q"])
    tokens_k = list(payload.get("tokens_k") or tokens_q)
    if (len(tokens_q), len(tokens_k)) != (n_q, n_k):
        raise ValueError(
            f"heatmap {name}: {len(tokens_q)} × {len(tokens_k)} tokens for {n_q} × {n_k} weights"
        )
    if not np.isfinite(weights).all():
        raise ValueError(f"heatmap {name}: attn_weights has a value that is not finite")
    mask = payload.get("mask")
    hidden = np.zeros((n_q, n_k), bool) if mask is None else _array(mask).astype(bool)
    if hidden.shape != (n_q, n_k):
        raise ValueError(f"heatmap {name}: mask has shape {hidden.shape}, not {(n_q, n_k)}")
    labels = list(payload.get("head_labels") or [""] * num_heads)
    title = payload.get("title") or "pesos de atención por cabeza"
    figure = _figure(title, layers, heads, hidden, tokens_q, tokens_k, labels)
    return f"{figure}{payload_script(payload)}"


def _figure(title, layers, heads, hidden, tokens_q, tokens_k, labels) -> str:
    """Every head as a small figure; its table where all tables together stay readable."""
    rows, columns = _names(tokens_q), _names(tokens_k)
    n_q, n_k = hidden.shape
    note = "Filas: queries (quién mira). Columnas: keys (a quién). Más tinta, más peso, de 0 a 1."
    if hidden.any():
        note += " Rayadas: casillas enmascaradas."
    if layers:
        note += f" Se ve la capa {layers[0]} de {len(layers)}."
    if max(n_q, n_k) > DRAWN_UP_TO:
        return (
            f'<figure class="heatmap-static"><figcaption>{escape(title)}</figcaption>'
            f"<p>{len(heads)} cabezas de {n_q} × {n_k}: el mapa interactivo las dibuja con "
            "JavaScript.</p></figure>"
        )
    tables = heads.size <= TABLES_UP_TO
    maps = []
    for h, weights in enumerate(heads):
        label = str(labels[h])
        generic = label.lower().replace("cabeza", "").strip(" 0123456789") == ""
        who = f"Cabeza {h + 1}" + ("" if generic else f" · {visible(label)}")
        table = _table(weights, hidden, rows, columns, f"Pesos de atención, {who.lower()}")
        maps.append(
            f'<div class="hm-static-map"><p>{escape(who)}</p>'
            f"{_svg(weights, hidden, rows, columns)}"
            + (f"<details><summary>{escape(who)}: tabla</summary>{table}</details>" * tables)
            + "</div>"
        )
    size = 320 if max(n_q, n_k) <= LABELLED_UP_TO and len(heads) <= 16 else 120
    return (
        f'<figure class="heatmap-static"><figcaption>{escape(title)}</figcaption>'
        f'<div class="hm-static-maps" style="--hm-static:{size}px">{"".join(maps)}</div>'
        f'<p class="hm-static-note">{escape(note)}</p></figure>'
    )
