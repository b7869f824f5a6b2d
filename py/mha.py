"""Multi-head attention in NumPy, small to large.

softmax → scaled dot-product attention → split and merge heads → the module → counts.
What is refused and how errors read: mha_checks. torch's and BERT's weights: mha_torch.
Statistics of a map: mha_stats.
Vaswani et al., "Attention Is All You Need" (2017), section 3.2. NumPy and nothing else.

`mask` is boolean and **True = hidden**, everywhere (as in torch's nn.MultiheadAttention; the
opposite of torch's F.scaled_dot_product_attention and of Keras). Weights are applied as `x @ w`.
float16, float32 and float64 come out as they went in (float16 is computed in float32).
"""

import sys

import numpy as np

import mha_checks as checks

# NumPy warns of an overflow on some platforms only; checks.finish does on all, and says where.
_quiet = ((lambda function: function) if sys.platform == "emscripten"  # no warnings to silence
          else np.errstate(over="ignore", under="ignore", invalid="ignore"))

# ------------------------------------------------------------------------------- softmax


@_quiet
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

    Raises
    ------
    ValueError
        NaN or +inf in an entry that is not hidden.
    """
    scores = checks.as_float("scores", scores)
    if not -scores.ndim <= checks.integer("axis", axis) < scores.ndim:
        raise ValueError(f"axis={axis} no es un eje de scores, que tiene forma {scores.shape}")
    work = scores.astype(checks.working(scores.dtype))  # a copy: the input stays as it is
    if mask is not None:
        np.copyto(work, -np.inf, where=checks.mask("mask", mask, work.shape, additive=False))
    checks.finite("scores", work, hidden=np.isneginf(work))
    rows = np.ascontiguousarray(work.swapaxes(axis, -1))
    _softmax_in_place(rows)
    return rows.swapaxes(axis, -1).astype(scores.dtype, copy=False)


def _softmax_in_place(scores, rows=True, blind=True):
    """Softmax over the last axis, over `scores`: the (h, n_q, n_k) array is never held twice.

    `rows`: where True, all scores of the row are first lowered by its highest, which moves no
    weight, so that none is too large for exp. `blind`: where True, a row of −inf alone is one
    whose keys are all hidden: weights 0. Elsewhere its scores overflowed: NaN.
    """
    lowest = np.finfo(scores.dtype).min  # where every key is hidden: −inf − lowest = −inf
    scores -= np.where(rows, scores.max(axis=-1, keepdims=True, initial=lowest), 0)
    total = _exp_in_place(scores)
    total += (total == 0) & blind  # 0/1, not 0/0
    scores /= total


def _exp_in_place(scores):
    """Exponentiate; return the sum of each row (..., n_q, 1): BLAS adds faster, as a product."""
    np.exp(scores, out=scores)
    if not HAS_BLAS:
        return scores.sum(axis=-1, keepdims=True)
    return scores @ np.ones((scores.shape[-1], 1), scores.dtype)


# ----------------------------------------------------------- scaled dot-product attention


def causal_mask(n_q, n_k=None):
    """Hide the future: query i sees keys 0 … i.

    Returns
    -------
    mask : (n_q, n_k) ndarray of bool, True (hidden) above the diagonal; n_k defaults to n_q
    """
    return ~np.tri(*checks.lengths(n_q, n_k), dtype=bool)


@_quiet
def scaled_dot_product_attention(query, key, value, *, mask=None, causal=False, scale=None):
    """softmax(Q Kᵀ / √d_k) V, for one head or for a stack of them.

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
    query, key, value, dtype = checks.arrays(query, key, value)
    shape = checks.stacks(query, key, value)  # of the scores: (..., n_q, n_k)
    if mask is not None:
        mask = checks.mask("mask", mask, shape)
    hidden, bias = checks.join_masks(shape, query.dtype, causal, mask=mask)
    query, key, value = checks.without_hidden(query, key, value, shape, hidden)
    scale = 1 / query.shape[-1]**0.5 if scale is None else checks.factor("scale", scale)
    q, k, v = (np.broadcast_to(x, (*shape[:-2], *x.shape[-2:])) for x in (query, key, value))
    output, attn_weights = _attend(q * scale, k, v, hidden, bias)
    return checks.finish(output, dtype), attn_weights.astype(dtype, copy=False)


ONE_BY_ONE = 2**15  # scores a head above which heads go one at a time, to stay in cache
SAFE = 1e-9, 1e30  # a row whose exps sum to within these needs no lowering: even in float32 only
#                    weights below 1e-28 would gain by it


