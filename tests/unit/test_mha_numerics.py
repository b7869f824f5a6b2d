"""Numbers: dtypes, magnitudes, NaN, what is copied and how much memory is held."""

import math
import tracemalloc
import warnings

import numpy as np
import pytest

import mha
import mha_fast

FLOATS = (np.float16, np.float32, np.float64)
FLOAT32_MIN = float(np.finfo(np.float32).min)


# --- softmax at any magnitude


@pytest.mark.parametrize(("scores", "weights"), [
    (np.array([6e4, 6e4, 0], np.float16), [0.5, 0.5, 0]),
    (np.array([710.0, 0]), [1, 0]),
    (np.array([-1e308, -1e308]), [0.5, 0.5]),
    (np.array([1e308, -1e308]), [1, 0]),
    (np.array([3e38, 3e38, -3e38], np.float32), [0.5, 0.5, 0]),
    (np.array([-np.inf, 0, 0]), [0, 0.5, 0.5]),
    (np.array([-np.inf, -np.inf]), [0, 0]),
])
def test_softmax_is_stable(scores, weights):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours = mha.softmax(scores)
    np.testing.assert_allclose(ours, weights, atol=1e-300)
    assert ours.dtype == scores.dtype


@pytest.mark.parametrize("dtype, rtol", [(np.float32, 5e-6), (np.float64, 1e-13)])
@pytest.mark.parametrize("centre", [0, 15, -15, 28, -28, 60, -60, 75, 90, -90, 400, -400, -800])
def test_softmax_is_the_same_wherever_the_scores_lie(centre, dtype, rtol):
    scores = np.random.default_rng(3).uniform(-5, 5, (4, 7)).astype(dtype)
    scores = scores.round(1) + dtype(centre)
    exact = np.exp(scores.astype(np.longdouble) - centre)
    exact /= exact.sum(axis=-1, keepdims=True)
    np.testing.assert_allclose(mha.softmax(scores), exact, rtol=rtol)
    nothing = np.zeros((len(scores), 2), dtype), np.zeros((7, 2), dtype), np.zeros((7, 2), dtype)
    attn_weights = mha.scaled_dot_product_attention(*nothing, mask=scores)[1]
    np.testing.assert_allclose(attn_weights, exact, rtol=rtol)


def test_softmax_goes_over_the_axis_it_is_told():
    np.testing.assert_array_equal(mha.softmax(np.zeros((2, 4)), axis=0), np.full((2, 4), 0.5))
    scores = np.random.default_rng(0).normal(size=(2, 3, 4))
    for axis in range(-3, 3):
        last = mha.softmax(np.moveaxis(scores, axis, -1))
        np.testing.assert_allclose(mha.softmax(scores, axis=axis), np.moveaxis(last, -1, axis),
                                   rtol=1e-14)


@pytest.mark.parametrize("has_blas", [True, False])
def test_small_weights_of_a_low_row_are_exact(has_blas, monkeypatch):
    monkeypatch.setattr(mha_fast, "HAS_BLAS", has_blas)
    scores = np.array([[-60, -100]], np.float32)  # exp of the second alone has two digits left
    nothing = np.zeros((1, 2), np.float32), np.zeros((2, 2), np.float32)
    _, attn_weights = mha.scaled_dot_product_attention(*nothing, nothing[1], mask=scores)
    np.testing.assert_allclose(attn_weights, [[1, np.exp(-40.0)]], rtol=1e-6)


def test_softmax_ignores_what_its_mask_hides():
    weights = mha.softmax(np.array([np.nan, 1.0, 1.0]), mask=np.array([True, False, False]))
    np.testing.assert_array_equal(weights, [0, 0.5, 0.5])


def test_softmax_takes_any_byte_order():
    scores = np.linspace(0, 8, 2000)
    weights = mha.softmax(scores.astype(">f2"))
    assert weights.dtype == np.float16
    np.testing.assert_allclose(weights, mha.softmax(scores), rtol=5e-3, atol=1e-7)


@pytest.mark.parametrize("intruder", [np.nan, np.inf])
def test_softmax_names_the_visible_score_that_is_no_number(intruder):
    with pytest.raises(ValueError, match=r"scores tiene .* en la posición \[1\]"):
        mha.softmax(np.array([0.0, intruder]))


def test_softmax_of_nothing_is_nothing():
    assert mha.softmax(np.zeros((3, 0))).shape == (3, 0)


# --- dtypes


