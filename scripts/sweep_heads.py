"""Train the two-token task with h = 1 … 16 heads and several seeds; write py/data/head_sweep.json.

Run by hand (a quarter of an hour): ``python scripts/sweep_heads.py``; runs that the file already
holds are kept, so it can be stopped and gone on with. The lesson shows its result, with its
spread over seeds, as a property of this task and not as a law.
"""

from __future__ import annotations

import argparse
import functools
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

os.environ.setdefault("OMP_NUM_THREADS", "1")  # one core a run: they are many and small
ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "py"))

import numpy as np  # noqa: E402

import training  # noqa: E402

HEADS = (1, 2, 4, 8, 16)
SETTINGS = {
    "vocabulary": 5, "seq_len": 30, "d_model": 32, "batch": 32, "learning_rate": 0.01,
    "steps": 1500, "period": [8, 14],
}  # fmt: skip


def run(num_heads: int, seed: int, settings: dict) -> dict:
    """Train one model; accuracy on 512 unseen sequences, the same for all runs."""
    vocabulary, seq_len = settings["vocabulary"], settings["seq_len"]
    model = training.TwoLayerModel(
        vocabulary, seq_len, settings["d_model"], num_heads, rng=seed
    )
    task = functools.partial(training.two_token_context, period=tuple(settings["period"]))
    progress = training.train(
        model,
        settings["steps"],
        task=task,
        batch=settings["batch"],
        learning_rate=settings["learning_rate"],
        rng=1000 + seed,
    )
    curve = np.array([p["accuracy"] for p in progress])
    unseen = task(np.random.default_rng(7), 512, seq_len=seq_len, vocabulary=vocabulary)
    _, accuracy = model.loss_and_gradients(*unseen)
    smooth = curve.reshape(-1, 25).mean(axis=1)
    reached = np.flatnonzero(smooth >= 0.9)
    return {
        "num_heads": num_heads,
        "seed": seed,
        "accuracy": round(accuracy, 4),
        "steps_to_90": int(25 * (reached[0] + 1)) if len(reached) else None,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=SETTINGS["steps"])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--out", type=Path, default=ROOT / "py/data/head_sweep.json")
    options = parser.parse_args()
    settings = {**SETTINGS, "steps": options.steps}
    runs = []
    if options.out.exists():
        before = json.loads(options.out.read_text(encoding="utf-8"))
        if before["provenance"]["settings"] == settings:
            runs = before["runs"]
    known = {(r["num_heads"], r["seed"]) for r in runs}
    jobs = [(h, s, settings) for s in range(options.seeds) for h in HEADS if (h, s) not in known]
    if not jobs:
        return
    with ProcessPoolExecutor(options.workers) as pool:
        for result in pool.map(run, *zip(*jobs, strict=True)):
            print(result, flush=True)
            runs = sorted([*runs, result], key=lambda r: (r["num_heads"], r["seed"]))
            write(options.out, runs, settings)


def write(path: Path, runs: list[dict], settings: dict) -> None:
    """Write what has been measured so far, with where it comes from."""
    provenance = {
        "script": "scripts/sweep_heads.py",
        "task": "training.two_token_context: only the last two tokens together tell the next",
        "accuracy": "of 512 unseen sequences, where the answer can be known",
        "numpy": np.__version__,
        "settings": settings,
    }
    text = json.dumps({"provenance": provenance, "runs": runs}, indent=1, ensure_ascii=False)
    path.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
