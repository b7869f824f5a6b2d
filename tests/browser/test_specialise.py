"""Heads that specialise, in the page: the slider, real heads, re-slicing, training."""

from __future__ import annotations

import re
from itertools import product

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import LESSON
from tests.browser.lesson_page import (
    BOOT,
    LOOK_RULES,
    printed,
    settled,
    source_of,
    violations,
    write,
)

pytestmark = pytest.mark.long

pytest_plugins = ["tests.browser.practice_page"]


def named_cell(page: Page, name: str) -> Locator:
    return page.locator(f".cell#{name}")


def press_run(region: Locator) -> Locator:
    region.get_by_role("button", name="Ejecutar", exact=True).click()
    return region


# ------------------------------------------------------------------------- the slider of h


def explorer(page: Page) -> Locator:
    return page.get_by_role("region", name="Explorador: el número de cabezas")


def slide(page: Page, key: str) -> Locator:
    """Press a key on the slider; return the panel that is then seen."""
    slider = explorer(page).get_by_role("slider", name="Número de cabezas")
    slider.press(key)
    return explorer(page).locator(".ex-panel:not([hidden])")


def metric(panel: Locator, name: str) -> int:
    row = panel.locator(".ex-metrics > div", has_text=name)
    return int(re.sub(r"\D", "", row.locator("dd").first.inner_text()))


def test_the_slider_changes_the_width_and_the_maps_and_not_the_cost(reader):
    seen = []
    panel = slide(reader, "Home")
    for _ in range(7):
        expect(panel).to_have_count(1)
        h = int(panel.get_attribute("data-h"))
        assert metric(panel, "anchura") == 512 // h
        assert metric(panel, "pesos de atención") == h * 512**2
        drawn = panel.locator(".ex-shapes svg")
        expect(drawn).to_be_visible()
        said = drawn.get_attribute("aria-label")
        assert f"split ({h}, 512, {512 // h})" in said and f"attn_weights ({h}, 512, 512)" in said
        seen.append((h, metric(panel, "parámetros"), metric(panel, "multiplicaciones")))
        panel = slide(reader, "ArrowRight")
    assert [h for h, _, _ in seen] == [1, 2, 4, 8, 16, 32, 64]
    assert {rest for _, *rest in [(h, (p, m)) for h, p, m in seen] for rest in rest} == {
        (4 * 512**2, 6 * 512**3)
    }


def test_the_slider_says_in_words_where_it_stands_and_marks_the_table(reader):
    slide(reader, "Home")
    panel = slide(reader, "ArrowRight")
    slider = explorer(reader).get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuetext", "2 cabezas de 256 columnas")
    expect(explorer(reader).get_by_role("status")).to_have_text("2 cabezas de 256 columnas")
    expect(panel).to_contain_text("no se midió")
    expect(panel.get_by_role("img", name=re.compile("^BLEU.*no se midió"))).to_be_visible()
    explorer(reader).get_by_text("Todos los números").click()
    current = explorer(reader).locator("tr[aria-current]")
    expect(current).to_have_count(1)
    expect(current).to_contain_text("2")
    expect(slide(reader, "End")).to_contain_text("h = 64")


# --------------------------------------------------------------------- the real model's heads


def view(page: Page) -> Locator:
    return page.get_by_role("region", name="Las cabezas de un modelo de verdad")


def opened(page: Page) -> Locator:
    """The model view with its heads fetched."""
    view(page).get_by_role("button", name="Ver las 144 cabezas").click()
    expect(view(page).locator(".mv-tile")).to_have_count(144)
    return view(page)


def fetched(page_log) -> list[str]:
    return [url for url in page_log.requests if "/cabezas/" in url]


def test_heads_are_fetched_when_asked_for_one_sentence_at_a_time(reader, page_log):
    reader.wait_for_load_state("networkidle")
    view(reader).scroll_into_view_if_needed()
    assert fetched(page_log) == []
    region = opened(reader)
    assert len(fetched(page_log)) == 1 and "maria-ella" in fetched(page_log)[0]
    region.get_by_role("radio", name="Juan llamó a María porque él estaba en casa.").check()
    expect(region.locator(".hm-title")).to_contain_text("Juan llamó a María porque él")
    region.get_by_role("radio", name="María llamó a Juan porque ella estaba en casa.").check()
    expect(region.locator(".hm-title")).to_contain_text("María llamó a Juan porque ella")
    assert len(fetched(page_log)) == 2  # the first is not fetched again
    assert not [url for url in page_log.requests if "/runtime/" in url]