@pytest.mark.parametrize("dtype", FLOATS)
def test_dtype_comes_out_as_it_went_in(dtype):
    layer = mha.MultiHeadAttention(8, 2, bias=True, rng=0)  # its weights are float64
    x = np.random.default_rng(0).normal(size=(2, 3, 8))
    exact, exact_weights = layer(x)
    output, attn_weights = layer(x.astype(dtype))
    heads, _ = layer.head_outputs(x.astype(dtype))
    parts = layer.head_contributions(x.astype(dtype))
    assert {a.dtype for a in (output, attn_weights, heads, parts)} == {np.dtype(dtype)}
    eps = np.finfo(dtype).eps
    np.testing.assert_allclose(output, exact, rtol=20 * eps, atol=20 * eps)
    np.testing.assert_allclose(attn_weights, exact_weights, rtol=20 * eps, atol=20 * eps)


def test_float16_is_computed_wider_so_scores_do_not_overflow():
    x = np.full((3, 64), 100, np.float16)  # Q Kᵀ would be 640 000
    output, attn_weights = mha.scaled_dot_product_attention(x, x, x)
    np.testing.assert_array_equal(output, x)
    np.testing.assert_allclose(attn_weights, 1 / 3, rtol=1e-3)


def test_float16_contributions_are_computed_wider_too():
    layer = mha.MultiHeadAttention.from_weights(*[np.eye(1)] * 3, np.array([[1e5]]), 1)
    parts = layer.head_contributions(np.full((1, 1), 0.125, np.float16))  # float16 holds no 1e5
    assert parts.dtype == np.float16 and parts.item() == 12_496  # its nearest to 12 500


def test_integers_are_taken_as_float64():
    output, _ = mha.scaled_dot_product_attention([[1, 0]], [[1, 0], [1, 0]], [[2], [4]])
    assert output.dtype == np.float64 and output.tolist() == [[3.0]]


# --- NaN: in hidden places it goes nowhere, in visible ones it is named


@pytest.mark.parametrize("name", ["query", "key", "value"])
def test_visible_nan_is_reported_by_name_and_place(name):
    rng = np.random.default_rng(0)
    arrays = {n: rng.normal(size=(2, 3, 4)) for n in ("query", "key", "value")}
    arrays[name][1, 2, 0] = np.nan
    layer = mha.MultiHeadAttention(4, 2, rng=0)
    with pytest.raises(ValueError, match=rf"^{name} tiene nan en la posición \[1, 2, 0\]"):
        layer(**arrays)
    with pytest.raises(ValueError, match=rf"^{name} tiene nan en la posición \[1, 2, 0\]"):
        mha.scaled_dot_product_attention(**arrays)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("name", ["query", "key"])
def test_visible_infinity_is_reported_though_its_score_alone_would_hide_it(name, sign):
    arrays = {"query": np.array([[1.0]]), "key": np.array([[1.0], [2.0]])}
    arrays[name] = arrays[name] * np.inf * sign
    layer = mha.MultiHeadAttention.from_weights(*[np.eye(1)] * 4, 1)
    for attend in (layer, mha.scaled_dot_product_attention):
        with pytest.raises(ValueError, match=rf"^{name} tiene -?inf en la posición \[0, 0\]"):
            attend(**arrays, value=np.array([[5.0], [7.0]]))


@pytest.mark.parametrize("sign", [1, -1])
def test_visible_scores_that_all_overflow_are_warned_of(sign):
    values = np.array([[5.0], [7.0]])
    layer = mha.MultiHeadAttention.from_weights(*[np.eye(1)] * 4, 1)
    for attend in (layer, mha.scaled_dot_product_attention):
        with pytest.warns(RuntimeWarning, match="desbordan float64"):
            output, _ = attend([[1e200]], sign * np.array([[1e200], [1e201]]), values)
        assert np.isnan(output).all()
        with warnings.catch_warnings():  # where one is finite, an overflow to −inf weighs 0
            warnings.simplefilter("error")
            output, _ = attend([[1e200]], np.array([[-1e200], [0.0]]), values)
        np.testing.assert_array_equal(output, 7)


def test_place_is_that_of_the_array_that_was_given():
    key = np.ones((1, 3, 4))
    key[0, 1, 2] = np.nan
    mask = np.zeros((2, 1, 3), bool)
    mask[0, 0, 1] = True  # only the second of the batch sees it
    for given, place in ((key, r"\[0, 1, 2\]"), (key[0], r"\[1, 2\]")):
        with pytest.raises(ValueError, match=rf"^key tiene nan en la posición {place},"):
            mha.scaled_dot_product_attention(np.ones((2, 3, 4)), given, np.ones((3, 4)), mask=mask)


def test_nan_that_one_query_sees_is_visible():
    x = np.ones((3, 4))
    x[2] = np.nan  # the last query sees it
    with pytest.raises(ValueError, match=r"query tiene nan en la posición \[2, 0\]"):
        mha.MultiHeadAttention(4, 2, rng=0)(x, causal=True)


