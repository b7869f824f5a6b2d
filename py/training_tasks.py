"""Sequences to train on: what comes next can be known only by looking back."""

from __future__ import annotations

import numpy as np

Batch = tuple[np.ndarray, np.ndarray, np.ndarray]  # inputs, targets, counted: each (batch, seq_len)


def repeated_segments(
    rng: np.random.Generator,
    batch: int = 16,
    *,
    seq_len: int = 16,
    vocabulary: int = 16,
    period: tuple[int, int] = (4, 8),
) -> Batch:
    """Sequences that repeat a segment of distinct tokens: ``d b k d b k d…``.

    The period is drawn for each sequence, so looking back a fixed distance doesn't solve it:
    one has to find the last time that this token was seen, and copy what came next.

    Returns
    -------
    inputs, targets : (batch, seq_len) ndarray of int
        ``targets[:, i]`` comes after ``inputs[:, i]``.
    counted : (batch, seq_len) ndarray of bool
        Where the target can be known: from the second copy of the segment on.
    """
    periods = rng.integers(period[0], period[1] + 1, size=(batch, 1))
    segments = rng.random((batch, vocabulary)).argsort(axis=1)  # a permutation a sequence
    return _repeat(segments, periods, seq_len, known_from=periods)


def two_token_context(
    rng: np.random.Generator,
    batch: int = 32,
    *,
    seq_len: int = 30,
    vocabulary: int = 5,
    period: tuple[int, int] = (8, 14),
) -> Batch:
    """As `repeated_segments`, but few tokens, that recur: only a pair of them tells what is next.

    No pair occurs twice in a segment, its end joined to its start; single tokens do.
    """
    periods = rng.integers(period[0], period[1] + 1, size=(batch, 1))
    segments = np.zeros((batch, period[1]), int)
    for row, length in zip(segments, periods[:, 0], strict=True):
        row[:length] = _closed_walk(rng, vocabulary, length)
    return _repeat(segments, periods, seq_len, known_from=periods + 1)


def _closed_walk(rng: np.random.Generator, vocabulary: int, length: int) -> np.ndarray:
    """Tokens in a circle in which no pair of neighbours occurs twice, nor a token beside itself."""
    while True:
        walk, used = [int(rng.integers(vocabulary))], set()
        for draw in rng.random(length):
            free = [t for t in range(vocabulary) if t != walk[-1] and (walk[-1], t) not in used]
            if not free:
                break
            used.add((walk[-1], free[int(draw * len(free))]))
            walk.append(free[int(draw * len(free))])
        if len(walk) == length + 1 and walk[-1] == walk[0]:
            return np.array(walk[:-1])


def _repeat(segments, periods, seq_len, known_from) -> Batch:
    position = np.arange(seq_len + 1)
    tokens = np.take_along_axis(segments, position % periods, axis=1)
    return tokens[:, :-1], tokens[:, 1:], position[:-1] >= known_from
