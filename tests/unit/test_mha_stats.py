"""Statistics of a map: what each one is on maps that can be checked by eye."""

import numpy as np
import pytest

import mha
import mha_stats

SELF = np.eye(4)  # every token on itself
UNIFORM = np.full((4, 4), 0.25)
PREVIOUS = np.eye(4, k=-1)
PREVIOUS[0, 0] = 1  # the first has no previous token
SINK = np.zeros((4, 4))
SINK[:, 0] = 1


@pytest.mark.parametrize(("name", "on_self", "uniform", "previous", "sink"), [
    ("normalized_entropy", 0, 1, 0, 0),
    ("mean_offset", 0, 0, -0.75, -1.5),
    ("mean_distance", 0, 1.25, 0.75, 1.5),
    ("diagonal_mass", 1, 0.25, 0.25, 0.25),
    ("previous_mass", 0, 0.25, 1, 1 / 3),
    ("sink_mass", 0.25, 0.25, 0.5, 1),
    ("confidence", 1, 0.25, 1, 1),
])
def test_statistic_of_maps_known_by_eye(name, on_self, uniform, previous, sink):
    maps = np.stack([SELF, UNIFORM, PREVIOUS, SINK])
    found = mha_stats.head_statistics(maps)[name]
    np.testing.assert_allclose(found, [on_self, uniform, previous, sink], atol=1e-15)
    np.testing.assert_array_equal(getattr(mha_stats, name)(maps), found)


def test_one_number_per_head_of_a_real_layer():
    layer = mha.MultiHeadAttention(8, 4, rng=0)
    _, attn_weights = layer(np.random.default_rng(0).normal(size=(2, 5, 8)))
    for name, values in mha_stats.head_statistics(attn_weights).items():
        assert values.shape == (2, 4), name
        assert np.isfinite(values).all(), name


def test_entropy_under_a_mask_is_over_that_of_the_keys_seen():
    mask = mha.causal_mask(4)
    uniform_over_seen = np.tril(np.ones((4, 4))) / np.arange(1, 5)[:, None]
    # the first row sees one key only and counts as 0
    entropy = mha_stats.normalized_entropy(uniform_over_seen, mask=mask)
    np.testing.assert_allclose(entropy, 3 / 4, rtol=1e-14)
    assert mha_stats.normalized_entropy(uniform_over_seen) < 3 / 4


def test_mask_means_what_it_means_to_the_module():
    rng = np.random.default_rng(0)
    mask = np.stack([mha.causal_mask(4), np.zeros((4, 4), bool)])  # (batch, n_q, n_k)
    x = rng.normal(size=(2, 4, 6))
    _, maps = mha.MultiHeadAttention(6, 2, rng=rng)(x, mask=mask)  # as many heads as items
    entropy = mha_stats.head_statistics(maps, mask=mask)["normalized_entropy"]
    for item in (0, 1):
        np.testing.assert_allclose(
            entropy[item], mha_stats.normalized_entropy(maps[item], mask=mask[item]), rtol=1e-12)


def test_map_without_keys_has_no_statistics():
    _, maps = mha.MultiHeadAttention(6, 2, rng=0)(np.ones((4, 6)), np.ones((0, 6)))
    assert all(np.isnan(values).all() for values in mha_stats.head_statistics(maps).values())


def test_rows_that_see_nothing_do_not_count():
    blind = SELF.copy()
    blind[2] = 0
    statistics = mha_stats.head_statistics(blind)
    assert statistics["diagonal_mass"] == 1 and statistics["confidence"] == 1
    assert all(np.isnan(value) for value in mha_stats.head_statistics(np.zeros((3, 3))).values())


def test_offset_mass_averages_over_the_queries_that_have_such_a_token():
    next_token = np.eye(4, k=1)
    next_token[3, 3] = 1
    assert mha_stats.offset_mass(next_token, 1) == 1
    assert np.isnan(mha_stats.offset_mass(next_token, 9))


def test_cross_attention_maps_are_taken_too():
    wide = np.full((2, 3, 5), 0.2)
    assert mha_stats.mean_offset(wide).tolist() == pytest.approx([1.0, 1.0])
    assert mha_stats.normalized_entropy(wide).tolist() == pytest.approx([1.0, 1.0])


def test_a_single_key_has_no_entropy():
    assert mha_stats.normalized_entropy(np.ones((3, 1))) == 0
