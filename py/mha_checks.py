"""What `mha` accepts as a size, a flag, a number, an array. Every error, in the reader's Spanish.

Each error says which argument, what it got, what is allowed and, where there is one, the way out.
TypeError for a dtype or a kind, ValueError for a shape or a value. What must fit together, tokens
and masks, is in mha_inputs.
"""

import math
import numbers
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


def head(index, num_heads):
    """Refuse what is not the index of a head."""
    if not 0 <= integer("head", index) < num_heads:
        raise ValueError(f"no hay cabeza {index}; van de 0 a {num_heads - 1}")


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


def array(name, x, *, axes=""):
    """Return x as an array; it must have the axes that are named, such as "n, d", or more."""
    if hasattr(x, "filled"):
        raise TypeError(f"{name} es un array de numpy.ma, cuya máscara aquí no ocultaría nada; usa "
                        f"{name}.data y, si algo se oculta, el argumento mask")
    try:
        found = np.asarray(x)
    except (TypeError, ValueError, RuntimeError) as error:
        if "inhomogeneous" in str(error):
            raise ValueError(f"{name} tiene filas de distinto largo; todas deben medir lo mismo"
                             ) from None
        raise TypeError(f"{name} es {type(x).__name__} y NumPy no lo lee ({error}); si es un "
                        f"tensor de torch, usa {name}.detach().float().numpy()") from None
    if axes and found.ndim < axes.count(",") + 1:
        raise ValueError(f"{name} tiene forma {found.shape}; debe ser (..., {axes})")
    return found


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


def quiet():
    """Silence NumPy's warnings of overflow, which some platforms lack: `finish` gives our own."""
    return np.errstate(over="ignore", under="ignore", invalid="ignore")


def finish(output, dtype, layer=None):
    """Cast the output to the dtype due; warn by name if it overflowed, on any platform.

    To be called by what the reader calls. NaN or infinity among the weights of `layer`, if it came
    out, is an error.
    """
    with quiet():
        output = output.astype(dtype, copy=False)
        if all_finite(output):
            return output
    for name in layer.parameter_shapes if layer else ():
        if (weights := getattr(layer, name)) is not None:
            finite(name, np.asarray(weights), way_out="y debe ser finito")
    place = np.argwhere(~np.isfinite(output))[0].tolist()
    warnings.warn(f"la salida tiene NaN o infinito (el primero, en la posición {place}): los "
                  f"productos desbordan {np.dtype(dtype)}; reduce las entradas o los pesos, "
                  "o usa float64", RuntimeWarning, stacklevel=3)
    return output
