"""`mha` as the lesson and its readers use it: golden values, masks, heads, counts."""

import doctest
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import mha
import mha_counts

X = np.array([[1, 0, 0, 1], [0, 1, 1, 0], [1, 1, 0, 0]], float)  # (3 tokens, d_model = 4)
NUMEL = Path(__file__).parents[1] / "fixtures" / "torch" / "numel.json"


def identity_layer(d_model, num_heads, **options):
    """Every projection the identity: the maps come straight from the tokens."""
    eye = np.eye(d_model)
    return mha.MultiHeadAttention.from_weights(eye, eye, eye, eye, num_heads, **options)


# --- golden values


def test_two_heads_give_the_golden_maps_and_output():
    output, attn_weights = identity_layer(4, 2)(X)
    assert output.shape == (3, 4) and attn_weights.shape == (2, 3, 3)
    np.testing.assert_allclose(attn_weights[0, 0], [0.4011, 0.1978, 0.4011], atol=5e-5)
    np.testing.assert_allclose(attn_weights[1, 2], [1 / 3] * 3, rtol=1e-15)
    np.testing.assert_allclose(output[0], [0.8022, 0.5989, 0.2483, 0.5035], atol=5e-5)


def test_one_head_gives_the_golden_map():
    _, attn_weights = identity_layer(4, 1)(X)
    np.testing.assert_allclose(attn_weights[0, 0], [0.5065, 0.1863, 0.3072], atol=5e-5)


def test_scale_is_the_root_of_d_k_not_of_d_model():
    tokens = np.array([[2.0, 0, 0, 0], [0, 0, 0, 0]])
    _, attn_weights = identity_layer(4, 4)(tokens)
    np.testing.assert_allclose(attn_weights[0, 0], [0.982, 0.018], atol=5e-4)


def test_scale_is_the_one_that_is_given():
    query, key = np.array([[1.0, 0]]), np.array([[2.0, 0], [0, 0]])
    _, attn_weights = mha.scaled_dot_product_attention(query, key, key, scale=3)
    np.testing.assert_allclose(attn_weights, mha.softmax(np.array([[6.0, 0]])), rtol=1e-14)


def test_starting_weights_are_of_the_dtype_and_the_spread_that_is_said():
    layer = mha.MultiHeadAttention(64, 4, kdim=200, rng=0, dtype=np.float32, add_bias_kv=True)
    assert {getattr(layer, name).dtype for name in ("w_q", "w_k", "w_v", "w_o", "bias_k")} == {
        np.dtype(np.float32)}
    np.testing.assert_allclose(layer.w_k.std(), (2 / (200 + 64))**0.5, rtol=0.05)  # Glorot's
    np.testing.assert_allclose(layer.w_o.std(), (2 / (64 + 64))**0.5, rtol=0.05)


def test_weights_come_one_map_per_head_not_averaged():
    # head 0 looks at itself, head 1 at the other: their mean would be .5 everywhere
    w_q = np.eye(4) * 50
    w_k = np.eye(4)
    w_k[2:, 2:] = [[0, 1], [1, 0]]
    layer = mha.MultiHeadAttention.from_weights(w_q, w_k, np.eye(4), np.eye(4), 2)
    _, attn_weights = layer(np.array([[1.0, 0, 1, 0], [0, 1, 0, 1]]))
    np.testing.assert_allclose(attn_weights, [np.eye(2), np.eye(2)[::-1]], atol=1e-9)


def test_softmax_goes_over_keys():
    output, attn_weights = mha.scaled_dot_product_attention(
        np.zeros((2, 4)), np.zeros((3, 4)), np.ones((3, 5)))
    np.testing.assert_array_equal(attn_weights, np.full((2, 3), 1 / 3))
    assert output.shape == (2, 5)


# --- heads


def test_split_heads_transposes_and_does_not_only_reshape():
    heads = mha.split_heads(np.arange(12).reshape(3, 4), 2)
    np.testing.assert_array_equal(heads[0], [[0, 1], [4, 5], [8, 9]])
    np.testing.assert_array_equal(mha.merge_heads(heads), np.arange(12).reshape(3, 4))


def test_split_heads_keeps_the_batch_in_front():
    x = np.arange(2 * 3 * 5 * 4).reshape(2, 3, 5, 4)
    assert mha.split_heads(x, 2).shape == (2, 3, 2, 5, 2)
    np.testing.assert_array_equal(mha.merge_heads(mha.split_heads(x, 2)), x)


def test_head_outputs_have_the_head_axis_before_the_queries():
    layer = mha.MultiHeadAttention(6, 3, d_v=4, rng=0)
    heads, attn_weights = layer.head_outputs(np.ones((2, 5, 6)))
    assert heads.shape == (2, 3, 5, 4) and attn_weights.shape == (2, 3, 5, 5)


