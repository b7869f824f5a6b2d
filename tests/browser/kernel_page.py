"""A page with nothing but the kernel on it, to try what the lesson's own page hides."""

from __future__ import annotations

import json
import subprocess
import threading
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Page

from pyodide_snapshot.node import find_node
from sitegen.runtime import build_runtime
from sitegen.serve import Handler

ROOT = Path(__file__).resolve().parents[2]
BOOT_MS = 60_000  # a cold boot on a busy machine

PAGE = """<!doctype html><html lang="es"><meta charset="utf-8"><title>Kernel</title>
<link rel="icon" href="data:,"><script type="application/json" id="runtime">{manifest}</script>
<p>Prosa que siempre se lee.</p><script type="module" src="page-{build}.js"></script></html>"""

SCRIPT = """
import { Kernel } from './kernel-BUILD.js';
import { offerOffline } from './offline-BUILD.js';
const runtime = JSON.parse(document.getElementById('runtime').textContent);
const asked = new URLSearchParams(location.search);
const recipe = asked.get('recipe') ?? undefined;
const patience = { pauses: [1, 1], ...JSON.parse(asked.get('patience')) }; // no line to be spared
window.open_ = () => {
  const kernel = new Kernel({ workerUrl: 'kernel.worker-BUILD.js', runtime, recipe, patience });
  const events = [];
  for (const type of ['state', 'progress', 'lost', 'notice', 'saved']) {
    kernel.addEventListener(type, ({ detail }) => events.push({ event: type, ...detail }));
  }
  window.kernel = kernel;
  window.events = events;
};
window.start = (source, filename = 'Celda 1 (prueba)', cell = filename) => {
  const output = (window.output = []);
  const states = [];
  const began = performance.now();
  const promise = kernel.run({ cell, filename, source,
    onOutput: (part) => output.push(part), onState: (state) => states.push(state) });
  window.last = promise.then((outcome) => {
    events.push({ event: 'ended' });
    return { ...outcome, whole: outcome.text, output, states,
      text: output.map((part) => part.text).join(''), ms: performance.now() - began };
  });
};
window.build = 'BUILD';
window.offerOffline = offerOffline;
open_();
"""


EINOPS = {
    "name": "einops",
    "version": "0.8.1",
    "sha256": "919387eb55330f5757c6bea9165c5ff5cfe63a642682ea788a6d472576d81737",
}


def write_kernel_site(folder: Path, wheels: tuple = (EINOPS,)) -> Path:
    """Write the page into ``folder``, with the runtime as the sources stand now."""
    manifest = build_runtime(folder, ("mha",), wheels)
    (folder / "runtime.json").write_text(json.dumps(manifest), "utf-8")
    return write_page(folder)


def write_page(folder: Path, build: str = "0" * 10) -> Path:
    """Write the page and its scripts beside a runtime.

    ``build`` stands for the content hash in the scripts' names.
    """
    manifest = (folder / "runtime.json").read_text("utf-8").replace("<", "\\u003c")
    esbuild = ROOT / "node_modules" / "esbuild" / "bin" / "esbuild"
    page, worker = ROOT / "kernel" / "page", ROOT / "kernel" / "worker"
    entries = [page / "kernel.js", page / "offline.js", worker / "kernel.worker.js"]
    named = [f"{path.stem}={path}" for path in entries]
    options = [f"--outdir={folder}", f"--entry-names=[name]-{build}"]
    command = [find_node(), esbuild, *named, "--bundle", "--format=esm", *options]
    subprocess.run([*command, "--log-level=warning"], check=True)
    (folder / "index.html").write_text(PAGE.format(manifest=manifest, build=build), "utf-8")
    (folder / f"page-{build}.js").write_text(SCRIPT.replace("BUILD", build), "utf-8")
    return folder


