"""What `mha` accepts: dtypes, shapes, masks, NaN. Every error, in the reader's Spanish.

Each error says which argument, what it got, what is allowed and, where there is one, the way out.
TypeError for a dtype or a kind, ValueError for a shape or a value.
"""

import math
import numbers
import operator
import sys
import warnings

import numpy as np

CALLER = 3 if sys.platform == "emscripten" else 4  # frames up to who called mha: one is errstate's

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
        number = operator.index(None if isinstance(number, bool) else number)
    except TypeError:
        raise TypeError(f"{name}={number!r} es {type(number).__name__}; debe ser un entero"
                        ) from None
    if least is not None and number < least:
        raise ValueError(f"{name}={number}; debe ser un entero ≥ {least}")
    return number


def lengths(n_q, n_k):
    """Return how many queries and keys there are; as many keys as queries by default."""
    n_q = integer("n_q", n_q, 0)
    return n_q, n_q if n_k is None else integer("n_k", n_k, 0)


def flag(name, value, of_arrays=""):
    """Return value as a bool; anything else, which Python would take for one, is refused.

    `of_arrays` ends the error where an array was given.
    """
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    what = f"es {type(value).__name__}; debe ser True o False"
    if isinstance(value, (np.ndarray, list, tuple)):
        raise TypeError(f"{name} {what}{of_arrays}")
    raise TypeError(f"{name}={value!r} {what}")


def factor(name, number):
    """Return a finite real number as a float."""
    if isinstance(number, bool) or not isinstance(number, numbers.Real):
        raise TypeError(f"{name}={number!r} es {type(number).__name__}; debe ser un número")
    try:
        if math.isfinite(found := float(number)):
            return found
    except OverflowError:
        pass
    raise ValueError(f"{name}={number}; debe ser finito y caber en float64")


def generator(rng):
    """Return the generator that `rng` stands for, as numpy.random.default_rng does."""
    try:
        return np.random.default_rng(rng)
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"rng={rng!r}; debe ser un numpy.random.Generator, un entero ≥ 0 o None"
                   ) from None


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


def array(name, x):
    """Return x as an array."""
    if hasattr(x, "filled"):
        raise TypeError(f"{name} es un array de numpy.ma, cuya máscara aquí no ocultaría nada; usa "
                        f"{name}.data y, si algo se oculta, el argumento mask")
    try:
        return np.asarray(x)
    except (TypeError, ValueError, RuntimeError) as error:
        if "inhomogeneous" in str(error):
            raise ValueError(f"{name} tiene filas de distinto largo; todas deben medir lo mismo"
                             ) from None
        raise TypeError(f"{name} es {type(x).__name__} y NumPy no lo lee ({error}); si es un "
                        f"tensor de torch, usa {name}.detach().float().numpy()") from None


def as_float(name, x):
    """Return x as a float16, float32 or float64 array; integers become float64."""
    x = array(name, x)
    if x.dtype.char in "efd":
        return x if x.dtype.isnative else x.astype(x.dtype.newbyteorder("="))
    if x.dtype.kind in "iub":
        return x.astype(np.float64)
    raise TypeError(f"{name} tiene dtype {x.dtype}; debe ser float16, float32 o float64")


def float_dtype(dtype):
    """Return the dtype that `dtype` stands for."""
    try:
        found = np.dtype(dtype)
    except TypeError:
        found = None
    if found is None or found.char not in "efd":
        raise TypeError(f"dtype={dtype!r}; debe ser float16, float32 o float64")
    return found.newbyteorder("=")


def working(dtype):
    """Return the dtype to compute in: float16 overflows at 65 504, so float32 stands in."""
    return np.dtype(np.float32) if dtype.char == "e" else dtype


def all_finite(x):
    """Say whether x holds neither NaN nor infinity: one of them would make the sum one too."""
    return math.isfinite(x.sum()) or np.isfinite(x).all()  # (a sum of finite numbers can overflow)


