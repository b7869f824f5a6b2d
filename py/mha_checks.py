"""What `mha` accepts: dtypes, shapes, masks, NaN. Every error, in the reader's Spanish.

Each error says which argument, what it got, what is allowed and, where there is one, the way out.
TypeError for a dtype or a kind, ValueError for a shape or a value.
"""

import operator
import warnings

import numpy as np

# --------------------------------------------------------------------------------- sizes


def divide(name, size, parts, parts_name="num_heads"):
    """Return size / parts; where it isn't whole, the error lists the divisors of size."""
    parts = integer(parts_name, parts)
    if parts < 1 or size % parts:
        divisors = ", ".join(str(i) for i in range(1, size + 1) if size % i == 0)
        raise ValueError(f"{name}={size} no se divide entre {parts_name}={parts}; "
                         f"divisores: {divisors}")
    return size // parts


def integer(name, number, least=None):
    """Return number as an int, not below `least`."""
    try:
        number = operator.index(number)
    except TypeError:
        raise TypeError(f"{name}={number!r} es {type(number).__name__}; debe ser un entero"
                        ) from None
    if least is not None and number < least:
        raise ValueError(f"{name}={number}; debe ser un entero ≥ {least}")
    return number


def sizes(d_model, num_heads, d_k, d_v, num_kv_heads, kdim, vdim):
    """Return the seven sizes as ints, defaults filled in."""
    d_model = integer("d_model", d_model, 1)
    if d_k is None or d_v is None:
        d_head = divide("d_model", d_model, num_heads)
    num_heads = integer("num_heads", num_heads, 1)
    d_k = d_head if d_k is None else integer("d_k", d_k, 1)
    d_v = d_head if d_v is None else integer("d_v", d_v, 1)
    num_kv_heads = num_heads if num_kv_heads is None else integer("num_kv_heads", num_kv_heads)
    divide("num_heads", num_heads, num_kv_heads, "num_kv_heads")
    kdim = d_model if kdim is None else integer("kdim", kdim, 1)
    vdim = d_model if vdim is None else integer("vdim", vdim, 1)
    return d_model, num_heads, d_k, d_v, num_kv_heads, kdim, vdim


# ---------------------------------------------------------------------- dtypes and values


def as_float(name, x):
    """Return x as a float16, float32 or float64 array; integers become float64."""
    x = np.asarray(x)
    if x.dtype.kind in "iub":
        x = x.astype(np.float64)
    if x.dtype.char not in "efd":
        raise TypeError(f"{name} tiene dtype {x.dtype}; debe ser float16, float32 o float64")
    return x


def working(dtype):
    """Return the dtype to compute in: float16 overflows at 65 504, so float32 stands in."""
    return np.float32 if dtype == np.float16 else dtype


def finite(name, x, hidden):
    """Refuse NaN and infinity, except where `hidden` is True."""
    bad = ~np.isfinite(x) & ~hidden
    if bad.any():
        place = tuple(np.argwhere(bad)[0].tolist())
        raise ValueError(f"{name} tiene {x[place]} en la posición {list(place)}, que está a la "
                         "vista; corrígelo u ocúltalo con la máscara (True = oculto)")


def finish(output, dtype):
    """Cast the output to the dtype due; warn by name if it overflowed, on any platform.

    NumPy's own warnings depend on the platform (none in Pyodide), so they aren't relied on.
    """
    output = output.astype(dtype, copy=False)
    if not np.isfinite(output).all():
        place = np.argwhere(~np.isfinite(output))[0].tolist()
        warnings.warn(f"la salida tiene NaN o infinito (el primero, en la posición {place}): los "
                      f"productos desbordan {np.dtype(dtype)}; reduce las entradas o los pesos, "
                      "o usa float64", RuntimeWarning, stacklevel=3)
    return output


