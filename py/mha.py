"""Multi-head attention in NumPy, small to large.

softmax → scaled dot-product attention → split and merge heads → the module → counts → checks.
Vaswani et al., "Attention Is All You Need" (2017), section 3.2. NumPy and nothing else.

`mask` is boolean and **True = hidden**, everywhere (as in torch's nn.MultiheadAttention; the
opposite of torch's F.scaled_dot_product_attention and of Keras). Weights are applied as `x @ w`.
"""

import numpy as np

# ------------------------------------------------------------------------------- softmax


def softmax(scores, *, axis=-1, mask=None):
    """Turn scores into weights that are positive and sum to 1 along `axis`.

    Parameters
    ----------
    scores : (...) ndarray
        Any magnitude; -inf counts as hidden.
    axis : int
        The axis whose entries compete: the keys, that is, the last one.
    mask : ndarray of bool, broadcastable to scores; True = hidden
        A hidden entry gets weight 0, whatever it holds, NaN too.

    Returns
    -------
    weights : ndarray, same shape and dtype as scores
        Where every entry is hidden, all weights are 0.
    """
    scores = _as_float("scores", scores)
    work = scores.astype(_working(scores.dtype))  # a copy: the input stays as it is
    if mask is not None:
        np.copyto(work, -np.inf, where=mask)
    return _softmax_in_place(work, axis).astype(scores.dtype, copy=False)


def _softmax_in_place(scores, axis=-1):
    """Softmax that overwrites `scores`: the (h, n_q, n_k) array is never held twice."""
    top = scores.max(axis=axis, keepdims=True, initial=-np.inf)
    scores -= np.where(top == -np.inf, 0, top)  # softmax(s) = softmax(s − c): no overflow
    np.exp(scores, out=scores)
    total = scores.sum(axis=axis, keepdims=True)
    scores /= np.where(total == 0, 1, total)  # all hidden: 0/1, not 0/0
    return scores


# ----------------------------------------------------------- scaled dot-product attention


def causal_mask(n_q, n_k=None):
    """Hide the future: query i sees keys 0 … i.

    Returns
    -------
    mask : (n_q, n_k) ndarray of bool, True (hidden) above the diagonal; n_k defaults to n_q
    """
    return ~np.tri(n_q, n_q if n_k is None else n_k, dtype=bool)


def scaled_dot_product_attention(query, key, value, *, mask=None, causal=False, scale=None):
    """softmax(Q Kᵀ / √d_k) V, for one head or for a stack of them.

    Parameters
    ----------
    query : (..., n_q, d_k) ndarray
    key : (..., n_k, d_k) ndarray
    value : (..., n_k, d_v) ndarray
    mask : bool ndarray broadcastable to (..., n_q, n_k), True = hidden; or float, added to scores
    causal : bool
        Also hide key j from query i when j > i.
    scale : float, optional
        Factor of the scores; 1/√d_k by default.

    Returns
    -------
    output : (..., n_q, d_v) ndarray
    attn_weights : (..., n_q, n_k) ndarray
        Each row sums to 1, or is all 0 when every key is hidden (torch gives NaN there).
    """
    query, key, value = (_as_float(n, x) for n, x in
                         (("query", query), ("key", key), ("value", value)))
    dtype = np.result_type(query, key, value)
    query, key, value = (x.astype(_working(dtype), copy=False) for x in (query, key, value))
    scale = 1 / np.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query * query.dtype.type(scale)) @ key.swapaxes(-2, -1)  # (..., n_q, n_k)
    if causal:
        np.copyto(scores, -np.inf, where=causal_mask(*scores.shape[-2:]))
    if mask is not None:
        mask = np.asarray(mask)
        if mask.dtype == bool:
            np.copyto(scores, -np.inf, where=mask)
        else:
            scores += mask
    attn_weights = _softmax_in_place(scores)
    output = attn_weights @ value  # (..., n_q, d_v)
    return output.astype(dtype, copy=False), attn_weights.astype(dtype, copy=False)


# ------------------------------------------------------------------ split and merge heads


