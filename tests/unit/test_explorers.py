"""The explorers' tables: flat where the lesson says flat, rising where it says rising."""

import json

import numpy as np
import pytest

import explorers
import mha
import playground


def test_parameters_and_products_are_flat_and_stored_weights_rise_with_h():
    rows = explorers.head_table(512, n=100)
    assert [row["num_heads"] for row in rows] == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]
    assert all(row["num_heads"] * row["d_k"] == 512 for row in rows)
    assert {row["parameters"] for row in rows} == {1_048_576}
    assert {row["multiply_adds"] for row in rows} == {4 * 100 * 512**2 + 2 * 100**2 * 512}
    assert [row["stored_weights"] for row in rows] == [row["num_heads"] * 10**4 for row in rows]
    assert rows[3]["stored_bytes"] == 320_000


def test_biases_add_as_in_torch():
    assert explorers.head_table(512, heads=[1, 8], bias=True)[1]["parameters"] == 1_050_624


def test_stored_weights_are_those_that_a_map_holds():
    attention = playground.hand_made_heads()
    _, attn_weights = attention(playground.embed(["⟨s⟩", "Ana", "durmió"]))
    (row,) = explorers.head_table(32, n=3, heads=[4])
    assert row["stored_weights"] == attn_weights.size


def test_a_number_of_heads_that_does_not_divide_is_refused():
    with pytest.raises(ValueError, match="d_model=512 no se divide entre num_heads=3"):
        explorers.head_table(512, heads=[3])


def test_vaswani_kept_the_width_and_found_two_best():
    rows = explorers.VASWANI_2017
    assert all(row["num_heads"] * row["d_k"] == 512 for row in rows)
    assert [row["bleu"] for row in rows] == [24.9, 25.5, 25.8, 25.8, 25.4]
    assert [row["perplexity"] for row in rows] == [5.29, 5.00, 4.92, 4.91, 5.01]


def test_the_quadratic_part_is_half_at_twice_the_width():
    projections = mha.parameter_count(64, 8)  # each weight, once a token
    shares = [1 - n * projections / mha.multiply_adds(n, 64, 8) for n in (127, 128, 129)]
    assert shares[0] < shares[1] == 0.5 < shares[2]


def test_gpt_3_has_96_heads_of_128():
    (gpt3,) = (m for m in explorers.MODELS if m["name"] == "GPT-3")
    check = explorers.model_check(gpt3)
    assert (gpt3["num_heads"], gpt3["d_k"], gpt3["d_model"]) == (96, 128, 12_288)
    assert check["even"] and check["parameters"] == 4 * 12_288**2
    assert check["all_layers"] == pytest.approx(58e9, rel=0.01)  # a third of its 175 billion


def test_t5_11b_is_the_one_that_does_not_slice_d_model():
    uneven = [m["name"] for m in explorers.MODELS if not explorers.model_check(m)["even"]]
    assert uneven == ["T5-11B"]
    check = explorers.model_check(explorers.MODELS[-1])
    assert check["parameters"] == 4 * 1024 * 16_384


def test_the_tables_can_be_drawn():
    rows = explorers.head_table(512)
    h = [row["num_heads"] for row in rows]
    playground.show_lines({"h·n²": (h, np.array([row["stored_weights"] for row in rows]))})
    assert len(playground.take_displays()) == 1


def test_the_sweep_has_its_optimum_inside_and_says_how_it_was_made():
    sweep = explorers.head_sweep()
    assert list(sweep) == [1, 2, 4, 8, 16]
    assert all(len(runs) >= 3 for runs in sweep.values())
    mean = {h: np.mean(runs) for h, runs in sweep.items()}
    best = max(mean, key=mean.get)
    assert best in (2, 4, 8)
    assert mean[best] > mean[1] > mean[16]
    record = json.loads((explorers.DATA / "head_sweep.json").read_text(encoding="utf-8"))
    assert record["provenance"]["script"] == "scripts/sweep_heads.py"
    assert record["provenance"]["settings"]["d_model"] == 32
