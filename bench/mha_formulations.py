"""Ways to write multi-head attention in NumPy, to be timed against `mha`.

Pure NumPy and self-contained: bench_mha.py runs it natively, bench_mha_pyodide.py in a cell of
the built page. Each function takes (x, weights, num_heads): x (n, d) or (batch, n, d), weights
(w_q, w_k, w_v, w_o) of (d, d); and returns (output, attn_weights).
"""

from statistics import median
from time import perf_counter

import numpy as np

import mha


def textbook_softmax(scores):
    exps = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return exps / exps.sum(axis=-1, keepdims=True)


def softmax_in_place(scores):
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return scores


def root(x, num_heads):
    return x.dtype.type((x.shape[-1] // num_heads) ** 0.5)


def split(x, num_heads):
    return x.reshape(*x.shape[:-1], num_heads, -1).swapaxes(-3, -2)


def merge(x):
    x = x.swapaxes(-3, -2)
    return x.reshape(*x.shape[:-2], -1)


def loop(x, weights, num_heads):
    """A loop over heads, each with its slice of the weights: the formula as it is written."""
    w_q, w_k, w_v, w_o = weights
    d = x.shape[-1] // num_heads
    heads, maps = [], []
    for i in range(num_heads):
        cut = slice(i * d, (i + 1) * d)
        q, k, v = x @ w_q[:, cut], x @ w_k[:, cut], x @ w_v[:, cut]
        maps.append(textbook_softmax(q @ k.swapaxes(-1, -2) / root(x, num_heads)))
        heads.append(maps[-1] @ v)
    return np.concatenate(heads, axis=-1) @ w_o, np.stack(maps, axis=-3)


def products_and_exp(x, weights, num_heads):
    """What no formulation can do without: BLAS's products and exp, a head at a time.

    Not attention: nothing is scaled, shifted, summed or divided. It says how near mha is to all
    that NumPy allows.
    """
    rows = x.reshape(-1, x.shape[-1])
    q, k, v = (split((rows @ w).reshape(x.shape), num_heads) for w in weights[:3])
    a = np.empty((*q.shape[:-1], x.shape[-2]), x.dtype)
    heads = np.empty((*x.shape[:-1], num_heads, q.shape[-1]), x.dtype).swapaxes(-3, -2)
    for i in np.ndindex(*q.shape[:-2]):
        np.matmul(q[i], k[i].T, out=a[i])
        np.exp(a[i], out=a[i])
        np.matmul(a[i], v[i], out=heads[i])
    return (merge(heads).reshape(rows.shape) @ weights[3]).reshape(x.shape), a


def matmul_batched(x, weights, num_heads):
    """One matmul for all heads."""
    q, k, v = (split(x @ w, num_heads) for w in weights[:3])
    a = softmax_in_place(q / root(x, num_heads) @ k.swapaxes(-1, -2))
    return merge(a @ v) @ weights[3], a


def matmul_columns(x, weights, num_heads):
    """One matmul for all heads, the right operand laid out by columns."""
    w_q, w_k, w_v, w_o = (np.asfortranarray(w) for w in weights)
    q, k = split(x @ w_q, num_heads), split(x @ w_k, num_heads)
    v = np.ascontiguousarray(split(x @ w_v, num_heads).swapaxes(-1, -2)).swapaxes(-1, -2)
    a = softmax_in_place(q / root(x, num_heads) @ k.swapaxes(-1, -2))
    return merge(a @ v) @ w_o, a


def einsum_letters(x, weights, num_heads):
    """Everything by einsum, as the formulas' indices say."""
    d = x.shape[-1]
    per_head = [w.reshape(d, num_heads, -1) for w in weights[:3]]
    q, k, v = (np.einsum("...nm,mhd->...hnd", x, w) for w in per_head)
    a = textbook_softmax(np.einsum("...qd,...kd->...qk", q, k) / root(x, num_heads))
    heads = np.einsum("...qk,...kd->...qd", a, v)
    return np.einsum("...hqd,hdm->...qm", heads, weights[3].reshape(num_heads, -1, d)), a


def einsum_optimized(x, weights, num_heads):
    """Everything by einsum with optimize=True, which hands the products to tensordot."""
    q, k, v = (split(np.einsum("...nm,md->...nd", x, w, optimize=True), num_heads)
               for w in weights[:3])
    a = np.einsum("...qd,...kd->...qk", q, k, optimize=True) / root(x, num_heads)
    a = softmax_in_place(a)
    heads = merge(np.einsum("...qk,...kd->...qd", a, v, optimize=True))
    return np.einsum("...nd,dm->...nm", heads, weights[3], optimize=True), a


def by_rows(times, one_by_one):
    """Products of rows by rows, a @ b.T with both contiguous; heads one by one or together."""
    def formulation(x, weights, num_heads):
        w_q, w_k, w_v, w_o = (np.ascontiguousarray(w.T) for w in weights)
        q, k, v = (split(times(x, w), num_heads) for w in (w_q, w_k, w_v))
        q = q / root(x, num_heads)
        k = np.ascontiguousarray(k)
        v = np.ascontiguousarray(v.swapaxes(-1, -2))  # (..., d_v, n)
        if one_by_one:
            a = np.empty((*q.shape[:-1], k.shape[-2]), x.dtype)
            heads = np.empty_like(q)
            for i in np.ndindex(*q.shape[:-2]):
                a[i] = times(q[i], k[i])
                heads[i] = times(softmax_in_place(a[i]), v[i])
        else:
            a = softmax_in_place(times(q, k))
            heads = times(a, v)
        return times(merge(heads), w_o), a
    return formulation


def rows_by_einsum(a, b):
    return np.einsum("...ij,...kj->...ik", np.ascontiguousarray(a), b)


def rows_by_matmul(a, b):
    return a @ b.swapaxes(-1, -2)


def rows_by_vecdot(a, b):
    return np.vecdot(a[..., :, None, :], b[..., None, :, :])


FORMULATIONS = {
    "loop over heads": loop,
    "matmul, batched": matmul_batched,
    "matmul, columns": matmul_columns,
    "matmul, a head at a time": by_rows(rows_by_matmul, True),
    "einsum, letters": einsum_letters,
    "einsum, optimize": einsum_optimized,
    "einsum by rows, batched": by_rows(rows_by_einsum, False),
    "einsum by rows, a head at a time": by_rows(rows_by_einsum, True),
    "vecdot by rows": by_rows(rows_by_vecdot, False),
}


def make(shape, num_heads, dtype, seed=0):
    """Return (x, weights, our layer)."""
    rng = np.random.default_rng(seed)
    d = shape[-1]
    x = rng.normal(size=shape).astype(dtype)
    weights = [rng.normal(0, d**-0.5, (d, d)).astype(dtype) for _ in range(4)]
    return x, weights, mha.MultiHeadAttention.from_weights(*weights, num_heads)


def race(runs, rounds, calls=1):
    """Time every run in turn, A B … B A, and return the median seconds of each.

    Every other turn goes backwards: who runs after whom finds other things in the caches. A
    machine's clock changes from turn to turn, so each time counts by its share of its turn. As
    many turns go before, untimed: a browser compiles what it has seen run often, and better. A
    turn is as many calls as said: a browser's clock ticks every .1 ms.
    """
    turns = []
    for turn in range(2 * rounds):
        seconds = {}
        for name in list(runs)[::-1 if turn % 2 else 1]:
            start = perf_counter()
            for _ in range(calls):
                runs[name]()
            seconds[name] = (perf_counter() - start) / calls
        turns.append(seconds)
    timed = turns[rounds:]
    whole = median(sum(seconds.values()) for seconds in timed)
    return {name: whole * median(seconds[name] / sum(seconds.values()) for seconds in timed)
            for name in runs}


def compare(shape, num_heads, dtype, rounds, calls=1, names=tuple(FORMULATIONS)):
    """Return the median seconds of mha and of the formulations, after checking that they agree."""
    x, weights, layer = make(shape, num_heads, dtype)
    output, attn_weights = layer(x)
    runs = {"mha": lambda: layer(x)}
    for name in names:
        runs[name] = lambda f=FORMULATIONS[name]: f(x, weights, num_heads)
        theirs, their_weights = runs[name]()
        assert theirs.dtype == output.dtype and np.allclose(theirs, output, atol=1e-4), name
        assert np.allclose(their_weights, attn_weights, atol=1e-5), name
    return race(runs, rounds, calls)
