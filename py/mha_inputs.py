"""What a call of `mha` is given: tokens and masks, which must fit one another.

First what `mha` calls, a line each; then how it is done: tokens, masks.
"""

import numpy as np

import mha_checks as checks
import mha_parameters as parameters

# ------------------------------------------------------------------------- a line of mha each


def scores(scores, axis, mask):
    """Return what softmax is given, with −∞ where hidden, in the dtype to compute in; the one due.

    The caller's array stays as it is.
    """
    scores = checks.as_float("scores", scores)
    if not -scores.ndim <= checks.integer("axis", axis) < scores.ndim:
        raise ValueError(f"axis={axis} no es un eje de scores, que tiene forma {scores.shape}")
    work = scores.astype(checks.working(scores.dtype))
    if mask is not None:
        np.copyto(work, -np.inf, where=_mask("mask", mask, work.shape, additive=False))
    checks.finite("scores", work, hidden=np.isneginf(work))
    return work, scores.dtype


def attention(query, key, value, mask, causal):
    """Return query, key, value of equal leading axes; the masks: hidden, bias; the dtype due."""
    query, key, value, dtype = _arrays(query, key, value)
    shape = _stacks(query, key, value)  # of the scores: (..., n_q, n_k)
    if mask is not None:
        mask = _mask("mask", mask, shape)
    with checks.quiet():
        hidden, bias = _join_masks(shape, query.dtype, causal, mask=mask)
        arrays = _without_hidden(query, key, value, shape, hidden)
    arrays = (np.broadcast_to(x, (*shape[:-2], *x.shape[-2:])) for x in arrays)
    return *arrays, hidden, bias, dtype


def module(layer, query, key, value, mask, key_padding_mask, causal):
    """Return query, key, value (..., n, d); the masks: hidden, bias; the dtype due."""
    parameters.check(layer)
    key = query if key is None else key
    value = key if value is None else value
    is_self = query is key
    query, key, value, dtype = _arrays(query, key, value)
    shape = _sequences(query, key, value, layer)  # of the scores: (..., h, n_q, n_k)
    mask = with_head_axis(mask, shape)
    key_padding_mask = _with_query_axis(key_padding_mask, shape)
    blind = layer.bias_k is None and not layer.add_zero_attn
    with checks.quiet():
        hidden, bias = _join_masks(shape, query.dtype, causal, mask=mask,
                                   key_padding_mask=key_padding_mask)
        arrays = _without_hidden(query, key, value, shape, hidden, heads=True, same=is_self,
                                 blind=blind)
    return *arrays, hidden, bias, dtype


# --------------------------------------------------------------------------------- tokens


def _arrays(query, key, value):
    """Return the three, (..., n, d), in the dtype to compute in; and the dtype due."""
    if query is key is value:  # self-attention: one array, three parts
        x = _tokens("query", query)
        dtype = x.dtype
        query = key = value = x.astype(checks.working(dtype), copy=False)
        return query, key, value, dtype
    query, key, value = _tokens("query", query), _tokens("key", key), _tokens("value", value)
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(f"key tiene forma {key.shape} y value {value.shape}; deben tener las "
                         f"mismas filas, un valor por clave: {key.shape[-2]} ≠ {value.shape[-2]}")
    dtype = np.result_type(query, key, value)
    return *(x.astype(checks.working(dtype), copy=False) for x in (query, key, value)), dtype


def _tokens(name, x):
    x = checks.as_float(name, x)
    if x.ndim < 2:
        raise ValueError(f"{name} tiene forma {x.shape}; debe ser (..., n, d), una fila por "
                         "token; si es un solo token, x[None, :]")
    return x


def _stacks(query, key, value):
    """Return the shape of the scores, (..., n_q, n_k); the leading axes broadcast."""
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(f"query tiene forma {query.shape} y key {key.shape}; el último eje, d_k, "
                         f"debe ser el mismo: {query.shape[-1]} ≠ {key.shape[-1]}")
    if not query.shape[-1]:
        raise ValueError(f"query tiene forma {query.shape}; su último eje, d_k, no puede medir 0")
    try:
        lead = np.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    except ValueError:
        raise ValueError(f"los ejes delanteros de query {query.shape}, key {key.shape} y value "
                         f"{value.shape} no encajan; deben ser iguales o medir 1") from None
    return (*lead, query.shape[-2], key.shape[-2])


def _sequences(query, key, value, layer):
    """Return the shape of the scores, (..., num_heads, n_q, n_k); the batch axes are equal."""
    widths = (("query", query, "d_model"), ("key", key, "kdim"), ("value", value, "vdim"))
    for name, x, size in widths:
        width = getattr(layer, size)
        if x.shape[-1] != width:
            raise ValueError(f"{name} tiene forma {x.shape}; su último eje debe medir "
                             f"{size}={width}: (..., n, {width})")
        if x.shape[:-2] != query.shape[:-2]:
            raise ValueError(f"{name} tiene forma {x.shape} y query {query.shape}; los ejes de "
                             f"lote deben ser iguales, {query.shape[:-2]}, y van primero: "
                             "(batch, n, d)")
    return (*query.shape[:-2], layer.num_heads, query.shape[-2], key.shape[-2])