def test_ablating_takes_the_rows_of_that_head_whatever_its_width():
    layer = mha.MultiHeadAttention(6, 3, d_k=2, d_v=5, rng=0)
    left = layer.ablate(1).w_o
    np.testing.assert_array_equal(left[5:10], 0)
    np.testing.assert_array_equal(np.delete(left, np.s_[5:10], 0),
                                  np.delete(layer.w_o, np.s_[5:10], 0))


def test_ablating_leaves_the_original_as_it_was():
    layer = mha.MultiHeadAttention(4, 2, rng=0)
    before = layer.w_o.copy()
    ablated = layer.ablate(0, 1)
    np.testing.assert_array_equal(layer.w_o, before)
    np.testing.assert_array_equal(ablated(X)[0], np.zeros((3, 4)))


# --- masks: True = hidden


def test_boolean_triangle_and_causal_are_the_same():
    layer = mha.MultiHeadAttention(4, 2, rng=0)
    upper = np.triu(np.ones((3, 3), bool), 1)
    np.testing.assert_array_equal(mha.causal_mask(3), upper)
    output, attn_weights = layer(X, mask=upper)
    np.testing.assert_array_equal(attn_weights[:, 0], [[1, 0, 0], [1, 0, 0]])
    np.testing.assert_array_equal(layer(X, causal=True)[0], output)


def test_causal_mask_of_another_length_counts_from_the_start():
    np.testing.assert_array_equal(mha.causal_mask(2, 3), [[0, 1, 1], [0, 0, 1]])


def test_query_with_every_key_hidden_gets_weights_0_and_output_b_o():
    mask = np.zeros((3, 3), bool)
    mask[1] = True
    layer = mha.MultiHeadAttention(4, 2, bias=True, rng=0)
    layer.b_v, layer.b_o = np.full(4, 9.0), np.array([1.0, 2, 3, 4])
    output, attn_weights = layer(X, mask=mask)
    np.testing.assert_array_equal(attn_weights[:, 1], np.zeros((2, 3)))
    np.testing.assert_array_equal(output[1], layer.b_o)


@pytest.mark.parametrize("shape", [
    (3, 3), (1, 3), (3, 1), (2, 3, 3), (1, 3, 3), (2, 1, 3), (2, 4, 3, 3), (2, 1, 3, 3),
    (1, 4, 3, 3), (2, 4, 1, 3)])
