"""The heatmap on the lesson's own page: links into it, and the reader's own sentence."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser.conftest import LESSON
from tests.browser.lesson_page import BOOT


def viewer(page):
    """The first heatmap that takes the reader's sentence."""
    return page.locator(".heatmap", has=page.get_by_role("textbox", name="Tu frase")).first


def test_an_address_opens_the_lesson_at_a_section_or_at_a_head_and_row(page, site_url):
    heads = viewer(page).get_by_role("radiogroup", name="Cabeza").get_by_role("radio")
    page.goto(f"{site_url}/{LESSON}#construir")
    expect(page.locator("#construir")).to_be_in_viewport()
    expect(heads.nth(0)).to_be_checked()
    name = viewer(page).get_attribute("data-heatmap")
    page.goto("about:blank")  # else only the address's end would change
    page.goto(f"{site_url}/{LESSON}#mapa={name}&cabeza=2&fila=8")
    expect(heads.nth(1)).to_be_checked()
    expect(viewer(page).locator("[aria-live=polite]")).to_contain_text(
        "cabeza 2: «estaban» atiende"
    )
    expect(viewer(page)).to_be_in_viewport()


def test_the_readers_own_sentence_is_drawn_by_the_cell(page, site_url):
    page.goto(f"{site_url}/{LESSON}")
    field = viewer(page).get_by_role("textbox", name="Tu frase")
    field.fill("Los niños vieron a Ana")
    viewer(page).get_by_role("button", name="Dibujar").click()
    row = viewer(page).get_by_role("button", name=re.compile("^vieron")).first
    expect(row).to_be_visible(timeout=BOOT)
    row.hover()
    live = viewer(page).locator("[aria-live=polite]")
    expect(live).to_contain_text("«vieron» atiende")
