"""Hosts, lines, engines and caches that let the kernel down: it goes on, or says what lacks."""

from __future__ import annotations

import gzip
import threading
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

import pytest

from sitegen.serve import Handler
from tests.browser.kernel_page import losing

IPHONE = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1"
)


def handler_with(**headers: str) -> type[Handler]:
    """A host that says more."""

    class Extra(Handler):
        def end_headers(self):
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            super().end_headers()

    return Extra


class Bare(Handler):
    """A host that compresses nothing and says nothing of security or caching."""

    def translate_path(self, path):
        self.headers.replace_header("Accept-Encoding", "identity")
        return super().translate_path(path)

    def send_header(self, keyword, value):
        if keyword not in ("Content-Security-Policy", "Cache-Control", "Referrer-Policy"):
            super().send_header(keyword, value)


def altering(part: str, change, times: int = 1) -> type[Handler]:
    """A host that hands out a wrong body for the first requests of a file."""
    left = [times]

    class Altering(Handler):
        def do_GET(self):
            if part not in self.path or left[0] == 0:
                super().do_GET()
                return
            left[0] -= 1
            file = SimpleHTTPRequestHandler.translate_path(self, self.path)
            body = gzip.compress(change(Path(file).read_bytes()), 1)
            self.encoding = "gzip"
            self.send_response(200)
            self.send_header("Content-Type", self.guess_type(f"{file}.gz"))
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    return Altering


def test_a_line_that_goes_quiet_is_asked_again_and_what_is_missing_is_said(serve, tab):
    over = threading.Event()

    class Quiet(Handler):
        asked = 0

        def copyfile(self, source, outputfile):
            if "/snapshot-" not in self.path or Quiet.asked:
                return super().copyfile(source, outputfile)
            Quiet.asked += 1
            outputfile.write(source.read(100_000))
            outputfile.flush()
            return over.wait(60)

    kernel, log = tab(serve(Quiet))
    kernel.start("6 * 7")
    kernel.until("events.some((e) => e.event === 'progress' && e.waiting.length === 1)")
    assert kernel.events("progress")[-1]["waiting"] == ["snapshot.bin"]
    kernel.until("kernel.state === 'ready'")
    over.set()
    assert kernel.page.evaluate("last")["result"] == "42"
    assert any("nothing for 20 s (attempt 1 of 3)" in line for line in log.console)


def test_no_special_header_is_needed_and_no_request_leaves_the_origin(serve, tab):
    kernel, log = tab(serve(Bare))
    assert kernel.page.evaluate("crossOriginIsolated") is False
    assert kernel.value("import numpy as np, mha; int(np.arange(4).sum())") == "6"
    assert not log.foreign()
    assert not log.errors


def test_a_host_that_compresses_nothing_sends_gz_and_the_worker_inflates(serve, tab):
    kernel, log = tab(serve(Bare))
    assert kernel.value("1 + 1") == "2"
    asked = {url.rsplit(".", 2)[-2] + ".gz" for url in log.requests if url.endswith(".gz")}
    assert {"wasm.gz", "bin.gz"} <= asked
    kernel.page.reload()
    log.requests.clear()
    assert kernel.value("1 + 1") == "2"
    plain = [url for url in log.requests if url.endswith((".wasm", ".bin"))]
    assert all("lesson-rest" in url for url in plain)  # small, and asked for after the first run


def test_a_worker_that_the_host_forbids_is_a_message_in_seconds(serve, tab):
    url = serve(handler_with(Content_Security_Policy="worker-src 'none'"))
    kernel, _ = tab(url)
    outcome = kernel.run("1 + 1")
    assert outcome["kind"] == "internal" and "workers" in outcome["message"]
    assert outcome["ms"] < 20_000
    [state] = [e for e in kernel.events("state") if e["state"] == "failed"]
    assert state["message"] == outcome["message"]
    assert kernel.page.get_by_text("Prosa que siempre se lee.").is_visible()


