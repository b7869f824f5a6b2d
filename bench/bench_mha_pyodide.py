"""`mha` in the browser: time against every known formulation, in real Pyodide, which has no BLAS.

    python -m bench.bench_mha_pyodide

Runs mha_formulations.py in the built site's kernel, self-attention of one sequence, in turn
(A B B A), and prints medians as ratios to the fastest of them all, mha's own included: 1.00 is
the goal, in the first column. A formulation that is within 10 % of it counts as fastest too.
"""

import json
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import CHROMIUM_FLAGS, find_chromium, start_server
from tests.browser.kernel_page import BOOT_MS, KernelPage, write_kernel_site
from tests.browser.test_mha_pyodide import AS_MODULE, run

ROOT = Path(__file__).resolve().parent.parent

SIZES = [(n, d, d // 16 if d < 128 else 8) for n in (32, 64, 128, 256) for d in (64, 128, 256)]
CELL = """
import json
import numpy as np
import mha_formulations as ways

print(json.dumps(ways.compare(({n}, {d}), {h}, np.{dtype}, rounds={rounds}, calls={calls})))
"""


def main() -> None:
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        url, server = start_server(write_kernel_site(Path(folder)))
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_FLAGS)
        page = browser.new_page()
        page.set_default_timeout(BOOT_MS)
        page.goto(url)
        source = (ROOT / "bench" / "mha_formulations.py").read_text("utf-8")
        kernel = KernelPage(page)
        run(kernel, AS_MODULE.format(name="mha_formulations", source=source))
        behind = [line for dtype in ("float64", "float32") for line in table(kernel, dtype)]
        browser.close()
        server.shutdown()
    print(
        f"mha in Pyodide: fastest, within 10 %, at {2 * len(SIZES) - len(behind)} of "
        f"{2 * len(SIZES)} sizes" + (f"; behind at {', '.join(behind)}" if behind else "")
    )


def table(kernel, dtype: str) -> list[str]:
    """Print a line for each size; return the sizes where something is over 10 % faster."""
    behind = []
    for n, d, h in SIZES:
        rounds, calls = (40, 5) if n * d < 10_000 else (9, 1)
        cell = CELL.format(n=n, d=d, h=h, dtype=dtype, rounds=rounds, calls=calls)
        seconds = json.loads(run(kernel, cell))
        best = min(seconds.values())
        print(
            f"mha in Pyodide, {dtype}, n {n:3}, d {d:3}, h {h}: {seconds['mha'] * 1e3:7.2f} ms   "
            + "   ".join(f"{t / best:.2f} {name}" for name, t in seconds.items()),
            flush=True,
        )
        if seconds["mha"] > 1.1 * best:
            behind.append(f"{dtype} n={n} d={d}")
    return behind


if __name__ == "__main__":
    main()
