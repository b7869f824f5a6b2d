"""What changes with the number of heads and what doesn't: tables from ``mha``'s own counts."""

from __future__ import annotations

import json
from pathlib import Path

import mha

DATA = Path(__file__).resolve().parent / "data"

# Vaswani et al., "Attention Is All You Need" (2017), Table 3, rows (A) and base (h = 8):
# newstest2013, English to German, d_model 512, perplexity per wordpiece.
VASWANI_2017 = (
    {"num_heads": 1, "d_k": 512, "perplexity": 5.29, "bleu": 24.9},
    {"num_heads": 4, "d_k": 128, "perplexity": 5.00, "bleu": 25.5},
    {"num_heads": 8, "d_k": 64, "perplexity": 4.92, "bleu": 25.8},
    {"num_heads": 16, "d_k": 32, "perplexity": 4.91, "bleu": 25.8},
    {"num_heads": 32, "d_k": 16, "perplexity": 5.01, "bleu": 25.4},
)

# As each paper gives them. T5-11B is the exception: h·d_k is 16 times its d_model.
MODELS = (
    {"name": "Transformer base", "d_model": 512, "num_heads": 8, "d_k": 64, "num_layers": 6,
     "source": "Vaswani et al., 2017, tabla 3"},
    {"name": "BERT-base", "d_model": 768, "num_heads": 12, "d_k": 64, "num_layers": 12,
     "source": "Devlin et al., 2019, §3"},
    {"name": "ViT-B/16", "d_model": 768, "num_heads": 12, "d_k": 64, "num_layers": 12,
     "source": "Dosovitskiy et al., 2021, tabla 1"},
    {"name": "Whisper large", "d_model": 1280, "num_heads": 20, "d_k": 64, "num_layers": 32,
     "source": "Radford et al., 2022, tabla 1"},
    {"name": "GPT-3", "d_model": 12288, "num_heads": 96, "d_k": 128, "num_layers": 96,
     "source": "Brown et al., 2020, tabla 2.1"},
    {"name": "T5-11B", "d_model": 1024, "num_heads": 128, "d_k": 128, "num_layers": 24,
     "source": "Raffel et al., 2020, §3.6"},
)  # fmt: skip


def divisors(d_model: int) -> list[int]:
    """Every number of heads that ``d_model`` can be cut into."""
    return [h for h in range(1, d_model + 1) if d_model % h == 0]


def head_table(d_model: int = 512, n: int = 128, heads=None, *, bias: bool = False) -> list[dict]:
    """What one layer of self-attention costs for each number of heads.

    Parameters
    ----------
    d_model : int
    n : int
        Tokens in the sequence.
    heads : iterable of int, optional
        Default: every divisor of d_model.
    bias : bool

    Returns
    -------
    rows : list of dict
        ``num_heads``, ``d_k``, ``parameters``, ``multiply_adds`` (both the same in every row),
        ``stored_weights`` (h·n²) and ``stored_bytes`` (as float32).

    Raises
    ------
    ValueError
        From ``mha``, for an h that doesn't divide d_model.
    """
    rows = []
    for h in divisors(d_model) if heads is None else heads:
        parameters = mha.parameter_count(d_model, h, bias=bias)
        stored = mha.softmax_entries(h, n)
        rows.append({
            "num_heads": h,
            "d_k": d_model // h,
            "parameters": parameters,
            "multiply_adds": mha.multiply_adds(n, d_model, h),
            "stored_weights": stored,
            "stored_bytes": 4 * stored,
        })  # fmt: skip
    return rows


def model_check(model: dict) -> dict:
    """Put a published model through the same counts.

    Parameters
    ----------
    model : dict
        As those of `MODELS`.

    Returns
    -------
    check : dict
        ``inner`` (h·d_k), ``even`` (whether it equals d_model), ``parameters`` (weights of one
        self-attention layer, without biases), ``all_layers`` (times num_layers).
    """
    h, d_k = model["num_heads"], model["d_k"]
    parameters = mha.parameter_count(model["d_model"], h, d_k=d_k, d_v=d_k)
    return {
        "inner": h * d_k,
        "even": h * d_k == model["d_model"],
        "parameters": parameters,
        "all_layers": parameters * model["num_layers"],
    }


def head_sweep() -> dict[int, list[float]]:
    """Accuracy of `training.TwoLayerModel` on `training.two_token_context`, by number of heads.

    Measured once, by ``scripts/sweep_heads.py``; a property of that task, that size and that many
    steps, not a law.

    Returns
    -------
    accuracies : dict from num_heads to one accuracy a seed
    """
    runs = json.loads((DATA / "head_sweep.json").read_text(encoding="utf-8"))["runs"]
    return {
        h: [run["accuracy"] for run in runs if run["num_heads"] == h]
        for h in sorted({run["num_heads"] for run in runs})
    }
