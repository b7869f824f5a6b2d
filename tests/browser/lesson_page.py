"""What tests of the lesson page do again and again: find a cell, type in it, run it, read it."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import ROOT

AXE = ROOT / "node_modules/axe-core/axe.min.js"
BOOT = 90_000  # ms: a cold boot of Python on a busy machine


def cell(page: Page, number: int) -> Locator:
    """The region of a cell."""
    return page.get_by_role("region", name=re.compile(rf"^Celda {number}\b"))


def run(page: Page, number: int) -> Locator:
    """Press a cell's Run; return its region."""
    region = cell(page, number)
    region.get_by_role("button", name="Ejecutar", exact=True).click()
    return region


def settled(region: Locator, state: str = "done") -> Locator:
    """Wait until a cell's run has ended in ``state``."""
    expect(region).to_have_attribute("data-state", state, timeout=BOOT)
    return region


def write(region: Locator, source: str) -> None:
    """Type a cell's new source into CodeMirror."""
    region.get_by_role("textbox").click()
    expect(region.locator(".cm-editor")).to_be_visible()
    region.get_by_role("textbox").fill(source)


def source_of(region: Locator) -> str:
    """A cell's text as it stands, whichever editor is there."""
    return region.locator(".cell-editor > pre").text_content()


def output(region: Locator) -> str:
    """What a cell's output area shows."""
    return region.get_by_role("log", name="Salida").inner_text().strip()


def printed(region: Locator) -> list[str]:
    """What a cell printed, and its result; pictures apart."""
    pieces = region.locator(".stream, .result").all_inner_texts()
    return [piece.strip() for piece in pieces if piece.strip()]


def result_of(page: Page, number: int, source: str, state: str = "done") -> str:
    """Type a source, run it, return its output."""
    region = cell(page, number)
    write(region, source)
    settled(run(page, number), state)
    return output(region)


def violations(page: Page, within: str | None = None, rules: list[str] | None = None) -> list[str]:
    """What axe finds in the whole page, or in whatever the selector ``within`` names.

    All its rules are asked, or only ``rules``.
    """
    page.evaluate(AXE.read_text("utf-8"))
    run = """([within, rules]) => axe.run(
      within ?? document, {resultTypes: ['violations'], ...(rules && {runOnly: rules})})"""
    found = page.evaluate(run, [within, rules])["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in found]
