"""What a cell may ask to draw, what it is told when it can't, and what the page then gets."""

import json

import numpy as np
import pytest

import mha
import playground
import wire
from sitegen.markup import as_json

TOKENS = ["⟨s⟩", "Ana", "durmió"]
UNIFORM = np.full((2, 3, 3), 1 / 3)


@pytest.fixture(autouse=True)
def nothing_pending():
    playground.take_displays()
    yield
    playground.take_displays()


def shown():
    (record,) = playground.take_displays()
    return record


def test_a_record_holds_all_that_the_heatmap_needs():
    mask = mha.causal_mask(3)
    _, attn_weights = mha.MultiHeadAttention(4, 2, rng=0)(np.eye(3, 4), mask=mask)
    playground.show_heads(attn_weights, TOKENS, mask=mask, title="Prueba", target="mapa")
    record = shown()
    payload = record["payload"]
    assert (record["kind"], record["target"]) == ("heads", "mapa")
    assert set(payload) == {
        "tokens_q", "tokens_k", "attn_weights", "mask", "head_labels", "title",
    }  # fmt: skip
    assert payload["tokens_q"] == payload["tokens_k"] == TOKENS
    assert payload["head_labels"] == ["cabeza 1", "cabeza 2"]
    assert payload["attn_weights"].shape == (2, 3, 3)
    assert payload["attn_weights"].flags.c_contiguous
    assert payload["mask"].dtype == bool and payload["mask"].tolist() == mask.tolist()


def test_displays_are_taken_once_and_in_order():
    playground.show_heads(UNIFORM, TOKENS, title="a")
    playground.show_heads(UNIFORM, TOKENS, title="b")
    assert [r["payload"]["title"] for r in playground.take_displays()] == ["a", "b"]
    assert playground.take_displays() == []


def test_a_later_edit_of_the_array_leaves_the_record_alone():
    attn_weights = UNIFORM.copy()
    playground.show_heads(attn_weights, TOKENS)
    attn_weights[:] = 0
    np.testing.assert_array_equal(shown()["payload"]["attn_weights"], UNIFORM)


def test_a_matrix_counts_as_one_head_and_a_transposed_view_is_made_contiguous():
    playground.show_heads(np.eye(3, dtype=np.float32).T, TOKENS)
    weights = shown()["payload"]["attn_weights"]
    assert weights.shape == (1, 3, 3) and weights.dtype == np.float32
    assert weights.flags.c_contiguous


def test_cross_attention_has_its_own_keys():
    playground.show_heads(np.full((1, 3, 2), 0.5), TOKENS, ["the", "cat"])
    assert shown()["payload"]["tokens_k"] == ["the", "cat"]


def test_layers_and_head_deltas_travel_as_extras():
    playground.show_heads(
        np.stack([UNIFORM, UNIFORM]), TOKENS, layers=["capa 1", "capa 2"],
        head_deltas=np.ones((2, 2, 3)),
    )  # fmt: skip
    payload = shown()["payload"]
    assert payload["layers"] == ["capa 1", "capa 2"]
    assert payload["attn_weights"].shape == (2, 2, 3, 3)
    assert payload["head_deltas"].shape == (2, 2, 3)


def test_a_row_without_keys_may_be_all_zero():
    mask = np.array([[False] * 3, [True] * 3, [False] * 3])
    _, attn_weights = mha.scaled_dot_product_attention(np.eye(3), np.eye(3), np.eye(3), mask=mask)
    playground.show_heads(attn_weights, TOKENS, mask=mask)
    assert not shown()["payload"]["attn_weights"][0, 1].any()


def test_softmax_of_512_float32_keys_is_accepted():
    scores = np.random.default_rng(0).normal(size=(2, 3, 512)).astype(np.float32)
    playground.show_heads(mha.softmax(scores), TOKENS, [str(i) for i in range(512)])
    assert shown()


def with_value(place, value):
    weights = UNIFORM.copy()
    weights[place] = value
    return weights