def test_the_pronoun_head_opens_and_follows_gender(reader):
    region = opened(reader)
    chosen = region.locator('.mv-tile[aria-pressed="true"]')
    expect(chosen).to_have_accessible_name("capa 8, cabeza 1: pronombre → su nombre")
    expect(chosen).to_be_focused()
    live = region.locator(".hm-live")
    region.get_by_role("button", name=re.compile("^ella")).first.hover()
    expect(live).to_contain_text("cabeza 1: «ella» atiende 0,49 a «María»")
    region.get_by_role("radio", name="María llamó a Juan porque él estaba en casa.").check()
    row = region.get_by_role("button", name=re.compile("^él")).first
    row.hover()
    expect(live).to_contain_text("0,18 a «Juan»")


def test_arrows_walk_over_the_heads_and_intro_chooses(reader):
    region = opened(reader)
    for key in ("ArrowUp", "ArrowRight", "ArrowRight"):
        reader.keyboard.press(key)
    focused = region.get_by_role("button", name=re.compile("^capa 7, cabeza 3"))
    expect(focused).to_be_focused()
    expect(region.locator('.mv-tile[tabindex="0"]')).to_have_count(1)
    reader.keyboard.press("Enter")
    expect(focused).to_have_attribute("aria-pressed", "true")
    expect(region.locator(".hm-title")).to_have_text(re.compile("^Capa 7 · María"))
    expect(
        region.get_by_role("radiogroup", name="Cabeza").get_by_role("radio").nth(2)
    ).to_be_checked()
    for _ in range(12):
        reader.keyboard.press("ArrowLeft")
    expect(
        region.get_by_role("button", name=re.compile("^capa 7, cabeza 1\\b")).first
    ).to_be_focused()


def test_choosing_a_head_in_the_layers_map_moves_the_mark_in_the_overview(reader):
    region = opened(reader)
    region.get_by_role("radiogroup", name="Cabeza").get_by_role("radio").nth(11).check()
    expect(region.locator('.mv-tile[aria-pressed="true"]')).to_have_attribute("data-place", "7-11")
    expect(region.locator(".mv-chosen")).to_contain_text("Capa 8, cabeza 12")


ALPHA = """canvas => {
  const { width: n } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, n, n);
  const row = (i) => Array.from({ length: n }, (_, j) => data[4 * (i * n + j) + 3]);
  return Array.from({ length: n }, (_, i) => row(i));
}"""


def test_an_overview_tile_is_inked_by_its_weights_and_sinks_are_covered_not_shared_out(reader):
    region = opened(reader)
    canvas = region.locator('.mv-tile[data-place="7-0"] canvas')
    before = canvas.evaluate(ALPHA)
    assert all(sum(row) == 255 for row in before)
    assert before[6][1] == pytest.approx(0.49 * 255, abs=2)  # ella → María
    region.get_by_role("checkbox", name=re.compile("^Tapar <s>")).check()
    after = canvas.evaluate(ALPHA)
    assert all(row[0] == row[-1] == 0 for row in after)
    assert [row[1:-1] for row in after[1:-1]] == [row[1:-1] for row in before[1:-1]]


NO_NETWORK = """() => {
  window.realFetch = window.fetch;
  window.fetch = () => Promise.reject(new TypeError('sin red'));
}"""  # page.route does not see what a service worker answers


def test_a_failed_download_says_so_and_can_be_tried_again(reader):
    reader.evaluate(NO_NETWORK)
    view(reader).get_by_role("button", name="Ver las 144 cabezas").click()
    expect(view(reader).get_by_role("status").first).to_contain_text("No se han podido descargar")
    reader.evaluate("() => { window.fetch = window.realFetch; }")
    opened(reader)
    expect(view(reader).locator(".mv-message")).to_have_text("")


def test_axe_finds_nothing_with_the_heads_open(reader):
    reader.set_viewport_size({"width": 360, "height": 900})
    opened(reader)
    explorer(reader).get_by_text("Todos los números").click()
    for width, scheme in product((360, 1280), ("light", "dark")):
        reader.set_viewport_size({"width": width, "height": 900})
        reader.emulate_media(color_scheme=scheme)
        rules = None if (width, scheme) == (360, "light") else LOOK_RULES
        assert violations(reader, "[data-model-view], [data-explorer], .sweep", rules) == []
        for region in (view(reader), explorer(reader)):
            box = region.bounding_box()
            assert box["x"] >= 0 and box["x"] + box["width"] <= width
            assert region.evaluate("node => node.scrollWidth <= node.clientWidth + 1")


# ------------------------------------------------------------------------------ the cells