def _attend(q, k, v, hidden=None, bias=None, mix=None):
    """Attention of checked arrays with equal leading axes: the heart of function and module.

    q is scaled already (n_q·d_k factors, not n_q·n_k) and may be overwritten. hidden (bool) and
    bias (float) broadcast to (..., n_q, n_k).
    """
    *lead, n_q, _ = q.shape
    n_k, d_v = v.shape[-2:]
    attn_weights = np.empty((*lead, n_q, n_k), q.dtype)  # the only array of this size
    output = q  # each head's result takes the place of its queries
    if q.shape[-1] != d_v:  # or lies as they do, side by side, so that merging heads is free
        output = np.empty((*lead[:-1], n_q, *lead[-1:], d_v), q.dtype)
        output = output.swapaxes(-2, -3) if lead else output  # (..., h, n_q, d_v)
    hidden, bias = (x if x is None else np.broadcast_to(x, attn_weights.shape)
                    for x in (hidden, bias))

    for i in np.ndindex(*lead) if n_q * n_k > ONE_BY_ONE else [...]:  # a head, or all of them
        scores = attn_weights[i]  # a view: what follows writes into attn_weights
        given = [x if x is None else x[i] for x in (q, k, bias, hidden)]
        _score(*given, out=scores)
        total = _exp_in_place(scores)
        if SAFE[0] < total.min(initial=1) <= total.max(initial=1) < SAFE[1]:
            scores /= total
        else:  # rarely: once more, with care where it is due
            _score(*given, out=scores)
            blind = hidden is not None and hidden[i].all(axis=-1, keepdims=True)
            _softmax_in_place(scores, ~((SAFE[0] < total) & (total < SAFE[1])), blind)
        (mix or _matmul)(scores, v[i], out=output[i])  # A V                  (..., n_q, d_v)
    return output, attn_weights


def _score(q, k, bias, hidden, out):
    """Write (Q / √d_k) Kᵀ, biased, −inf where hidden, into `out`: (..., n_q, n_k)."""
    _matmul(q, k.swapaxes(-2, -1), out=out)
    if bias is not None:
        out += bias
    if hidden is not None:
        np.copyto(out, -np.inf, where=hidden)


def _mix_guarded(attn_weights, value, out):
    """attn_weights @ value, where weight 0 silences even a value that overflowed to inf."""
    finite = np.isfinite(value)
    _matmul(attn_weights, np.where(finite, value, 0), out=out)
    reached = _matmul((attn_weights > 0).astype(value.dtype), (~finite).astype(value.dtype)) > 0
    np.copyto(out, np.nan, where=reached)


# ------------------------------------------------------------------ split and merge heads


def split_heads(x, num_heads):
    """Cut the features into heads: (..., n, d) → (..., num_heads, n, d/num_heads).

    Head i holds the contiguous features i·d/h … (i+1)·d/h − 1. It is a view: nothing is copied.
    """
    x = checks.array("x", x)
    if x.ndim < 2:
        raise ValueError(f"x tiene forma {x.shape}; debe ser (..., n, d)")
    return _split(x, num_heads)


def _split(x, num_heads):
    d_head = checks.divide("d", x.shape[-1], num_heads)
    return x.reshape(*x.shape[:-1], num_heads, d_head).swapaxes(-3, -2)


def merge_heads(x):
    """Put the heads side by side again: (..., num_heads, n, d_v) → (..., n, num_heads·d_v).

    A view where they lie so in memory, as those of a module do; else a copy.
    """
    x = checks.array("x", x)
    if x.ndim < 3:
        raise ValueError(f"x tiene forma {x.shape}; debe ser (..., num_heads, n, d_v)")
    *batch, num_heads, n, d_v = x.shape
    return x.swapaxes(-3, -2).reshape(*batch, n, num_heads * d_v)


# ------------------------------------------------------------------------------ the module


