"""What the heatmap's browser tests share: the stand, a page on it, and how to read the widget."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page

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


class MapPages:
    """Tabs that a module's tests use one after the other: a load is cheap, a profile is not."""

    def __init__(self, context: BrowserContext, origin: str):
        self.context, self.origin = context, origin
        self.tabs: list[tuple[Page, PageLog]] = []
        self.used = self.loads = 0

    def take(self, width: int, scheme: str) -> Page:
        """A tab that this test has not had yet, as if new."""
        if self.used == len(self.tabs):
            page, log = self.context.new_page(), PageLog(self.origin)
            log.watch(page)
            self.tabs.append((page, log))
        page, _ = self.tabs[self.used]
        self.used += 1
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(media="screen", color_scheme=scheme)
        page.mouse.move(0, 0)  # off the maps: a pointer at rest would light a row of the next
        return page

    def load(self, page: Page, url: str, hash: str) -> None:
        """A whole load, never a mere change of the address's end."""
        self.loads += 1
        page.goto(f"{url}?{self.loads}{hash}")
        page.wait_for_function("window.ready")

    def end(self, request) -> None:
        """After a test: what its tabs said; a failure leaves nothing to the next."""
        tabs, self.used = self.tabs[: self.used], 0
        report = getattr(request.node, "report_call", None)
        failed = report is None or report.failed
        said = [line for _, log in tabs for line in log.unexpected() + log.foreign()]
        if failed or said:
            for page, log in tabs:
                keep_evidence(page, log, request.node.nodeid)
                page.close()
            del self.tabs[: len(tabs)]
        for _, log in tabs:
            for record in (log.console, log.errors, log.requests):
                record.clear()
        assert failed or not said, f"console errors, or requests that left the origin: {said}"


@pytest.fixture(scope="module")
def map_pages(browser, stand_server):
    """The module's tabs, in one profile."""
    with browser.new_context(
        locale="es-ES",
        permissions=["clipboard-read", "clipboard-write"],
        accept_downloads=True,
        bypass_csp=True,  # the stand has its script in the page
    ) as context:
        context.set_default_timeout(60_000)
        yield MapPages(context, stand_server[1])


@pytest.fixture
def open_map(map_pages, stand, request):
    """``open_map(payload, …)`` shows one heatmap; a console error fails the test."""

    def open_(payload, name="mapa", width=1280, hash="", scheme="light", **options) -> Page:
        page = map_pages.take(width, scheme)
        map_pages.load(page, stand(name, {name: payload}, **options), hash)
        return page

    yield open_
    map_pages.end(request)


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