@pytest.mark.parametrize("name", [".wasm", "/snapshot-", "pyodide.asm.mjs", "/lesson-"])
def test_a_file_lost_once_is_asked_again(serve, tab, name):
    kernel, _ = tab(serve(losing(name, 1)))
    assert kernel.value("6 * 7") == "42"


@pytest.mark.parametrize("name", [".wasm", "/snapshot-", "pyodide.asm.mjs"])
@pytest.mark.parametrize("change", ["cut", "altered"])
def test_a_wrong_file_is_refused_and_asked_again(serve, tab, name, change):
    def wrong(body: bytes) -> bytes:
        middle = len(body) // 2
        if change == "cut":
            return body[:middle]
        return body[:middle] + bytes([body[middle] ^ 1]) + body[middle + 1 :]

    kernel, log = tab(serve(altering(name, wrong)))
    assert kernel.value("6 * 7") == "42"
    assert any("attempt 1 of 3" in line for line in log.console)


def test_a_file_that_stays_lost_is_named_and_a_later_run_succeeds(serve, tab):
    line = losing(".wasm", 10**6)
    kernel, _ = tab(serve(line))
    outcome = kernel.run("6 * 7")
    assert outcome["kind"] == "internal"
    assert "«pyodide.asm.wasm»" in outcome["message"]
    assert kernel.page.evaluate("kernel.state") == "failed"
    line.mend()
    assert kernel.value("6 * 7") == "42"


def test_a_lost_snapshot_is_replaced_by_the_slower_recipe(serve, tab):
    kernel, log = tab(serve(losing("/snapshot-", 99)))
    assert kernel.value("import numpy as np; int(np.arange(4).sum())") == "6"
    assert any("recipe snapshot" in line for line in log.console)


def test_a_function_table_of_another_length_gives_way_to_the_slower_recipe(serve, tab):
    kernel, log = tab(serve())
    kernel.page.evaluate("kernel.runtime.table += 1")  # as if this engine had one slot less
    assert kernel.value("import numpy as np, mha; int(np.arange(4).sum())") == "6"
    assert any("function table" in line for line in log.console)
    assert not log.errors


def test_the_slower_recipe_runs_a_lesson_too(serve, tab):
    kernel, log = tab(serve() + "?recipe=pyc")
    assert kernel.value("import html, mha, numpy.ma; html.escape('<')") == "'&lt;'"
    kernel.run("x = 1")
    kernel.start("while True: pass")
    kernel.until_running()
    kernel.page.evaluate("new Promise((r) => setTimeout(r, 250))")
    outcome = kernel.page.evaluate("kernel.stop(), last")
    assert "«x»" in outcome["message"]
    assert (
        kernel.events("lost")[0]["variables"] == ["x"]
        or "x" in (kernel.events("lost")[0]["variables"])
    )
    assert not log.errors


def test_an_iphone_boots_the_same_snapshot(serve, tab):
    kernel, log = tab(serve(), user_agent=IPHONE)
    assert kernel.value("import numpy as np; float(np.linalg.det(np.eye(3)))") == "1.0"
    assert not [line for line in log.console if "recipe" in line]


def test_random_numbers_differ_from_boot_to_boot(serve, tab):
    source = (
        "import random, numpy as np, uuid, secrets, os\n"
        "[random.random(), np.random.rand(), np.random.default_rng().random(),"
        " str(uuid.uuid4()), secrets.token_hex(4), os.urandom(4).hex()]"
    )
    url = serve()
    draws = [eval(tab(url)[0].value(source)) for _ in range(2)]
    assert not [a for a, b in zip(*draws, strict=True) if a == b]


def test_where_saving_is_slow_it_waits_for_a_rest_and_that_is_said(serve, tab):
    kernel, _ = tab(serve())
    kernel.keep("import numpy as np\nbig = np.ones(13_000_000)")  # 104 MB of a heap of 160 at most
    for number in range(5):
        kernel.keep(f"x = {number}")
    kernel.run("x = 99")
    [notice] = [e for e in kernel.events("notice") if "lento" in e["message"]]
    assert "cuando no haya celdas en cola" in notice["message"]
    kernel.until("events.at(-1).event === 'saved'")
    kernel.start("while True: pass")
    kernel.until_running()
    kernel.stop()
    assert kernel.value("x, big.size") == "(99, 13000000)"


