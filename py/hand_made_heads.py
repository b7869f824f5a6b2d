"""Four attention heads set by hand: a table of word features, and the weights that read it.

Nothing here draws a map: every weight comes out of ``mha``'s softmax(QKᵀ/√d_k). By hand are only
the features of each word, and which query feature looks for which key feature, and how strongly.
"""

from __future__ import annotations

import math
import re
import unicodedata
from numbers import Real

import numpy as np

import mha
import vocabulary

START = "⟨s⟩"  # a token that means nothing: where a head looks when it has nothing to look for
D_MODEL = 32
MAX_TOKENS = 16  # the positions repeat with this period

# x[0:8]: sin and cos of the position at four frequencies. x[8:18]: what the word is. x[18:]: free.
OMEGAS = 2 * math.pi * np.array([1, 2, 3, 4]) / MAX_TOKENS
FEATURES = {
    name: 8 + i
    for i, name in enumerate(
        ("uno", "sust", "verbo", "det", "adj", "func", "num", "gen", "ini", "anim")
    )
}
_KINDS = ("sust", "verbo", "det", "adj", "func")
_COPIED = (*_KINDS, "num", "gen", "anim")  # what the values carry from the token looked at

# A head is a list of (query feature, key feature, gain): the products of the pairs add up to the
# scaled score. ("pos", -1, gain) looks at position i−1 instead of at a feature.
HEADS = {
    "token anterior": [("pos", -1, 11.0)],
    "verbo → sujeto": [("verbo", "sust", 13.0), ("num", "num", 3.25), ("uno", "ini", 9.75)],
    "adjetivo → sustantivo": [
        ("adj", "sust", 13.0),
        ("gen", "gen", 3.25),
        ("num", "num", 3.25),
        ("uno", "ini", 13.0),
    ],
    "misma clase de palabra": [(kind, kind, 6.5) for kind in (*_KINDS, "ini")],
}

SENTENCES = {
    "cansado": "Las niñas llamaron a Luis porque estaba cansado",
    "cansadas": "Las niñas llamaron a Luis porque estaban cansadas",
    "ana-cansada": "Ana llamó a Luis porque estaba cansada",
    "ana-cansado": "Ana llamó a Luis porque estaba cansado",
}


VOCABULARY = {START: {"ini": 1.0}, **vocabulary.build()}


def tokenize(text: str) -> list[str]:
    """Split a sentence into ``⟨s⟩``, its words and its punctuation marks."""
    text = unicodedata.normalize("NFC", text).replace(START, " ")
    return [START, *re.findall(r"\w+|[^\w\s]", text)]


def add_word(word: str, **features: float) -> None:
    """Declare a word, or change one: ``add_word("tortuga", sust=1, num=-1, gen=1)``.

    Raises
    ------
    ValueError
        If a feature doesn't exist or its value isn't a finite number.
    """
    for name, value in features.items():
        if name not in FEATURES:
            raise ValueError(f"El rasgo «{name}» no existe; rasgos: {', '.join(FEATURES)}.")
        if not isinstance(value, Real) or not math.isfinite(value):
            raise ValueError(f"{name}={value!r} no es un número finito; usa 1, -1 o 0.")
    VOCABULARY[_key(word)] = dict(features)


def _key(token: str) -> str:
    return unicodedata.normalize("NFC", str(token)).lower()


def embed(tokens: list[str]) -> np.ndarray:
    """Position and features of each token.

    Parameters
    ----------
    tokens : list of str
        As `tokenize` gives them, ``⟨s⟩`` included. At most `MAX_TOKENS`.

    Returns
    -------
    x : (n, D_MODEL) ndarray

    Raises
    ------
    ValueError
        For a word without declared features, saying how to declare them; for too many tokens.
    """
    if isinstance(tokens, str):
        raise ValueError(f"embed necesita una lista de tokens: embed(tokenize({tokens!r})).")
    if len(tokens) > MAX_TOKENS:
        raise ValueError(
            f"La frase tiene {len(tokens)} tokens y caben {MAX_TOKENS}: las posiciones de estas "
            f"cabezas se repiten cada {MAX_TOKENS}. Acórtala."
        )
    unknown = dict.fromkeys(_key(t) for t in tokens if _key(t) not in VOCABULARY)
    if unknown:
        named = ", ".join(f"«{word}»" for word in unknown)
        examples = "\n".join(
            f'    playground.add_word("{word}", sust=1, num=-1, gen=-1)' for word in unknown
        )
        raise ValueError(
            f"Sin rasgos en la tabla: {named}. Decláralos en la celda, antes de usarlos:\n"
            f"{examples}\nRasgos: {', '.join(_KINDS)}, anim (1 si lo es), num (1 plural, "
            "-1 singular), gen (1 femenino, -1 masculino)."
        )
    x = np.zeros((len(tokens), D_MODEL))
    for i, token in enumerate(tokens):
        x[i, 0:8:2], x[i, 1:8:2] = np.sin(OMEGAS * i), np.cos(OMEGAS * i)
        x[i, FEATURES["uno"]] = 1
        for name, value in VOCABULARY[_key(token)].items():
            x[i, FEATURES[name]] = value
    return x


