"""What the heatmap's browser tests share: the stand, a page on it, and how to read the widget."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import PageLog, keep_evidence, start_server
from tests.browser.heatmap_stand import bundle, write_page


@pytest.fixture(scope="session")
def stand_server(tmp_path_factory):
    """A folder with the bundled widget, served; (folder, address)."""
    folder = tmp_path_factory.mktemp("heatmaps")
    bundle(folder)
    url, server = start_server(folder)
    yield folder, url
    server.shutdown()
    server.server_close()


@pytest.fixture
def stand(stand_server):
    """``stand(name, payloads, **options)`` writes a page and returns its address."""
    folder, url = stand_server

    def write(name: str, payloads: dict, **options) -> str:
        write_page(folder, name, payloads, **options)
        return f"{url}/{name}.html"

    return write


@pytest.fixture
def open_map(browser, stand, stand_server, request):
    """``open_map(payload, …)`` shows one heatmap; a console error fails the test."""
    opened: list[tuple[Page, PageLog]] = []

    def open_(payload, name="mapa", width=1280, hash="", scheme="light", **options) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": 900},
            locale="es-ES",
            color_scheme=scheme,
            permissions=["clipboard-read", "clipboard-write"],
            accept_downloads=True,
            bypass_csp=True,  # the stand has its script in the page
        )
        page = context.new_page()
        log = PageLog(stand_server[1])
        log.watch(page)
        opened.append((page, log))
        page.goto(stand(name, {name: payload}, **options) + hash)
        page.wait_for_function("window.ready")
        return page

    yield open_
    report = getattr(request.node, "report_call", None)
    for page, log in opened:
        if report is None or report.failed:
            keep_evidence(page, log, request.node.nodeid)
        page.context.close()
        if report and report.passed:
            assert not log.unexpected(), f"console errors: {log.unexpected()}"
            assert not log.foreign(), f"requests left the origin: {log.foreign()}"


def region(page: Page):
    """The heatmap."""
    return page.get_by_role("region").first


def row(page: Page, index: int):
    """A row's label in the first map."""
    return page.locator(f".hm-rows button[data-index='{index}']").first


def status(page: Page):
    """The live region."""
    return page.locator(".hm-live").first


def lit(page: Page) -> list:
    """What is lit, as [axis, index, locked]; waits for the frame that draws it."""
    return page.evaluate(
        """async () => {
          await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          const label = document.querySelector('.hm-label[data-lit=own]');
          if (!label) return null;
          return [label.closest('.hm-rows') ? 'row' : 'col', Number(label.dataset.index),
            label.getAttribute('aria-pressed') === 'true'];
        }"""
    )