def split_heads(x, num_heads):
    """Cut the features into heads: (..., n, d) → (..., num_heads, n, d/num_heads).

    Head i holds the contiguous features i·d/h … (i+1)·d/h − 1. It is a view: nothing is copied.
    """
    x = np.asarray(x)
    *batch, n, d = x.shape
    _check_divides("d", d, num_heads)
    return x.reshape(*batch, n, num_heads, d // num_heads).swapaxes(-3, -2)


def merge_heads(x):
    """Put the heads side by side again: (..., num_heads, n, d_v) → (..., n, num_heads·d_v)."""
    x = np.asarray(x)
    *batch, num_heads, n, d_v = x.shape
    return x.swapaxes(-3, -2).reshape(*batch, n, num_heads * d_v)


# ------------------------------------------------------------------------------ the module


class MultiHeadAttention:
    """Concat(head_1, …, head_h) W_o, with head_i = Attention(Q W_q,i, K W_k,i, V W_v,i).

    Parameters
    ----------
    d_model : int
    num_heads : int
        Divides d_model; d_k = d_v = d_model / num_heads.
    bias : bool
        Add b_q, b_k, b_v, b_o (zeros at the start).
    rng : numpy.random.Generator, int or None
        Where the starting weights come from.

    Attributes
    ----------
    w_q, w_k, w_v : (d_model, num_heads·d) ndarray
    w_o : (num_heads·d, d_model) ndarray
    """

    def __init__(self, d_model, num_heads, *, bias=False, rng=None):
        _check_divides("d_model", d_model, num_heads)
        self.d_model, self.num_heads = d_model, num_heads
        rng = np.random.default_rng(rng)
        self.w_q, self.w_k, self.w_v, self.w_o = (
            rng.normal(0, d_model**-0.5, (d_model, d_model)) for _ in range(4))
        self.b_q, self.b_k, self.b_v, self.b_o = (
            np.zeros(d_model) if bias else None for _ in range(4))

    def __call__(self, query, key=None, value=None, *, mask=None, causal=False):
        """Attend: self-attention on `query` alone, cross-attention when `key` is given.

        Parameters
        ----------
        query : (..., n_q, d_model) ndarray
        key, value : (..., n_k, d_model) ndarray
            `key` defaults to `query`, `value` to `key`.
        mask : bool ndarray, True = hidden
            (n_q, n_k), (batch, n_q, n_k) or (..., num_heads, n_q, n_k).
        causal : bool
            Also hide key j from query i when j > i.

        Returns
        -------
        output : (..., n_q, d_model) ndarray
        attn_weights : (..., num_heads, n_q, n_k) ndarray
        """
        key = query if key is None else key
        value = key if value is None else value
        query, key, value = (_as_float(n, x) for n, x in
                             (("query", query), ("key", key), ("value", value)))
        q = split_heads(_project(query, self.w_q, self.b_q), self.num_heads)  # (..., h, n_q, d_k)
        k = split_heads(_project(key, self.w_k, self.b_k), self.num_heads)  # (..., h, n_k, d_k)
        v = split_heads(_project(value, self.w_v, self.b_v), self.num_heads)  # (..., h, n_k, d_v)
        if mask is not None:
            mask = np.asarray(mask)
            if mask.ndim == query.ndim > 2:
                mask = mask[..., None, :, :]  # (batch, 1, n_q, n_k): the same for every head
        heads, attn_weights = scaled_dot_product_attention(q, k, v, mask=mask, causal=causal)
        return _project(merge_heads(heads), self.w_o, self.b_o), attn_weights


def _project(x, weight, bias):
    """Apply x W + b in the dtype of x."""
    y = x @ weight.astype(x.dtype, copy=False)
    return y if bias is None else y + bias.astype(x.dtype, copy=False)


# ---------------------------------------------------------------------------------- counts


def parameter_count(d_model, num_heads=1, *, bias=False):
    """Parameters of the module: 4·d_model² (+ 4·d_model biases), whatever num_heads is."""
    _check_divides("d_model", d_model, num_heads)
    return 4 * d_model**2 + (4 * d_model if bias else 0)


def multiply_adds(n, d_model, num_heads=1):
    """Multiply-adds of self-attention's matmuls: 4·n·d² + 2·n²·d, whatever num_heads is."""
    _check_divides("d_model", d_model, num_heads)
    return 4 * n * d_model**2 + 2 * n**2 * d_model


# ---------------------------------------------------------------------------------- checks


def _as_float(name, x):
    x = np.asarray(x)
    if x.dtype.kind in "iub":
        x = x.astype(np.float64)
    if x.dtype.kind != "f":
        raise TypeError(f"{name} tiene dtype {x.dtype}; debe ser real: float16, float32 o float64")
    return x


def _working(dtype):
    """Compute float16 in float32 (it overflows at 65 504); the rest as they come."""
    return np.float32 if dtype == np.float16 else dtype


def _check_divides(name, size, num_heads):
    if num_heads < 1 or size % num_heads:
        divisors = ", ".join(str(i) for i in range(1, size + 1) if size % i == 0)
        raise ValueError(f"{name}={size} no se divide entre num_heads={num_heads}; "
                         f"divisores: {divisors}")
