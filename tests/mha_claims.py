"""What must hold for `mha` whatever the numbers: one function per claim, each asserts.

Plain NumPy, no test framework: test_mha_properties.py feeds them with Hypothesis, and the browser
test with a few fixed cases inside Pyodide, which is another platform.
"""

import warnings
from dataclasses import dataclass

import numpy as np

import mha
import mha_fast
import mha_stats
import mha_torch

CLOSE = {"rtol": 1e-10, "atol": 1e-12}


@dataclass(frozen=True)
class Case:
    seed: int = 0
    batch: tuple = (2,)
    n: int = 4
    num_heads: int = 2
    d_head: int = 3
    num_kv_heads: int = 1
    bias: bool = True

    def rng(self):
        return np.random.default_rng(self.seed)

    def grouped(self, rng, **options):
        """A layer whose key/value heads are shared."""
        return self.layer(rng, num_kv_heads=self.num_kv_heads, **options)

    def layer(self, rng, **options):
        d = self.num_heads * self.d_head
        layer = mha.MultiHeadAttention(d, self.num_heads, bias=self.bias, rng=rng, **options)
        for name in ("b_q", "b_k", "b_v", "b_o"):
            if getattr(layer, name) is not None:
                setattr(layer, name, rng.normal(size=getattr(layer, name).shape))
        return layer

    def tokens(self, rng, n=None):
        shape = (*self.batch, n or self.n, self.num_heads * self.d_head)
        return rng.normal(size=shape)

    def mask(self, rng):
        return rng.random((*self.batch, self.num_heads, self.n, self.n)) < 0.5


def rows_sum_to_one_or_are_zero(case):
    rng = case.rng()
    layer, x, mask = case.grouped(rng), case.tokens(rng), case.mask(rng)
    output, attn_weights = layer(x, mask=mask)
    assert np.all(attn_weights >= 0) and np.all(attn_weights[mask] == 0)
    np.testing.assert_allclose(attn_weights.sum(-1), ~mask.all(-1), **CLOSE)
    assert np.all(attn_weights[mask.all(-1)] == 0)
    assert np.isfinite(output).all()


def it_is_what_a_plain_loop_computes(case):
    rng = case.rng()
    layer, x, mask = case.grouped(rng), case.tokens(rng), case.mask(rng)
    output, attn_weights = layer(x, mask=mask)
    bias = {i: 0 if not case.bias else getattr(layer, f"b_{i}") for i in "qkvo"}
    q, k, v = (x @ getattr(layer, f"w_{i}") + bias[i] for i in "qkv")
    d = case.d_head
    for b in np.ndindex(*case.batch):
        for i in range(case.n):
            heads = []
            for h in range(case.num_heads):
                own = slice(h * d, (h + 1) * d)
                shared = h // (case.num_heads // case.num_kv_heads)
                cut = slice(shared * d, (shared + 1) * d)
                seen = [j for j in range(case.n) if not mask[(*b, h, i, j)]]
                scores = [q[b][i, own] @ k[b][j, cut] / d**0.5 for j in seen]
                exps = [np.exp(s - max(scores)) for s in scores]
                weights = [e / sum(exps) for e in exps]
                np.testing.assert_allclose(attn_weights[(*b, h, i)][seen], weights, **CLOSE)
                heads.append(sum((w * v[b][j, cut] for w, j in zip(weights, seen, strict=True)),
                                 np.zeros(d)))
            expected = np.concatenate(heads) @ layer.w_o + bias["o"]
            np.testing.assert_allclose(output[b][i], expected, **CLOSE)


def permuting_tokens_permutes_the_output(case):
    rng = case.rng()
    layer, x = case.layer(rng), case.tokens(rng)
    order = rng.permutation(case.n)
    output, attn_weights = layer(x)
    moved, moved_weights = layer(x[..., order, :])
    np.testing.assert_allclose(moved, output[..., order, :], **CLOSE)
    np.testing.assert_allclose(moved_weights, attn_weights[..., order, :][..., order], **CLOSE)


