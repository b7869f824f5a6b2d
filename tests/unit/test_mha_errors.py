"""Every wrong input says which argument, what it got, what is allowed: in Spanish."""

import numpy as np
import pytest

import mha
import mha_stats
import mha_torch

X = np.ones((2, 3, 4))  # (batch, n, d_model)
LAYER = mha.MultiHeadAttention(4, 2, rng=0)
SDPA = mha.scaled_dot_product_attention
MASK = np.zeros((3, 3), bool)
MAP = np.full((3, 3), 1 / 3)
X32 = X.astype(np.float32)
STATE = {"in_proj_weight": np.ones((12, 4)), "out_proj.weight": np.eye(4)}


class Unreadable:
    """As torch's tensors that hold a gradient."""

    def __array__(self, *_, **__):
        raise RuntimeError("Can't call numpy() on Tensor that requires grad")


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
    (lambda: mha.MultiHeadAttention(8, True), TypeError, ["num_heads=True", "bool", "entero"]),
    (lambda: mha.MultiHeadAttention(8, 2, dtype=int), TypeError, ["dtype", "int", "float16"]),
    (lambda: mha.MultiHeadAttention(8, 2, dtype="foo"), TypeError, ["dtype='foo'", "float16"]),
    (lambda: mha.MultiHeadAttention(8, 2, rng="x"), TypeError, ["rng='x'", "Generator"]),
    (lambda: mha.MultiHeadAttention(8, 2, rng=-1), ValueError, ["rng=-1", "≥ 0"]),
    (lambda: mha.MultiHeadAttention(8, 2, bias="no"), TypeError, ["bias", "str", "True o False"]),
    (lambda: mha.parameter_count(8, 2, bias=2), TypeError, ["bias", "int", "True o False"]),
    (lambda: mha.multiply_adds(2.5, 64), TypeError, ["n_q=2.5", "float", "entero"]),
    (lambda: mha.multiply_adds(5, 64, n_k=-4), ValueError, ["n_k=-4", "≥ 0"]),
    (lambda: mha.softmax_entries(2, "5"), TypeError, ["n_q='5'", "str"]),
    (lambda: mha.softmax_entries(0, 5), ValueError, ["num_heads=0", "≥ 1"]),
    (lambda: mha.causal_mask(-1), ValueError, ["n_q=-1", "≥ 0"]),
    (lambda: mha.causal_mask(3, 2.5), TypeError, ["n_k=2.5", "float"]),
    (lambda: mha.softmax(X, axis=3), ValueError, ["axis=3", "(2, 3, 4)"]),
    (lambda: mha.softmax(3.0), ValueError, ["axis=-1", "()"]),
    (lambda: SDPA(X, X, X, scale="x"), TypeError, ["scale='x'", "str", "número"]),
    (lambda: SDPA(X, X, X, scale=np.ones(4)), TypeError, ["scale", "ndarray", "número"]),
    (lambda: SDPA(X, X, X, scale=np.inf), ValueError, ["scale=inf", "finito"]),
    (lambda: LAYER(X, causal=MASK), TypeError, ["causal", "ndarray", "mask"]),
    (lambda: LAYER(X, causal="no"), TypeError, ["causal='no'", "str", "True o False"]),
    (lambda: LAYER(X, causal=2), TypeError, ["causal=2", "int", "True o False"]),
    (lambda: SDPA(X, X, X, scale=10**400), ValueError, ["scale=1000", "float64"]),
    (lambda: SDPA(X, X, X, scale=True), TypeError, ["scale=True", "bool", "número"]),
    # arrays
    (lambda: LAYER([[1, 2, 3, 4], [1, 2]]), ValueError, ["query", "distinto largo"]),
    (lambda: LAYER(X, mask=[[True], [True, False]]), ValueError, ["mask", "distinto largo"]),
    (lambda: LAYER(X, key_padding_mask=[[True], []]), ValueError,
     ["key_padding_mask", "distinto largo"]),
    (lambda: mha.merge_heads([[1], []]), ValueError, ["x tiene", "distinto largo"]),
    (lambda: LAYER(Unreadable()), TypeError, ["query", "Unreadable", "grad", "detach()"]),
    (lambda: LAYER(np.ma.array(X, mask=X > 0)), TypeError, ["query", "numpy.ma", "query.data"]),
    (lambda: LAYER(X.astype(np.longdouble)), TypeError, ["query", str(np.dtype(np.longdouble))]),
    (lambda: SDPA(X[..., :0], X[..., :0], X), ValueError, ["query", "(2, 3, 0)", "d_k"]),
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
    (lambda: SDPA(X32, X32, X32, mask=np.full((3, 3), 1e39)), ValueError,
     ["mask", "desbordan float32", "float64"]),
    (lambda: LAYER(X32, key_padding_mask=np.full((2, 3), 1e39)), ValueError,
     ["key_padding_mask", "desbordan float32"]),
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
    (lambda: LAYER.ablate([0, 1]), TypeError, ["head=[0, 1]", "entero"]),
    (lambda: LAYER.ablate(1.5), TypeError, ["head=1.5", "entero"]),
    # statistics
    (lambda: mha_stats.mean_offset(np.ones(3)), ValueError, ["attn_weights", "(3,)", "n_k"]),
    (lambda: mha_stats.confidence([[1], []]), ValueError, ["attn_weights", "distinto largo"]),
    (lambda: mha_stats.confidence([["a"]]), TypeError, ["attn_weights", "<U1"]),
    (lambda: mha_stats.sink_mass(MAP, 3), ValueError, ["clave 3", "0 a 2"]),
    (lambda: mha_stats.sink_mass(MAP, "a"), TypeError, ["key='a'", "entero"]),
    (lambda: mha_stats.offset_mass(MAP, 0.5), TypeError, ["offset=0.5", "entero"]),
    (lambda: mha_stats.normalized_entropy(MAP, mask=MASK.astype(int)), ValueError,
     ["mask", "ceros y unos", "booleana"]),
    (lambda: mha_stats.normalized_entropy(MAP, mask=MASK[:2]), ValueError,
     ["mask", "(2, 3)", "(3, 3)"]),
    (lambda: mha_stats.head_statistics(MAP[None], mask=np.full((3, 3), -np.inf)), TypeError,
     ["mask", "float64", "booleana"]),
    # torch's and BERT's names
    (lambda: mha_torch.from_torch_state([1], 2), TypeError, ["state", "list", "diccionario"]),
    (lambda: mha_torch.from_torch_state(STATE | {"bias_v": np.ones((1, 1, 4))}, 2), ValueError,
     ["falta bias_k"]),
    (lambda: mha_torch.from_torch_state(STATE | {"q_proj_weight": np.eye(4)}, 2), ValueError,
     ["in_proj_weight y q_proj_weight", "dos veces"]),
    (lambda: mha_torch.from_torch_state(STATE | {"in_proj_weight": np.ones((10, 4))}, 2),
     ValueError, ["in_proj_weight", "(10, 4)", "3E"]),
    (lambda: mha_torch.from_torch_state(STATE | {"in_proj_bias": np.ones(10)}, 2), ValueError,
     ["in_proj_bias", "(10,)", "3E"]),
    (lambda: mha_torch.from_torch_state(STATE | {"in_proj_bias": None}, 2), TypeError,
     ["in_proj_bias", "object"]),
    (lambda: mha_torch.from_torch_state(
        STATE | {"bias_k": np.ones((7, 1, 4)), "bias_v": np.ones((7, 1, 4))}, 2), ValueError,
     ["bias_k", "(7, 1, 4)", "(1, 1, E)"]),
    (lambda: mha_torch.from_bert(None, 2), TypeError, ["state", "NoneType", "diccionario"]),
    (lambda: mha_torch.mask_from_torch(np.zeros((4, 3, 3), bool), 0), ValueError,
     ["num_heads=0", "≥ 1"]),
    (lambda: mha_torch.mask_from_torch(np.zeros((4, 3, 3), bool), 2.0), TypeError,
     ["num_heads=2.0", "entero"]),
    (lambda: mha_torch.from_torch_state({}, 2), ValueError, ["falta", "q_proj_weight"]),
    (lambda: mha_torch.from_torch_state({"in_proj_weight": np.ones((6, 2)), "w": 1}, 2),
     ValueError, ["desconocidos: w", "in_proj_weight"]),
    (lambda: mha_torch.from_bert({}, 2), ValueError,
     ["falta attention.self.query.weight", "nada"]),
    (lambda: mha_torch.from_torch_state({1: 2, "a": 3}, 2), TypeError, ["clave 1", "str"]),
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


