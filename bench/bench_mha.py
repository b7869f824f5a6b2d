"""`mha` natively, in float32: time against torch's CPU and against a loop over heads.

    python -m bench.bench_mha

Each line is a ratio of medians, ours / theirs, timed in turn (A B A B) in one process, with one
thread and with two. torch is a rival only where this interpreter has it: `make test-torch`
installs it. Goals: at most 1.3 of torch's time, at most 0.8 of the loop's. In brackets, what is
left to gain: ours over the matrix products and exp alone, and these over the loop.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHAPES = (((1, 128, 512), 8, 61), ((8, 256, 512), 8, 9), ((1, 1024, 768), 12, 9))
LOOP = "loop over heads"
FLOOR = "products and exp alone"


def main() -> None:
    for threads in (1, 2):  # BLAS reads its thread count once, as it loads: a process for each
        count = str(threads)
        env = os.environ | {"OPENBLAS_NUM_THREADS": count, "OMP_NUM_THREADS": count}
        subprocess.run([sys.executable, "-m", "bench.bench_mha", count], cwd=ROOT, env=env,
                       check=True)


def measure(threads: int) -> None:
    """Print the ratios for every shape; BLAS has its threads already."""
    sys.path[:0] = [str(ROOT), str(ROOT / "py")]
    import numpy as np

    from bench import mha_formulations as ways

    try:
        import torch
        torch.set_num_threads(threads)
        torch.set_grad_enabled(False)
    except ImportError:
        torch = None
        print("mha: no torch in this interpreter, so no ratio to it (make test-torch installs it)")

    for shape, num_heads, rounds in SHAPES:
        x, weights, layer = ways.make(shape, num_heads, np.float32)
        runs = {"mha": lambda: layer(x),  # noqa: B023  (run within the turn)
                LOOP: lambda: ways.loop(x, weights, num_heads)}  # noqa: B023
        floor = {FLOOR: lambda: ways.products_and_exp(x / 4, weights, num_heads)}  # noqa: B023
        if torch is not None:
            runs["torch"] = torch_run(torch, layer, x)
        for name, run in runs.items():
            theirs = run()[0]
            assert np.allclose(np.asarray(theirs), layer(x)[0], atol=1e-4), name
        seconds = ways.race(runs | floor, rounds)
        ratios = "   ".join(f"{seconds['mha'] / seconds[name]:.2f} of {name}"
                            for name in ("torch", LOOP) if name in runs)
        batch, n, d = shape
        print(f"mha: batch {batch}, n {n:4}, d {d}, h {num_heads:2}, {threads} thread(s): "
              f"{seconds['mha'] * 1e3:6.1f} ms   {ratios}   "
              f"({seconds['mha'] / seconds[FLOOR]:.2f} of {FLOOR}, "
              f"which is {seconds[FLOOR] / seconds[LOOP]:.2f} of the loop)", flush=True)


def torch_run(torch, layer, x):
    """nn.MultiheadAttention with the same weights, giving one map per head as we do."""
    module = torch.nn.MultiheadAttention(x.shape[-1], layer.num_heads, bias=False,
                                         batch_first=True).eval()
    module.load_state_dict({n: torch.from_numpy(a) for n, a in layer.to_torch_state().items()})
    tokens = torch.from_numpy(x)
    return lambda: module(tokens, tokens, tokens, need_weights=True, average_attn_weights=False)


if __name__ == "__main__":
    measure(int(sys.argv[1])) if len(sys.argv) > 1 else main()
