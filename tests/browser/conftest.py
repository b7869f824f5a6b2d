"""Browser fixtures: the built site in real Chromium, and the evidence when a test fails.

Every page records its console, its errors and its requests. At the end of a test that passed, a
console error or a request to another origin fails it, unless the test said so beforehand
(``page_log.allow_errors("part of the text")``).
"""

from __future__ import annotations

import os
import re
import threading
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from scripts.setup import find_chromium, find_headless_shell
from sitegen.serve import Handler, make_server
from tests.browser.engines.engine import Engine
from tests.browser.kernel_page import BOOT_MS, KernelPage, write_kernel_site
from tests.browser.lesson_page import as_served, run, settled

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "test-results"
LESSON = "31_multihead.html"
READER = {"viewport": {"width": 1280, "height": 900}, "locale": "es-ES"}
expect.set_options(timeout=60_000)  # a busy machine is no fault of the page
CHROMIUM_FLAGS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []),
]


def pytest_collection_modifyitems(items):
    """Mark everything in this folder as a browser test."""
    for item in items:
        if Path(item.fspath).is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.browser)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """Let fixtures see whether the test failed; keep what an engine showed when it did."""
    outcome = yield
    report = outcome.get_result()
    setattr(item, f"report_{call.when}", report)
    engine = getattr(item, "funcargs", {}).get("engine")  # there also when a later fixture failed
    if report.failed and isinstance(engine, Engine):
        engine.keep_evidence(evidence_folder(item.nodeid))


@pytest.fixture(scope="session")
def site_dir() -> Path:
    """The built site."""
    site = ROOT / "site"
    assert (site / "index.html").is_file(), "site/ is not built: run `make build`"
    return site


def start_server(site: Path, handler=None) -> tuple[str, object]:
    """Serve ``site`` from a thread; return its address and the server."""
    server = make_server(site, 0, handler) if handler else make_server(site, 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}", server


@pytest.fixture(scope="session")
def site_url(site_dir) -> str:
    """Address of the built site, without a slash at the end."""
    url, server = start_server(site_dir)
    yield url
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def playwright():
    """Playwright, for the whole run."""
    with sync_playwright() as playwright:
        yield playwright


def launch(playwright, executable: str | None) -> Browser:
    """Start a Chromium; None is Playwright's own."""
    return playwright.chromium.launch(
        executable_path=executable, args=CHROMIUM_FLAGS, headless=True
    )


@pytest.fixture(scope="session")
def browser(playwright) -> Browser:
    """Chromium, for the whole run: its headless shell, where there is one."""
    browser = launch(playwright, find_headless_shell() or find_chromium())
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def whole_chromium(playwright) -> Browser:
    """The whole of Chromium, for what its headless shell does otherwise or not at all."""
    browser = launch(playwright, find_chromium())
    yield browser
    browser.close()


@dataclass
class PageLog:
    """What a page said and asked for."""

    origin: str
    console: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    allowed: list[str] = field(default_factory=list)

    def allow_errors(self, *parts: str) -> None:
        """Expect console errors that contain one of ``parts``."""
        self.allowed += parts

    def watch(self, page: Page) -> None:
        """Record from ``page`` on."""

        def on_console(message):
            self.console.append(f"{message.type}: {message.text}")
            if message.type == "error":
                self.errors.append(message.text)

        page.on("console", on_console)
        page.on("pageerror", lambda e: self.errors.append(f"pageerror: {e}"))
        page.on("request", lambda r: self.requests.append(r.url))

    def forget(self) -> None:
        """Start anew, on a page that goes on to another test."""
        for said in (self.console, self.errors, self.requests, self.allowed):
            said.clear()

    def unexpected(self) -> list[str]:
        """Console errors that nobody announced."""
        return [e for e in self.errors if not any(part in e for part in self.allowed)]

    def foreign(self) -> list[str]:
        """Requests that left the site's origin."""
        ours = (self.origin, "data:", "blob:", "about:")
        return [url for url in self.requests if not url.startswith(ours)]


@pytest.fixture
def page_log(site_url) -> PageLog:
    """The record of this test's page."""
    return PageLog(site_url)


@pytest.fixture
def context(browser) -> BrowserContext:
    """A fresh profile: no cache, no storage."""
    context = browser.new_context(**READER)
    yield context
    context.close()


@pytest.fixture
def page(context, page_log, request) -> Page:
    """An empty tab whose console, errors and requests are watched."""
    page = context.new_page()
    page.set_default_timeout(30_000)
    page_log.watch(page)
    yield page
    judge(page, page_log, request.node)