@pytest.mark.parametrize(
    ("weights", "options", "words"),
    [
        (with_value((1, 2, 0), np.nan), {}, r"attn_weights\[1, 2, 0\] = nan"),
        (with_value((0, 0, 0), np.inf), {}, "no es un número finito"),
        (with_value((1, 2, 0), 0.5), {}, r"\[1, 2\], fila de «durmió», suma 1.16667.* sumar 1"),
        (UNIFORM * 0, {}, "suma 0 y debería sumar 1"),
        (with_value((0, 1), [2, -1, 0]), {}, r"\[0, 1, 1\] = -1, negativo.*del softmax"),
        (UNIFORM[:, :2], {}, r"2 filas \(queries\).*tokens tiene 3 tokens"),
        (np.full((2, 3, 2), 0.5), {}, r"2 columnas \(keys\).*tokens_k"),
        (UNIFORM[0, 0], {}, r"1 ejes, forma \(3,\); hace falta \(num_heads, n_q, n_k\)"),
        (UNIFORM[None], {}, r"4 ejes.*attn_weights\[0\].*layers"),
        (UNIFORM, {"layers": ["capa 1"]}, "3 ejes.*num_layers"),
        (UNIFORM[None], {"layers": ["a", "b"]}, "layers: textos 2, capas 1;"),
        (UNIFORM, {"head_labels": ["una"]}, "head_labels: textos 1, cabezas 2;"),
        (UNIFORM, {"head_labels": "una"}, "head_labels necesita una lista"),
        (UNIFORM, {"tokens": "Ana durmió"}, r"tokenize\('Ana durmió'\)"),
        (UNIFORM, {"mask": np.zeros((3, 3))}, "mask es de tipo float64.*True = oculto"),
        (UNIFORM, {"mask": np.zeros((2, 2), bool)}, r"mask tiene forma \(2, 2\)"),
        (UNIFORM, {"mask": np.eye(3, dtype=bool)}, r"0.333 y mask lo oculta.*al revés"),
        (UNIFORM, {"head_deltas": np.ones((2, 2))}, r"head_deltas tiene forma \(2, 2\)"),
        (UNIFORM, {"head_deltas": -np.ones((2, 3))}, "una norma no es negativa"),
        (UNIFORM, {"target": 3}, "target=3"),
        (UNIFORM.astype(complex), {}, "complex128; hacen falta números reales"),
        ([[1, 0], [1]], {}, "no es un array rectangular"),
        (np.zeros((0, 3, 3)), {}, "vacío"),
    ],
)
def test_a_wrong_call_names_the_argument_the_place_and_the_way_out(weights, options, words):
    tokens = options.pop("tokens", TOKENS)
    with pytest.raises(ValueError, match=words):
        playground.show_heads(weights, tokens, **options)
    assert playground.take_displays() == []


def test_plain_records_are_json_and_keep_the_rows_summing_to_one():
    mask = np.array([[False, True, True], [False, False, True], [False] * 3])
    _, attn_weights = mha.MultiHeadAttention(8, 2, rng=1)(np.eye(3, 8), mask=mask)
    playground.show_heads(attn_weights.astype(np.float32), TOKENS, mask=mask)
    plain = json.loads(as_json(wire.plain(shown())))
    weights, mask_plain = plain["payload"]["attn_weights"], plain["payload"]["mask"]
    assert weights["shape"] == [2, 3, 3] and mask_plain["data"] == [0, 1, 1, 0, 0, 1, 0, 0, 0]
    back = np.reshape(weights["data"], weights["shape"])
    np.testing.assert_allclose(back, attn_weights, atol=1e-7)
    playground.show_heads(back, TOKENS, mask=mask)  # still passes every check


def test_lines_are_recorded_as_plain_lists():
    playground.show_lines(
        {"pérdida": ([1, 2], np.array([0.5, 0.25])), "media": ([1], [2], [1], [3])},
        title="Entrenamiento", x_label="paso", y_label="pérdida",
    )  # fmt: skip
    assert shown() == {
        "kind": "lines",
        "target": None,
        "payload": {
            "title": "Entrenamiento",
            "x_label": "paso",
            "y_label": "pérdida",
            "series": [
                {"label": "pérdida", "x": [1, 2], "y": [0.5, 0.25]},
                {"label": "media", "x": [1], "y": [2], "low": [1], "high": [3]},
            ],
        },
    }


@pytest.mark.parametrize(
    ("series", "words"),
    [
        ({}, "alguna línea"),
        ({"a": [1, 2, 3]}, r"series\['a'\] necesita \(x, y\)"),
        ({"a": ([1, 2], [1])}, "longitudes distintas: {'x': 2, 'y': 1}"),
        ({"a": ([1, 2], [1, np.nan])}, r"series\['a'\], y\[1\] = nan"),
        ({"a": ([[1]], [[1]])}, r"forma \(1, 1\)"),
    ],
)
def test_wrong_lines_are_refused(series, words):
    with pytest.raises(ValueError, match=words):
        playground.show_lines(series)


def test_progress_is_recorded_as_a_part_of_a_whole():
    playground.show_progress(60, 150, title="pasos")
    payload = {"title": "pasos", "done": 60, "total": 150}
    assert shown() == {"kind": "progress", "target": None, "payload": payload}


@pytest.mark.parametrize(("done", "total"), [(2, 1), (-1, 5), (0, 0), (1, float("nan"))])
def test_a_part_outside_its_whole_is_refused(done, total):
    with pytest.raises(ValueError, match="total"):
        playground.show_progress(done, total)


def test_a_matrix_is_recorded_with_its_labels():
    playground.show_matrix([[1, 2, 3], [4, 5, 6]], ["x", "y"], title="A")
    record = shown()
    assert record["kind"] == "matrix"
    assert record["payload"]["row_labels"] == ["x", "y"]
    assert record["payload"]["col_labels"] == ["0", "1", "2"]
    values = wire.plain(record)["payload"]["values"]
    assert values["shape"] == [2, 3] and values["data"].tolist() == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    ("values", "options", "words"),
    [
        ([1, 2], {}, r"values tiene forma \(2,\)"),
        ([[1, 2]], {"col_labels": ["a"]}, "col_labels: textos 1, columnas 2;"),
        ([[np.nan]], {}, r"values\[0, 0\] = nan"),
    ],
)
def test_wrong_matrices_are_refused(values, options, words):
    with pytest.raises(ValueError, match=words):
        playground.show_matrix(values, **options)
