"""First result and relaunch of the kernel against plain Pyodide by its documented use.

Both run in Chromium from the same server in the same run, alternating; medians of ROUNDS. Both
get plain files on the local line and gzip on the throttled one.
"""

from __future__ import annotations

import gzip
import json
import shutil
import statistics
import tempfile
import threading
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from pyodide_snapshot.fetch import fetch_wheels, read_lock
from scripts.setup import find_chromium
from sitegen.cache import cache_dir
from sitegen.serve import Handler, make_server
from tests.browser.conftest import CHROMIUM_FLAGS
from tests.browser.kernel_page import ROOT, write_kernel_site

ROUNDS = 5
THROTTLED_ROUNDS = 3
READER = 2_000  # ms of rest before a cell that is stopped: the kernel gets a successor ready
RATE = 20e6 / 8  # bytes per second
LATENCY = 0.020  # seconds
ATTENTION = (
    "import numpy as np\n"
    "x = np.random.default_rng(0).standard_normal((6, 8))\n"
    "s = x @ x.T / 8**.5\nw = np.exp(s - s.max(-1, keepdims=True))\n"
    "(w / w.sum(-1, keepdims=True) @ x).shape"
)
PLAIN_WORKER = """
import { loadPyodide } from './pyodide.mjs';
self.onmessage = async ({ data }) => {
  const pyodide = await loadPyodide();
  await pyodide.loadPackage('numpy');
  self.postMessage(String(pyodide.runPython(data)));
};
"""
PLAIN = """(code) => new Promise((resolve, reject) => {
  const began = performance.now();
  const worker = new Worker('plain/worker.js', { type: 'module' });
  worker.onerror = (event) => reject(new Error(event.message));
  worker.onmessage = () => { worker.terminate(); resolve(performance.now() - began); };
  worker.postMessage(code);
})"""
OURS = """async (code) => {
  const began = performance.now();
  const outcome = await kernel.run({ cell: 'b', filename: 'b', source: code });
  if (outcome.status !== 'done') throw new Error(JSON.stringify(outcome));
  return performance.now() - began;
}"""
RELAUNCH = """async ([code, rest]) => {
  await new Promise((resolve) => setTimeout(resolve, rest));
  const stopped = kernel.run({ cell: 'l', filename: 'l', source: 'while True: pass' });
  await new Promise((resolve) => setTimeout(resolve, 300));
  const began = performance.now();
  kernel.stop();
  await stopped;
  await kernel.run({ cell: 'b', filename: 'b', source: code });
  return performance.now() - began;
}"""
STEADY = """async () => {
  const times = [];
  for (let i = 0; i < 15; i++) {
    const began = performance.now();
    await kernel.run({ cell: 's', filename: 's', source: '1' });
    times.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, 300));  // the snapshot is over by then
  }
  return times.sort((a, b) => a - b)[7];
}"""


class Line:
    """One access line that all the connections of a server share."""

    def __init__(self, rate: float):
        self.rate, self.free, self.lock = rate, 0.0, threading.Lock()

    def wait(self, size: int) -> None:
        """Block for as long as ``size`` bytes occupy the line."""
        with self.lock:
            now = time.monotonic()
            self.free = max(self.free, now) + size / self.rate
            until = self.free
        time.sleep(max(0.0, until - time.monotonic()))


class PlainHandler(Handler):
    """The local line: no compression."""

    def translate_path(self, path):
        self.headers.replace_header("Accept-Encoding", "identity")
        return super().translate_path(path)


def throttled_handler() -> type[Handler]:
    """The throttled line: gzip, 20 Mbit/s, 20 ms."""
    line = Line(RATE)

    class ThrottledHandler(Handler):
        def translate_path(self, path):
            self.headers.replace_header("Accept-Encoding", "gzip")
            time.sleep(LATENCY)
            return super().translate_path(path)

        def copyfile(self, source, outputfile):
            while piece := source.read(16_384):
                line.wait(len(piece))
                outputfile.write(piece)

    return ThrottledHandler