@pytest.mark.parametrize("use", [lambda layer: layer(X), mha_torch.to_torch_state],
                         ids=["a call", "torch's state"])
@pytest.mark.parametrize(("wrong", "kind", "message"), [
    (np.eye(3), ValueError, r"w_o tiene forma \(3, 3\); debe ser \(4, 4\)"),
    (np.eye(4) * 1j, TypeError, "w_o tiene dtype complex128"),
    (None, TypeError, "w_o tiene dtype object"),
    ([[1], []], ValueError, "w_o tiene filas de distinto largo"),
])
def test_wrong_weight_set_later_is_named(use, wrong, kind, message):
    layer = mha.MultiHeadAttention(4, 2)
    layer.w_o = wrong
    with pytest.raises(kind, match=message):
        use(layer)


def test_weight_set_later_as_a_list_serves():
    layer = mha.MultiHeadAttention(4, 2, rng=0)
    layer.w_o = np.eye(4).tolist()
    np.testing.assert_array_equal(layer.ablate(0).w_o, np.diag([0, 0, 1, 1]))
    np.testing.assert_array_equal(mha_torch.to_torch_state(layer)["out_proj.weight"], np.eye(4))
    assert layer(X)[0].shape == X.shape


@pytest.mark.parametrize("name", ["w_q", "w_o", "b_v", "b_o"])
def test_weight_that_is_no_number_is_named(name):
    layer = mha.MultiHeadAttention(4, 2, bias=True, rng=0)
    getattr(layer, name)[-1] = np.nan
    place = r"\[3, 0\]" if name[0] == "w" else r"\[3\]"
    with pytest.raises(ValueError, match=rf"^{name} tiene nan en la posición {place}, y debe ser"):
        layer(X)
    if name != "b_o":
        with pytest.raises(ValueError, match=f"^{name} tiene nan"):
            layer.head_contributions(X)


def test_flags_of_numpy_are_flags():
    np.testing.assert_array_equal(LAYER(X, causal=np.True_)[1], LAYER(X, causal=True)[1])


def test_weights_of_any_byte_order_come_out_as_the_machine_has_them():
    layer = mha.MultiHeadAttention(4, 2, dtype=">f4")
    assert all(a.dtype.isnative for a in mha_torch.to_torch_state(layer).values())


def test_mask_of_torch_without_a_batch_serves_a_sequence_alone():
    mask = np.zeros((2, 3, 3), bool)
    mask[1, :, 0] = True
    ours = LAYER(X[0], mask=mha_torch.mask_from_torch(mask, 2))
    np.testing.assert_array_equal(ours[1], LAYER(X[0], mask=mask)[1])
    assert mha_torch.mask_from_torch(np.zeros((4, 0, 3), bool), 2).shape == (2, 2, 0, 3)


def test_additive_mask_of_zeros_only_is_taken_since_it_adds_nothing():
    np.testing.assert_array_equal(LAYER(X, mask=np.zeros((3, 3)))[0], LAYER(X)[0])