def _without_hidden(query, key, value, shape, hidden, *, heads=False, same=False, blind=True):
    """Return the three with 0 for NaN and infinity in hidden places; refuse them in visible ones.

    A key or value is hidden when no query sees it; a query, when it sees no key (`blind`) or,
    in self-attention (`same`), when it is hidden as a key, that is, padding.
    `heads`: `shape` (..., h, n_q, n_k) has an axis of heads that the arrays don't have.
    """
    if checks.all_finite(query) and (key is query or checks.all_finite(key)) and (
            value is key or checks.all_finite(value)):
        return query, key, value
    arrays = {"query": query, "key": key, "value": value}
    hidden = np.broadcast_to(False if hidden is None else hidden, shape)
    if heads:
        hidden = hidden.all(axis=-3)
    unseen = hidden.all(axis=-2)  # (..., n_k)
    idle = unseen if same else hidden.all(axis=-1) & blind  # (..., n_q)
    for (name, x), away in zip(arrays.items(), (idle, unseen, unseen), strict=True):
        checks.finite(name, x, hidden=away[..., None])
        arrays[name] = np.where(np.isfinite(x), x, x.dtype.type(0))
    return arrays.values()


# ---------------------------------------------------------------------------------- masks


def _mask(name, mask, shape, *, additive=True, allowed=None, given_shape=None):
    """Return the mask as an array: bool (True = hidden) or, if `additive`, float.

    `allowed` makes the text that lists the shapes; `given_shape` is the one that the caller gave.

    A float mask of zeros and ones is refused: added to the scores it would barely change the
    weights, and it is nearly always a boolean mask in disguise. All zeros add nothing: they pass.
    """
    mask = checks.array(name, mask)
    if mask.dtype != bool:
        _check_additive(name, mask, additive)
    try:
        fits = np.broadcast_shapes(mask.shape, shape) == tuple(shape)
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(f"{name} tiene forma {given_shape or mask.shape}; "
                         f"{allowed() if allowed else f'debe poder extenderse a {tuple(shape)}'}")
    return mask


def _check_additive(name, mask, additive):
    way_out = ("usa una máscara booleana, True = oculto: si tus unos marcan lo visible, "
               f"{name} == 0; si marcan lo oculto, {name} == 1")
    if mask.dtype.kind not in "iuf":
        raise TypeError(f"{name} tiene dtype {mask.dtype}; debe ser bool, True = oculto")
    if np.isin(mask, (0, 1)).all() and (mask.dtype.kind != "f" or mask.any()):
        raise ValueError(f"{name} solo tiene ceros y unos de dtype {mask.dtype} y no se sabe qué "
                         f"ocultan; {way_out}")
    if mask.dtype.kind != "f" or not additive:
        raise TypeError(f"{name} tiene dtype {mask.dtype}; {way_out}")
    if (bad := np.isnan(mask) | np.isposinf(mask)).any():
        raise ValueError(f"{name} tiene NaN o +inf en la posición {np.argwhere(bad)[0].tolist()}; "
                         "una máscara aditiva lleva números finitos o -inf (oculto)")


def with_head_axis(given, shape, *, additive=True):
    """Give a module's mask the axis of heads of shape (..., num_heads, n_q, n_k)."""
    if given is None:
        return None
    given = checks.array("mask", given)
    while given.ndim > len(shape) and given.shape[0] == 1:  # a batch of one, where there is none
        given = given[0]
    full = given
    if given.ndim == len(shape) - 1 > 2:
        full = given[..., None, :, :]  # (batch, 1, n_q, n_k): the same for every head
    elif 2 < given.ndim < len(shape):
        raise ValueError(f"mask tiene forma {given.shape}; {_mask_shapes(given, shape)}")
    allowed = (lambda: _mask_shapes(given, shape)) if len(shape) > 2 else None
    return _mask("mask", full, shape, additive=additive, allowed=allowed, given_shape=given.shape)


def _mask_shapes(given, shape):
    """List the shapes that a module's mask may have."""
    *batch, num_heads, n_q, n_k = shape
    shapes = f"puede ser (n_q, n_k)={(n_q, n_k)}"
    if batch:
        shapes += f", (batch, n_q, n_k)={(*batch, n_q, n_k)}"
        shapes += f" o (batch, num_heads, n_q, n_k)={tuple(shape)}"
    else:
        shapes += f" o (num_heads, n_q, n_k)={tuple(shape)}"
    if given.size == np.prod(batch) * num_heads * n_q * n_k:
        shapes += "; la de torch, (batch·num_heads, n_q, n_k), pasa por mha_torch.mask_from_torch"
    if given.shape == (*batch, n_k):
        shapes += "; para ocultar claves a todas las queries usa key_padding_mask"
    return shapes


def _with_query_axis(given, shape):
    """Give a padding mask (..., n_k) the axes of heads and queries: (..., 1, 1, n_k)."""
    if given is None:
        return None
    expected = (*shape[:-3], shape[-1])
    given = _mask("key_padding_mask", given, expected,
                 allowed=lambda: f"debe ser (..., n_k)={expected}")
    return given[..., None, None, :]


def _join_masks(shape, dtype, causal, **masks):
    """Join checked masks into `hidden` (bool) and `bias` (of dtype): None or (..., n_k) each."""
    causal = checks.flag("causal", causal, of_arrays="; una máscara va en mask")
    hidden = np.triu(np.ones(shape[-2:], bool), 1) if causal else None
    bias = None
    for name, given in masks.items():
        if given is None:
            continue
        given = np.broadcast_to(given, np.broadcast_shapes(given.shape, (1, shape[-1])))
        if given.dtype == bool:
            hidden = given if hidden is None else hidden | given
        else:
            given = given.astype(dtype, copy=False)
            if np.isposinf(given).any():
                raise ValueError(f"{name} tiene números que desbordan {np.dtype(dtype)}, el dtype "
                                 "de las entradas; redúcelos, o usa entradas float64")
            bias = given if bias is None else bias + given
    if bias is not None:
        lowest = np.isneginf(bias)  # as it was given, or as two very low ones sum to
        hidden = lowest if hidden is None else hidden | lowest
    return hidden, bias