def write_site(folder: Path) -> dict:
    """Our kernel's page and, beside it, plain Pyodide; return the kernel's manifest."""
    write_kernel_site(folder)
    plain = folder / "plain"
    plain.mkdir()
    npm = ROOT / "node_modules" / "pyodide"
    lock = read_lock()
    for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip"):
        shutil.copy(npm / name, plain / name)
    shutil.copy(npm / "pyodide-lock.json", plain)
    wheel = lock["packages"]["numpy"]["file_name"]
    (plain / wheel).write_bytes(fetch_wheels(lock, cache=cache_dir())["numpy"])
    (plain / "worker.js").write_text(PLAIN_WORKER, "utf-8")
    for path in list(plain.iterdir()):
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes(), 9))
    html = (folder / "index.html").read_text("utf-8")
    return json.loads(html.split('id="runtime">')[1].split("</script>")[0])


def first_and_second(browser, url: str, script: str) -> tuple[float, float, object]:
    """First result in a fresh profile, and again from its HTTP cache; the second page is open."""
    context = browser.new_context()
    cold = _measure(context, url, script)
    page = context.new_page()
    page.goto(url)
    warm = page.evaluate(script, ATTENTION)
    return cold, warm, page


def _measure(context, url: str, script: str) -> float:
    page = context.new_page()
    page.goto(url)
    took = page.evaluate(script, ATTENTION)
    page.close()
    return took


def local(browser, folder: Path) -> None:
    """Cold, warm, relaunch, steady, on the local line."""
    server = make_server(folder, 0, PlainHandler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/"
    plain_cold, plain_warm, cold, warm, steady = [], [], [], [], []
    relaunch: dict[int, list[float]] = {0: [], READER: []}
    phases: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        first, second, page = first_and_second(browser, url, PLAIN)
        plain_cold.append(first)
        plain_warm.append(second)
        page.context.close()
        first, second, page = first_and_second(browser, url, OURS)
        cold.append(first)
        warm.append(second)
        marks = page.evaluate("kernel.phases")
        for (_, before), (name, at) in zip(marks, marks[1:], strict=False):
            phases.setdefault(name, []).append(at - before)
        for rest, took in relaunch.items():
            took.append(page.evaluate(RELAUNCH, [ATTENTION, rest]))
        steady.append(page.evaluate(STEADY))
        page.context.close()
    base = statistics.median(plain_cold)
    print(f"  plain Pyodide, cold {base:.0f} ms, warm {statistics.median(plain_warm):.0f} ms")
    _line("first result, cold", cold, base, 0.22)
    _line("first result, warm", warm, statistics.median(plain_warm), 0.20)
    _line("Stop to next result", relaunch[READER], base, 0.08)
    _line("  the same with no rest before", relaunch[0], base, 0.08)
    print(f"  a cell that does nothing: {statistics.median(steady):.1f} ms (goal 10)")
    print("  phases, warm, ms: " + ", ".join(
        f"{name} {statistics.median(times):.0f}" for name, times in phases.items()
    ))  # fmt: skip
    server.shutdown()


def throttled(browser, folder: Path) -> None:
    """Cold, at 20 Mbit/s and 20 ms, gzip."""
    server = make_server(folder, 0, throttled_handler())
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/"
    times: dict[str, list[float]] = {PLAIN: [], OURS: []}
    for _ in range(THROTTLED_ROUNDS):
        for script, took in times.items():
            context = browser.new_context()
            took.append(_measure(context, url, script))
            context.close()
    base = statistics.median(times[PLAIN])
    print(f"  plain Pyodide, cold, throttled {base:.0f} ms")
    _line("first result, cold, throttled", times[OURS], base, 0.40)
    server.shutdown()


def _line(what: str, times: list[float], base: float, goal: float) -> None:
    median = statistics.median(times)
    spread = f"{min(times):.0f}…{max(times):.0f}"
    print(f"  {what}: {median:.0f} ms ({spread}), {median / base:.3f}x of plain (goal {goal})")


def bytes_needed(manifest: dict) -> None:
    """What the first Run brings, against plain Pyodide's own files."""
    files = manifest["files"]
    for kind in ("bytes", "gzip", "brotli"):
        total = sum(files[name][kind] for name in manifest["recipes"]["snapshot"])
        print(f"  first Run, {kind}: {total / 1e6:.2f} MB")


def main() -> None:
    """Print every figure of the kernel."""
    print("kernel: first result against plain Pyodide + NumPy")
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        folder = Path(scratch)
        bytes_needed(write_site(folder))
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=CHROMIUM_FLAGS, headless=True
        )
        local(browser, folder)
        throttled(browser, folder)
        browser.close()


if __name__ == "__main__":
    main()
