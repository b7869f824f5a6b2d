"""What a head does, in numbers: statistics of its attention map.

Every function takes `attn_weights` (..., n_q, n_k) and returns (...), one number per map: the
mean over the queries that see something (rows that sum to 1); a map without such a row gives nan.
They describe where a head looks, not why: attention is not an explanation by itself.
"""

import numpy as np

import mha_checks as checks
import mha_inputs as inputs


def normalized_entropy(attn_weights, *, mask=None):
    """Entropy of a row over that of a uniform one, −Σⱼ aⱼ log aⱼ / log n: 0 sharp, 1 uniform.

    n is the number of keys that the row sees: all n_k, or those that `mask` (True = hidden, of
    any shape that a module with such maps takes) leaves. A row that sees one key only has entropy
    0 and counts as 0.
    Entropy of heads: Clark et al. 2019, "What Does BERT Look At?", section 3.3.
    """
    a = _maps(attn_weights)
    entropy = -np.where(a > 0, a * np.log(np.where(a > 0, a, 1)), 0).sum(axis=-1)  # (..., n_q)
    hidden = False if mask is None else inputs.with_head_axis(mask, a.shape, additive=False)
    seen = ~np.broadcast_to(hidden, a.shape)
    most = np.log(np.maximum(seen.sum(axis=-1), 1))
    return _mean(np.where(most > 0, entropy / np.where(most > 0, most, 1), 0), a)


def mean_offset(attn_weights):
    """Σⱼ aᵢⱼ (j − i): how far from itself a token looks; −1 is the previous token.

    Positions count from the start of both sequences. The distance, without the sign, is Vig &
    Belinkov's (2019), "Analyzing the Structure of Attention in a Transformer Language Model".
    """
    a = _maps(attn_weights)
    return _mean((a * _offsets(a)).sum(axis=-1), a)


def mean_distance(attn_weights):
    """Σⱼ aᵢⱼ |j − i|: Vig & Belinkov 2019, the mean distance that attention spans."""
    a = _maps(attn_weights)
    return _mean((a * np.abs(_offsets(a))).sum(axis=-1), a)


def offset_mass(attn_weights, offset):
    """Weight on the token at i + offset, as a mean over the queries that have such a token.

    Clark et al. 2019, section 3.1, measure it for the same (0), previous (−1) and next (+1) token.
    """
    a = _maps(attn_weights)
    offset = checks.integer("offset", offset)
    there = (_offsets(a) == offset).any(axis=-1)  # (n_q,)
    return _mean((a * (_offsets(a) == offset)).sum(axis=-1), a, there)


def diagonal_mass(attn_weights):
    """Weight of a token on itself: `offset_mass` at 0."""
    return offset_mass(attn_weights, 0)


def previous_mass(attn_weights):
    """Weight on the previous token: `offset_mass` at −1.

    The mark of a previous-token head: Olsson et al. 2022, "In-context Learning and Induction
    Heads"; one of the positional heads of Voita et al. 2019.
    """
    return offset_mass(attn_weights, -1)


def sink_mass(attn_weights, key=0):
    """Weight on one key, the first by default, where idle heads rest.

    Xiao et al. 2023, "Efficient Streaming Language Models with Attention Sinks"; Clark et al.
    2019, section 3.2, for BERT's [SEP].
    """
    a = _maps(attn_weights)
    n_k = a.shape[-1]
    if n_k and not -n_k <= checks.integer("key", key) < n_k:
        raise ValueError(f"no hay clave {key}; van de 0 a {n_k - 1}")
    return _mean(a[..., key] if n_k else a.sum(axis=-1), a)


def confidence(attn_weights):
    """Greatest weight of a row: Voita et al. 2019, "Analyzing Multi-Head Self-Attention"."""
    a = _maps(attn_weights)
    return _mean(a.max(axis=-1, initial=0), a)


def head_statistics(attn_weights, *, mask=None):
    """Return every statistic, {name: (...) array}, for maps (..., num_heads, n_q, n_k)."""
    return {
        "normalized_entropy": normalized_entropy(attn_weights, mask=mask),
        "mean_offset": mean_offset(attn_weights),
        "mean_distance": mean_distance(attn_weights),
        "diagonal_mass": diagonal_mass(attn_weights),
        "previous_mass": previous_mass(attn_weights),
        "sink_mass": sink_mass(attn_weights),
        "confidence": confidence(attn_weights),
    }


def _maps(attn_weights):
    a = checks.as_float("attn_weights", attn_weights)
    if a.ndim < 2:
        raise ValueError(f"attn_weights tiene forma {a.shape}; debe ser (..., n_q, n_k)")
    return a


def _offsets(a):
    """Return j − i, (n_q, n_k)."""
    return np.arange(a.shape[-1]) - np.arange(a.shape[-2])[:, None]


def _mean(per_query, a, there=True):
    """Mean over the queries that see some key and for which `there` holds: (..., n_q) → (...)."""
    counts = (a.sum(axis=-1) > 0) & there
    total = counts.sum(axis=-1)
    mean = (per_query * counts).sum(axis=-1) / np.maximum(total, 1)
    return np.where(total > 0, mean, np.nan)
