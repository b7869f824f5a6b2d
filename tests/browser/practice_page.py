"""What the tests of exercises, gallery and questions share: finding, writing, checking."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

from sitegen.directive import Directive
from sitegen.directives.exercise import Exercise
from sitegen.lesson import read_lesson
from tests.browser.conftest import ROOT

BOOT = 90_000  # ms: a cold boot of Python on a busy machine
SOURCE = read_lesson(ROOT / "lesson/31_multihead.md")
EXERCISES = [d for d in SOURCE.directives if isinstance(d, Exercise)]
BUGS = [d for d in SOURCE.directives if d.kind == "bug"]
CUT = "corta-en-cabezas"


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
