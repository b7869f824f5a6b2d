"""What the tests of exercises, gallery and heads share: two kinds of page, finding, checking.

`reader` is the lesson without Python, for whatever needs none; `runner` is the lesson with Python
running, one page for a module, made as good as new before each test.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from sitegen.directive import Directive
from sitegen.directives.exercise import Exercise
from sitegen.lesson import read_lesson
from tests.browser.conftest import LESSON, ROOT, PageLog, judge

BOOT = 90_000  # ms: a cold boot of Python on a busy machine
SOURCE = read_lesson(ROOT / "lesson/31_multihead.md")
EXERCISES = [d for d in SOURCE.directives if isinstance(d, Exercise)]
BUGS = [d for d in SOURCE.directives if d.kind == "bug"]
CUT = "corta-en-cabezas"
LOOK = {"viewport": {"width": 1280, "height": 900}, "locale": "es-ES"}


@pytest.fixture
def quiet(browser, page_log, request) -> Page:
    """An empty tab in a fresh profile that neither fetches Python nor keeps a copy of the site."""
    context = browser.new_context(**LOOK, service_workers="block")
    context.route("**/runtime/**", lambda route: route.abort())
    page_log.allow_errors("net::ERR_FAILED")  # a click may warm Python up: nothing comes
    page = context.new_page()
    page_log.watch(page)
    yield page
    judge(page, page_log, request.node)
    context.close()


@pytest.fixture
def reader(quiet, site_url) -> Page:
    """The lesson, loaded, for what needs no Python."""
    quiet.goto(f"{site_url}/{LESSON}")
    return quiet


@pytest.fixture(scope="module")
def running(browser, site_url) -> tuple[Page, PageLog]:
    """The module's page, whose Python goes on running from test to test, and its record."""
    context = browser.new_context(**LOOK)
    page, log = context.new_page(), PageLog(site_url)
    log.watch(page)
    page.goto(f"{site_url}/{LESSON}")
    yield page, log
    context.close()


AS_NEW = """() => {
  localStorage.clear();
  dispatchEvent(new StorageEvent('storage', { key: null })); // as when another tab clears it
  document.querySelector('.top [data-action="restore-all"]').click();
}"""


@pytest.fixture
def runner(running, request) -> Page:
    """The lesson with nothing solved and no cell edited; Python's variables stay."""
    page, log = running
    page.set_viewport_size(LOOK["viewport"])
    page.emulate_media(color_scheme="light")
    page.evaluate(AS_NEW)
    log.forget()
    yield page
    judge(page, log, request.node)
    if not request.node.report_call.passed:
        address = page.url  # whatever still runs there ends; a reload would keep what was chosen
        page.goto("about:blank")
        page.goto(address)


def exercise(page: Page, name: str = CUT) -> Locator:
    return page.locator(f"section.exercise#{name}")


def write(region: Locator, source: str) -> None:
    """Type an answer, in whichever editor is there."""
    region.get_by_role("textbox").click()
    expect(region.locator(".cm-editor")).to_be_visible()
    region.get_by_role("textbox").fill(source)


def check(region: Locator, state: str) -> str:
    """Press Comprobar, wait for a verdict, return what it says."""
    region.get_by_role("button", name="Comprobar").click()
    result = region.locator(".exercise-result")
    expect(region.get_by_role("button", name="Comprobar")).to_be_visible(timeout=BOOT)
    expect(result).to_have_attribute("data-state", state, timeout=BOOT)
    return result.inner_text()


def solution(name: str) -> str:
    return next(e.solution.code for e in EXERCISES if e.name == name)


def bug(page: Page, name: str) -> Locator:
    return page.locator(f"section.bug[data-bug={name}]")


def choose_bug(page: Page, record: Directive) -> Locator:
    page.get_by_role("group", name="Elige un error").get_by_label(record.options["title"]).check()
    return bug(page, record.name)