def test_isolation_lets_stop_interrupt_within_the_cell(serve, tab):
    url = serve(
        handler_with(
            Cross_Origin_Opener_Policy="same-origin", Cross_Origin_Embedder_Policy="require-corp"
        )
    )
    kernel, _ = tab(url)
    assert kernel.page.evaluate("crossOriginIsolated")
    kernel.keep("x = 41")
    kernel.start("x = 1\nwhile True: pass")
    kernel.until_running()
    kernel.page.evaluate("new Promise((r) => setTimeout(r, 250))")
    outcome = kernel.stop()
    assert outcome["kind"] == "stopped"
    assert len([e for e in kernel.events("state") if e["state"] == "loading"]) == 1  # no relaunch
    assert kernel.value("x") == "1"
    kernel.start("import time; time.sleep(600)")  # an interrupt may not reach it
    kernel.until_running()
    assert kernel.stop()["idle_ms"] < 4_000
    assert kernel.value("x") == "1"


@pytest.mark.parametrize("host", [Handler, Bare], ids=["with the header", "without any header"])
def test_a_cell_cannot_fetch_elsewhere(serve, tab, host):
    kernel, log = tab(serve(host))
    for source in (
        "from pyodide.http import pyfetch\nawait pyfetch('https://example.org/')",
        "import js\njs.fetch('https://example.org/')\nawait js.fetch('https://example.org/')",
        "import js\nr = js.XMLHttpRequest.new()\nr.open('GET', 'https://example.org/', False)\n"
        "r.send()",
        "import js\njs.WebSocket.new('wss://example.org/')",
        "import urllib.request\nurllib.request.urlopen('https://example.org/')",
    ):
        assert kernel.run(source)["status"] == "failed", source
    assert not [url for url in log.requests if "example.org" in url]


def test_a_cell_cannot_import_javascript_from_elsewhere_where_the_header_is(serve, tab):
    kernel, log = tab(serve())
    source = "from pyodide.code import run_js\nawait run_js('import(`https://example.org/x.js`)')"
    assert kernel.run(source)["status"] == "failed"
    assert not [url for url in log.requests if "example.org" in url]


def test_micropip_installs_what_the_lesson_lists_and_explains_the_rest(serve, tab):
    kernel, log = tab(serve())
    assert (
        kernel.value(
            "import micropip\nawait micropip.install('einops')\nimport einops, numpy as np\n"
            "einops.rearrange(np.zeros((2, 6)), 'n (h d) -> h n d', h=2).shape"
        )
        == "(2, 2, 3)"
    )
    outcome = kernel.run("await micropip.install('torch')")
    assert outcome["status"] == "failed"
    assert "«torch»" in outcome["message"] and "wheels:" in outcome["message"]
    assert not log.foreign()
    kernel.start("while True: pass")
    kernel.until_running()
    kernel.stop()
    assert kernel.value("import einops.layers; einops.__version__") == "'0.8.1'"


def test_a_second_visit_asks_the_network_for_nothing_hashed(serve, tab):
    kernel, _ = tab(serve())
    assert kernel.value("1") == "1"
    kernel.page.reload()
    assert kernel.value("1") == "1"
    sizes = kernel.page.evaluate(
        "performance.getEntriesByType('resource').filter((e) => e.name.includes('/runtime/'))"
        ".map((e) => e.transferSize)"
    )
    assert not any(sizes)


def test_progress_is_told_in_bytes_and_ends_at_the_total(serve, tab):
    kernel, _ = tab(serve())
    kernel.value("1")
    steps = kernel.events("progress")
    assert len(steps) > 3
    loaded = [s["loaded"] for s in steps if s["step"] == "download"]
    assert loaded == sorted(loaded)
    assert steps[-1]["loaded"] == steps[-1]["total"] > 5e6
    assert all(s["loaded"] <= s["total"] for s in steps)
