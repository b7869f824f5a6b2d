"""Weights from and to others' layouts: torch's nn.MultiheadAttention, Hugging Face's BERT.

Everything here is NumPy: a state dict is a plain mapping of names to arrays, as
`{name: tensor.numpy() for name, tensor in module.state_dict().items()}` gives.
torch stores a weight as (out, in) and applies it as `x @ w.T`; `mha` stores (in, out).
"""

from collections.abc import Mapping

import numpy as np

import mha
import mha_checks as checks
import mha_parameters as parameters


def from_torch_state(state, num_heads, *, add_zero_attn=False):
    """Make a MultiHeadAttention from the state of an nn.MultiheadAttention.

    Parameters
    ----------
    state : mapping of str to array
        Packed, `in_proj_weight` (3E, E) with the rows of q, k, v in this order; or separate,
        `q_proj_weight` (E, E), `k_proj_weight` (E, kdim), `v_proj_weight` (E, vdim).
        `in_proj_bias` (3E,), `bias_k`, `bias_v` (1, 1, E) and `out_proj.bias` (E,) may be missing.
    num_heads : int
        Not in the state: the same arrays serve any number of heads.
    add_zero_attn : bool
        Not in the state either.

    Returns
    -------
    layer : mha.MultiHeadAttention, in the dtype of the state

    Raises
    ------
    TypeError, ValueError
        Names that are missing, unknown or said twice; an array of another shape or dtype.
    """
    _check_names(state, _TORCH_NAMES)
    if "in_proj_weight" in state:
        twice = [name for name in _SEPARATE if name in state]
        if twice:
            raise ValueError(f"están in_proj_weight y {', '.join(twice)}: las mismas matrices dos "
                             "veces; deja una de las dos formas")
        w_q, w_k, w_v = _thirds(_take(state, "in_proj_weight", ("3E", "E")), "in_proj_weight")
    else:
        w_q, w_k, w_v = (_take(state, name, ("E", "entra")) for name in _SEPARATE)
    biases = {}
    if "in_proj_bias" in state:
        b_q, b_k, b_v = _thirds(_take(state, "in_proj_bias", ("3E",)), "in_proj_bias")
        biases = {"b_q": b_q, "b_k": b_k, "b_v": b_v}
    if "out_proj.bias" in state:
        biases["b_o"] = _take(state, "out_proj.bias", ("E",))
    if "bias_k" in state or "bias_v" in state:
        biases |= {name: _take(state, name, (1, 1, "E"))[0] for name in ("bias_k", "bias_v")}
    return mha.MultiHeadAttention.from_weights(
        w_q.T, w_k.T, w_v.T, _take(state, "out_proj.weight", ("E", "E")).T, num_heads,
        add_zero_attn=add_zero_attn, **biases)


_SEPARATE = ("q_proj_weight", "k_proj_weight", "v_proj_weight")
_TORCH_NAMES = ("in_proj_weight", *_SEPARATE, "in_proj_bias", "bias_k", "bias_v",
                "out_proj.weight", "out_proj.bias")


def to_torch_state(layer):
    """Return the arrays that an nn.MultiheadAttention with the same options loads.

    Packed when kdim = vdim = d_model, else separate, as torch itself does.

    Returns
    -------
    state : dict of str to array
        Copies, C-contiguous: `torch.from_numpy` takes them as they are.

    Raises
    ------
    ValueError
        Sizes that nn.MultiheadAttention doesn't have: d_k or d_v other than d_model / num_heads,
        fewer key/value heads than query heads.
    """
    d = layer.d_model
    if layer.num_heads * layer.d_k != d or layer.num_heads * layer.d_v != d:
        raise ValueError(f"torch solo tiene d_k = d_v = d_model/num_heads = "
                         f"{d}/{layer.num_heads}; aquí d_k={layer.d_k} y d_v={layer.d_v}")
    if layer.num_kv_heads != layer.num_heads:
        raise ValueError(f"torch solo tiene tantas cabezas de claves como de queries; aquí "
                         f"num_kv_heads={layer.num_kv_heads} y num_heads={layer.num_heads}")
    parameters.check(layer)
    *weights, w_o = (np.asarray(w) for w in (layer.w_q, layer.w_k, layer.w_v, layer.w_o))
    if layer.kdim == layer.vdim == d:
        state = {"in_proj_weight": np.concatenate([w.T for w in weights])}  # (3E, E)
    else:
        state = {name: w.T for name, w in zip(_SEPARATE, weights, strict=True)}
    state["out_proj.weight"] = w_o.T
    biases = (layer.b_q, layer.b_k, layer.b_v, layer.b_o)
    if any(b is not None for b in biases):  # torch has all four or none
        b_q, b_k, b_v, b_o = (np.zeros(d, weights[0].dtype) if b is None else b for b in biases)
        state |= {"in_proj_bias": np.concatenate([b_q, b_k, b_v]), "out_proj.bias": b_o}
    if layer.bias_k is not None:
        state |= {"bias_k": [layer.bias_k], "bias_v": [layer.bias_v]}  # (1, 1, E)
    return {name: np.array(array, order="C") for name, array in state.items()}


