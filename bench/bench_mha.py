"""`mha` natively, in float32: time against torch's CPU and against a loop over heads.

    python -m bench.bench_mha

Each line is a ratio of medians, ours / theirs, timed in turn (A B B A) in one process, with one
thread and with two. torch is a rival only where this interpreter has it: `make test-torch`
installs it. Goals: at most 1.3 of torch's time, at most 0.8 of the loop's. Beside it, what is
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
    # BLAS reads its thread count once, as it loads, and torch's threads go on spinning for a while
    # after its turn, which slows the others down: a process for each
    for threads in ("1", "2"):
        env = os.environ | {"OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads}
        for rival in ("loop", "torch"):
            subprocess.run([sys.executable, "-m", "bench.bench_mha", threads, rival], cwd=ROOT,
                           env=env, check=True)


def measure(threads: int, rival: str) -> None:
    """Print the ratios to a rival for every shape; BLAS has its threads already."""
    import numpy as np

    from bench import mha_formulations as ways

    torch = None
    if rival == "torch":
        try:
            import torch
        except ImportError:
            print("mha: no torch in this interpreter: no ratio to it (make test-torch installs it)")
            return
        torch.set_num_threads(threads)
        torch.set_grad_enabled(False)

    for shape, num_heads, rounds in SHAPES:
        x, weights, layer = ways.make(shape, num_heads, np.float32)
        small = x / 4  # exp doesn't overflow
        ours = {"mha": lambda: layer(x)}  # noqa: B023  (run within the turn)
        loop = {LOOP: lambda: ways.loop(x, weights, num_heads)}  # noqa: B023
        floor = {FLOOR: lambda: ways.products_and_exp(small, weights, num_heads)}  # noqa: B023
        rivals = loop | floor if torch is None else {"torch": torch_run(torch, layer, x)}
        output = layer(x)[0]
        for name, run in rivals.items():
            assert name == FLOOR or np.allclose(np.asarray(run()[0]), output, atol=1e-4), name
        seconds = ways.race(ours | rivals, rounds)
        report(shape, num_heads, threads, seconds)


def report(shape, num_heads, threads, seconds):
    """Print ours as ratios to the others of a race."""
    ours = seconds["mha"]
    ratios = "   ".join(f"{ours / took:.2f} of {name}" for name, took in seconds.items()
                        if name != "mha")
    if FLOOR in seconds:
        ratios += f", which is {seconds[FLOOR] / seconds[LOOP]:.2f} of the loop"
    batch, n, d = shape
    print(f"mha: batch {batch}, n {n:4}, d {d}, h {num_heads:2}, {threads} thread(s): "
          f"{ours * 1e3:6.1f} ms   {ratios}", flush=True)


def torch_run(torch, layer, x):
    """nn.MultiheadAttention with the same weights, giving one map per head as we do."""
    import mha_torch

    module = torch.nn.MultiheadAttention(x.shape[-1], layer.num_heads, bias=False,
                                         batch_first=True).eval()
    state = mha_torch.to_torch_state(layer)
    module.load_state_dict({name: torch.from_numpy(array) for name, array in state.items()})
    tokens = torch.from_numpy(x)
    return lambda: module(tokens, tokens, tokens, need_weights=True, average_attn_weights=False)


if __name__ == "__main__":
    measure(int(sys.argv[1]), sys.argv[2]) if len(sys.argv) > 1 else main()
