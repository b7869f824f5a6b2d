"""The hand-made heads do what the lesson says they do, through `mha` alone."""

import numpy as np
import pytest

import hand_made_heads
import mha
import playground
from playground import SENTENCES, embed, reslice, tokenize


@pytest.fixture
def attention():
    return playground.hand_made_heads()


def attend(attention, sentence):
    tokens = tokenize(SENTENCES.get(sentence, sentence))
    return tokens, attention(embed(tokens))[1]


def looks_at(tokens, attn_weights, token):
    """Token with the largest weight in the row of ``token``."""
    return tokens[attn_weights[tokens.index(token)].argmax()]


def test_every_row_of_the_first_three_heads_is_decided(attention):
    _, attn_weights = attend(attention, "cansado")
    least = attn_weights[:3, 1:].max(axis=-1).min(axis=-1)
    np.testing.assert_allclose(least, [0.99, 1.00, 1.00], atol=0.005)


def test_head_0_looks_at_the_token_before(attention):
    _, attn_weights = attend(attention, "cansado")
    assert attn_weights[0, 1:].argmax(axis=-1).tolist() == list(range(8))


@pytest.mark.parametrize(
    ("sentence", "verb", "adjective", "antecedent"),
    [("cansado", "estaba", "cansado", "Luis"), ("cansadas", "estaban", "cansadas", "niñas")],
)
def test_number_and_gender_alone_move_subject_and_antecedent(
    attention, sentence, verb, adjective, antecedent
):
    tokens, attn_weights = attend(attention, sentence)
    assert looks_at(tokens, attn_weights[1], verb) == antecedent
    assert looks_at(tokens, attn_weights[2], adjective) == antecedent
    assert looks_at(tokens, attn_weights[1], "llamaron") == "niñas"


@pytest.mark.parametrize(("adjective", "antecedent"), [("cansada", "Ana"), ("cansado", "Luis")])
def test_an_ambiguous_verb_stays_in_doubt_and_gender_settles_it(attention, adjective, antecedent):
    tokens, attn_weights = attend(attention, f"Ana llamó a Luis porque estaba {adjective}")
    row = attn_weights[1, tokens.index("estaba")]
    np.testing.assert_allclose(row[[1, 4]], [0.5, 0.5], atol=0.005)
    assert looks_at(tokens, attn_weights[2], adjective) == antecedent


def test_one_head_from_the_same_matrices_blurs(attention):
    tokens = tokenize(SENTENCES["ana-cansado"])
    _, attn_weights = reslice(attention, 1)(embed(tokens))
    assert attn_weights.shape == (1, 8, 8)
    assert attn_weights.max(axis=-1).mean() == pytest.approx(0.84, abs=0.005)


@pytest.mark.parametrize("num_heads", [1, 2, 4, 8])
def test_reslicing_keeps_the_matrices_and_their_count(attention, num_heads):
    other = reslice(attention, num_heads)
    assert other.num_heads == num_heads
    for name in ("w_q", "w_k", "w_v", "w_o"):
        np.testing.assert_array_equal(getattr(other, name), getattr(attention, name))
        assert getattr(other, name) is not getattr(attention, name)


def test_turning_the_embedding_and_the_weights_together_changes_no_map(attention):
    x = embed(tokenize(SENTENCES["cansado"]))
    turn, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(32, 32)))
    _, attn_weights = attention(x)
    for name in ("w_q", "w_k", "w_v"):
        setattr(attention, name, turn.T @ getattr(attention, name))
    _, turned = attention(x @ turn)
    np.testing.assert_allclose(turned, attn_weights, atol=1e-13)


def test_no_map_is_written_by_hand(attention):
    tokens, attn_weights = attend(attention, "cansado")
    x = embed(tokens)
    for h in range(4):
        columns = slice(8 * h, 8 * h + 8)
        scores = (x @ attention.w_q[:, columns]) @ (x @ attention.w_k[:, columns]).T / np.sqrt(8)
        np.testing.assert_allclose(attn_weights[h], mha.softmax(scores), atol=1e-12)


def test_a_changed_recipe_a_changed_weight_and_a_changed_feature_move_the_map(attention):
    tokens, before = attend(attention, "cansado")
    following = playground.hand_made_heads({**playground.HEADS, "token anterior": [("pos", 1, 11)]})
    _, after = attend(following, "cansado")
    assert after[0, :-1].argmax(axis=-1).tolist() == list(range(1, 9))
    np.testing.assert_allclose(after[1:], before[1:])
    attention.w_q[:, 8:16] = 0  # head 1 asks nothing: it looks everywhere alike
    np.testing.assert_allclose(attend(attention, "cansado")[1][1], 1 / 9)