def blank_hidden(query, key, value, shape, hidden, *, heads=False, same=False, blind=True):
    """Put 0 for NaN and infinity in hidden places; refuse them in visible ones.

    A key or value is hidden when no query sees it; a query, when it sees no key (`blind`) or,
    in self-attention (`same`), when it is hidden as a key, that is, padding.
    `heads`: `shape` (..., h, n_q, n_k) has an axis of heads that the arrays don't have.
    """
    arrays = {"query": query, "key": key, "value": value}
    hidden = np.broadcast_to(False if hidden is None else hidden, shape)
    if heads:
        hidden = hidden.all(axis=-3)
    unseen = hidden.all(axis=-2)  # (..., n_k)
    idle = unseen if same else hidden.all(axis=-1) & blind  # (..., n_q)
    for (name, x), away in zip(arrays.items(), (idle, unseen, unseen), strict=True):
        finite(name, x, hidden=away[..., None])
        arrays[name] = np.where(np.isfinite(x), x, x.dtype.type(0))
    return arrays.values()


# --------------------------------------------------------------------------------- shapes


def arrays(query, key, value):
    """Return the three as float arrays (..., n, d), as many keys as values."""
    if query is key is value:  # self-attention: one array, three parts
        found = (as_float("query", query),) * 3
    else:
        found = (as_float("query", query), as_float("key", key), as_float("value", value))
    query, key, value = found
    for name, x in zip(("query", "key", "value"), found, strict=True):
        if x.ndim < 2:
            raise ValueError(f"{name} tiene forma {x.shape}; debe ser (..., n, d), una fila por "
                             "token; si es un solo token, x[None, :]")
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(f"key tiene forma {key.shape} y value {value.shape}; deben tener las "
                         f"mismas filas, un valor por clave: {key.shape[-2]} ≠ {value.shape[-2]}")
    return found


def stacks(query, key, value):
    """Return the shape of the scores, (..., n_q, n_k); the leading axes broadcast."""
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(f"query tiene forma {query.shape} y key {key.shape}; el último eje, d_k, "
                         f"debe ser el mismo: {query.shape[-1]} ≠ {key.shape[-1]}")
    try:
        lead = np.broadcast_shapes(query.shape[:-2], key.shape[:-2], value.shape[:-2])
    except ValueError:
        raise ValueError(f"los ejes delanteros de query {query.shape}, key {key.shape} y value "
                         f"{value.shape} no encajan; deben ser iguales o medir 1") from None
    return (*lead, query.shape[-2], key.shape[-2])


def sequences(query, key, value, layer):
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


# ---------------------------------------------------------------------------------- masks


def mask(name, mask, shape, *, additive=True, allowed=None, given_shape=None):
    """Return the mask as an array: bool (True = hidden) or, if `additive`, float.

    `allowed` makes the text that lists the shapes; `given_shape` is the one that the caller gave.

    A float mask of zeros and ones is refused: added to the scores it would barely change the
    weights, and it is nearly always a boolean mask in disguise. All zeros add nothing: they pass.
    """
    mask = np.asarray(mask)
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


def with_head_axis(given, shape):
    """Give a module's mask the axis of heads of shape (..., num_heads, n_q, n_k)."""
    if given is None:
        return None
    given = np.asarray(given)
    full = given
    if given.ndim == len(shape) - 1 > 2:
        full = given[..., None, :, :]  # (batch, 1, n_q, n_k): the same for every head
    elif 2 < given.ndim < len(shape):
        raise ValueError(f"mask tiene forma {given.shape}; {_mask_shapes(given, shape)}")
    return mask("mask", full, shape, allowed=lambda: _mask_shapes(given, shape),
                given_shape=given.shape)


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


def with_query_axis(given, shape):
    """Give a padding mask (..., n_k) the axes of heads and queries: (..., 1, 1, n_k)."""
    if given is None:
        return None
    expected = (*shape[:-3], shape[-1])
    given = mask("key_padding_mask", given, expected,
                 allowed=lambda: f"debe ser (..., n_k)={expected}")
    return given[..., None, None, :]


def join_masks(shape, causal, *masks):
    """Join checked masks into `hidden` (bool) and `bias` (float): None or (..., n_k) each."""
    hidden = np.triu(np.ones(shape[-2:], bool), 1) if causal else None
    bias = None
    for given in masks:
        if given is None:
            continue
        given = np.broadcast_to(given, np.broadcast_shapes(given.shape, (1, shape[-1])))
        if given.dtype != bool:
            bias = given if bias is None else bias + given
            given = np.isneginf(given)
        hidden = given if hidden is None else hidden | given
    return hidden, bias
