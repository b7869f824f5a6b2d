"""The backward pass is the gradient, and training makes the heads that the lesson shows."""

from itertools import islice

import numpy as np
import pytest

import mha
import training
from training import TwoLayerModel, accuracy, repeated_segments, train, two_token_context


def small_model():
    return TwoLayerModel(vocabulary=7, seq_len=6, d_model=4, num_heads=2, dtype=np.float64)


def small_batch():
    rng = np.random.default_rng(1)
    return repeated_segments(rng, 3, seq_len=6, vocabulary=7, period=(2, 4))


@pytest.fixture(scope="module")
def trained():
    model = TwoLayerModel(rng=0)
    return model, list(train(model, 150, rng=100))


def test_every_gradient_equals_the_slope_of_the_loss():
    model, batch, step = small_model(), small_batch(), 1e-5
    model.loss_and_gradients(*batch)
    exact = model.gradients.copy()
    slopes = np.zeros_like(exact)
    for i in range(exact.size):
        kept = model.parameters[i]
        model.parameters[i] = kept + step
        above, _ = model.loss_and_gradients(*batch)
        model.parameters[i] = kept - step
        below, _ = model.loss_and_gradients(*batch)
        model.parameters[i] = kept
        slopes[i] = (above - below) / (2 * step)
    assert np.abs(slopes - exact).max() <= 1e-7
    assert (exact != 0).mean() > 0.9  # it isn't zero that equals zero


def test_the_loss_is_the_cross_entropy_of_the_counted_positions():
    model, (inputs, targets, counted) = small_model(), small_batch()
    logits, _, _ = model.forward(inputs)
    log_p = logits - np.log(np.exp(logits).sum(axis=-1, keepdims=True))
    expected = -np.mean(
        [log_p[b, i, targets[b, i]] for b, i in zip(*np.nonzero(counted), strict=True)]
    )
    loss, _ = model.loss_and_gradients(inputs, targets, counted)
    assert loss == pytest.approx(expected, abs=1e-10)


def test_each_layer_is_the_attention_of_mha():
    model, (inputs, _, _) = small_model(), small_batch()
    _, last, saved = model.forward(inputs)
    outputs = [saved[1][0], last]
    for layer in range(2):
        x = saved[layer][0]
        output, attn_weights = model.as_mha(layer)(x, causal=True)
        np.testing.assert_allclose(attn_weights, saved[layer][4], atol=1e-14)
        np.testing.assert_allclose(x + output, outputs[layer], atol=1e-13)


def test_adam_takes_the_steps_of_the_paper():
    model = small_model()
    model.parameters[:] = 0
    first = second = expected = 0.0
    for t, gradient in enumerate((2.0, -1.0, 0.5), 1):
        model.gradients[:] = gradient
        model.adam_step(0.1)
        first, second = 0.9 * first + 0.1 * gradient, 0.98 * second + 0.02 * gradient**2
        m, v = first / (1 - 0.9**t), second / (1 - 0.98**t)
        expected -= 0.1 * m / (np.sqrt(v) + 1e-8)
    np.testing.assert_allclose(model.parameters, expected, rtol=1e-12)


def test_training_reaches_95_percent_of_unseen_sequences(trained):
    _, progress = trained
    assert [p["step"] for p in progress] == list(range(1, 151))
    assert np.mean([p["accuracy"] for p in progress[:5]]) < 0.2
    assert np.mean([p["accuracy"] for p in progress[-10:]]) >= 0.95
    assert progress[-1]["loss"] < 0.2 < 2 < progress[0]["loss"]


def test_a_previous_token_head_and_then_an_induction_head_appear(trained):
    model, _ = trained
    inputs = repeated_segments(np.random.default_rng(7), 1)[0][0]
    scores = training.head_scores(model.attn_weights(inputs), inputs)
    assert scores["previous"].shape == scores["induction"].shape == (2, 2)
    assert scores["previous"][0].max() > 0.7
    assert scores["induction"][1].max() > 0.9
    assert scores["induction"][0].max() < 0.5


def test_one_layer_alone_does_not_copy(trained):
    """Without the previous-token head of layer 0, layer 1 finds nothing to copy."""
    model, _ = trained
    inputs, targets, counted = repeated_segments(np.random.default_rng(7), 64)
    kept = model.p["w_o0"].copy()
    model.p["w_o0"][:] = 0
    _, accuracy = model.loss_and_gradients(inputs, targets, counted)
    model.p["w_o0"][:] = kept
    assert accuracy < 0.5


def test_whoever_stops_keeps_what_was_learned_and_can_go_on():
    model = TwoLayerModel(rng=0)
    *_, last = islice(train(model, 150, rng=100), 60)
    assert model.step == 60 and last["step"] == 60
    again = next(train(model, 90, rng=101))
    assert again["step"] == 61
    assert again["loss"] < 2.2


