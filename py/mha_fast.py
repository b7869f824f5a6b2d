"""The two inner functions of `mha`, for speed, for little memory and for extreme numbers.

`mha` says the formula; here it is written for machines. Same arguments, same results (the tests
hold one to the other), in about half the time at a thousand tokens, and beyond them:

- the maps (h, n_q, n_k), by far the largest arrays, are held once: all steps write in place;
- long sequences go a head at a time, to stay in the processor's cache;
- where NumPy has no BLAS, as in Pyodide, products go by einsum;
- where products overflow, weight 0 silences even an infinite value, and a row whose scores all
  overflowed is NaN, not taken for one whose keys are all hidden.
"""

import numpy as np

import mha_checks as checks

ONE_BY_ONE = 2**15  # scores a head above which heads go one at a time

# Without BLAS einsum is up to 3 times as fast as matmul, if both operands are read along
# contiguous rows and these are not too short (bench/bench_mha_pyodide.py).
HAS_BLAS = bool(np.show_config(mode="dicts")["Build Dependencies"]["blas"].get("found"))
SHORT_ROW = 32


@checks.quiet()
def attend(query, key, value, scale, hidden=None, bias=None):
    """softmax(scale · Q Kᵀ + bias) V, −∞ where hidden: the twin of mha._attend.

    Parameters
    ----------
    query, key, value : (..., n_q, d_k), (..., n_k, d_k), (..., n_k, d_v) ndarray
        Of the same leading axes and dtype.
    scale : float
    hidden, bias : None or ndarray of bool, of floats, broadcastable to (..., n_q, n_k)

    Returns
    -------
    output : (..., n_q, d_v) ndarray
    attn_weights : (..., n_q, n_k) ndarray
    """
    *lead, n_q, _ = query.shape
    n_k, d_v = value.shape[-2:]
    attn_weights = np.empty((*lead, n_q, n_k), query.dtype)
    output = np.empty((*lead, n_q, d_v), query.dtype)
    query = query * scale  # n_q·d_k products, not n_q·n_k
    hidden, bias = (x if x is None else np.broadcast_to(x, attn_weights.shape)
                    for x in (hidden, bias))

    for i in np.ndindex(*lead) if n_q * n_k > ONE_BY_ONE else [...]:  # a head, or all of them
        scores = attn_weights[i]  # a view: what follows writes into attn_weights
        matmul(query[i], key[i].swapaxes(-2, -1), out=scores)
        if bias is not None:
            scores += bias[i]
        if hidden is not None:
            np.copyto(scores, -np.inf, where=hidden[i])
        _softmax_in_place(scores, None if hidden is None else hidden[i])
        matmul(scores, value[i], out=output[i])
    if not checks.all_finite(output):
        _mix_guarded(attn_weights, value, output)
    return output, attn_weights


def _softmax_in_place(scores, hidden):
    """Softmax over the last axis: 0 for a row that is all hidden, NaN for one that overflowed."""
    lowest = np.finfo(scores.dtype).min  # where every score is −∞: −∞ − lowest = −∞
    scores -= scores.max(axis=-1, keepdims=True, initial=lowest)
    np.exp(scores, out=scores)
    total = scores.sum(axis=-1, keepdims=True)
    if hidden is not None and not total.all():
        total += hidden.all(axis=-1, keepdims=True)  # 0/1, not 0/0
    scores /= total


def _mix_guarded(attn_weights, value, output):
    """Write attn_weights @ value, where weight 0 silences even a value that overflowed to inf."""
    finite = np.isfinite(value)
    matmul(attn_weights, np.where(finite, value, 0), out=output)
    reached = matmul((attn_weights > 0).astype(value.dtype), (~finite).astype(value.dtype)) > 0
    np.copyto(output, np.nan, where=reached)


@checks.quiet()
def project(x, weight, bias):
    """Apply x W + b in the dtype of x: the twin of mha._project.

    Parameters
    ----------
    x : (..., n, d_in) ndarray
    weight : (..., d_in, d_out) array
    bias : (d_out,) array or None

    Returns
    -------
    y : (..., n, d_out) ndarray
    """
    y = matmul(x, np.asarray(weight, x.dtype))
    if bias is not None:
        y += np.asarray(bias, x.dtype)
    return y


def matmul(a, b, out=None):
    """Multiply matrices, a @ b, by the fastest way that this NumPy has."""
    if HAS_BLAS:
        return np.matmul(a, b, out=out)
    rows = np.ascontiguousarray(b.swapaxes(-2, -1))
    if a.shape[-1] <= SHORT_ROW:
        return np.matmul(a, rows.swapaxes(-2, -1), out=out)
    return np.einsum("...ij,...kj->...ik", np.ascontiguousarray(a), rows, out=out)
