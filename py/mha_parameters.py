"""The weights and biases of a module: their shapes, how they start, what is refused as one.

w_q, w_k, w_v, w_o are always there; b_q, b_k, b_v, b_o and bias_k, bias_v may be None.
"""

import math

import numpy as np

import mha_checks as checks

BIASES = ("b_q", "b_k", "b_v", "b_o", "bias_k", "bias_v")


def shapes(d_model, num_heads, d_k, d_v, num_kv_heads, kdim, vdim):
    """Return the shape of each parameter that a module may have, by name."""
    q, k, v = num_heads * d_k, num_kv_heads * d_k, num_kv_heads * d_v  # all heads, side by side
    return {"w_q": (d_model, q), "w_k": (kdim, k), "w_v": (vdim, v),
            "w_o": (num_heads * d_v, d_model),
            "b_q": (q,), "b_k": (k,), "b_v": (v,), "b_o": (d_model,),
            "bias_k": (1, k), "bias_v": (1, v)}


def present(bias, add_bias_kv):
    """Return the beginnings of the names that a module with these options has."""
    bias, add_bias_kv = checks.flag("bias", bias), checks.flag("add_bias_kv", add_bias_kv)
    return ("w_",) + ("b_",) * bias + ("bias_",) * add_bias_kv


def start(shapes, bias, add_bias_kv, rng, dtype):
    """Return the parameters that a module starts with, by name.

    Matrices are normal, of variance 2 / (rows + columns) (Glorot & Bengio 2010); b_… are zeros.
    """
    there = present(bias, add_bias_kv)
    rng, dtype = checks.generator(rng), checks.float_dtype(dtype)
    arrays = dict.fromkeys(shapes)
    for name, shape in shapes.items():
        if name.startswith("b_") and name.startswith(there):
            arrays[name] = np.zeros(shape, dtype)
        elif name.startswith(there):
            arrays[name] = rng.normal(0, math.sqrt(2 / sum(shape)), shape).astype(dtype)
    return arrays


def read(w_q, w_k, w_v, w_o, num_heads, biases):
    """Return the arrays by name, checked one by one, and the sizes that are read from them."""
    weights = {"w_q": w_q, "w_k": w_k, "w_v": w_v, "w_o": w_o}
    weights = {name: checks.as_float(name, w) for name, w in weights.items()}
    for name, w in weights.items():
        if w.ndim != 2:
            raise ValueError(f"{name} tiene forma {w.shape}; debe ser una matriz (entra, sale)")
    unknown = set(biases) - set(BIASES)
    if unknown:
        raise TypeError(f"sesgos desconocidos: {', '.join(sorted(unknown))}; "
                        f"hay {', '.join(BIASES)}")
    biases = {name: b if b is None else checks.as_float(name, b) for name, b in biases.items()}
    sizes = {"d_model": weights["w_o"].shape[1],
             "d_k": checks.divide("el ancho de w_q", weights["w_q"].shape[1], num_heads),
             "d_v": checks.divide("el alto de w_o", weights["w_o"].shape[0], num_heads),
             "kdim": weights["w_k"].shape[0], "vdim": weights["w_v"].shape[0]}
    return weights | biases, sizes


def check(layer):
    """Raise TypeError or ValueError for a parameter of another dtype or shape, by its name."""
    for name, shape in layer.parameter_shapes.items():
        array = getattr(layer, name)
        if array is None and name in BIASES:
            continue
        if type(array) is not np.ndarray or array.dtype.char not in "efd":
            array = checks.as_float(name, array)
        if array.shape != shape:
            raise ValueError(f"{name} tiene forma {array.shape}; debe ser {shape}")
    if (layer.bias_k is None) != (layer.bias_v is None):
        raise ValueError("bias_k y bias_v van juntos: falta uno de los dos")
