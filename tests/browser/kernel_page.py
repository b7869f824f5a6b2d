"""A page with nothing but the kernel on it, to try what the lesson's own page hides."""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from sitegen.runtime import build_runtime
from sitegen.serve import Handler

ROOT = Path(__file__).resolve().parents[2]
BOOT_MS = 60_000  # a cold boot on a busy machine
STATIC = ROOT / "static"

PAGE = """<!doctype html><html lang="es"><meta charset="utf-8"><title>Kernel</title>
<link rel="icon" href="data:,"><script type="application/json" id="runtime">{manifest}</script>
<p>Prosa que siempre se lee.</p><script type="module" src="page-{build}.js"></script></html>"""

SCRIPT = """
import { Kernel } from './kernel-BUILD.js';
import { offerOffline } from './kernel/offline-BUILD.js';
const runtime = JSON.parse(document.getElementById('runtime').textContent);
const recipe = new URLSearchParams(location.search).get('recipe') ?? undefined;
window.open_ = () => {
  const kernel = new Kernel({ workerUrl: 'kernel.worker-BUILD.js', runtime, recipe });
  const events = [];
  for (const type of ['state', 'progress', 'lost', 'notice', 'saved']) {
    kernel.addEventListener(type, ({ detail }) => events.push({ event: type, ...detail }));
  }
  window.kernel = kernel;
  window.events = events;
};
window.start = (source, title = 'Celda 1 (prueba)', cell = title) => {
  const output = [];
  const states = [];
  const began = performance.now();
  const promise = kernel.run({ cell, title, source,
    onOutput: (part) => output.push(part), onState: (state) => states.push(state) });
  window.last = promise.then((outcome) => ({ ...outcome, whole: outcome.text, output, states,
    text: output.map((part) => part.text).join(''), ms: performance.now() - began }));
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


def write_kernel_site(folder: Path, wheels: tuple = (EINOPS,), build: str = "0" * 10) -> Path:
    """Write the page into ``folder``, with the runtime as the sources stand now.

    ``build`` stands for the content hash in the scripts' names.
    """
    manifest = json.dumps(build_runtime(folder, ("mha",), wheels)).replace("<", "\\u003c")
    esbuild = ROOT / "node_modules" / "esbuild" / "bin" / "esbuild"
    entries = [STATIC / "kernel.js", STATIC / "kernel.worker.js", STATIC / "kernel" / "offline.js"]
    options = [f"--outdir={folder}", f"--outbase={STATIC}", f"--entry-names=[dir]/[name]-{build}"]
    command = ["node", esbuild, *entries, "--bundle", "--format=esm", *options]
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
        self.page.evaluate("events.splice(0, 1e6, ...events.filter((e) => e.event !== 'saved'))")
        outcome = self.run(source, title)
        self.until("events.some((e) => e.event === 'saved')")
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
        """Wait until the cell that was started runs."""
        self.until("kernel.state === 'running'")

    def until_printed(self, source: str) -> None:
        """Start a cell and wait for its first output."""
        self.page.evaluate(
            "(s) => { window.printed = false; const p = kernel.run({cell: 'x', title: 'Celda 9',"
            " source: s, onOutput: () => { printed = true; }});"
            " window.last = p.then((o) => ({...o, at: performance.now()})); }",
            source,
        )
        self.until("window.printed")

    def stop(self) -> dict:
        """Stop; the outcome, with how long the kernel took to be idle again, in ``idle_ms``."""
        return self.page.evaluate(
            """async () => {
              const began = performance.now();
              kernel.stop();
              const outcome = await last;
              const stopped_ms = performance.now() - began;
              while (kernel.state !== 'ready') await new Promise((r) => setTimeout(r, 5));
              return { ...outcome, stopped_ms, idle_ms: performance.now() - began };
            }"""
        )

    def events(self, kind: str) -> list[dict]:
        """The kernel's events of one kind so far."""
        return [e for e in self.page.evaluate("events") if e["event"] == kind]


def losing(part: str, times: int) -> type[Handler]:
    """A line that breaks on the first requests for a file, packed or not."""
    left = [times]

    class Losing(Handler):
        def do_GET(self):
            if part not in self.path or left[0] == 0:
                super().do_GET()
                return
            left[0] -= 1
            self.close_connection = True

        @staticmethod
        def mend():
            left[0] = 0

    return Losing
