"""Multi-head attention in NumPy, as the formulas read, from the top down.

softmax → scaled dot-product attention → split and merge heads → the module.
Vaswani et al., "Attention Is All You Need" (2017), section 3.2.

Beside it: what is refused and how errors read (mha_checks, mha_inputs); the formula once more, for
speed and for extreme numbers (mha_fast); the weights' shapes and start (mha_parameters), and how
many they are (mha_counts); torch's extra keys (mha_extra_keys) and weights (mha_torch); statistics
of a map (mha_stats).

`mask` is boolean and **True = hidden**, everywhere (as in torch's nn.MultiheadAttention; the
opposite of torch's F.scaled_dot_product_attention and of Keras). Weights are applied as `x @ w`.
float16, float32 and float64 come out as they went in (float16 is computed in float32).
"""

import copy
import math

import numpy as np

import mha_checks as checks
import mha_fast
import mha_inputs as inputs
import mha_parameters as parameters
from mha_counts import multiply_adds, parameter_count, softmax_entries
from mha_extra_keys import append_extra_keys

__all__ = ["MultiHeadAttention", "causal_mask", "merge_heads", "multiply_adds", "parameter_count",
           "scaled_dot_product_attention", "softmax", "softmax_entries", "split_heads"]

# ------------------------------------------------------------------------------- softmax


def softmax(scores, *, axis=-1, mask=None):
    """Turn scores into weights that are positive and sum to 1 along `axis`.

    softmax(s)_j = exp(s_j − max s) / Σ_i exp(s_i − max s): taking the highest from all of them
    moves no weight, and then no exponential can overflow.

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

    Raises
    ------
    TypeError, ValueError
        A wrong dtype, axis or mask; NaN or +inf in an entry that is not hidden.
    """
    scores, dtype = inputs.scores(scores, axis, mask)  # −∞ where hidden, since exp(−∞) = 0
    lowest = np.finfo(scores.dtype).min  # finite: where all are hidden, −∞ − lowest is −∞ again
    highest = scores.max(axis=axis, keepdims=True, initial=lowest)
    with checks.quiet():  # a difference may overflow to −∞: its exponential is 0 in any case
        exps = np.exp(scores - highest)
    total = exps.sum(axis=axis, keepdims=True)  # ≥ 1, for the highest gives e⁰; or 0: all hidden
    return (exps / np.maximum(total, 1)).astype(dtype, copy=False)


# ----------------------------------------------------------- scaled dot-product attention


def causal_mask(n_q, n_k=None):
    """Hide the future: query i sees keys 0 … i.

    Returns
    -------
    mask : (n_q, n_k) ndarray of bool, True (hidden) above the diagonal; n_k defaults to n_q
    """
    return ~np.tri(*checks.lengths(n_q, n_k), dtype=bool)


def scaled_dot_product_attention(query, key, value, *, mask=None, causal=False, scale=None):
    """softmax(Q Kᵀ / √d_k) V, for one head or for a stack of them (section 3.2.1, equation 1).

    Parameters
    ----------
    query : (..., n_q, d_k) ndarray
    key : (..., n_k, d_k) ndarray
    value : (..., n_k, d_v) ndarray
    mask : ndarray broadcastable to (..., n_q, n_k)
        Boolean, True = hidden; or float, added to the scaled scores (-inf = hidden).
    causal : bool
        Also hide key j from query i when j > i.
    scale : float, optional
        Factor of the scores; 1/√d_k by default.

    Returns
    -------
    output : (..., n_q, d_v) ndarray
    attn_weights : (..., n_q, n_k) ndarray
        Each row sums to 1, or is all 0 when every key is hidden (torch gives NaN there).

    Raises
    ------
    TypeError, ValueError
        A wrong dtype, shape, mask or scale; NaN or infinity in a place that is not hidden.

    Warns
    -----
    RuntimeWarning
        The output has NaN or infinity because products overflow the dtype.
    """
    query, key, value, hidden, bias, dtype = inputs.attention(query, key, value, mask, causal)
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else checks.factor("scale", scale)
    output, attn_weights = _attend(query, key, value, scale, hidden, bias)
    return checks.finish(output, dtype), attn_weights.astype(dtype, copy=False)


def _attend(query, key, value, scale, hidden=None, bias=None):
    """Equation 1, of checked arrays; `hidden` (bool) and `bias` (float) are the mask, by kind.

    (What runs is its twin: see the end of this file.)
    """
    scores = query @ key.swapaxes(-2, -1)  # Q Kᵀ                        (..., n_q, n_k)
    scaled_scores = scores * scale  # Q Kᵀ / √d_k
    if bias is not None:
        scaled_scores = scaled_scores + bias
    attn_weights = softmax(scaled_scores, mask=hidden)
    return attn_weights @ value, attn_weights  # A V                     (..., n_q, d_v)


# ------------------------------------------------------------------ split and merge heads