class MultiHeadAttention:
    """Concat(head_1, …, head_h) W_o, with head_i = Attention(Q W_q,i, K W_k,i, V W_v,i).

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
    add_bias_kv : bool
        Append a learned key and value (bias_k, bias_v) that every query sees.
    add_zero_attn : bool
        Append a key and a value of zeros that every query sees.
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
        (self.d_model, self.num_heads, self.d_k, self.d_v, self.num_kv_heads, self.kdim,
         self.vdim) = checks.sizes(d_model, num_heads, d_k, d_v, num_kv_heads, kdim, vdim)
        self.add_zero_attn = checks.flag("add_zero_attn", add_zero_attn)
        bias, add_bias_kv = checks.flag("bias", bias), checks.flag("add_bias_kv", add_bias_kv)
        rng, dtype = checks.generator(rng), checks.float_dtype(dtype)
        self.parameter_shapes = self._shapes()
        for name, shape in self.parameter_shapes.items():
            is_weight = name.startswith("w_") or (add_bias_kv and name.startswith("bias_"))
            if is_weight:
                start = rng.normal(0, np.sqrt(2 / sum(shape)), shape).astype(dtype)
            else:
                start = np.zeros(shape, dtype) if bias and name.startswith("b_") else None
            setattr(self, name, start)

    def _shapes(self):
        """Return the shape that each parameter has, if it is there."""
        q, k, v = (self.num_heads * self.d_k, self.num_kv_heads * self.d_k,
                   self.num_kv_heads * self.d_v)
        return {"w_q": (self.d_model, q), "w_k": (self.kdim, k), "w_v": (self.vdim, v),
                "w_o": (self.num_heads * self.d_v, self.d_model),
                "b_q": (q,), "b_k": (k,), "b_v": (v,), "b_o": (self.d_model,),
                "bias_k": (1, k), "bias_v": (1, v)}

    @classmethod
    def from_weights(cls, w_q, w_k, w_v, w_o, num_heads, *, num_kv_heads=None,
                     add_zero_attn=False, **biases):
        """Make a module around given arrays; every size is read from them.

        `biases`: any of b_q, b_k, b_v, b_o, bias_k, bias_v. The arrays are not copied.
        """
        weights = {"w_q": w_q, "w_k": w_k, "w_v": w_v, "w_o": w_o}
        weights = {name: checks.as_float(name, w) for name, w in weights.items()}
        for name, w in weights.items():
            if w.ndim != 2:
                raise ValueError(f"{name} tiene forma {w.shape}; debe ser una matriz (entra, sale)")
        layer = cls(weights["w_o"].shape[1], num_heads, num_kv_heads=num_kv_heads,
                    d_k=checks.divide("el ancho de w_q", weights["w_q"].shape[1], num_heads),
                    d_v=checks.divide("el alto de w_o", weights["w_o"].shape[0], num_heads),
                    kdim=weights["w_k"].shape[0], vdim=weights["w_v"].shape[0],
                    add_zero_attn=add_zero_attn)
        unknown = set(biases) - set(layer.parameter_shapes)
        if unknown:
            raise TypeError(f"sesgos desconocidos: {', '.join(sorted(unknown))}; "
                            "hay b_q, b_k, b_v, b_o, bias_k, bias_v")
        for name, array in (weights | biases).items():
            setattr(layer, name, array if array is None else checks.as_float(name, array))
        layer.check_parameters()
        return layer

    @_quiet
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
            weight, if it reaches the output.

        Warns
        -----
        RuntimeWarning
            The output has NaN or infinity because products overflow the dtype.

        Examples
        --------
        >>> layer = MultiHeadAttention(8, 2, rng=0)
        >>> output, attn_weights = layer(np.ones((5, 8)), causal=True)
        >>> output.shape, attn_weights.shape
        ((5, 8), (2, 5, 5))
        """
        heads, attn_weights, dtype = self._heads(query, key, value, mask, key_padding_mask, causal)
        output = _project(merge_heads(heads), self.w_o, self.b_o)  # Concat(…) W_o
        return checks.finish(output, dtype, self), attn_weights.astype(dtype, copy=False)

    def _heads(self, query, key, value, mask, key_padding_mask, causal):
        """Check and compute: head_outputs, attn_weights, the dtype due."""
        self.check_parameters()
        key = query if key is None else key
        value = key if value is None else value
        is_self = query is key
        query, key, value, dtype = checks.arrays(query, key, value)
        shape = checks.sequences(query, key, value, self)  # of the scores: (..., h, n_q, n_k)
        hidden, bias = checks.join_masks(
            shape, query.dtype, causal, mask=checks.with_head_axis(mask, shape),
            key_padding_mask=checks.with_query_axis(key_padding_mask, shape))
        query, key, value = checks.without_hidden(
            query, key, value, shape, hidden, heads=True, same=is_self,
            blind=self.bias_k is None and not self.add_zero_attn)
        heads, attn_weights = self._forward(query, key, value, hidden, bias)
        if not checks.all_finite(heads):  # once more: did only values overflow that are hidden?
            heads, attn_weights = self._forward(query, key, value, hidden, bias, _mix_guarded)
        return heads, attn_weights, dtype

    def _forward(self, query, key, value, hidden, bias, mix=None):
        """Project, split, attend: head_outputs (..., h, n_q, d_v), attn_weights."""
        q = _project(query, self.w_q, self.b_q)  # Q W_q                     (..., n_q, h·d_k)
        k = _project(key, self.w_k, self.b_k)  # K W_k                       (..., n_k, h_kv·d_k)
        v = _project(value, self.w_v, self.b_v)  # V W_v                     (..., n_k, h_kv·d_v)
        q *= 1 / self.d_k**0.5
        for row_k, row_v in self._extra_keys():
            k, v = _append_row(k, row_k), _append_row(v, row_v)
            hidden, bias = _append_visible(hidden), _append_visible(bias)
        q = _split(q, self.num_heads)  # (..., h, n_q, d_k)
        k = _split(k, self.num_kv_heads)  # (..., h_kv, n_k, d_k)
        v = _split(v, self.num_kv_heads)  # (..., h_kv, n_k, d_v)
        if self.num_kv_heads < self.num_heads:  # query head i uses key head i // group
            group = self.num_heads // self.num_kv_heads
            k, v = k.repeat(group, axis=-3), v.repeat(group, axis=-3)
        return _attend(q, k, v, hidden, bias, mix)

    @_quiet
    def head_outputs(self, query, key=None, value=None, *, mask=None, key_padding_mask=None,
                     causal=False):
        """Return each head's own result A_i V_i, before W_o joins them; arguments as in a call.

        Returns
        -------
        head_outputs : (..., num_heads, n_q, d_v) ndarray
        attn_weights : (..., num_heads, n_q, n_k) ndarray
        """
        heads, attn_weights, dtype = self._heads(query, key, value, mask, key_padding_mask, causal)
        return checks.finish(heads, dtype, self), attn_weights.astype(dtype, copy=False)

    @_quiet
    def head_contributions(self, query, key=None, value=None, *, mask=None,
                           key_padding_mask=None, causal=False):
        """Return what each head adds to the output: A_i V_i W_o[rows of head i].

        Elhage et al., "A Mathematical Framework for Transformer Circuits" (2021): heads are
        independent and additive. Their sum over heads, plus b_o, is the output.

        Returns
        -------
        contributions : (..., num_heads, n_q, d_model) ndarray
        """
        heads, _, dtype = self._heads(query, key, value, mask, key_padding_mask, causal)
        rows = np.asarray(self.w_o, heads.dtype).reshape(self.num_heads, self.d_v, self.d_model)
        return checks.finish(_matmul(heads, rows), dtype, self)

    def ablate(self, *heads):
        """Return a copy with these heads switched off: their rows of W_o are 0.

        Michel et al., "Are Sixteen Heads Really Better than One?" (2019), their ξ_h = 0.
        """
        layer = object.__new__(type(self))
        layer.__dict__.update(self.__dict__)
        layer.w_o = np.array(self.w_o)
        for head in heads:
            if not 0 <= checks.integer("head", head) < self.num_heads:
                raise ValueError(f"no hay cabeza {head}; van de 0 a {self.num_heads - 1}")
            layer.w_o[head * self.d_v:(head + 1) * self.d_v] = 0
        return layer

    @classmethod
    def from_torch_state(cls, state, num_heads, **options):
        """Make a module from the arrays of an nn.MultiheadAttention: see mha_torch."""
        import mha_torch
        return mha_torch.from_torch_state(state, num_heads, **options)

    def to_torch_state(self, **options):
        """Return the arrays that an nn.MultiheadAttention loads: see mha_torch."""
        import mha_torch
        return mha_torch.to_torch_state(self, **options)

    def _extra_keys(self):
        """Yield the keys and values that belong to no token and that every query sees."""
        if self.bias_k is not None:
            yield self.bias_k, self.bias_v
        if self.add_zero_attn:
            yield 0, 0

    def check_parameters(self):
        """Raise TypeError or ValueError for a parameter of another dtype or shape, by its name."""
        for name, shape in self.parameter_shapes.items():
            array = getattr(self, name)
            if array is None and name[0] == "b":
                continue
            if type(array) is not np.ndarray or array.dtype.char not in "efd":
                array = checks.as_float(name, array)
            if array.shape != shape:
                raise ValueError(f"{name} tiene forma {array.shape}; debe ser {shape}")
        if (self.bias_k is None) != (self.bias_v is None):
            raise ValueError("bias_k y bias_v van juntos: falta uno de los dos")