def test_the_same_matrices_are_drawn_with_as_many_heads_as_asked(runner):
    region = named_cell(runner, "en-rebanadas")
    heads = region.get_by_role("radiogroup", name="Cabeza").get_by_role("radio")
    expect(heads).to_have_count(2)
    write(region, source_of(region).replace("drawn = 2 ", "drawn = 8 "))
    settled(press_run(region))
    expect(heads).to_have_count(8)


def test_the_readers_multi_head_reproduces_the_real_layer(runner):
    region = named_cell(runner, "cabeza-real")
    assert "iguales a los guardados: True" in printed(region)[0]
    region.get_by_role("button", name="Apagar").click()
    expect(region.locator(".hm-delta").first).to_be_visible()
    write(region, source_of(region).replace('which = "maria-ella"', 'which = "maria-el"'))
    settled(press_run(region))
    expect(region.locator(".stream").first).to_contain_text("él → Juan: 0.18")


def accuracy(region: Locator) -> str:
    """The learning curves in words, as they stand."""
    return region.get_by_role("img", name=re.compile("^Acierto")).get_attribute("aria-label")


COLLECT_PICTURES = """cell => {
  window.pictures = new Set();
  new MutationObserver(() => {
    const drawn = cell.querySelector('.chart [role="img"][aria-label^="Acierto"]');
    if (drawn && cell.dataset.state === 'running') pictures.add(drawn.getAttribute('aria-label'));
  }).observe(cell, { childList: true, subtree: true });
}"""


def test_training_draws_while_it_learns_and_its_heads_earn_their_names(runner):
    region = named_cell(runner, "entrenar")
    region.evaluate(COLLECT_PICTURES)
    settled(press_run(region))
    told = runner.evaluate("[...pictures]")
    assert len(told) >= 3, told  # the picture grew while Python was at work
    expect(region.locator(".chart")).to_have_count(1)
    expect(region.get_by_role("progressbar", name="pasos")).to_have_attribute("value", "150")
    expect(region.get_by_text("150 de 150 pasos")).to_be_visible()
    expect(region.locator(".heatmap")).to_have_count(1)
    assert printed(region) == ["acierto de 95 % o más al final: sí"]
    learned = named_cell(runner, "lo-aprendido")
    stored = printed(learned)
    settled(press_run(learned))
    assert printed(learned) == stored
    assert "cabeza 2, capa 1: token anterior" in stored[0]


def test_most_trained_heads_matter_little_when_switched_off(reader):
    """As stored: that live outputs are the stored ones stands in test_whole_lesson.py."""
    one_by_one, in_a_row = named_cell(reader, "sobran"), named_cell(reader, "sobran-juntas")
    assert printed(one_by_one) == ["cabezas que cuestan menos de 2 puntos: 6 de 8"]
    steps = one_by_one.get_by_role("progressbar", name="pasos")
    assert steps.evaluate("bar => [bar.value, bar.max]") == [250, 250]
    table = one_by_one.get_by_role("img", name=re.compile("^Puntos de acierto que se pierden"))
    expect(table).to_be_visible()
    assert printed(in_a_row) == ["con cuatro apagadas, más del 95 %: sí"]
    assert "acierto: de 1 a 0,0" in accuracy(in_a_row)


def test_stop_keeps_what_was_learned(runner):
    region = named_cell(runner, "entrenar")
    write(region, source_of(region).replace("train(model, 150,", "train(model, 100_000,"))
    press_run(region)
    expect(region).to_have_attribute("data-state", "running", timeout=BOOT)
    expect(region.locator(".chart")).to_have_count(1)
    region.get_by_role("button", name="Detener").click()
    expect(region).to_have_attribute("data-state", "stopped", timeout=BOOT)
    learned = named_cell(runner, "lo-aprendido")
    write(learned, "0 < model.step < 100_000, len(hits) == model.step")
    settled(press_run(learned))
    assert printed(learned) == ["(True, True)"]


# ----------------------------------------------------------------------- without JavaScript


def test_without_javascript_the_numbers_and_the_pronouns_rows_are_there(browser, site_url):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site_url}/{LESSON}")
    expect(explorer(page).locator(".ex-panel:not([hidden])")).to_have_count(1)
    expect(explorer(page).get_by_role("slider")).to_be_hidden()
    explorer(page).get_by_text("Todos los números").click()
    expect(explorer(page).get_by_role("row")).to_have_count(8)
    expect(view(page).get_by_role("listitem")).to_have_count(4)
    expect(view(page).get_by_role("listitem").first).to_contain_text("María 0,49")
    expect(view(page).get_by_role("button")).to_have_count(0)
    expect(page.locator(".sweep svg")).to_be_visible()
    expect(page.locator("#entrenar .chart svg")).to_be_visible()
    context.close()