def test_nan_in_padding_reaches_nothing_in_self_attention():
    layer = mha.MultiHeadAttention(4, 2, rng=0)
    x = np.random.default_rng(0).normal(size=(2, 3, 4))
    padding = np.array([[False, False, True], [False, False, False]])
    expected, _ = layer(x, key_padding_mask=padding)
    x[0, 2] = np.nan
    output, attn_weights = layer(x, key_padding_mask=padding)
    assert np.isfinite(output).all() and np.isfinite(attn_weights).all()
    np.testing.assert_array_equal(output[0, :2], expected[0, :2])
    np.testing.assert_array_equal(output[1], expected[1])


def test_hidden_nan_reaches_nothing_without_a_module_either():
    rng = np.random.default_rng(0)
    query, key, value = rng.normal(size=(3, 2, 4)), rng.normal(size=(5, 4)), rng.normal(size=(5, 2))
    mask = np.array([False, True, False, False, True])
    expected = mha.scaled_dot_product_attention(query, key, value, mask=mask)
    key[1], value[4], value[1, 0] = np.nan, np.inf, -np.inf
    for ours, theirs in zip(mha.scaled_dot_product_attention(query, key, value, mask=mask),
                            expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_padding_of_the_keys_does_not_excuse_a_query_in_cross_attention():
    query = np.ones((3, 4))
    query[2] = np.nan
    layer = mha.MultiHeadAttention(4, 2, rng=0)
    with pytest.raises(ValueError, match=r"query tiene nan en la posición \[2, 0\]"):
        layer(query, np.ones((3, 4)), key_padding_mask=np.array([False, False, True]))


def test_nan_behind_a_mask_in_only_one_of_two_heads_is_visible():
    memory = np.ones((3, 4))
    memory[0] = np.nan
    mask = np.zeros((2, 1, 3), bool)
    mask[0, :, 0] = True
    layer = mha.MultiHeadAttention(4, 2, rng=0)
    with pytest.raises(ValueError, match="key tiene nan"):
        layer(np.ones((1, 4)), memory, mask=mask)
    mask[1, :, 0] = True
    assert np.isfinite(layer(np.ones((1, 4)), memory, mask=mask)[0]).all()


def test_nan_query_that_sees_no_key_gives_b_o():
    query = np.ones((2, 4))
    query[1] = np.nan
    layer = mha.MultiHeadAttention(4, 2, bias=True, rng=0)
    mask = np.array([[False] * 3, [True] * 3])
    output, _ = layer(query, np.ones((3, 4)), mask=mask)
    np.testing.assert_array_equal(output[1], layer.b_o)
    memory = np.ones((3, 4))
    memory[2] = np.nan
    mask[0, 2] = True  # a query that sees nothing and a key that nobody sees, both without a number
    np.testing.assert_array_equal(layer(query, memory, mask=mask)[0][1], layer.b_o)
    for extra in ({"add_zero_attn": True}, {"add_bias_kv": True}):
        with_extra = mha.MultiHeadAttention(4, 2, rng=0, **extra)
        with pytest.raises(ValueError, match="query tiene nan"):  # it does see the extra key
            with_extra(query, np.ones((3, 4)), mask=mask)


def test_additive_minus_infinity_hides_as_a_boolean_does():
    memory = np.ones((2, 4))
    memory[1] = np.nan
    layer = mha.MultiHeadAttention(4, 2, rng=0)
    output, attn_weights = layer(np.ones((1, 4)), memory, mask=np.array([[0.3, -np.inf]]))
    assert np.isfinite(output).all()
    np.testing.assert_array_equal(attn_weights[..., 0], 1)


def test_overflow_in_sight_is_warned_of_by_name_on_any_platform():
    layer = mha.MultiHeadAttention(4, 2, rng=0)
    x = np.full((2, 4), 3e38, np.float32)
    for compute in (layer, layer.head_outputs, lambda x: (layer.head_contributions(x), None)):
        with pytest.warns(RuntimeWarning, match="desbordan float32") as caught:
            output, _ = compute(x)
        assert not np.isfinite(output).any()
        assert caught[0].filename == __file__  # the line that called, not one of NumPy's


def test_large_outputs_whose_sum_overflows_are_no_overflow():
    zeros = np.zeros((3, 1), np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        output, _ = mha.scaled_dot_product_attention(zeros, zeros, zeros + np.float32(2e38))
    np.testing.assert_allclose(output, 2e38, rtol=1e-6)


def test_values_that_overflow_in_sight_are_not_silenced_however_little_they_weigh():
    query, memory = np.array([[1.0, 0]]), np.array([[0.0, 0], [-20, 3e38]])
    layer = mha.MultiHeadAttention.from_weights(np.eye(2), np.eye(2), 2 * np.eye(2), np.eye(2), 1)
    with pytest.warns(RuntimeWarning, match="desbordan float32"):
        output, attn_weights = layer(query.astype(np.float32), memory.astype(np.float32))
    assert 0 < attn_weights[0, 0, 1] < 1e-5 and not np.isfinite(output[0, 1])


def test_overflow_out_of_sight_is_silent():
    memory = np.ones((2, 4))
    memory[1] = 1e308
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mha.MultiHeadAttention(4, 2, rng=0)(
            np.ones((1, 4)), memory, key_padding_mask=np.array([False, True]))


def test_float_masks_are_added_in_the_dtype_of_the_scores():
    layer = mha.MultiHeadAttention.from_weights(*[np.eye(1)] * 4, 1)
    masks = {"mask": np.array([[1000, 1000]], np.float16),
             "key_padding_mask": np.array([0.25, 0], np.float16)}
    _, attn_weights = layer(np.zeros((1, 1)), np.zeros((2, 1)), **masks)
    np.testing.assert_allclose(attn_weights[0, 0], mha.softmax(np.array([0.25, 0])), rtol=1e-12)


@pytest.mark.parametrize("lowest", [-np.inf, FLOAT32_MIN, -1e300])
def test_keys_that_two_float_masks_hide_are_hidden(lowest):
    layer = mha.MultiHeadAttention(4, 2, bias=True, rng=0)
    padding, mask = np.array([0.0, lowest]), np.array([[0.5, lowest], [lowest, lowest]])
    x = np.ones((2, 4), np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        output, attn_weights = layer(x, mask=mask, key_padding_mask=padding)
    np.testing.assert_array_equal(attn_weights[:, 0], [[1, 0]] * 2)
    one_low_key = lowest == FLOAT32_MIN  # alone it is a number: the only one there is
    np.testing.assert_array_equal(attn_weights[:, 1], [[one_low_key, 0]] * 2)


# --- nothing is modified, little is held


@pytest.mark.parametrize("dtype", FLOATS)
def test_no_input_is_modified(dtype):
    rng = np.random.default_rng(0)
    arrays = {"query": rng.normal(size=(2, 3, 4)).astype(dtype),
              "key": rng.normal(size=(2, 5, 4)).astype(dtype),
              "value": rng.normal(size=(2, 5, 4)).astype(dtype)}
    masks = {"mask": np.where(rng.random((3, 5)) < 0.3, -np.inf, 0.5),
             "key_padding_mask": rng.random((2, 5)) < 0.3}
    layer = mha.MultiHeadAttention(4, 2, bias=True, rng=0, dtype=dtype, add_bias_kv=True)
    scores = rng.normal(size=(3, 4)).astype(dtype)
    inputs = [*arrays.values(), *masks.values(), layer.w_q, layer.w_o, layer.b_q, layer.bias_k,
              scores]
    for array in inputs:
        array.flags.writeable = False
    layer(**arrays, **masks)
    layer.head_contributions(**arrays, **masks)
    mha.scaled_dot_product_attention(**arrays, mask=masks["mask"])
    mha.softmax(scores)


@pytest.mark.parametrize("n", [160, 256])  # all heads at once, a head at a time
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("has_blas", [True, False])
def test_at_most_two_maps_are_alive_at_once(n, masked, has_blas, monkeypatch):
    monkeypatch.setattr(mha_fast, "HAS_BLAS", has_blas)
    h, d = 8, 16
    layer = mha.MultiHeadAttention(d, h, rng=0)
    x = np.random.default_rng(0).normal(size=(n, d))
    mask = np.random.default_rng(1).random((h, n, n)) < 0.5 if masked else None
    layer(x, mask=mask)
    tracemalloc.start()
    layer(x, mask=mask, causal=True)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    one_map = h * n * n * 8
    assert peak < 2 * one_map, f"{peak / one_map:.2f} maps of (h, n_q, n_k)"


def test_a_long_sequence_takes_each_heads_own_float_mask():
    rng = np.random.default_rng(0)
    n = math.isqrt(mha_fast.ONE_BY_ONE) + 1
    query, key, value = rng.normal(size=(3, 2, n, 4))
    bias = rng.normal(size=(2, n, n))
    output, attn_weights = mha_fast.attend(query, key, value, 0.5, bias=bias)
    for i in range(2):
        alone, weights = mha_fast.attend(query[i], key[i], value[i], 0.5, bias=bias[i])
        np.testing.assert_allclose(output[i], alone, atol=1e-12)
        np.testing.assert_allclose(attn_weights[i], weights, atol=1e-12)
