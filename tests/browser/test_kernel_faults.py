"""Hosts, lines, engines and caches that let the kernel down: it goes on, or says what lacks."""

from __future__ import annotations

import gzip
import threading
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

import pytest

from sitegen.serve import Handler
from tests.browser.conftest import serving
from tests.browser.kernel_page import BOOT_MS, hasty, holding, losing

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


def altering(parts, changes) -> type[Handler]:
    """A host that hands out one wrong body after the other for each of some files."""
    left = {part: list(changes) for part in parts}

    class Altering(Handler):
        def do_GET(self):
            part = next((part for part in parts if part in self.path), None)
            if not left.get(part):
                super().do_GET()
                return
            change = left[part].pop(0)
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
            return over.wait(BOOT_MS / 1000)

    kernel, log = tab(hasty(serve(Quiet), stall=1500))
    assert kernel.value("6 * 7") == "42"
    over.set()
    assert ["snapshot.bin"] in [said["waiting"] for said in kernel.events("progress")]
    assert any("nothing for 1.5 s (attempt 1 of 3)" in line for line in log.console)


@pytest.fixture(scope="module")
def bare(kernel_dir, lasting_tab):
    """A page of the plainest host."""
    with serving(kernel_dir) as start:
        yield lasting_tab(start(Bare))


def test_no_special_header_is_needed_and_no_request_leaves_the_origin(bare):
    kernel, log = bare
    assert kernel.page.evaluate("crossOriginIsolated") is False
    assert kernel.value("import numpy as np, mha; int(np.arange(4).sum())") == "6"
    assert not log.foreign()
    assert not log.errors


def test_a_host_that_compresses_nothing_sends_gz_and_the_worker_inflates(bare):
    kernel, log = bare
    assert kernel.value("1 + 1") == "2"
    asked = {url.rsplit(".", 2)[-2] + ".gz" for url in log.requests if url.endswith(".gz")}
    assert {"wasm.gz", "bin.gz"} <= asked
    log.requests.clear()
    kernel.page.reload()
    assert kernel.value("1 + 1") == "2"
    plain = [url for url in log.requests if url.endswith((".wasm", ".bin"))]
    assert all("lesson-rest" in url for url in plain)  # small, and asked for after the first run


def refused(kernel) -> dict:
    """The outcome of a cell whose kernel could not be: the page says so too, and can be read."""
    outcome = kernel.run("1 + 1")
    assert outcome["kind"] == "internal" and "workers" in outcome["message"]
    [state] = [e for e in kernel.events("state") if e["state"] == "failed"]
    assert state["message"] == outcome["message"]
    assert kernel.page.get_by_text("Prosa que siempre se lee.").is_visible()


def test_a_worker_that_the_host_forbids_is_a_message(serve, tab):
    kernel, _ = tab(serve(handler_with(Content_Security_Policy="worker-src 'none'")))
    refused(kernel)


def test_a_worker_that_never_speaks_is_a_message(serve, tab):
    line = holding("/kernel.worker")
    kernel, _ = tab(hasty(serve(line), hello=500))
    refused(kernel)
    line.free.set()


NAMES = {
    ".wasm": "pyodide.asm.wasm",
    "/snapshot-": "snapshot.bin",
    "pyodide.asm.mjs": "pyodide.asm.mjs",
    "/lesson-": "lesson.bin",
}


def told(log, *words: str) -> bool:
    """Whether one line of the console has all these words."""
    return any(all(word in line for word in words) for line in log.console)


def test_every_file_lost_once_is_asked_again(serve, tab):
    kernel, log = tab(serve(losing(*NAMES, times=1)))
    assert kernel.value("6 * 7") == "42"
    for name in NAMES.values():
        assert told(log, name, "attempt 1 of 3"), name
        assert not told(log, name, "attempt 2 of 3"), name


