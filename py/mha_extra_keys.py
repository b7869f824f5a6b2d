"""Keys that belong to no token and that every query sees: torch's add_bias_kv, add_zero_attn."""

import numpy as np


def append_extra_keys(layer, k, v, hidden, bias):
    """Append the layer's extra keys and values to every sequence, seen by every query.

    Parameters
    ----------
    layer : mha.MultiHeadAttention
    k, v : (..., n_k, d) ndarray
        Projected, not split into heads yet.
    hidden, bias : None or ndarray of bool, of floats, (..., n_k)

    Returns
    -------
    k, v, hidden, bias
        With one more key for bias_k and bias_v, one more for add_zero_attn; as they were if the
        layer has neither.
    """
    extra = [] if layer.bias_k is None else [(layer.bias_k, layer.bias_v)]
    extra += [(0, 0)] if layer.add_zero_attn else []
    for row_k, row_v in extra:
        k, v = _append_row(k, row_k), _append_row(v, row_v)
        hidden, bias = _append_visible(hidden), _append_visible(bias)
    return k, v, hidden, bias


def _append_row(x, row):
    """Append one more key or value to every sequence: (..., n_k, d) → (..., n_k + 1, d)."""
    row = np.broadcast_to(np.asarray(row, x.dtype), (*x.shape[:-2], 1, x.shape[-1]))
    return np.concatenate([x, row], axis=-2)


def _append_visible(mask):
    """Append a column for one more key that is not hidden (False) nor biased (0)."""
    if mask is None:
        return None
    return np.concatenate([mask, np.zeros((*mask.shape[:-1], 1), mask.dtype)], axis=-1)