def test_mask_of_any_broadcastable_shape_means_its_full_form(shape):
    rng = np.random.default_rng(0)
    layer = mha.MultiHeadAttention(8, 4, rng=rng)
    x = rng.normal(size=(2, 3, 8))
    mask = rng.random(shape) < 0.4
    full = mask[:, None] if mask.ndim == 3 else mask  # (batch, 1, n_q, n_k)
    full = np.broadcast_to(full, (2, 4, 3, 3))
    for ours, theirs in zip(layer(x, mask=mask), layer(x, mask=full), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_mask_of_a_batch_with_two_axes_gets_its_head_axis():
    rng = np.random.default_rng(0)
    layer, x = mha.MultiHeadAttention(4, 2, rng=rng), rng.normal(size=(2, 2, 3, 4))
    mask = rng.random((2, 2, 3, 3)) < 0.4
    for ours, theirs in zip(layer(x, mask=mask), layer(x, mask=mask[:, :, None]), strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_three_axes_without_a_batch_are_one_mask_per_head():
    mask = np.zeros((2, 3, 3), bool)
    mask[1, :, 0] = True
    _, attn_weights = mha.MultiHeadAttention(4, 2, rng=0)(X, mask=mask)
    assert (attn_weights[0, :, 0] > 0).all() and (attn_weights[1, :, 0] == 0).all()


def test_padding_and_mask_and_causal_add_up():
    layer = mha.MultiHeadAttention(4, 2, rng=0)
    batch = np.stack([X, X])
    padding = np.array([[False, False, True], [False, True, False]])
    mask = np.eye(3, dtype=bool)
    together = layer(batch, mask=mask, key_padding_mask=padding, causal=True)
    by_hand = layer(batch, mask=mask | padding[:, None, :] | mha.causal_mask(3))
    np.testing.assert_array_equal(together[1], by_hand[1])


def test_additive_mask_is_added_to_the_scaled_scores():
    bias = np.log([[1.0, 2, 4]])
    _, attn_weights = mha.scaled_dot_product_attention(
        np.zeros((1, 4)), np.zeros((3, 4)), np.zeros((3, 1)), mask=bias)
    np.testing.assert_allclose(attn_weights, [[1 / 7, 2 / 7, 4 / 7]], rtol=1e-14)


def test_batch_goes_first_and_items_do_not_mix():
    layer = mha.MultiHeadAttention(4, 2, rng=0)
    x = np.random.default_rng(0).normal(size=(5, 3, 4))
    output, attn_weights = layer(x)
    assert attn_weights.shape == (5, 2, 3, 3)
    x[0] += 1
    np.testing.assert_array_equal(layer(x)[0][1:], output[1:])
    assert not np.allclose(layer(x)[0][0], output[0])


def test_extra_keys_add_a_column_each_that_no_mask_hides():
    layer = mha.MultiHeadAttention(4, 2, rng=0, add_bias_kv=True, add_zero_attn=True)
    _, attn_weights = layer(X, mask=np.ones((3, 3), bool))
    assert attn_weights.shape == (2, 3, 5)
    assert (attn_weights[..., :3] == 0).all() and (attn_weights[..., 3:] > 0).all()


@pytest.mark.parametrize("masks", [
    {"causal": True}, {"mask": np.zeros((3, 0), bool)}, {"key_padding_mask": np.zeros(0, bool)},
    {"mask": np.zeros((3, 0))}])
def test_extra_key_is_all_there_is_where_there_are_no_others(masks):
    layer = mha.MultiHeadAttention(4, 2, rng=0, add_zero_attn=True)
    output, attn_weights = layer(X, np.ones((0, 4)), **masks)
    np.testing.assert_array_equal(attn_weights, np.ones((2, 3, 1)))
    np.testing.assert_array_equal(output, 0)


def test_query_bias_does_change_the_output():
    layer = mha.MultiHeadAttention(4, 2, bias=True, rng=0)
    output, _ = layer(X)
    layer.b_q = np.array([3.0, -2, 1, 0])
    assert not np.allclose(layer(X)[0], output)


# --- counts


@pytest.mark.parametrize("row", json.loads(NUMEL.read_text()), ids=lambda row: str(row))
def test_parameter_count_is_what_torch_counts(row):
    row = dict(row)
    numel = row.pop("numel")
    assert mha.parameter_count(**row) == numel


@pytest.mark.parametrize("options", [
    {}, {"bias": True}, {"d_k": 3}, {"d_v": 5}, {"num_kv_heads": 2}, {"kdim": 7, "vdim": 9},
    {"bias": True, "d_k": 3, "d_v": 5, "num_kv_heads": 1, "add_bias_kv": True}])
def test_parameter_count_is_what_the_module_holds(options):
    layer = mha.MultiHeadAttention(8, 4, **options)
    held = [getattr(layer, name) for name in layer.parameter_shapes]
    assert mha.parameter_count(8, 4, **options) == sum(a.size for a in held if a is not None)


def test_counts_do_not_depend_on_h_at_full_width_and_do_when_decoupled():
    assert {mha.parameter_count(512, h) for h in (1, 8, 16)} == {1_048_576}
    assert {mha.parameter_count(512, h, bias=True) for h in (1, 8)} == {1_050_624}
    assert {mha.multiply_adds(100, 512, h) for h in (1, 8)} == {4 * 100 * 512**2 + 2 * 100**2 * 512}
    fixed = {"d_k": 64, "d_v": 64}
    assert mha.parameter_count(512, 16, **fixed) == 2 * mha.parameter_count(512, 8, **fixed)
    assert mha.softmax_entries(8, 100) == 8 * mha.softmax_entries(1, 100)


def test_quadratic_part_passes_the_projections_at_n_2d():
    d = 64
    for n, above in ((2 * d - 1, False), (2 * d + 1, True)):
        quadratic = mha.multiply_adds(n, d) - 4 * n * d**2
        assert (quadratic > 4 * n * d**2) == above


def test_multiply_adds_counts_every_product_of_a_cross_attention():
    assert mha.multiply_adds(2, 4, 1, d_k=3, d_v=5) == 2 * 4 * (3 + 3 + 5) + 2 * 2 * 8 + 2 * 5 * 4
    h, h_kv, d_k, d_v, n_q, n_k, d, kdim, vdim = 4, 2, 3, 5, 7, 11, 8, 6, 10
    by_hand = (n_q * d * h * d_k + n_k * kdim * h_kv * d_k + n_k * vdim * h_kv * d_v
               + h * n_q * n_k * d_k + h * n_q * n_k * d_v + n_q * h * d_v * d)
    assert by_hand == mha.multiply_adds(n_q, d, h, n_k=n_k, d_k=d_k, d_v=d_v, num_kv_heads=h_kv,
                                        kdim=kdim, vdim=vdim)
    extra = mha.multiply_adds(7, 8, 4, add_bias_kv=True, add_zero_attn=True)
    assert extra - mha.multiply_adds(7, 8, 4) == 4 * 7 * 2 * (2 + 2)  # two more columns of scores
    assert mha.multiply_adds(np.int32(50_000), 512) == mha.multiply_adds(50_000, 512) > 2**40
    assert mha.softmax_entries(8, np.int32(50_000)) == 8 * 50_000**2


def test_mha_knows_nothing_that_is_built_on_it():
    seen = "import sys, mha; print(sorted(n for n in sys.modules if n.startswith('mha')))"
    done = subprocess.run([sys.executable, "-c", seen], cwd=Path(mha.__file__).parent,
                          capture_output=True, text=True, check=True)
    assert "mha_fast" in done.stdout
    assert "mha_torch" not in done.stdout and "mha_stats" not in done.stdout


def test_examples_in_the_docstrings_are_true():
    for module in (mha, mha_counts):
        result = doctest.testmod(module)
        assert result.attempted and not result.failed
