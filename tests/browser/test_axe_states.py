"""The lesson under axe, in each state that a reader can bring it to; light, dark, narrow.

The whole page is looked at as served; after that, the part that changed.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LESSON
from tests.browser.lesson_page import LOOK_RULES, cell, run, settled, violations, write

pytestmark = pytest.mark.long

WIDE_LIGHT, NARROW_DARK = (1280, "light"), (360, "dark")
CELLS = "#una-o-cuatro, #cortar-en-cabezas, .kernel-status"
DRAWS = """import playground
playground.show_lines({'a': ([1, 2], [3, 4])}, title='Línea')
playground.show_matrix([[1, -2], [0.5, 0]], title='Matriz')
playground.show_progress(1, 3, title='pasos')
name = input('¿Cómo te llamas? ')"""


def look(page: Page, width: int, scheme: str) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)


def clean(page: Page, within: str) -> None:
    """In the two most different looks axe finds nothing, and nothing is too wide."""
    for (width, scheme), rules in ((WIDE_LIGHT, None), (NARROW_DARK, LOOK_RULES)):
        look(page, width, scheme)
        assert violations(page, within, rules) == [], (width, scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (width, scheme)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_as_served(page, site_url, scheme):
    """All rules in the first look; in the other what another width can change."""
    first, other = (1280, 360) if scheme == "light" else (360, 1280)
    look(page, first, scheme)
    page.goto(f"{site_url}/{LESSON}")
    for width, rules in ((first, None), (other, LOOK_RULES)):
        look(page, width, scheme)
        assert violations(page, rules=rules) == [], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_cell_that_runs_that_waits_that_failed_and_that_asks(warm):
    first, second = cell(warm, 1), cell(warm, 2)
    write(first, "print('empiezo')\nwhile True: pass")
    run(warm, 1)
    run(warm, 2)
    expect(first).to_have_attribute("data-state", "running")
    expect(first.get_by_role("log")).to_contain_text("empiezo")
    expect(second).to_have_attribute("data-state", "queued")
    clean(warm, CELLS)
    first.get_by_role("button", name="Detener").click()
    settled(first, "stopped")
    write(first, "for n in range(1_000): print('línea', n)\n1 / 0")
    settled(run(warm, 1), "failed")
    expect(first.get_by_text("se muestra el final")).to_be_visible()
    first.get_by_text("Traza de Python").click()
    menu = first.get_by_label("Más acciones")
    menu.click()
    clean(warm, CELLS)
    menu.click()
    write(first, DRAWS)
    run(warm, 1)
    question = first.get_by_role("textbox", name="¿Cómo te llamas?")
    expect(question).to_be_visible()
    clean(warm, CELLS)
    question.fill("Ana")
    question.press("Enter")
    settled(first)


def test_completions_a_search_the_menus_and_a_locked_row(warm):
    first = cell(warm, 1)
    write(first, "x = 1\npri")
    box = first.get_by_role("textbox")
    box.press("Control+End")
    box.press("Control+Space")
    expect(first.get_by_role("option").first).to_be_visible()
    clean(warm, CELLS)
    box.press("Escape")
    box.press("Control+f")
    expect(first.locator(".cm-search")).to_be_visible()
    warm.locator(".top summary").click()
    clean(warm, f"{CELLS}, .top")
    heatmap = warm.locator("#mapa")
    heatmap.get_by_role("button", name="Apagar").click()
    heatmap.get_by_role("button", name="Luis, fila").first.click()
    heatmap.locator(".hm-take summary").click()
    clean(warm, "#mapa")