def from_bert(state, num_heads, *, prefix=None):
    """Make a MultiHeadAttention from one layer of a Hugging Face BERT (RoBERTa, XLM-R, E5…).

    Parameters
    ----------
    state : mapping of str to array
        Holds `…attention.self.{query,key,value}.{weight,bias}` and
        `…attention.output.dense.{weight,bias}`; other names are left alone. Mind that
        `…output.dense` without `attention.` is the feed-forward network's.
    num_heads : int
    prefix : str, optional
        What stands before `attention.`, such as `"encoder.layer.3."`; may be left out when the
        state holds only one layer.

    Returns
    -------
    layer : mha.MultiHeadAttention
        What BERT calls the context layer plus its dense output; LayerNorm and the residual
        connection are not attention's.
    """
    _check_names(state)
    end = "attention.self.query.weight"
    if prefix is None:
        found = sorted(name.removesuffix(end) for name in state if name.endswith(end))
        if len(found) > 1:
            raise ValueError(f"prefix: hay {len(found)} capas con …{end}; di cuál: "
                             f"{', '.join(map(repr, found))}")
        prefix = found[0] if found else ""
    names = {"q": "self.query", "k": "self.key", "v": "self.value", "o": "output.dense"}
    weights = {f"w_{i}": _take(state, f"{prefix}attention.{name}.weight", ("sale", "entra")).T
               for i, name in names.items()}
    biases = {f"b_{i}": _take(state, f"{prefix}attention.{name}.bias", ("sale",))
              for i, name in names.items()}
    return mha.MultiHeadAttention.from_weights(**weights, num_heads=num_heads, **biases)


def mask_from_torch(attn_mask, num_heads):
    """Turn torch's batch-major mask into ours: (batch·num_heads, n_q, n_k) → (batch, h, n_q, n_k).

    Without a batch torch has (num_heads, n_q, n_k), which becomes a batch of one; the module takes
    it for a sequence alone too. A mask (n_q, n_k) needs no turning. The polarity is the same
    already; one made for F.scaled_dot_product_attention is upside down (True = seen): pass
    `~mask`.
    """
    attn_mask = checks.array("attn_mask", attn_mask)
    num_heads = checks.integer("num_heads", num_heads, 1)
    if attn_mask.ndim == 2:
        return attn_mask
    if attn_mask.ndim != 3 or attn_mask.shape[0] % num_heads:
        raise ValueError(f"attn_mask tiene forma {attn_mask.shape}; debe ser (n_q, n_k) o "
                         f"(batch·num_heads, n_q, n_k), con num_heads={num_heads}")
    return attn_mask.reshape(attn_mask.shape[0] // num_heads, num_heads, *attn_mask.shape[1:])


def _take(state, name, shape):
    """Return the array of that name, of a shape such as (1, "E"): two axes, the first of 1."""
    if name not in state:
        raise ValueError(f"falta {name}; hay: {', '.join(sorted(state)) or 'nada'}")
    array = checks.as_float(name, state[name])
    if array.ndim != len(shape) or any(
            due == 1 != size for due, size in zip(shape, array.shape, strict=True)):
        due = ", ".join(map(str, shape))
        raise ValueError(f"{name} tiene forma {array.shape}; debe ser ({due})")
    return array


def _thirds(array, name):
    """Cut what torch packs, the rows of q, k and v in this order."""
    if len(array) % 3:
        raise ValueError(f"{name} tiene forma {array.shape}; debe tener 3E filas: las de q, k y v")
    return np.split(array, 3)


def _check_names(state, known=None):
    if not isinstance(state, Mapping):
        raise TypeError(f"state es {type(state).__name__}; debe ser un diccionario de nombres a "
                        "arrays")
    odd = [name for name in state if not isinstance(name, str)]
    if odd:
        raise TypeError(f"state tiene la clave {odd[0]!r}; las claves son nombres, de tipo str")
    unknown = sorted(set(state) - set(known or state))
    if unknown:
        raise ValueError(f"nombres desconocidos: {', '.join(unknown)}; puede haber: "
                         f"{', '.join(known)}")