def split_heads(x, num_heads):
    """Cut the features into heads: (..., n, d) → (..., num_heads, n, d/num_heads).

    Head i holds the contiguous features i·d/h … (i+1)·d/h − 1. It is a view: nothing is copied.
    """
    x = checks.array("x", x, axes="n, d")
    *batch, n, d = x.shape
    return x.reshape(*batch, n, num_heads, checks.divide("d", d, num_heads)).swapaxes(-3, -2)


def merge_heads(x):
    """Put the heads side by side again: (..., num_heads, n, d_v) → (..., n, num_heads·d_v)."""
    x = checks.array("x", x, axes="num_heads, n, d_v")
    *batch, num_heads, n, d_v = x.shape
    return x.swapaxes(-3, -2).reshape(*batch, n, num_heads * d_v)


# ------------------------------------------------------------------------------ the module


def _project(x, weight, bias):
    """Apply x W + b to every token, (..., n, d_in) → (..., n, d_out). (It has a twin as well.)"""
    return x @ weight if bias is None else x @ weight + bias


class MultiHeadAttention:
    """Concat(head_1, …, head_h) W_o, with head_i = Attention(Q W_q,i, K W_k,i, V W_v,i).

    Section 3.2.2. The matrices of all heads lie side by side in one: W_q = [W_q,1 … W_q,h].

    Parameters
    ----------
    d_model, num_heads : int
    bias : bool
        Add b_q, b_k, b_v, b_o (zeros at the start; None without bias).
    rng : numpy.random.Generator, int or None
        Where the starting weights come from (Glorot & Bengio 2010, normal).
    d_k, d_v : int, optional
        Width of a head's queries and keys, and of its values; d_model / num_heads by default.
    num_kv_heads : int, optional
        Key/value heads, each shared by num_heads / num_kv_heads consecutive query heads: fewer
        than num_heads is grouped-query attention (Ainslie et al. 2023), 1 is multi-query.
    kdim, vdim : int, optional
        Features of `key` and `value` as they come in; d_model by default.
    add_bias_kv, add_zero_attn : bool
        Append a learned key and value (bias_k, bias_v), or zeros, that every query sees.
    dtype : dtype
        Of the weights. The output has the dtype of the inputs.

    Attributes
    ----------
    w_q : (d_model, num_heads·d_k) ndarray; columns i·d_k … (i+1)·d_k − 1 are head i's
    w_k : (kdim, num_kv_heads·d_k) ndarray
    w_v : (vdim, num_kv_heads·d_v) ndarray
    w_o : (num_heads·d_v, d_model) ndarray; rows i·d_v … (i+1)·d_v − 1 are head i's
    """

    def __init__(self, d_model, num_heads, *, bias=False, rng=None, d_k=None, d_v=None,
                 num_kv_heads=None, kdim=None, vdim=None, add_bias_kv=False,
                 add_zero_attn=False, dtype=np.float64):
        sizes = checks.sizes(d_model, num_heads, d_k, d_v, num_kv_heads, kdim, vdim)
        (self.d_model, self.num_heads, self.d_k, self.d_v, self.num_kv_heads, self.kdim,
         self.vdim) = sizes
        self.add_zero_attn = checks.flag("add_zero_attn", add_zero_attn)
        self.parameter_shapes = parameters.shapes(*sizes)
        # w_q, w_k, w_v, w_o (normal, Glorot), b_q, b_k, b_v, b_o (zeros or None), bias_k, bias_v
        vars(self).update(parameters.start(self.parameter_shapes, bias, add_bias_kv, rng, dtype))

    @classmethod
    def from_weights(cls, w_q, w_k, w_v, w_o, num_heads, *, num_kv_heads=None,
                     add_zero_attn=False, **biases):
        """Make a module around given arrays; every size is read from them.

        `biases`: any of b_q, b_k, b_v, b_o, bias_k, bias_v. The arrays are not copied.
        """
        arrays, sizes = parameters.read(w_q, w_k, w_v, w_o, num_heads, biases)
        layer = cls(num_heads=num_heads, num_kv_heads=num_kv_heads, add_zero_attn=add_zero_attn,
                    **sizes)
        vars(layer).update(arrays)
        parameters.check(layer)
        return layer

    def __call__(self, query, key=None, value=None, *, mask=None, key_padding_mask=None,
                 causal=False):
        """Attend: self-attention on `query` alone, cross-attention when `key` is given.

        Parameters
        ----------
        query : (..., n_q, d_model) ndarray
        key : (..., n_k, kdim) ndarray, `query` by default
        value : (..., n_k, vdim) ndarray, `key` by default
        mask : ndarray of bool, True = hidden; or of floats, added to the scaled scores
            (n_q, n_k), (batch, n_q, n_k) or (batch, num_heads, n_q, n_k), any axis may be 1;
            without a batch, (num_heads, n_q, n_k).
        key_padding_mask : (..., n_k) ndarray, as `mask`
            Keys hidden from every query.
        causal : bool
            Also hide key j from query i when j > i.

        Returns
        -------
        output : (..., n_q, d_model) ndarray
            b_o (or 0) for a query whose keys are all hidden; torch gives NaN there.
        attn_weights : (..., num_heads, n_q, n_k) ndarray
            One map per head, not their mean. add_bias_kv and add_zero_attn add a column each.

        Raises
        ------
        TypeError, ValueError
            A wrong dtype, shape or mask; NaN or infinity in a place that is not hidden, or in a
            weight, if it reaches the output. (Overflow is warned of, as in the function above.)

        Examples
        --------
        >>> layer = MultiHeadAttention(8, 2, rng=0)
        >>> output, attn_weights = layer(np.ones((5, 8)), causal=True)
        >>> output.shape, attn_weights.shape
        ((5, 8), (2, 5, 5))
        """
        head_outputs, attn_weights, dtype = self._heads(
            query, key, value, mask, key_padding_mask, causal)
        concat = merge_heads(head_outputs)  # Concat(head_1, …, head_h)  (..., n_q, h·d_v)
        output = _project(concat, self.w_o, self.b_o)  # Concat(…) W_o   (..., n_q, d_model)
        return checks.finish(output, dtype, self), attn_weights.astype(dtype, copy=False)

    def _heads(self, query, key, value, mask, key_padding_mask, causal):
        """Return every head_i, all at once, and its map; and the dtype that is due."""
        query, key, value, hidden, bias, dtype = inputs.module(
            self, query, key, value, mask, key_padding_mask, causal)
        q = _project(query, self.w_q, self.b_q)  # Q W_q                 (..., n_q, h·d_k)
        k = _project(key, self.w_k, self.b_k)  # K W_k                   (..., n_k, h_kv·d_k)
        v = _project(value, self.w_v, self.b_v)  # V W_v                 (..., n_k, h_kv·d_v)
        k, v, hidden, bias = append_extra_keys(self, k, v, hidden, bias)  # mostly there are none
        q = split_heads(q, self.num_heads)  #                            (..., h, n_q, d_k)
        k = split_heads(k, self.num_kv_heads)  #                         (..., h_kv, n_k, d_k)
        v = split_heads(v, self.num_kv_heads)  #                         (..., h_kv, n_k, d_v)
        if self.num_kv_heads < self.num_heads:  # query head i uses key head i // group
            group = self.num_heads // self.num_kv_heads
            k, v = k.repeat(group, axis=-3), v.repeat(group, axis=-3)
        head_outputs, attn_weights = _attend(q, k, v, 1 / math.sqrt(self.d_k), hidden, bias)
        return head_outputs, attn_weights, dtype

    def head_outputs(self, query, key=None, value=None, *, mask=None, key_padding_mask=None,
                     causal=False):
        """Return each head's own result A_i V_i, before W_o joins them; arguments as in a call.

        Returns
        -------
        head_outputs : (..., num_heads, n_q, d_v) ndarray
        attn_weights : (..., num_heads, n_q, n_k) ndarray
        """
        head_outputs, attn_weights, dtype = self._heads(
            query, key, value, mask, key_padding_mask, causal)
        return checks.finish(head_outputs, dtype, self), attn_weights.astype(dtype, copy=False)

    def head_contributions(self, query, key=None, value=None, *, mask=None,
                           key_padding_mask=None, causal=False):
        """Return what each head adds to the output: A_i V_i W_o[rows of head i].

        Elhage et al., "A Mathematical Framework for Transformer Circuits" (2021): heads are
        independent and additive. Their sum over heads, plus b_o, is the output.

        Returns
        -------
        contributions : (..., num_heads, n_q, d_model) ndarray
        """
        head_outputs, _, dtype = self._heads(query, key, value, mask, key_padding_mask, causal)
        rows = np.reshape(self.w_o, (self.num_heads, self.d_v, self.d_model))  # of W_o, by head
        return checks.finish(_project(head_outputs, rows, None), dtype, self)

    def ablate(self, *heads):
        """Return a copy with these heads switched off: their rows of W_o are 0.

        Michel et al., "Are Sixteen Heads Really Better than One?" (2019), their ξ_h = 0.
        """
        layer = copy.copy(self)
        layer.w_o = np.array(self.w_o)
        for head in heads:
            checks.head(head, self.num_heads)
            layer.w_o[head * self.d_v:(head + 1) * self.d_v] = 0
        return layer


# ------------------------------------------------------------------------------- what runs

# Above is the formula. What runs in the place of its two inner functions are their twins in
# mha_fast: same arguments, same results, less time and memory, and care where numbers overflow.
# Take the last line away, and what is written above runs as it stands.
_TEXTBOOK = {"_attend": _attend, "_project": _project}
_attend, _project = mha_fast.attend, mha_fast.project
