"""Train in the page: time to 95 % and steps a second, real Chromium and Pyodide against native.

The same code runs in a cell of the built site and in this interpreter, browser–native–browser;
medians are printed. Goal: 95 % of unseen sequences within 6 s in the page.
"""

from __future__ import annotations

import json
import statistics
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import CHROMIUM_FLAGS, LESSON, find_chromium, start_server

ROOT = Path(__file__).resolve().parent.parent

GOAL_SECONDS = 6.0
CELL = """
import json
from time import perf_counter
import training

model, recent = training.TwoLayerModel(rng=SEED), []
start = perf_counter()
for progress in training.train(model, rng=100 + SEED):
    recent = [*recent[-4:], progress["accuracy"]]
    if len(recent) == 5 and sum(recent) / 5 >= 0.95:
        break
print(json.dumps({"steps": model.step, "seconds": perf_counter() - start,
                  "accuracy": sum(recent) / 5}))
"""


def in_page(page: Page, seed: int) -> dict:
    """Run the cell in the page's first cell and read what it printed."""
    cell = page.get_by_role("region", name="Celda 1", exact=False).first
    cell.get_by_role("textbox").fill(CELL.replace("SEED", str(seed)))
    cell.get_by_role("button", name="Ejecutar").first.click()
    printed = cell.get_by_role("log").get_by_text("seconds")
    printed.wait_for(timeout=120_000)
    text = printed.inner_text()
    return json.loads(text[text.index("{") : text.rindex("}") + 1])


def native(seed: int) -> dict:
    """Run the same cell here."""
    out = StringIO()
    with redirect_stdout(out):
        exec(CELL.replace("SEED", str(seed)), {})
    return json.loads(out.getvalue())


def main() -> None:
    url, server = start_server(ROOT / "site")
    pages, here = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=CHROMIUM_FLAGS)
        for seed in (0, 1, 2):
            page = browser.new_page()  # a fresh worker: nothing compiled, nothing cached
            page.goto(f"{url}/{LESSON}")
            pages.append(in_page(page, seed))
            here.append(native(seed))
            page.close()
        browser.close()
    server.shutdown()
    seconds = statistics.median(run["seconds"] for run in pages)
    rate = {
        name: statistics.median(run["steps"] / run["seconds"] for run in runs)
        for name, runs in (("page", pages), ("native", here))
    }
    met = "met" if seconds <= GOAL_SECONDS else "NOT met"
    print(f"training: 95 % after {[run['steps'] for run in pages]} steps, "
          f"{seconds:.2f} s in the page (goal {GOAL_SECONDS:.0f} s: {met})")  # fmt: skip
    print(f"training: {rate['page']:.0f} steps/s in the page, {rate['native']:.0f} native, "
          f"ratio {rate['page'] / rate['native']:.2f}")  # fmt: skip


if __name__ == "__main__":
    main()
