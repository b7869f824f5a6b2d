"""Checks of what a cell asks to draw: each error names the argument, the place and the way out."""

from __future__ import annotations

import numpy as np

TOLERANCE = 1e-6  # how far a row of attn_weights may be from summing to 1


def texts(name: str, values) -> list[str]:
    """A list of str; a bare str is refused, since it would be read letter by letter."""
    if isinstance(values, str):
        way_out = f"tokenize({values!r})" if name.startswith("tokens") else f"[{values!r}]"
        raise ValueError(f"{name} necesita una lista de textos, no un texto: usa {way_out}.")
    try:
        return [str(value) for value in values]
    except TypeError:
        raise ValueError(f"{name}={values!r}: necesita una lista de textos.") from None


def numbers(name: str, values) -> np.ndarray:
    """A float32/64 C-contiguous copy, all finite."""
    try:
        array = np.array(values, order="C")
    except ValueError as error:
        raise ValueError(f"{name}: no es un array rectangular ({error}).") from None
    if array.dtype.kind not in "fiub":
        raise ValueError(f"{name} es de tipo {array.dtype}; hacen falta números reales.")
    if array.dtype not in (np.float32, np.float64):
        array = array.astype(np.float64)
    if not np.isfinite(array).all():
        where = tuple(np.argwhere(~np.isfinite(array))[0].tolist())
        raise ValueError(
            f"{name}{list(where)} = {array[where]}: no es un número finito. Busca una división "
            "por 0 o un softmax de una fila con todo enmascarado (−inf)."
        )
    return array


def check_count(name: str, labels: list[str], count: int, of: str) -> None:
    """One label for each of ``count`` things, called ``of`` in Spanish."""
    if len(labels) != count:
        given = len(labels)
        raise ValueError(f"{name}: textos {given}, {of} {count}; hace falta uno por cada una.")


def check_shape(weights, tokens_q, tokens_k, layers) -> None:
    """The rank that `show_heads` needs, with one row a query and one column a key."""
    wanted = "(num_heads, n_q, n_k)" if layers is None else "(num_layers, num_heads, n_q, n_k)"
    if weights.ndim != (3 if layers is None else 4):
        way_out = "un elemento del lote, attn_weights[0]" if weights.ndim > 3 else "la forma"
        if weights.ndim == 4:
            way_out += ", o da layers=[…] si el primer eje son capas"
        raise ValueError(
            f"attn_weights tiene {weights.ndim} ejes, forma {weights.shape}; hace falta {wanted}. "
            f"Revisa {way_out}."
        )
    if 0 in weights.shape:
        raise ValueError(f"attn_weights está vacío: forma {weights.shape}.")
    if layers is not None:
        check_count("layers", layers, weights.shape[0], "capas")
    for axis, name, tokens in ((-2, "tokens", tokens_q), (-1, "tokens_k", tokens_k)):
        if weights.shape[axis] != len(tokens):
            what = "filas (queries)" if axis == -2 else "columnas (keys)"
            raise ValueError(
                f"attn_weights tiene {weights.shape[axis]} {what}, forma {weights.shape}, y "
                f"{name} tiene {len(tokens)} tokens: deben ser los mismos. Si las keys son otra "
                "frase, dala en tokens_k."
            )


def check_mask(mask, shape: tuple[int, int]) -> np.ndarray:
    """A bool mask of the full shape, True = hidden."""
    mask = np.asarray(mask)
    if mask.dtype != bool:
        raise ValueError(f"mask es de tipo {mask.dtype}; hace falta bool, con True = oculto.")
    try:
        return np.ascontiguousarray(np.broadcast_to(mask, shape))
    except ValueError:
        raise ValueError(f"mask tiene forma {mask.shape}; hace falta {shape}.") from None


def check_weights(weights, mask, tokens_q) -> None:
    """Weights of a softmax: none negative, rows that sum to 1, nothing on what is hidden."""
    if (weights < 0).any():
        where = tuple(np.argwhere(weights < 0)[0].tolist())
        raise ValueError(
            f"attn_weights{list(where)} = {weights[where]:.3g}, negativo: ¿son los scores, antes "
            "del softmax?"
        )
    sums = weights.sum(axis=-1, dtype=np.float64)
    wanted = np.ones(sums.shape)
    if mask is not None:
        wanted[..., mask.all(axis=-1)] = 0
        leaks = np.argwhere(np.where(mask, weights, 0) > TOLERANCE)
        if len(leaks):
            where = tuple(leaks[0].tolist())
            raise ValueError(
                f"attn_weights{list(where)} = {weights[where]:.3g} y mask lo oculta. En mask, "
                "True = oculto: ¿está al revés (~mask), o faltó al calcular los pesos?"
            )
    wrong = np.argwhere(np.abs(sums - wanted) > TOLERANCE)
    if len(wrong):
        where = tuple(wrong[0].tolist())
        raise ValueError(
            f"attn_weights{list(where)}, fila de «{tokens_q[where[-1]]}», suma {sums[where]:.6g} "
            f"y debería sumar {wanted[where]:.0f}: el softmax va sobre el último eje (las keys)."
        )