def _project(x, weight, bias):
    """Apply x W + b in the dtype of x: (..., n, d_in) → (..., n, d_out)."""
    weight = np.asarray(weight, x.dtype)
    y = _matmul(x.reshape(-1, x.shape[-1]), weight).reshape(*x.shape[:-1], weight.shape[1])
    if bias is not None:
        y += np.asarray(bias, x.dtype)
    return y


def _append_row(x, row):
    """Append one more key or value to every sequence: (..., n_k, d) → (..., n_k + 1, d)."""
    row = np.broadcast_to(np.asarray(row, x.dtype), (*x.shape[:-2], 1, x.shape[-1]))
    return np.concatenate([x, row], axis=-2)


def _append_visible(mask):
    """Append a column for one more key that is not hidden (False) nor biased (0)."""
    if mask is None:
        return None
    return np.concatenate([mask, np.zeros((*mask.shape[:-1], 1), mask.dtype)], axis=-1)


# ---------------------------------------------------------------------------------- counts


def parameter_count(d_model, num_heads=1, *, bias=False, d_k=None, d_v=None, num_kv_heads=None,
                    kdim=None, vdim=None, add_bias_kv=False):
    """Parameters of the module; arguments as MultiHeadAttention's (add_zero_attn has none).

    With h·d_k = h·d_v = d_model (the default) it is 4·d_model², plus 4·d_model biases: h is not
    in it, since more heads only cut the same matrices into more slices. It does grow with h when
    d_k or d_v are fixed by hand, and shrinks with num_kv_heads.

    Examples
    --------
    >>> parameter_count(512, 1), parameter_count(512, 8), parameter_count(512, 8, bias=True)
    (1048576, 1048576, 1050624)
    """
    d_model, num_heads, d_k, d_v, num_kv_heads, kdim, vdim = checks.sizes(
        d_model, num_heads, d_k, d_v, num_kv_heads, kdim, vdim)
    q, k, v = num_heads * d_k, num_kv_heads * d_k, num_kv_heads * d_v
    weights = d_model * q + kdim * k + vdim * v + num_heads * d_v * d_model
    biases = q + k + v + d_model
    return (weights + checks.flag("bias", bias) * biases
            + checks.flag("add_bias_kv", add_bias_kv) * (k + v))