def finite(name, x, hidden=False, way_out="que está a la vista; corrígelo u ocúltalo con la "
           "máscara (True = oculto)"):
    """Refuse NaN and infinity, except where `hidden`, broadcast with x, is True."""
    bad = ~np.isfinite(x) & ~np.asarray(hidden)
    if bad.any():
        place = np.argwhere(bad)[0].tolist()[bad.ndim - x.ndim:]
        place = [i if size > 1 else 0 for i, size in zip(place, x.shape, strict=True)]
        raise ValueError(f"{name} tiene {x[tuple(place)]} en la posición {place}, {way_out}")


def finish(output, dtype, layer=None):
    """Cast the output to the dtype due; warn by name if it overflowed, on any platform.

    NumPy's own warnings depend on the platform (none in Pyodide), so they aren't relied on.
    NaN or infinity among the weights of `layer`, if it came out, is an error.
    """
    output = output.astype(dtype, copy=False)
    if not all_finite(output):
        for name in layer.parameter_shapes if layer else ():
            if (weights := getattr(layer, name)) is not None:
                finite(name, np.asarray(weights), way_out="y debe ser finito")
        place = np.argwhere(~np.isfinite(output))[0].tolist()
        warnings.warn(f"la salida tiene NaN o infinito (el primero, en la posición {place}): los "
                      f"productos desbordan {np.dtype(dtype)}; reduce las entradas o los pesos, "
                      "o usa float64", RuntimeWarning, stacklevel=CALLER)
    return output


def without_hidden(query, key, value, shape, hidden, *, heads=False, same=False, blind=True):
    """Return the three with 0 for NaN and infinity in hidden places; refuse them in visible ones.

    A key or value is hidden when no query sees it; a query, when it sees no key (`blind`) or,
    in self-attention (`same`), when it is hidden as a key, that is, padding.
    `heads`: `shape` (..., h, n_q, n_k) has an axis of heads that the arrays don't have.
    """
    if all_finite(query) and (key is query or all_finite(key)) and (
            value is key or all_finite(value)):
        return query, key, value
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
    """Return the three, (..., n, d), in the dtype to compute in; and the dtype due."""
    if query is key is value:  # self-attention: one array, three parts
        x = _tokens("query", query)
        dtype = x.dtype
        query = key = value = x.astype(working(dtype), copy=False)
        return query, key, value, dtype
    query, key, value = _tokens("query", query), _tokens("key", key), _tokens("value", value)
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(f"key tiene forma {key.shape} y value {value.shape}; deben tener las "
                         f"mismas filas, un valor por clave: {key.shape[-2]} ≠ {value.shape[-2]}")
    dtype = np.result_type(query, key, value)
    return *(x.astype(working(dtype), copy=False) for x in (query, key, value)), dtype


def _tokens(name, x):
    x = as_float(name, x)
    if x.ndim < 2:
        raise ValueError(f"{name} tiene forma {x.shape}; debe ser (..., n, d), una fila por "
                         "token; si es un solo token, x[None, :]")
    return x


def stacks(query, key, value):
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
    mask = array(name, mask)
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
    given = array("mask", given)
    while given.ndim > len(shape) and given.shape[0] == 1:  # a batch of one, where there is none
        given = given[0]
    full = given
    if given.ndim == len(shape) - 1 > 2:
        full = given[..., None, :, :]  # (batch, 1, n_q, n_k): the same for every head
    elif 2 < given.ndim < len(shape):
        raise ValueError(f"mask tiene forma {given.shape}; {_mask_shapes(given, shape)}")
    allowed = (lambda: _mask_shapes(given, shape)) if len(shape) > 2 else None
    return mask("mask", full, shape, additive=additive, allowed=allowed, given_shape=given.shape)


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


def join_masks(shape, dtype, causal, **masks):
    """Join checked masks into `hidden` (bool) and `bias` (of dtype): None or (..., n_k) each."""
    causal = flag("causal", causal, of_arrays="; una máscara va en mask")
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