def permuting_heads_changes_nothing(case):
    rng = case.rng()
    layer, x = case.layer(rng), case.tokens(rng)
    order = rng.permutation(case.num_heads)
    columns = np.arange(case.num_heads * case.d_head).reshape(case.num_heads, -1)[order].ravel()
    biases = {f"b_{i}": getattr(layer, f"b_{i}")[columns] for i in "qkv"} if case.bias else {}
    other = mha.MultiHeadAttention.from_weights(
        layer.w_q[:, columns], layer.w_k[:, columns], layer.w_v[:, columns], layer.w_o[columns],
        case.num_heads, b_o=layer.b_o, **biases)
    output, attn_weights = layer(x)
    same, moved_weights = other(x)
    np.testing.assert_allclose(same, output, **CLOSE)
    np.testing.assert_allclose(moved_weights, attn_weights[..., order, :, :], **CLOSE)


def the_key_bias_never_matters(case):
    rng = case.rng()
    layer, x = case.layer(rng), case.tokens(rng)
    output, attn_weights = layer(x)
    layer.b_k = rng.normal(size=layer.w_k.shape[1])
    same, same_weights = layer(x)
    np.testing.assert_allclose(same, output, **CLOSE)
    np.testing.assert_allclose(same_weights, attn_weights, **CLOSE)


def a_batch_is_a_loop_over_its_items(case):
    rng = case.rng()
    layer, x, mask = case.layer(rng), case.tokens(rng), case.mask(rng)
    output, attn_weights = layer(x, mask=mask)
    for b in np.ndindex(*case.batch):
        one, one_weights = layer(x[b], mask=mask[b])
        np.testing.assert_allclose(one, output[b], **CLOSE)
        np.testing.assert_allclose(one_weights, attn_weights[b], **CLOSE)


def grouped_heads_are_full_heads_with_equal_keys(case):
    rng = case.rng()
    grouped = case.layer(rng, num_kv_heads=case.num_kv_heads)
    group = case.num_heads // case.num_kv_heads

    def widen(array):  # repeat each key/value head for the query heads that share it
        heads = array.reshape(*array.shape[:-1], case.num_kv_heads, case.d_head)
        return heads.repeat(group, axis=-2).reshape(*array.shape[:-1], -1)

    biases = {} if not case.bias else {
        "b_q": grouped.b_q, "b_k": widen(grouped.b_k), "b_v": widen(grouped.b_v),
        "b_o": grouped.b_o}
    full = mha.MultiHeadAttention.from_weights(
        grouped.w_q, widen(grouped.w_k), widen(grouped.w_v), grouped.w_o, case.num_heads, **biases)
    x = case.tokens(rng)
    for ours, theirs in zip(grouped(x), full(x), strict=True):
        np.testing.assert_allclose(ours, theirs, **CLOSE)


def a_causal_prefix_never_changes(case):
    rng = case.rng()
    layer, x = case.grouped(rng), case.tokens(rng)
    output, attn_weights = layer(x, causal=True)
    for m in range(1, case.n):
        prefix, prefix_weights = layer(x[..., :m, :], causal=True)
        np.testing.assert_allclose(prefix, output[..., :m, :], **CLOSE)
        np.testing.assert_allclose(prefix_weights, attn_weights[..., :m, :m], **CLOSE)


def three_ways_to_say_causal_agree(case):
    rng = case.rng()
    layer, x = case.layer(rng), case.tokens(rng)
    mask = mha.causal_mask(case.n)
    output, attn_weights = layer(x, causal=True)
    for other in (mask, np.where(mask, -np.inf, 0.0)):
        for ours, theirs in zip(layer(x, mask=other), (output, attn_weights), strict=True):
            np.testing.assert_allclose(ours, theirs, **CLOSE)


def contributions_sum_to_the_output(case):
    rng = case.rng()
    layer, x, mask = case.grouped(rng, d_v=case.d_head + 1), case.tokens(rng), case.mask(rng)
    output, attn_weights = layer(x, mask=mask)
    heads, their_weights = layer.head_outputs(x, mask=mask)
    np.testing.assert_array_equal(their_weights, attn_weights)
    joined = mha.merge_heads(heads) @ layer.w_o + (layer.b_o if case.bias else 0)
    np.testing.assert_allclose(joined, output, **CLOSE)
    parts = layer.head_contributions(x, mask=mask)
    total = parts.sum(axis=-3) + (layer.b_o if case.bias else 0)
    np.testing.assert_allclose(total, output, **CLOSE)
    for head in range(case.num_heads):
        without, _ = layer.ablate(head)(x, mask=mask)
        np.testing.assert_allclose(without, output - parts[..., head, :, :], **CLOSE)


