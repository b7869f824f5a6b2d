"""The lesson under axe, in each state that a reader can bring it to; light, dark, narrow.

The whole page is looked at as served; after that, the part that changed.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LESSON
from tests.browser.lesson_page import BOOT, cell, run, settled, violations, write

LOOKS = [(1280, "light"), (1280, "dark"), (360, "light"), (360, "dark")]
CELLS = "#una-o-cuatro, #cortar-en-cabezas, .kernel-status"
DRAWS = """import playground
playground.show_lines({'a': ([1, 2], [3, 4])}, title='Línea')
playground.show_matrix([[1, -2], [0.5, 0]], title='Matriz')
playground.show_progress(1, 3, title='pasos')
name = input('¿Cómo te llamas? ')"""


@pytest.fixture
def opened(page, site_url):
    """A way to open the lesson in a given look."""

    def open_lesson(width: int, scheme: str) -> Page:
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        page.goto(f"{site_url}/{LESSON}")
        return page

    return open_lesson


@pytest.mark.parametrize("width, scheme", LOOKS)
def test_as_served(opened, width, scheme):
    page = opened(width, scheme)
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width, scheme", [LOOKS[0], LOOKS[3]])
def test_a_cell_that_runs_that_waits_that_failed_and_that_asks(opened, width, scheme):
    page = opened(width, scheme)
    first, second = cell(page, 1), cell(page, 2)
    write(first, "print('empiezo')\nwhile True: pass")
    run(page, 1)
    run(page, 2)
    expect(first).to_have_attribute("data-state", "running", timeout=BOOT)
    expect(first.get_by_role("log")).to_contain_text("empiezo")
    expect(second).to_have_attribute("data-state", "queued")
    assert violations(page, CELLS) == []
    first.get_by_role("button", name="Detener").click()
    settled(first, "stopped")
    write(first, "for n in range(200_000): print('línea', n)\n1 / 0")
    settled(run(page, 1), "failed")
    first.get_by_text("Traza de Python").click()
    menu = first.get_by_label("Más acciones")
    menu.click()
    assert violations(page, CELLS) == []
    menu.click()
    write(first, DRAWS)
    run(page, 1)
    question = first.get_by_role("textbox", name="¿Cómo te llamas?")
    expect(question).to_be_visible(timeout=BOOT)
    assert violations(page, CELLS) == []
    question.fill("Ana")
    question.press("Enter")
    settled(first)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width, scheme", [LOOKS[0], LOOKS[3]])
def test_completions_a_search_the_menus_and_a_locked_row(opened, width, scheme):
    page = opened(width, scheme)
    first = cell(page, 1)
    write(first, "x = 1\npri")
    box = first.get_by_role("textbox")
    box.press("Control+End")
    box.press("Control+Space")
    expect(first.get_by_role("option").first).to_be_visible(timeout=BOOT)
    assert violations(page, CELLS) == []
    box.press("Escape")
    box.press("Control+f")
    expect(first.locator(".cm-search")).to_be_visible()
    page.locator(".top summary").click()
    assert violations(page, f"{CELLS}, .top") == []
    heatmap = page.locator("#mapa")
    heatmap.get_by_role("button", name="Apagar").click()
    heatmap.get_by_role("button", name="Luis, fila").first.click()
    heatmap.locator(".hm-take summary").click()
    assert violations(page, "#mapa") == []
