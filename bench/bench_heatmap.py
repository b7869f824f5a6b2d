"""The heatmap against its rivals' ways of drawing, in one browser, in one run.

Rivals are written here, small: ``svg`` is BertViz's way (one rect a square and one line a pair,
drawn for every head), ``canvases`` is CircuitsVis's (one canvas chart a head). They only draw and
light a row; ours also mounts its labels, table, legend and summary. Runs alternate A B A B and
medians are compared.

Usage: ``python -m bench.bench_heatmap``.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, sync_playwright

from scripts.setup import find_chromium
from tests.browser.conftest import CHROMIUM_FLAGS, start_server
from tests.browser.heatmap_stand import bundle, write_page
from tests.fixtures.heatmap import payloads

ROOT = Path(__file__).resolve().parent
ROUNDS = 3
FRAME = 8.0  # ms of script for a hover, at the median
FRAME_P95 = 16.0
LONG_TASK = 50.0

# What takes minutes is drawn with fewer heads and multiplied up; it is marked ≈.
SVG_HEADS = 2
CHART_HEADS = 12


def first_draw(page: Page, who: str, heads: int, n: int) -> float:
    """Milliseconds of script, style, layout and paint until two frames later."""
    return page.evaluate("([who, h, n]) => window.bench.draw(who, h, n)", [who, heads, n])


def hover(page: Page, who: str, heads: int, n: int, steps: int = 120) -> dict:
    """Script of each hover, handler and frame together; long tasks meanwhile."""
    return page.evaluate(
        "([who, h, n, s]) => window.bench.hover(who, h, n, s)", [who, heads, n, steps]
    )


def p95(values: list[float]) -> float:
    """The 95th percentile."""
    return sorted(values)[int(0.95 * (len(values) - 1))]


def hover_line(label: str, found: dict) -> bool:
    """Print one line of hover figures; was every goal met?"""
    times, tasks = found["times"], found["tasks"]
    middle, high, longest = median(times), p95(times), max(tasks, default=0)
    print(
        f"  {label:<28} script {middle:6.2f} ms median · {high:6.2f} ms p95 · "
        f"long tasks {len(tasks)} (longest {longest:.0f} ms)"
    )
    return middle <= FRAME and high <= FRAME_P95 and longest <= LONG_TASK


def measure(page: Page) -> bool:
    """Draw and hover everything; print; were the goals met?"""
    met = True
    print("First draw, 96 heads × 128² as small multiples")
    ours, canvases, svg = [], [], []
    for _ in range(ROUNDS):
        ours.append(first_draw(page, "ours", 96, 128))
        canvases.append(first_draw(page, "canvases", CHART_HEADS, 128) * 96 / CHART_HEADS)
        svg.append(first_draw(page, "svg", SVG_HEADS, 128) * 96 / SVG_HEADS)
    mine = median(ours)
    print(f"  {'ours, whole widget':<28} {mine:9.0f} ms")
    for label, theirs in (("≈ canvas a head", canvases), ("≈ SVG rect and line a pair", svg)):
        ratio = mine / median(theirs)
        print(f"  {label:<28} {median(theirs):9.0f} ms   ours is {ratio:.3f} of it")
    met &= mine <= 0.1 * median(svg)

    print("First draw, one head")
    for n in (128, 512, 1024):
        pair = [
            (first_draw(page, "ours", 1, n), first_draw(page, "canvases", 1, n))
            for _ in range(ROUNDS)
        ]
        a, b = (median(values) for values in zip(*pair, strict=True))
        print(f"  {n}²: ours {a:6.0f} ms · canvas chart {b:6.0f} ms · ratio {a / b:.2f}")

    print("Hover")
    idle = hover(page, "nothing", 1, 2)
    hover_line("a page that does nothing", idle)
    if max(idle["tasks"], default=0) > LONG_TASK:
        print("  (the machine is busy: long tasks below are not the widget's alone)")
    for heads, n in ((4, 9), (96, 128), (1, 512), (1, 1024), (16, 512)):
        met &= hover_line(f"ours {heads} × {n}²", hover(page, "ours", heads, n))
    hover_line(f"canvas a head {CHART_HEADS} × 128²", hover(page, "canvases", CHART_HEADS, 128, 10))
    hover_line(f"SVG {SVG_HEADS} × 128²", hover(page, "svg", SVG_HEADS, 128, 10))
    return met


def main() -> None:
    """Run the comparison; say whether the goals of the viewer are met."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        bundle(folder)
        write_page(folder, "bench", {"mapa": payloads.uniform()}, mount=False)
        url, server = start_server(folder)
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=CHROMIUM_FLAGS, headless=True
        )
        page = browser.new_page(viewport={"width": 1280, "height": 900}, bypass_csp=True)
        page.goto(f"{url}/bench.html")
        page.wait_for_function("window.ready")
        page.add_script_tag(path=ROOT / "heatmap_rivals.js")
        met = measure(page)
        sizes = {f.name: f.stat().st_size for f in folder.glob("heatmap.*")}
        print(f"Size, minified: {json.dumps(sizes)}")
        print("Goals met." if met else "GOALS NOT MET.")
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    main()