def hidden_values_cannot_leak(case):
    rng = case.rng()
    layer, memory = case.grouped(rng), case.tokens(rng)
    query = case.tokens(rng, n=2)
    padding = rng.random((*case.batch, case.n)) < 0.5
    expected = layer(query, memory, key_padding_mask=padding)
    for intruder in (0.0, -7.5, 1e150, 1e308, -1e308, np.inf, np.nan):
        changed = memory.copy()
        changed[padding] = intruder
        kept = changed.copy()
        for ours, theirs in zip(layer(query, changed, key_padding_mask=padding), expected,
                                strict=True):
            assert ours.tobytes() == theirs.tobytes(), intruder
        assert changed.tobytes() == kept.tobytes()  # the caller's array is as it was


def the_future_cannot_leak(case):
    rng = case.rng()
    layer, x = case.grouped(rng), case.tokens(rng)
    expected = layer(x, causal=True)[0][..., :-1, :]
    for intruder in (0.0, 1e150, 1e308, -1e308):
        changed = x.copy()
        changed[..., -1, :] = intruder
        with warnings.catch_warnings():  # its own output may overflow: it says so
            warnings.simplefilter("ignore")
            output = layer(changed, causal=True)[0][..., :-1, :]
        assert output.tobytes() == expected.tobytes(), intruder


def a_query_depends_on_no_other(case):
    rng = case.rng()
    layer, memory, query = case.grouped(rng), case.tokens(rng), case.tokens(rng, n=3)
    output, attn_weights = layer(query, memory)
    for magnitude in (0.0, 50.0, 1e3, 1e6):  # whose scores need care, or none
        changed = query.copy()
        changed[..., 1, :] *= magnitude
        again, weights = layer(changed, memory)
        assert again[..., ::2, :].tobytes() == output[..., ::2, :].tobytes(), magnitude
        assert weights[..., ::2, :].tobytes() == attn_weights[..., ::2, :].tobytes(), magnitude


def one_token_makes_heads_irrelevant(case):
    rng = case.rng()
    layer = case.layer(rng)
    x = case.tokens(rng, n=1).repeat(case.n, axis=-2)  # identical tokens
    whole = mha.MultiHeadAttention.from_weights(
        layer.w_q, layer.w_k, layer.w_v, layer.w_o, 1,
        **{f"b_{i}": getattr(layer, f"b_{i}") for i in "qkvo"})
    np.testing.assert_allclose(layer(x)[0], whole(x)[0], **CLOSE)


def every_formulation_agrees(case):
    rng = case.rng()
    layer, x, mask = case.grouped(rng), case.tokens(rng), case.mask(rng)
    additive = np.where(mask, -np.inf, rng.normal(size=mask.shape))
    before = mha_fast.HAS_BLAS, mha_fast.ONE_BY_ONE
    running = {name: getattr(mha, name) for name in mha._TEXTBOOK}
    for given in (mask, additive, None):
        results = []
        try:
            for mha_fast.HAS_BLAS in (True, False):  # Pyodide's NumPy has none
                for mha_fast.ONE_BY_ONE in (0, 10**9):  # one head at a time, all together
                    results.append(layer(x, mask=given))
            vars(mha).update(mha._TEXTBOOK)
            results.append(layer(x, mask=given))
            causal = mha.scaled_dot_product_attention(x, x, x, causal=True)
        finally:
            vars(mha).update(running)
            mha_fast.HAS_BLAS, mha_fast.ONE_BY_ONE = before
        for ours, theirs in zip(mha.scaled_dot_product_attention(x, x, x, causal=True), causal,
                                strict=True):
            np.testing.assert_allclose(ours, theirs, **CLOSE)
        for result in results[1:]:
            for ours, theirs in zip(result, results[0], strict=True):
                np.testing.assert_allclose(ours, theirs, **CLOSE)