def hand_made_heads(heads: dict[str, list[tuple]] | None = None) -> mha.MultiHeadAttention:
    """Multi-head attention whose weights are set by hand from a recipe such as `HEADS`.

    Parameters
    ----------
    heads : dict of str to list of (query feature, key feature, gain), optional
        One entry a head; the number of heads has to divide `D_MODEL`. Default: `HEADS`.

    Returns
    -------
    attention : mha.MultiHeadAttention
        d_model = 32. Its ``w_q``, ``w_k``, ``w_v``, ``w_o`` (32, 32) are plain arrays to edit.

    Raises
    ------
    ValueError
        For a feature that doesn't exist, or a head that asks for more than d_k columns.
    """
    heads = HEADS if heads is None else heads
    mha.parameter_count(D_MODEL, len(heads))  # refuses a number of heads that doesn't divide
    d_k = D_MODEL // len(heads)
    w_q, w_k, w_v, w_o = (np.zeros((D_MODEL, D_MODEL)) for _ in range(4))
    for h, (label, recipe) in enumerate(heads.items()):
        column = h * d_k
        for query, key, gain in recipe:
            # mha divides the scores by √d_k: multiplying w_q by it makes `gain` the scaled score
            width = _write_pair(w_q, w_k, column, query, key, gain * math.sqrt(d_k))
            column += width
        if column > (h + 1) * d_k:
            raise ValueError(
                f"La cabeza «{label}» usa {column - h * d_k} columnas y d_k = {d_k}: "
                "quítale pares o usa menos cabezas."
            )
        for j, name in enumerate(_COPIED[:d_k]):
            w_v[FEATURES[name], h * d_k + j] = 1
            w_o[h * d_k + j, FEATURES[name]] = 1 / len(heads)
    return mha.MultiHeadAttention.from_weights(w_q, w_k, w_v, w_o, len(heads))


def _write_pair(w_q, w_k, column: int, query: str, key, gain: float) -> int:
    """Write one pair of a recipe at ``column``; return how many columns it took."""
    if query == "pos":
        _write_offset(w_q[:, column : column + 8], w_k[:, column : column + 8], key, gain)
        return 8
    for name in (query, key):
        if name not in FEATURES:
            raise ValueError(f"El rasgo «{name}» no existe; rasgos: pos, {', '.join(FEATURES)}.")
    if column < D_MODEL:  # past the end: the caller says so, with the head's name
        w_q[FEATURES[query], column], w_k[FEATURES[key], column] = gain, 1
    return 1


def _write_offset(w_q, w_k, offset: int, gain: float) -> None:
    """Position i looks for i + offset: score = gain · mean over ω of cos(ω·(i + offset − j)).

    w_q turns (sin ωi, cos ωi) into (sin ω(i+offset), cos ω(i+offset)); w_k leaves them alone.
    """
    if w_q.shape[1] < 8:
        raise ValueError("Un par («pos», …) usa 8 columnas y no le quedan: usa menos cabezas.")
    for k, omega in enumerate(OMEGAS):
        a, b = 2 * k, 2 * k + 1
        c, s = math.cos(omega * offset), math.sin(omega * offset)
        w_q[a, a], w_q[b, a] = c * gain / 4, s * gain / 4
        w_q[a, b], w_q[b, b] = -s * gain / 4, c * gain / 4
        w_k[a, a] = w_k[b, b] = 1


def reslice(attention: mha.MultiHeadAttention, num_heads: int) -> mha.MultiHeadAttention:
    """The very same four matrices, cut into ``num_heads`` heads instead."""
    names = [kind + name for kind in ("w_", "b_") for name in "qkvo"]
    arrays = {name: getattr(attention, name) for name in names}
    copies = {name: array.copy() for name, array in arrays.items() if array is not None}
    return mha.MultiHeadAttention.from_weights(num_heads=num_heads, **copies)