def test_a_word_outside_the_table_is_named_with_the_way_in(monkeypatch):
    monkeypatch.setattr(hand_made_heads, "VOCABULARY", dict(hand_made_heads.VOCABULARY))
    tokens = tokenize("La tortuga durmió")
    with pytest.raises(ValueError, match=r'«tortuga».*\n +playground.add_word\("tortuga", sust=1'):
        embed(tokens)
    playground.add_word("tortuga", sust=1, num=-1, gen=1)
    tokens, attn_weights = attend(playground.hand_made_heads(), "La tortuga durmió")
    assert looks_at(tokens, attn_weights[1], "durmió") == "tortuga"


def test_everyday_words_are_in_the_table_with_features_that_agree():
    table = playground.VOCABULARY
    assert len(table) > 800
    kinds = ("sust", "verbo", "det", "adj", "func", "ini")
    for word, features in table.items():
        assert sum(features.get(kind, 0) for kind in kinds) == 1, word
        assert set(features) <= set(playground.FEATURES), word
        assert all(features.get(name, 1) in (-1, 1) for name in ("num", "gen")), word
    assert table["ratones"] == {"sust": 1, "anim": 1, "num": 1, "gen": -1}
    assert table["llamaban"] == {"verbo": 1, "num": 1}
    assert table["felices"] == {"adj": 1, "num": 1}
    tokens, attn_weights = attend(
        playground.hand_made_heads(), "Pedro llamó a sus amigas porque estaban enfermas."
    )
    assert looks_at(tokens, attn_weights[1], "llamó") == "Pedro"
    assert looks_at(tokens, attn_weights[1], "estaban") == "amigas"
    assert looks_at(tokens, attn_weights[2], "enfermas") == "amigas"


def test_an_undeclared_feature_is_refused():
    with pytest.raises(ValueError, match="género.*rasgos: uno, sust"):
        playground.add_word("tortuga", género=1)
    with pytest.raises(ValueError, match="num='plural'"):
        playground.add_word("tortuga", num="plural")


def test_too_long_a_sentence_says_how_many_tokens_fit():
    with pytest.raises(ValueError, match="17 tokens y caben 16"):
        embed(tokenize(" ".join(["y"] * 16)))


def test_a_text_in_place_of_tokens_is_explained():
    with pytest.raises(ValueError, match=r"embed\(tokenize\("):
        embed("Ana durmió")


def test_tokenize_starts_with_the_sink_and_sets_punctuation_apart():
    assert tokenize("¿Ana llamó, sí?") == ["⟨s⟩", "¿", "Ana", "llamó", ",", "sí", "?"]
    assert tokenize("⟨s⟩ llamo\u0301") == ["⟨s⟩", "llam\u00f3"]


@pytest.mark.parametrize(
    ("recipe", "words"),
    [
        ({"a": [("verbo", "color", 1)]}, "color"),
        ({c: [("pos", -1, 1), ("num", "num", 1)] for c in "abcd"}, "«a» usa 9 columnas y d_k = 8"),
        ({c: [("pos", -1, 1)] for c in "abcdefgh"}, "usa 8 columnas"),
    ],
)
def test_a_recipe_that_does_not_fit_says_why(recipe, words):
    with pytest.raises(ValueError, match=words):
        playground.hand_made_heads(recipe)


def test_head_deltas_are_what_the_output_loses_without_that_head(attention):
    x = embed(tokenize(SENTENCES["cansado"]))
    attention.b_v = np.linspace(-1, 1, 32)
    deltas = playground.head_deltas(attention, x)
    whole, _ = attention(x)
    for h in range(4):
        without = reslice(attention, 4)
        without.w_o[8 * h : 8 * h + 8] = 0
        lost = np.linalg.norm(whole - without(x)[0], axis=-1)
        np.testing.assert_allclose(deltas[h], lost, atol=1e-12)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1_048_576, "1\u202f048\u202f576"),
        (1024, "1024"),
        (np.int64(12_288), "12\u202f288"),
        (0.62, "0,62"),
        (-1.5, "−1,50"),
        (-0.001, "0,00"),
        (1_234_567.89, "1\u202f234\u202f567,89"),
        (np.float32(0.5), "0,50"),
        (0, "0"),
        (float("inf"), "∞"),
    ],
)
def test_numbers_are_written_as_spanish_prose_writes_them(value, text):
    assert playground.es(value) == text


def test_the_digits_of_a_number_can_be_chosen():
    assert playground.es(0.5, 0) == "0"
    assert playground.es(2 / 3, 4) == "0,6667"
