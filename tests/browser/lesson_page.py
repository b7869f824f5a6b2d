"""What tests of the lesson page do again and again: find a cell, type in it, run it, read it."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

AXE = Path(__file__).resolve().parents[2] / "node_modules/axe-core/axe.min.js"
LOOK_RULES = [  # of axe's: what another width or colour scheme may change
    "color-contrast",
    "link-in-text-block",
    "target-size",
    "scrollable-region-focusable",
]
BOOT = 90_000  # ms: a cold boot of Python on a busy machine


AS_SERVED = """() => {
  const all = (selector) => document.querySelectorAll(selector);
  for (const reset of all('.cell.is-edited [data-action=reset]')) reset.click();
  for (const offer of all('.cell-offer')) offer.remove();
  for (const cell of all('.cell')) cell.dataset.state = 'idle';
  document.activeElement.blur();
}"""
TIME_PASSES = "ms => { const now = Date.now; Date.now = () => now() + ms; }"


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


def as_served(page: Page) -> None:
    """Undo all edits and call every cell idle; outputs and variables stay."""
    page.evaluate(AS_SERVED)


def restart(page: Page) -> None:
    """Start Python again by the menu: no variables, no cell has run."""
    said = page.locator(".kernel-text")
    said.evaluate("node => { node.textContent = ''; }")  # of an earlier restart
    page.locator(".top").get_by_text("Más").click()
    page.get_by_role("button", name="Reiniciar Python").click()
    expect(said).to_have_text(re.compile("empieza de nuevo"))


def time_passes(page: Page, ms: int) -> None:
    """Set the page's clock ahead, as if a reader had taken that long; nobody waits."""
    page.evaluate(TIME_PASSES, ms)


def violations(page: Page, within: str | None = None, rules: list[str] | None = None) -> list[str]:
    """What axe finds in the whole page, or in whatever the selector ``within`` names.

    All its rules are asked, or only ``rules``.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text("utf-8"))
    run = """([within, rules]) => axe.run(
      within ?? document, {resultTypes: ['violations'], ...(rules && {runOnly: rules})})"""
    found = page.evaluate(run, [within, rules])["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in found]