def judge(page: Page, log: PageLog, node: pytest.Item) -> bool:
    """At a test's end: evidence if it failed, else nothing unannounced may have happened."""
    report = getattr(node, "report_call", None)
    passed = report is not None and report.passed
    if report is None or report.failed:
        keep_evidence(page, log, node.nodeid)
    elif passed:
        assert not log.foreign(), f"requests left the origin: {log.foreign()}"
        assert not log.unexpected(), f"console errors: {log.unexpected()}"
    return passed


def evidence_folder(nodeid: str) -> Path:
    """Where the evidence of a failed test goes."""
    folder = RESULTS / re.sub(r"[^\w.-]+", "_", nodeid.split("/")[-1])[:120]
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def keep_evidence(page: Page, log: PageLog, nodeid: str) -> None:
    """Write a screenshot and the console of a failed test to test-results/."""
    folder = evidence_folder(nodeid)
    (folder / "console.txt").write_text("\n".join(log.console + log.errors), "utf-8")
    page.screenshot(path=folder / "page.png", full_page=False, timeout=10_000)


@pytest.fixture
def lesson(page, site_url) -> Page:
    """The lesson, loaded."""
    page.goto(f"{site_url}/{LESSON}")
    return page


@pytest.fixture(scope="session")
def kernel_dir(tmp_path_factory) -> Path:
    """A built page with nothing but the kernel on it."""
    return write_kernel_site(tmp_path_factory.mktemp("kernel"))


@pytest.fixture(scope="session")
def kernel_url(kernel_dir) -> str:
    """Address of the kernel's page on a host without faults."""
    with serving(kernel_dir) as start:
        yield start()


@contextmanager
def serving(folder: Path):
    """Serve a folder by a handler; gives the addresses."""
    servers = []

    def start(handler: type[Handler] = Handler) -> str:
        url, server = start_server(folder, handler)
        servers.append(server)
        return f"{url}/"

    try:
        yield start
    finally:
        for server in servers:
            server.shutdown()
            server.server_close()


@contextmanager
def tabs(browser: Browser):
    """Open addresses, each in a fresh profile; gives the kernel and what its page says."""
    contexts = []

    def open_tab(url: str, **options) -> tuple[KernelPage, PageLog]:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(BOOT_MS)
        log = PageLog(url.split("?")[0].rstrip("/"))
        log.watch(page)
        page.goto(url)
        return KernelPage(page), log

    try:
        yield open_tab
    finally:
        for context in contexts:
            context.close()


@pytest.fixture
def serve(kernel_dir):
    """Serve the kernel's page by a handler; return its address."""
    with serving(kernel_dir) as start:
        yield start


@pytest.fixture
def tab(browser):
    """Open an address in a fresh profile; returns the kernel and what its page said."""
    with tabs(browser) as open_tab:
        yield open_tab


@pytest.fixture(scope="module")
def lasting_tab(browser):
    """The same for a page that several tests of a module share."""
    with tabs(browser) as open_tab:
        yield open_tab


@pytest.fixture(scope="module")
def shared(lasting_tab, kernel_url) -> tuple[KernelPage, PageLog]:
    """One page for those tests of a module that leave the kernel usable."""
    return lasting_tab(kernel_url)


@pytest.fixture
def kernel(shared) -> KernelPage:
    """The shared kernel with an empty namespace."""
    kernel, _ = shared
    kernel.empty()
    return kernel


@pytest.fixture(scope="module")
def warm_tab(browser, site_url) -> tuple[Page, PageLog]:
    """One tab a file with the lesson in it, and what it said; ``warm`` starts Python there."""
    context = browser.new_context(**READER)
    page, log = context.new_page(), PageLog(site_url)
    page.set_default_timeout(30_000)
    log.watch(page)
    yield page, log
    context.close()


@pytest.fixture
def warm(warm_tab, site_url, request) -> Page:
    """The lesson with Python running, cells as served; the namespace is the file's.

    Whoever fails leaves anything behind: the next test gets a new page.
    """
    page, log = warm_tab
    for record in (log.console, log.errors, log.requests, log.allowed):
        record.clear()
    page.set_viewport_size(READER["viewport"])
    if page.url == "about:blank":
        page.goto(f"{site_url}/{LESSON}")
        settled(run(page, 1))
    as_served(page)
    yield page
    if not judge(page, log, request.node):
        page.evaluate("localStorage.clear()")
        page.goto("about:blank")


@pytest.fixture
def quiet(browser, page_log, site_url, request) -> Page:
    """The lesson where Python never comes: a touch of an editor asks for it, and costs nothing.

    No service worker, for what one answers is out of a route's sight.
    """
    context = browser.new_context(**READER, service_workers="block")
    context.route("**/runtime/**", lambda route: None)
    page = context.new_page()
    page.set_default_timeout(30_000)
    page_log.watch(page)
    page.goto(f"{site_url}/{LESSON}")
    yield page
    judge(page, page_log, request.node)
    context.close()
