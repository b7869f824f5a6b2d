"""Weights from and to others' layouts: torch's nn.MultiheadAttention, Hugging Face's BERT.

Everything here is NumPy: a state dict is a plain mapping of names to arrays, as
`{name: tensor.numpy() for name, tensor in module.state_dict().items()}` gives.
torch stores a weight as (out, in) and applies it as `x @ w.T`; `mha` stores (in, out).
"""

import numpy as np

import mha


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
    ValueError
        Names that are missing or unknown.
    """
    state = {name: np.asarray(array) for name, array in state.items()}
    _refuse_unknown(state, _TORCH_NAMES)
    if "in_proj_weight" in state:
        w_q, w_k, w_v = np.split(_take(state, "in_proj_weight"), 3)  # (E, E) each
    else:
        w_q, w_k, w_v = (_take(state, f"{i}_proj_weight") for i in "qkv")
    biases = {}
    if "in_proj_bias" in state:
        biases = dict(zip(("b_q", "b_k", "b_v"), np.split(state["in_proj_bias"], 3), strict=True))
    if "out_proj.bias" in state:
        biases["b_o"] = state["out_proj.bias"]
    if "bias_k" in state:
        biases |= {name: _take(state, name)[0] for name in ("bias_k", "bias_v")}  # (1, E)
    return mha.MultiHeadAttention.from_weights(
        w_q.T, w_k.T, w_v.T, _take(state, "out_proj.weight").T, num_heads,
        add_zero_attn=add_zero_attn, **biases)


_TORCH_NAMES = ("in_proj_weight", "q_proj_weight", "k_proj_weight", "v_proj_weight",
                "in_proj_bias", "bias_k", "bias_v", "out_proj.weight", "out_proj.bias")


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
    weights = (layer.w_q, layer.w_k, layer.w_v)
    if layer.kdim == layer.vdim == d:
        state = {"in_proj_weight": np.concatenate([w.T for w in weights])}  # (3E, E)
    else:
        state = {f"{i}_proj_weight": w.T for i, w in zip("qkv", weights, strict=True)}
    state["out_proj.weight"] = layer.w_o.T
    if any(b is not None for b in (layer.b_q, layer.b_k, layer.b_v, layer.b_o)):
        b_q, b_k, b_v, b_o = (np.zeros(d, layer.w_q.dtype) if b is None else b for b in
                              (layer.b_q, layer.b_k, layer.b_v, layer.b_o))
        state |= {"in_proj_bias": np.concatenate([b_q, b_k, b_v]), "out_proj.bias": b_o}
    if layer.bias_k is not None:
        state |= {"bias_k": layer.bias_k[None], "bias_v": layer.bias_v[None]}  # (1, 1, E)
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
    end = "attention.self.query.weight"
    if prefix is None:
        found = sorted(name.removesuffix(end) for name in state if name.endswith(end))
        if len(found) != 1:
            raise ValueError(f"prefix: hay {len(found)} capas con …{end}; di cuál"
                             + (f": {', '.join(map(repr, found))}" if found else ""))
        prefix = found[0]
    names = {"q": "self.query", "k": "self.key", "v": "self.value", "o": "output.dense"}
    weights = {f"w_{i}": _take(state, f"{prefix}attention.{name}.weight").T
               for i, name in names.items()}
    biases = {f"b_{i}": _take(state, f"{prefix}attention.{name}.bias")
              for i, name in names.items()}
    return mha.MultiHeadAttention.from_weights(**weights, num_heads=num_heads, **biases)


def mask_from_torch(attn_mask, num_heads):
    """Turn torch's batch-major mask into ours: (batch·num_heads, n_q, n_k) → (batch, h, n_q, n_k).

    The polarity is the same already. A mask (n_q, n_k) needs no turning. One made for
    F.scaled_dot_product_attention is upside down (True = seen): pass `~mask`.
    """
    attn_mask = np.asarray(attn_mask)
    if attn_mask.ndim == 2:
        return attn_mask
    if attn_mask.ndim != 3 or num_heads < 1 or attn_mask.shape[0] % num_heads:
        raise ValueError(f"attn_mask tiene forma {attn_mask.shape}; debe ser (n_q, n_k) o "
                         f"(batch·num_heads, n_q, n_k), con num_heads={num_heads}")
    return attn_mask.reshape(-1, num_heads, *attn_mask.shape[1:])


def _take(state, name):
    if name not in state:
        raise ValueError(f"falta {name}; hay: {', '.join(sorted(state)) or 'nada'}")
    return np.asarray(state[name])


def _refuse_unknown(state, known):
    unknown = sorted(set(state) - set(known))
    if unknown:
        raise ValueError(f"nombres desconocidos: {', '.join(unknown)}; puede haber: "
                         f"{', '.join(known)}")