def multiply_adds(n_q, d_model, num_heads=1, *, n_k=None, d_k=None, d_v=None, num_kv_heads=None,
                  kdim=None, vdim=None, add_bias_kv=False, add_zero_attn=False):
    """Multiply-adds of the matrix products for one sequence; n_k defaults to n_q.

    Self-attention with h·d_k = h·d_v = d_model: 4·n·d² + 2·n²·d, the same as one head of full
    width, whatever h is; the quadratic part passes the projections at n = 2d. Not the same, and
    not counted here: scaling, mask, exp and division of h·n_q·n_k scores, and as many stored
    weights (softmax_entries): these grow with h. So do the products when d_k or d_v are fixed
    by hand.

    Examples
    --------
    >>> multiply_adds(10, 64, 1) == multiply_adds(10, 64, 8) == 4*10*64**2 + 2*10**2*64
    True
    """
    n_q, n_k = checks.lengths(n_q, n_k)
    extra = checks.flag("add_bias_kv", add_bias_kv) + checks.flag("add_zero_attn", add_zero_attn)
    d_model, num_heads, d_k, d_v, num_kv_heads, kdim, vdim = checks.sizes(
        d_model, num_heads, d_k, d_v, num_kv_heads, kdim, vdim)
    project_in = n_q * d_model * num_heads * d_k + n_k * num_kv_heads * (kdim * d_k + vdim * d_v)
    scores_and_mix = num_heads * n_q * (n_k + extra) * (d_k + d_v)
    project_out = n_q * num_heads * d_v * d_model
    return project_in + scores_and_mix + project_out


def softmax_entries(num_heads, n_q, n_k=None):
    """Scores that are scaled, masked, exponentiated and stored: h·n_q·n_k, which grows with h."""
    n_q, n_k = checks.lengths(n_q, n_k)
    return checks.integer("num_heads", num_heads, 1) * n_q * n_k


# ------------------------------------------------------------------------- matrix products

# Pyodide's NumPy has no BLAS: there einsum is up to 3 times as fast as matmul, if both operands
# are read along contiguous rows and these are not too short (bench/bench_mha_pyodide.py).
SHORT_ROW = 32
HAS_BLAS = bool(np.show_config(mode="dicts")["Build Dependencies"]["blas"].get("found"))


def _matmul(a, b, out=None):
    """Multiply matrices, a @ b, by the fastest way that this NumPy has."""
    if HAS_BLAS:
        return np.matmul(a, b, out=out)
    rows = np.ascontiguousarray(b.swapaxes(-2, -1))
    if a.shape[-1] <= SHORT_ROW:
        return np.matmul(a, rows.swapaxes(-2, -1), out=out)
    return np.einsum("...ij,...kj->...ik", np.ascontiguousarray(a), rows, out=out)