def test_a_head_switched_off_gives_what_the_layer_of_mha_gives_without_it(trained):
    model, _ = trained
    inputs, _, _ = repeated_segments(np.random.default_rng(3), 4)
    before = model.parameters.copy()
    without = model.ablate((0, 1), (1, 0))
    x = model.p["tokens"][inputs] + model.p["positions"]
    for layer, off in ((0, 1), (1, 0)):
        x = x + model.as_mha(layer).ablate(off)(x, causal=True)[0]
    np.testing.assert_allclose(without.forward(inputs)[1], x, atol=1e-5)
    np.testing.assert_array_equal(model.parameters, before)
    np.testing.assert_array_equal(model.ablate().parameters, before)
    with pytest.raises(ValueError, match=r"no hay cabeza \(0, 2\).*de 0 a 1"):
        model.ablate((0, 2))
    with pytest.raises(ValueError, match=r"no hay cabeza \(2, 0\)"):
        model.ablate((2, 0))


def test_a_model_with_heads_switched_off_can_be_trained_on(trained):
    model, _ = trained
    without, step = model.ablate((0, 1)), model.step
    rng = np.random.default_rng(5)
    exam = repeated_segments(rng, 128)
    worse = accuracy(without, exam)
    assert [progress["step"] for progress in train(without, 30, rng=6)][-1] == step + 30
    assert accuracy(without, exam) > worse + 0.02
    assert model.step == step


def test_the_accuracy_is_that_of_the_counted_positions():
    model, batch = small_model(), small_batch()
    _, hits = model.loss_and_gradients(*batch)
    assert accuracy(model, batch) == pytest.approx(hits)


@pytest.mark.parametrize("seed", range(3))
def test_most_of_eight_trained_heads_matter_little_and_a_few_much(seed):
    model = TwoLayerModel(num_heads=4, rng=seed)
    for _ in train(model, 250, rng=100):
        pass
    exam = repeated_segments(np.random.default_rng(9), 256)
    whole = accuracy(model, exam)
    lost = [
        whole - accuracy(model.ablate((layer, head)), exam)
        for layer in range(2)
        for head in range(4)
    ]
    assert whole >= 0.99
    assert sum(points < 0.02 for points in lost) >= 5, lost
    assert max(lost) >= 0.05, lost


def test_the_same_seeds_give_the_same_training():
    runs = [list(train(TwoLayerModel(rng=3), 3, rng=4)) for _ in range(2)]
    assert runs[0] == runs[1]


def test_segments_repeat_with_periods_that_differ_and_count_from_the_second_copy():
    inputs, targets, counted = repeated_segments(np.random.default_rng(0), 64)
    assert inputs.shape == targets.shape == counted.shape == (64, 16)
    np.testing.assert_array_equal(inputs[:, 1:], targets[:, :-1])
    periods = counted.argmax(axis=1)
    assert set(periods) == {4, 5, 6, 7, 8}
    for row, target, period in zip(inputs, targets, periods, strict=True):
        assert len(set(row[:period])) == period
        np.testing.assert_array_equal(target[period - 1 :], row[: 17 - period])


def test_in_the_two_token_task_only_the_pair_tells_what_is_next():
    inputs, targets, counted = two_token_context(np.random.default_rng(0), 64)
    pairs_decide, tokens_decide = [], []
    for row, target, count in zip(inputs, targets, counted, strict=True):
        after_pair, after_token = {}, {}
        for i in range(1, 30):
            after_pair.setdefault((row[i - 1], row[i]), set()).add(target[i])
            after_token.setdefault(row[i], set()).add(target[i])
        pairs_decide.append(all(len(v) == 1 for v in after_pair.values()))
        tokens_decide.append(all(len(v) == 1 for v in after_token.values()))
        seen = [(row[i - 1], row[i]) in zip(row[: i - 1], row[1:i], strict=True)
                for i in range(1, 30) if count[i]]  # fmt: skip
        assert all(seen)  # every counted pair has been seen before
    assert all(pairs_decide)
    assert not any(tokens_decide)


def test_head_scores_tell_perfect_heads_apart():
    inputs = np.array([0, 1, 2, 0, 1, 2])
    previous = np.eye(6, k=-1) + np.diag([1, 0, 0, 0, 0, 0])
    induction = np.eye(6, k=-2) + np.diag([1, 1, 0, 0, 0, 0])  # period 3: look at i − 3 + 1
    scores = training.head_scores(np.stack([previous, induction])[None], inputs)
    assert scores["previous"].tolist() == [[1, 0]]
    assert scores["induction"].tolist() == [[0, 1]]


def test_a_number_of_heads_that_does_not_divide_is_refused_as_mha_does():
    with pytest.raises(ValueError, match="d_model=32 no se divide entre num_heads=3"):
        TwoLayerModel(num_heads=3)
    assert mha.parameter_count(32, 4) == sum(
        TwoLayerModel(num_heads=4).p[f"{name}0"].size for name in ("w_q", "w_k", "w_v", "w_o")
    )


def test_tokens_are_shown_as_letters():
    assert training.letters(np.array([0, 2, 15])) == ["a", "c", "p"]