def every_dtype_comes_out_as_it_went_in(case):
    rng = case.rng()
    layer, x, mask = case.grouped(rng), case.tokens(rng), case.mask(rng)
    layer.w_o /= 4 * case.num_heads * case.d_head  # so that float16 holds the output
    exact, exact_weights = layer(x, mask=mask)
    for dtype in (np.float16, np.float32):
        output, attn_weights = layer(x.astype(dtype), mask=mask)
        assert output.dtype == attn_weights.dtype == dtype
        close = np.finfo(dtype).eps * 20 * case.num_heads * case.d_head
        np.testing.assert_allclose(output, exact, atol=close * max(1, np.abs(exact).max()))
        np.testing.assert_allclose(attn_weights, exact_weights, atol=close)


def long_float32_rows_are_summed_with_care(case):
    scores = case.rng().normal(size=2**16).astype(np.float32)
    exact = np.exp(scores.astype(np.float64))
    np.testing.assert_allclose(mha.softmax(scores), exact / exact.sum(), rtol=1e-6)


def statistics_are_what_their_formulas_say(case):
    rng = case.rng()
    layer, x, mask = case.layer(rng), case.tokens(rng), case.mask(rng)
    _, attn_weights = layer(x, mask=mask)
    found = mha_stats.head_statistics(attn_weights, mask=mask)
    found["sink_mass, last key"] = mha_stats.sink_mass(attn_weights, case.n - 1)
    for place in np.ndindex(*case.batch, case.num_heads):
        rows = [(i, row) for i, row in enumerate(attn_weights[place]) if row.any()]
        entropy = [-sum(a * np.log(a) for a in row if a > 0) / max(
            1e-300, np.log((~mask[place][i]).sum())) for i, row in rows]
        by_hand = {
            "normalized_entropy": entropy,
            "mean_offset": [sum(a * (j - i) for j, a in enumerate(row)) for i, row in rows],
            "mean_distance": [sum(a * abs(j - i) for j, a in enumerate(row)) for i, row in rows],
            "diagonal_mass": [row[i] for i, row in rows],
            "previous_mass": [row[i - 1] for i, row in rows if i],
            "sink_mass": [row[0] for i, row in rows],
            "sink_mass, last key": [row[-1] for i, row in rows],
            "confidence": [max(row) for i, row in rows],
        }
        for name, values in by_hand.items():
            mean = sum(values) / len(values) if values else np.nan
            np.testing.assert_allclose(found[name][place], mean, **CLOSE, err_msg=name)


def torch_state_comes_back_the_same(case):
    rng = case.rng()
    layer, x = case.layer(rng, add_bias_kv=True, add_zero_attn=True), case.tokens(rng)
    again = mha_torch.from_torch_state(mha_torch.to_torch_state(layer), case.num_heads,
                                       add_zero_attn=True)
    for name in ("w_q", "w_k", "w_v", "w_o", "b_q", "b_k", "b_v", "b_o", "bias_k", "bias_v"):
        np.testing.assert_array_equal(getattr(again, name), getattr(layer, name))
    for ours, theirs in zip(again(x), layer(x), strict=True):
        np.testing.assert_allclose(ours, theirs, **CLOSE)


CLAIMS = [
    rows_sum_to_one_or_are_zero, it_is_what_a_plain_loop_computes,
    permuting_tokens_permutes_the_output, permuting_heads_changes_nothing,
    the_key_bias_never_matters, a_batch_is_a_loop_over_its_items,
    grouped_heads_are_full_heads_with_equal_keys, a_causal_prefix_never_changes,
    three_ways_to_say_causal_agree, contributions_sum_to_the_output, hidden_values_cannot_leak,
    the_future_cannot_leak, a_query_depends_on_no_other, one_token_makes_heads_irrelevant,
    every_formulation_agrees, every_dtype_comes_out_as_it_went_in,
    long_float32_rows_are_summed_with_care, statistics_are_what_their_formulas_say,
    torch_state_comes_back_the_same,
]

OVERFLOWING = [hidden_values_cannot_leak, the_future_cannot_leak]  # which only mha_fast looks after

FEW_CASES = [Case(), Case(1, (), 1, 1, 1, 1, False), Case(2, (2, 1), 5, 4, 2, 2, True),
             Case(3, (), 35, 2, 34, 1, True)]  # every inner axis longer than mha_fast.SHORT_ROW
