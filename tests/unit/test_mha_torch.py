"""`mha` against real PyTorch: stored results always, live ones where torch is installed."""

import json
from pathlib import Path

import numpy as np
import pytest

import mha
import mha_fast
import mha_torch
from tests.fixtures.torch import recipe

FIXTURES = Path(__file__).parents[1] / "fixtures" / "torch"


@pytest.fixture(scope="module")
def stored():
    return np.load(FIXTURES / "outputs.npz")["values"]


# --- stored by scripts/make_torch_fixtures.py


@pytest.mark.parametrize("way", ["textbook", "fast", "fast, without BLAS"])
def test_every_configuration_equals_torch_to_1e12(stored, way, monkeypatch):
    if way == "textbook":
        for name, function in mha._TEXTBOOK.items():
            monkeypatch.setattr(mha, name, function)
    monkeypatch.setattr(mha_fast, "HAS_BLAS", way == "fast")
    count, worst, failures = recipe.compare(stored, tolerance=1e-12)
    assert not failures, failures[:5]
    assert count >= 256 and worst <= 1e-12


def test_comparison_would_see_a_difference_of_one_part_in_a_million(stored):
    wrong = stored.copy()
    wrong[len(wrong) // 2] += 1e-6
    _, _, failures = recipe.compare(wrong)
    assert len(failures) == 1
    assert recipe.compare(stored[:-1])[2]


def test_configurations_cover_every_value_of_every_option():
    configs = recipe.module_configs()
    assert len(set(configs)) == len(configs) >= 256
    for name, count in (("source", 3), ("batched", 2), ("bias", 2), ("add_bias_kv", 2),
                        ("add_zero_attn", 2), ("mask", 6), ("padding", 3), ("num_heads", 3)):
        assert len({getattr(c, name) for c in configs}) == count, name


def test_stored_results_are_small_and_of_the_pinned_torch():
    assert (FIXTURES / "outputs.npz").stat().st_size < 300_000
    assert str(np.load(FIXTURES / "outputs.npz")["torch"]).startswith("2.13.0")


# --- the lesson's PyTorch program


def test_the_readalong_program_gives_what_mha_gives():
    record = json.loads((FIXTURES / "readalong.json").read_text())
    layer = mha_torch.from_torch_state(record["state"], record["num_heads"])
    output, attn_weights = layer(np.array(record["x"]))
    np.testing.assert_allclose(output, record["salida"], atol=1e-6)
    np.testing.assert_allclose(attn_weights, record["pesos"], atol=1e-6)
    np.testing.assert_allclose(attn_weights.mean(axis=1), record["media"], atol=1e-6)


def test_the_printed_lines_are_those_of_the_stored_arrays():
    record = json.loads((FIXTURES / "readalong.json").read_text())
    assert record["program"] == (FIXTURES / "readalong_program.py").read_text()
    lines = record["printed"].splitlines()
    pesos = np.array(record["pesos"])
    assert lines[0] == f"salida {np.shape(record['salida'])}"
    assert lines[1] == f"pesos {pesos.shape}"
    rows = {"cabeza 0": pesos[0, 0, 2], "cabeza 1": pesos[0, 1, 2],
            "media": np.array(record["media"])[0, 2]}
    for (name, row), line in zip(rows.items(), lines[2:5], strict=True):
        assert line == f"{name}: tensor([{', '.join(f'{w:.3f}' for w in row)}])"
    assert lines[5] == f"parámetros: {mha.parameter_count(8, 2, bias=True)}"


# --- other layouts


def test_a_state_made_here_is_read_here():
    layer = mha.MultiHeadAttention(6, 3, bias=True, rng=0)
    state = mha_torch.to_torch_state(layer)
    assert {name: a.shape for name, a in state.items()} == {
        "in_proj_weight": (18, 6), "in_proj_bias": (18,), "out_proj.weight": (6, 6),
        "out_proj.bias": (6,)}
    x = np.ones((4, 6))
    again = mha_torch.from_torch_state(state, 3)
    np.testing.assert_allclose(again(x)[0], layer(x)[0], rtol=1e-12)


def test_missing_biases_are_zeros_in_torch_and_any_of_them_may_come_alone():
    rng = np.random.default_rng(0)
    layer = mha.MultiHeadAttention(4, 2, rng=rng)
    layer.b_o = rng.normal(size=4)
    state = mha_torch.to_torch_state(layer)
    np.testing.assert_array_equal(state["in_proj_bias"], np.zeros(12))
    del state["in_proj_bias"]
    again = mha_torch.from_torch_state(state, 2)
    assert again.b_q is None
    np.testing.assert_array_equal(again.b_o, layer.b_o)


def test_separate_widths_give_separate_weights():
    layer = mha.MultiHeadAttention(6, 3, kdim=4, vdim=5, rng=0)
    state = mha_torch.to_torch_state(layer)
    assert {name: a.shape for name, a in state.items()} == {
        "q_proj_weight": (6, 6), "k_proj_weight": (6, 4), "v_proj_weight": (6, 5),
        "out_proj.weight": (6, 6)}
    assert all(a.flags.c_contiguous and a.base is None for a in state.values())


def bert_layers(rng, d=8, layers=2):
    """Arrays named as Hugging Face's BertModel names them, the feed-forward's among them."""
    state = {}
    for i in range(layers):
        for name, out, into in (("attention.self.query", d, d), ("attention.self.key", d, d),
                                ("attention.self.value", d, d), ("attention.output.dense", d, d),
                                ("intermediate.dense", 4 * d, d), ("output.dense", d, 4 * d)):
            state[f"encoder.layer.{i}.{name}.weight"] = rng.normal(size=(out, into))
            state[f"encoder.layer.{i}.{name}.bias"] = rng.normal(size=out)
    return state


def test_a_bert_layer_computes_what_its_own_formula_says():
    rng = np.random.default_rng(0)
    state, x, h = bert_layers(rng), rng.normal(size=(5, 8)), 2
    layer = mha_torch.from_bert(state, h, prefix="encoder.layer.1.")
    output, attn_weights = layer(x)

    def linear(y, name):  # BERT's: y Wᵀ + b
        name = f"encoder.layer.1.attention.{name}"
        return y @ state[f"{name}.weight"].T + state[f"{name}.bias"]

    context = []
    for head in range(h):
        cut = slice(head * 4, head * 4 + 4)
        q, k, v = (linear(x, f"self.{name}")[:, cut] for name in ("query", "key", "value"))
        a = np.exp(q @ k.T / 2)
        a /= a.sum(-1, keepdims=True)
        np.testing.assert_allclose(attn_weights[head], a, rtol=1e-12)
        context.append(a @ v)
    expected = linear(np.concatenate(context, -1), "output.dense")
    np.testing.assert_allclose(output, expected, rtol=1e-12)


def test_a_bert_of_several_layers_asks_which_one():
    state = bert_layers(np.random.default_rng(0))
    with pytest.raises(ValueError, match=r"2 capas.*'encoder\.layer\.0\.', 'encoder\.layer\.1\.'"):
        mha_torch.from_bert(state, 2)
    one = {name: a for name, a in state.items() if ".1." in name}
    assert mha_torch.from_bert(one, 2).w_q.shape == (8, 8)


def test_batch_major_masks_get_their_head_axis():
    mask = np.arange(2 * 3 * 4 * 5).reshape(6, 4, 5)
    turned = mha_torch.mask_from_torch(mask, 3)
    np.testing.assert_array_equal(turned[1, 2], mask[1 * 3 + 2])
    np.testing.assert_array_equal(mha_torch.mask_from_torch(mask[0], 3), mask[0])


# --- live: make test-torch


@pytest.fixture(scope="module")
def maker():
    import torch

    from scripts import make_torch_fixtures

    torch.set_num_threads(1)  # the arrays are tiny: more threads only wait for each other
    return make_torch_fixtures


@pytest.mark.torch
class TestLive:
    @pytest.mark.parametrize("seed", [1, 2])
    def test_larger_inputs_of_every_configuration(self, maker, seed):
        sizes = recipe.Sizes(batch=3, n_q=7, n_k=9, d_model=16, kdim=10, vdim=12)
        for config in recipe.module_configs():
            inputs = recipe.module_inputs(config, sizes, seed)
            for ours, theirs in zip(recipe.module_by_mha(config, inputs),
                                    maker.module_by_torch(config, inputs), strict=True):
                np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12, err_msg=str(config))

    def test_grouped_heads_of_other_seeds(self, maker):
        for config in recipe.grouped_configs():
            for seed in range(1, 6):
                inputs = recipe.grouped_inputs(config, seed)
                (ours,), (theirs,) = (recipe.grouped_by_mha(config, inputs),
                                      maker.grouped_by_torch(config, inputs))
                np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12, err_msg=str(config))

    def test_torch_loads_the_state_we_write(self, maker):
        import torch

        for options in ({}, {"bias": True}, {"kdim": 5, "vdim": 3},
                        {"bias": True, "add_bias_kv": True}):
            layer = mha.MultiHeadAttention(8, 4, rng=0, **options)
            module = torch.nn.MultiheadAttention(
                8, 4, batch_first=True, dtype=torch.float64, **{"bias": False, **options})
            state = mha_torch.to_torch_state(layer)
            module.load_state_dict({n: torch.from_numpy(a) for n, a in state.items()})
            rng = np.random.default_rng(0)
            arrays = [rng.normal(size=(2, n, d)) for n, d in
                      ((3, 8), (6, layer.kdim), (6, layer.vdim))]
            theirs, _ = module(*map(torch.from_numpy, arrays))
            np.testing.assert_allclose(layer(*arrays)[0], theirs.detach(), rtol=0, atol=1e-12)

    def test_our_rule_for_a_query_without_keys_is_the_one_difference(self, maker):
        import torch

        layer = mha.MultiHeadAttention(4, 2, bias=True, rng=0)
        mask = np.array([[False, True], [True, True]])
        module = torch.nn.MultiheadAttention(4, 2, batch_first=True, dtype=torch.float64)
        state = mha_torch.to_torch_state(layer)
        module.load_state_dict({n: torch.from_numpy(a) for n, a in state.items()})
        x = np.ones((1, 2, 4))
        theirs, _ = module(*[torch.from_numpy(x)] * 3, attn_mask=torch.from_numpy(mask))
        ours, _ = layer(x, mask=mask)
        assert torch.isnan(theirs[0, 1]).all()
        np.testing.assert_array_equal(ours[0, 1], layer.b_o)
        np.testing.assert_allclose(ours[0, 0], theirs[0, 0].detach(), rtol=1e-12)

    def test_stored_program_prints_the_same_today(self, maker, tmp_path, monkeypatch):
        monkeypatch.setattr(maker, "FIXTURES", tmp_path)
        (tmp_path / "readalong_program.py").write_text(
            (FIXTURES / "readalong_program.py").read_text())
        printed = maker.readalong()
        assert printed == json.loads((FIXTURES / "readalong.json").read_text())["printed"]