def test_every_wrong_file_is_refused_and_asked_again(serve, tab):
    def shortened(body: bytes) -> bytes:
        return body[: len(body) // 2]

    def altered(body: bytes) -> bytes:
        middle = len(body) // 2
        return body[:middle] + bytes([body[middle] ^ 1]) + body[middle + 1 :]

    kernel, log = tab(serve(altering(NAMES, [shortened, altered])))
    assert kernel.value("6 * 7") == "42"
    for name in NAMES.values():
        assert told(log, name, "cut short", "attempt 1 of 3"), name
        assert told(log, name, "altered: SHA-256", "attempt 2 of 3"), name


def test_a_file_that_stays_lost_is_named_and_a_later_run_succeeds(serve, tab):
    line = losing(".wasm")
    kernel, _ = tab(serve(line))
    outcome = kernel.run("6 * 7")
    assert outcome["kind"] == "internal"
    assert "«pyodide.asm.wasm»" in outcome["message"]
    assert kernel.page.evaluate("kernel.state") == "failed"
    line.mend()
    assert kernel.value("6 * 7") == "42"


def test_an_iphone_boots_the_same_snapshot(tab, kernel_url):
    kernel, log = tab(kernel_url, user_agent=IPHONE)
    assert kernel.value("import numpy as np; float(np.linalg.det(np.eye(3)))") == "1.0"
    assert not [line for line in log.console if "recipe" in line]


@pytest.fixture(scope="module")
def visits(lasting_tab, kernel_url):
    """A first visit and a second one: random draws, progress, bytes on the line."""
    source = (
        "import random, numpy as np, uuid, secrets, os\n"
        "[random.random(), np.random.rand(), np.random.default_rng().random(),"
        " str(uuid.uuid4()), secrets.token_hex(4), os.urandom(4).hex()]"
    )
    kernel, _ = lasting_tab(kernel_url)
    found = []
    for _ in range(2):
        kernel.page.goto(kernel_url)
        draws = eval(kernel.value(source))
        sizes = kernel.page.evaluate(
            "performance.getEntriesByType('resource').filter((e) => e.name.includes('/runtime/'))"
            ".map((e) => e.transferSize)"
        )
        found.append({"draws": draws, "progress": kernel.events("progress"), "sizes": sizes})
    return found


def test_random_numbers_differ_from_boot_to_boot(visits):
    draws = [visit["draws"] for visit in visits]
    assert not [a for a, b in zip(*draws, strict=True) if a == b]


def test_a_second_visit_asks_the_network_for_nothing_hashed(visits):
    first, second = (visit["sizes"] for visit in visits)
    assert not any(second), (first, second)


def test_progress_is_told_in_bytes_and_ends_at_the_total(visits):
    steps = visits[0]["progress"]
    assert len(steps) > 3
    loaded = [s["loaded"] for s in steps if s["step"] == "download"]
    assert loaded == sorted(loaded)
    assert steps[-1]["loaded"] == steps[-1]["total"] > 5e6
    assert all(s["loaded"] <= s["total"] for s in steps)


def test_where_saving_is_slow_it_waits_for_a_rest_and_that_is_said(tab, kernel_url):
    kernel, _ = tab(kernel_url)
    kernel.keep("import numpy as np\nbig = np.ones(13_000_000)")  # 104 MB of a heap of 160 at most
    for number in range(5):
        kernel.keep(f"x = {number}")
    kernel.run("x = 99")
    [notice] = [e for e in kernel.events("notice") if "lento" in e["message"]]
    assert "cuando no haya celdas en cola" in notice["message"]
    kernel.until("events.at(-1).event === 'saved'")
    kernel.stopped()
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
    assert kernel.stopped("x = 1\nwhile True: pass")["kind"] == "stopped"
    assert len([e for e in kernel.events("state") if e["state"] == "loading"]) == 1  # no relaunch
    assert kernel.value("x") == "1"
    kernel.stopped("import time; time.sleep(600)")  # an interrupt may not reach it
    assert kernel.value("x") == "1"


@pytest.mark.parametrize("host", ["shared", "bare"], ids=["with the header", "without any header"])
def test_a_cell_cannot_fetch_elsewhere(request, host):
    kernel, log = request.getfixturevalue(host)
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


def test_a_cell_cannot_import_javascript_from_elsewhere_where_the_header_is(kernel, shared):
    source = "from pyodide.code import run_js\nawait run_js('import(`https://example.org/x.js`)')"
    assert kernel.run(source)["status"] == "failed"
    assert not [url for url in shared[1].requests if "example.org" in url]


def test_micropip_installs_what_the_lesson_lists_and_explains_the_rest(tab, kernel_url):
    kernel, log = tab(kernel_url)
    installed = kernel.keep(
        "import micropip\nawait micropip.install('einops')\nimport einops, numpy as np\n"
        "einops.rearrange(np.zeros((2, 6)), 'n (h d) -> h n d', h=2).shape"
    )
    assert installed["result"] == "(2, 2, 3)"
    outcome = kernel.run("await micropip.install('torch')")
    assert outcome["status"] == "failed"
    assert "«torch»" in outcome["message"] and "wheels:" in outcome["message"]
    assert not log.foreign()
    kernel.stopped()
    assert kernel.value("import einops.layers; einops.__version__") == "'0.8.1'"