@dataclass
class KernelPage:
    """What a test says to the kernel on its page."""

    page: Page

    def start(self, source: str, title: str = "Celda 1 (prueba)") -> None:
        """Hand a cell over and return at once."""
        self.page.evaluate("([s, t]) => { start(s, t); }", [source, title])

    def outcome(self) -> dict:
        """Wait for the last cell that was started."""
        return self.page.evaluate(
            "(ms) => Promise.race([last, new Promise((_, no) => setTimeout(() =>"
            " no(new Error(`no outcome; kernel is ${kernel.state}`)), ms))])",
            BOOT_MS,
        )

    def run(self, source: str, title: str = "Celda 1 (prueba)") -> dict:
        """Run a cell to its end."""
        self.start(source, title)
        return self.outcome()

    def keep(self, source: str, title: str = "Celda 1 (prueba)") -> dict:
        """Run a cell and wait until what it made is safe: a slow machine saves it later."""
        outcome = self.run(source, title)
        self.until("events.findLast((e) => /saved|ended/.test(e.event)).event === 'saved'")
        return outcome

    def value(self, source: str) -> str | None:
        """The text of a cell's last expression."""
        outcome = self.run(source)
        assert outcome["status"] == "done", outcome
        return outcome["result"]

    def until(self, condition: str, timeout: int = BOOT_MS) -> None:
        """Wait until a JavaScript expression holds (the page's policy forbids Playwright's way)."""
        self.page.evaluate(
            f"""async (ms) => {{
              const end = performance.now() + ms;
              while (!({condition})) {{
                if (performance.now() > end) throw new Error('never: ' + {condition!r});
                await new Promise((resolve) => setTimeout(resolve, 10));
              }}
            }}""",
            timeout,
        )

    def until_running(self) -> None:
        """Wait until the cell that was started has been handed to Python."""
        self.until("kernel.state === 'running'")

    def until_printed(self, source: str, title: str = "Celda 9 (bucle)") -> None:
        """Start a cell and wait for its first output."""
        self.start(source, title)
        self.until("output.length")

    def enter(self, loop: str, title: str = "Celda 9 (bucle)") -> None:
        """Start a cell that doesn't end, and wait until Python is in it."""
        self.until_printed(f"print('in', flush=True)\n{loop}", title)

    def stop(self) -> dict:
        """Stop; the outcome, once the kernel is idle again."""
        self.page.evaluate("kernel.stop()")
        outcome = self.outcome()
        self.until("kernel.state === 'ready'")
        return outcome

    def stopped(self, loop: str = "while True: pass", title: str = "Celda 9 (bucle)") -> dict:
        """Run a cell that doesn't end, and stop it."""
        self.enter(loop, title)
        return self.stop()

    def empty(self) -> None:
        """An empty namespace, and no event so far."""
        self.page.evaluate("kernel.reset()")
        self.page.evaluate("events.length = 0")

    def events(self, kind: str) -> list[dict]:
        """The kernel's events of one kind so far."""
        return [e for e in self.page.evaluate("events") if e["event"] == kind]


def hasty(url: str, **patience: int) -> str:
    """The page's address, with a kernel that waits less long (see kernel/page/patience.js)."""
    return f"{url}?{urlencode({'patience': json.dumps(patience)})}"


def losing(*parts: str, times: int = 10**6) -> type[Handler]:
    """A line that breaks within the first answers for each of some files, packed or not.

    It breaks after the head: a browser asks again by itself where it has got nothing at all.
    """
    left = dict.fromkeys(parts, times)

    class Losing(Handler):
        def do_GET(self):
            part = next((part for part in parts if part in self.path), None)
            if not left.get(part):
                super().do_GET()
                return
            left[part] -= 1
            self.encoding = "gzip"
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.close_connection = True

        @staticmethod
        def mend():
            left.clear()

    return Losing


def holding(part: str) -> type[Handler]:
    """A line that keeps a file back until it is let go."""

    class Holding(Handler):
        asked = threading.Event()
        free = threading.Event()

        def do_GET(self):
            if part in self.path:
                self.asked.set()
                self.free.wait(BOOT_MS / 1000)
            super().do_GET()

    return Holding
