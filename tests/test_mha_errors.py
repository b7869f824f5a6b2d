"""Every wrong input says which argument, what it got, what is allowed: in Spanish."""

import numpy as np
import pytest

import mha
import mha_torch

X = np.ones((2, 3, 4))  # (batch, n, d_model)
LAYER = mha.MultiHeadAttention(4, 2, rng=0)
SDPA = mha.scaled_dot_product_attention
MASK = np.zeros((3, 3), bool)


@pytest.mark.parametrize("num_heads", [3, 0, -2])
@pytest.mark.parametrize("make", [
    mha.MultiHeadAttention, mha.parameter_count,
    lambda d, h: mha.multiply_adds(5, d, h)], ids=["module", "parameters", "multiply_adds"])
def test_head_count_that_does_not_divide_lists_the_divisors(make, num_heads):
    with pytest.raises(ValueError) as error:
        make(10, num_heads)
    assert str(error.value) == (f"d_model=10 no se divide entre num_heads={num_heads}; "
                                "divisores: 1, 2, 5, 10")


@pytest.mark.parametrize(("call", "kind", "parts"), [
    # sizes
    (lambda: mha.MultiHeadAttention(10, 2.0), TypeError, ["num_heads=2.0", "float", "entero"]),
    (lambda: mha.MultiHeadAttention("8", 2), TypeError, ["d_model='8'", "str", "entero"]),
    (lambda: mha.MultiHeadAttention(0, 1), ValueError, ["d_model=0", "≥ 1"]),
    (lambda: mha.MultiHeadAttention(8, 2, d_k=0), ValueError, ["d_k=0", "≥ 1"]),
    (lambda: mha.MultiHeadAttention(8, 4, num_kv_heads=3), ValueError,
     ["num_heads=4", "num_kv_heads=3", "1, 2, 4"]),
    (lambda: mha.split_heads(np.ones((3, 4)), 3), ValueError, ["d=4", "num_heads=3", "1, 2, 4"]),
    (lambda: mha.split_heads(np.ones(4), 2), ValueError, ["x", "(4,)", "(..., n, d)"]),
    (lambda: mha.merge_heads(np.ones((3, 4))), ValueError, ["x", "(3, 4)", "num_heads"]),
    # arrays
    (lambda: LAYER(np.ones(4)), ValueError, ["query", "(4,)", "x[None, :]"]),
    (lambda: LAYER(np.ones((3, 5))), ValueError, ["query", "(3, 5)", "d_model=4"]),
    (lambda: LAYER(X, np.ones((2, 3, 5))), ValueError, ["key", "(2, 3, 5)", "kdim=4"]),
    (lambda: LAYER(X, X, np.ones((2, 3, 5))), ValueError, ["value", "(2, 3, 5)", "vdim=4"]),
    (lambda: LAYER(X, X[:, :2], X), ValueError, ["key", "(2, 2, 4)", "value", "2 ≠ 3"]),
    (lambda: LAYER(X, X[:1]), ValueError, ["key", "(1, 3, 4)", "lote", "(batch, n, d)"]),
    (lambda: LAYER(X, X[0]), ValueError, ["key", "(3, 4)", "lote"]),
    (lambda: LAYER(X + 1j), TypeError, ["query", "complex128", "float64"]),
    (lambda: LAYER([["a", "b", "c", "d"]]), TypeError, ["query", "<U1", "float64"]),
    (lambda: LAYER(X.astype(object)), TypeError, ["query", "object", "float64"]),
    (lambda: SDPA(X, X[..., :3], X), ValueError, ["query", "key", "d_k", "4 ≠ 3"]),
    (lambda: SDPA(X, X[:, :2], X), ValueError, ["key", "value", "2 ≠ 3"]),
    (lambda: SDPA(X, np.ones((5, 3, 4)), np.ones((5, 3, 4))), ValueError,
     ["query (2, 3, 4)", "key (5, 3, 4)", "encajan"]),
    # masks
    (lambda: LAYER(X, mask=MASK[:2]), ValueError, ["mask", "(2, 3)", "(n_q, n_k)=(3, 3)"]),
    (lambda: LAYER(X, mask=np.zeros((5, 3, 3), bool)), ValueError,
     ["mask", "(5, 3, 3)", "(batch, n_q, n_k)=(2, 3, 3)", "(2, 2, 3, 3)"]),
    (lambda: LAYER(X, mask=np.zeros((4, 3, 3), bool)), ValueError, ["mask_from_torch"]),
    (lambda: LAYER(X[None], mask=np.zeros((2, 3, 3), bool)), ValueError, ["mask", "(2, 3, 3)"]),
    (lambda: LAYER(X[0], mask=np.zeros((3, 3, 3), bool)), ValueError,
     ["mask", "(num_heads, n_q, n_k)=(2, 3, 3)"]),
    (lambda: LAYER(X, mask=np.zeros((2, 3), bool)), ValueError, ["mask", "key_padding_mask"]),
    (lambda: LAYER(X, key_padding_mask=np.zeros((2, 4), bool)), ValueError,
     ["key_padding_mask", "(2, 4)", "(..., n_k)=(2, 3)"]),
    (lambda: LAYER(X, mask=np.tril(np.ones((3, 3)))), ValueError,
     ["mask", "ceros y unos", "float64", "True = oculto", "mask == 0"]),
    (lambda: SDPA(X, X, X, mask=np.tril(np.ones((3, 3)))), ValueError, ["mask", "ceros y unos"]),
    (lambda: LAYER(X, key_padding_mask=np.ones((2, 3))), ValueError,
     ["key_padding_mask", "ceros y unos"]),
    (lambda: LAYER(X, mask=np.ones((3, 3), int)), ValueError, ["mask", "ceros y unos", "int64"]),
    (lambda: LAYER(X, mask=np.full((3, 3), 2)), TypeError, ["mask", "int64", "booleana"]),
    (lambda: LAYER(X, mask=np.full((3, 3), "x")), TypeError, ["mask", "<U1", "bool"]),
    (lambda: LAYER(X, mask=np.full((3, 3), np.nan)), ValueError, ["mask", "NaN", "[0, 0]"]),
    (lambda: LAYER(X, mask=np.full((3, 3), np.inf)), ValueError, ["mask", "+inf", "-inf"]),
    (lambda: mha.softmax(X, mask=np.full((3, 4), 0.5)), TypeError, ["mask", "float64", "booleana"]),
    (lambda: SDPA(X, X, X, mask=np.zeros((7, 3, 3), bool)), ValueError,
     ["mask", "(7, 3, 3)", "(2, 3, 3)"]),
    # weights
    (lambda: mha.MultiHeadAttention.from_weights(*[np.ones(4)] * 4, num_heads=2), ValueError,
     ["w_q", "(4,)", "matriz"]),
    (lambda: mha.MultiHeadAttention.from_weights(*[np.eye(4)] * 4, num_heads=3), ValueError,
     ["w_q", "num_heads=3", "1, 2, 4"]),
    (lambda: mha.MultiHeadAttention.from_weights(
        np.eye(4), np.eye(4)[:, :2], np.eye(4), np.eye(4), 2), ValueError,
     ["w_k", "(4, 2)", "(4, 4)"]),
    (lambda: mha.MultiHeadAttention.from_weights(*[np.eye(4)] * 4, 2, b_x=np.ones(4)), TypeError,
     ["b_x", "b_q"]),
    (lambda: mha.MultiHeadAttention.from_weights(*[np.eye(4)] * 4, 2, bias_k=np.ones((1, 4))),
     ValueError, ["bias_k", "bias_v"]),
    (lambda: LAYER.ablate(2), ValueError, ["cabeza 2", "0 a 1"]),
    (lambda: LAYER.ablate(-1), ValueError, ["cabeza -1", "0 a 1"]),
    # torch's and BERT's names
    (lambda: mha_torch.from_torch_state({}, 2), ValueError, ["falta", "q_proj_weight"]),
    (lambda: mha_torch.from_torch_state({"in_proj_weight": np.ones((6, 2)), "w": 1}, 2),
     ValueError, ["desconocidos: w", "in_proj_weight"]),
    (lambda: mha_torch.from_bert({}, 2), ValueError, ["prefix", "0 capas"]),
    (lambda: mha_torch.to_torch_state(mha.MultiHeadAttention(4, 2, d_k=3)), ValueError, ["d_k=3"]),
    (lambda: mha_torch.to_torch_state(mha.MultiHeadAttention(4, 2, num_kv_heads=1)), ValueError,
     ["num_kv_heads=1"]),
    (lambda: mha_torch.mask_from_torch(np.zeros((5, 3, 3), bool), 2), ValueError,
     ["attn_mask", "(5, 3, 3)", "num_heads=2"]),
])
def test_error_names_argument_value_and_way_out(call, kind, parts):
    with pytest.raises(kind) as error:
        call()
    missing = [part for part in parts if part not in str(error.value)]
    assert not missing, f"{missing} not in: {error.value}"


def test_weight_of_another_shape_set_later_is_named():
    layer = mha.MultiHeadAttention(4, 2)
    layer.w_o = np.eye(3)
    with pytest.raises(ValueError, match=r"w_o tiene forma \(3, 3\); debe ser \(4, 4\)"):
        layer(X)


def test_additive_mask_of_zeros_only_is_taken_since_it_adds_nothing():
    np.testing.assert_array_equal(LAYER(X, mask=np.zeros((3, 3)))[0], LAYER(X)[0])
