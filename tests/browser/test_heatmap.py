"""The heatmap reads in both directions, with pointer, finger and keyboard, and says it in words."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.heatmap_fixtures import lit, region, row, status
from tests.fixtures.heatmap import payloads

pytest_plugins = ["tests.browser.heatmap_fixtures"]


def test_region_heads_and_rows_have_their_names(open_map):
    page = open_map(payloads.lesson_like())
    name = "Mapa de atención: cuatro cabezas hechas a mano"
    expect(page.get_by_role("region", name=name)).to_be_visible()
    heads = region(page).get_by_role("radiogroup", name="Cabeza")
    expect(heads.get_by_role("radio")).to_have_count(4)
    expect(heads.get_by_role("radio", name="cabeza 2: verbo → sujeto")).not_to_be_checked()
    expect(page.locator(".heatmap-static")).to_have_count(0)


def test_hovering_a_row_lights_it_and_says_its_largest_weights(open_map):
    page = open_map(payloads.lesson_like())
    row(page, 3).hover()
    expect(status(page)).to_contain_text("cabeza 1: «llamaron» atiende 0,96 a «niñas»")
    expect(page.locator(".hm-chip", has_text="niñas").locator(".hm-value")).to_have_text("0,96")
    assert lit(page) == ["row", 3, False]
    page.mouse.move(2, 2)
    expect(page.locator(".hm-resting")).to_be_attached()


def test_hovering_a_square_lights_its_row_and_names_its_key(open_map):
    page = open_map(payloads.lesson_like())
    box = page.locator(".hm-stage canvas").first.bounding_box()
    cell = box["width"] / 9
    page.mouse.move(box["x"] + 2.5 * cell, box["y"] + 3.5 * cell)
    expect(status(page)).to_have_text("cabeza 1: «llamaron» atiende 0,96 a «niñas».")


def test_hovering_a_column_says_who_looks_at_it(open_map):
    page = open_map(payloads.lesson_like())
    page.locator(".hm-cols button[data-index='2']").hover()
    expect(status(page)).to_contain_text("cabeza 1: «niñas» recibe 0,96 de «llamaron»")
    assert lit(page) == ["col", 2, False]


def test_a_click_locks_and_escape_frees(open_map):
    page = open_map(payloads.lesson_like())
    row(page, 3).click()
    row(page, 5).hover()
    assert lit(page) == ["row", 3, True]
    expect(row(page, 3)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    page.mouse.move(2, 2)
    expect(page.locator(".hm-label[data-lit]")).to_have_count(0)


def test_clicking_the_locked_row_again_frees_it(open_map):
    page = open_map(payloads.lesson_like())
    row(page, 3).click()
    row(page, 3).click()
    page.mouse.move(2, 2)
    expect(page.locator(".hm-label[data-lit]")).to_have_count(0)


def test_arrow_keys_walk_rows_squares_and_over_the_edge(open_map):
    page = open_map(payloads.lesson_like())
    row(page, 0).focus()
    expect(status(page)).to_contain_text("«⟨s⟩» atiende")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    expect(row(page, 2)).to_be_focused()
    expect(status(page)).to_contain_text("«niñas» atiende 0,96 a «Las»")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(status(page)).to_have_text("cabeza 1: «niñas» atiende 0,96 a «Las».")
    page.keyboard.press("End")
    expect(status(page)).to_contain_text("a «cansadas»")
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    expect(page.locator(".hm-cols button[data-index='8']")).to_be_focused()
    expect(status(page)).to_contain_text("«cansadas» recibe")
    page.keyboard.press("Enter")
    assert lit(page) == ["col", 8, True]


def test_tab_reaches_heads_controls_rows_and_columns(open_map):
    page = open_map(payloads.lesson_like())
    page.get_by_role("radio", name="cabeza 1").focus()
    seen = []
    for _ in range(12):
        page.keyboard.press("Tab")
        seen.append(
            page.evaluate("document.activeElement.closest('.hm-rows, .hm-cols')?.className")
        )
    assert "hm-rows" in seen
    assert "hm-cols" in seen
    assert seen.count("hm-rows") == 1, "one tab stop for all the rows"


def test_digits_and_arrows_choose_a_head(open_map):
    page = open_map(payloads.lesson_like())
    row(page, 3).focus()
    page.keyboard.press("2")
    expect(page.get_by_role("radio", name="cabeza 2")).to_be_checked()
    expect(status(page)).to_contain_text("cabeza 2: «llamaron» atiende 0,98 a «niñas»")
    page.get_by_role("radio", name="cabeza 2").focus()
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("radio", name="cabeza 3")).to_be_checked()
    page.keyboard.press("9")
    expect(page.get_by_role("radio", name="cabeza 3")).to_be_checked()


@pytest.mark.parametrize("width", [1280, 360])
def test_a_lit_row_is_covered_by_nothing(open_map, width):
    page = open_map(payloads.lesson_like(), width=width)
    for index in range(9):
        row(page, index).hover()
        assert lit(page) == ["row", index, False]
        covered = page.evaluate(
            """(index) => {
              const label = document.querySelector(`.hm-rows button[data-index="${index}"]`);
              const a = label.getBoundingClientRect();
              const b = document.querySelector('.hm-stage canvas').getBoundingClientRect();
              const inside = document.querySelector('.hm-map');
              const y = a.top + a.height / 2;
              const squares = [...Array(9).keys()].map((k) => b.left + (k + .5) * b.width / 9);
              return [a.left + 5, ...squares]
                .map((x) => document.elementFromPoint(x, y))
                .filter((hit) => !inside.contains(hit)).length;
            }""",
            index,
        )
        assert covered == 0


@pytest.fixture
def phone(browser):
    """A tab of 360 px for fingers."""
    with browser.new_context(
        viewport={"width": 360, "height": 740},
        has_touch=True,
        is_mobile=True,
        bypass_csp=True,
    ) as context:
        yield context.new_page()


def test_fingers_at_360_px_light_lock_and_free(phone, stand):
    page = phone
    page.goto(stand("touch", {"mapa": payloads.lesson_like()}))
    page.wait_for_function("window.ready")
    row(page, 3).tap()
    assert lit(page) == ["row", 3, True]
    expect(status(page)).to_contain_text("«llamaron» atiende")
    box = page.locator(".hm-stage canvas").first.bounding_box()
    page.touchscreen.tap(box["x"] + 12, box["y"] + 5.5 * box["height"] / 9)
    assert lit(page) == ["row", 5, True]
    page.locator(".hm-cols button[data-index='2']").tap()
    assert lit(page) == ["col", 2, True]
    page.locator(".hm-cols button[data-index='2']").tap()
    expect(page.locator(".hm-label[data-lit]")).to_have_count(0)
    small = page.evaluate(
        """[...document.querySelectorAll('.hm-rows button, .hm-button')]
          .map((b) => b.getBoundingClientRect().height).filter((h) => h > 0 && h < 24).length"""
    )
    assert small == 0, "targets of at least 24 px"
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_the_table_is_one_keypress_away_and_always_there_for_screen_readers(open_map):
    page = open_map(payloads.lesson_like())
    table = page.get_by_role("table")
    expect(table).to_have_count(1)
    expect(table.get_by_role("rowheader")).to_have_count(9)
    expect(table.get_by_role("row").nth(4).get_by_role("cell").nth(2)).to_have_text("0,96")
    assert page.locator(".hm-table-box").bounding_box()["width"] <= 1
    row(page, 0).focus()
    page.keyboard.press("t")
    assert page.locator(".hm-table-box").bounding_box()["width"] > 300
    page.keyboard.press("t")
    expect(page.get_by_role("button", name="Tabla")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Tabla").focus()
    page.keyboard.press("t")
    assert page.locator(".hm-table-box").bounding_box()["width"] <= 1


def test_the_mean_is_called_a_mean(open_map):
    page = open_map(payloads.payload([[[1, 0], [0, 1]], [[0, 1], [1, 0]]], ["a", "b"]))
    page.get_by_role("button", name="Media").click()
    expect(page.locator(".hm-map-caption").first).to_contain_text("Media de las 2 cabezas")
    expect(region(page).get_by_role("radio", checked=True)).to_have_count(0)
    row(page, 0).hover()
    expect(status(page)).to_have_text("media de 2 cabezas: «a» atiende 0,50 a «a» y 0,50 a «b».")
    page.get_by_role("radio", name="cabeza 2").click(force=True)
    expect(page.get_by_role("button", name="Media")).to_have_attribute("aria-pressed", "false")


def test_two_heads_side_by_side_light_the_same_row(open_map):
    page = open_map(payloads.lesson_like())
    page.get_by_role("button", name="Comparar").click()
    page.get_by_role("radio", name="cabeza 3").click(force=True)
    expect(page.locator(".hm-map-caption:visible")).to_have_text(
        ["Cabeza 3 · adjetivo → antecedente", "Cabeza 1 · token anterior"]
    )
    row(page, 8).hover()
    expect(page.locator(".hm-rows button[data-index='8'][data-lit='own']")).to_have_count(2)
    page.get_by_role("button", name="Quitar cabeza 1").click()
    expect(page.locator(".hm-map-caption:visible")).to_have_count(1)


def test_a_head_switched_off_shows_what_it_did_to_each_token(open_map):
    data = payloads.lesson_like()
    page = open_map(data)
    page.get_by_role("radio", name="cabeza 2").click(force=True)
    page.get_by_role("button", name="Apagar").click()
    deltas = [f"{d:.2f}".replace(".", ",") for d in data["head_deltas"]["data"][9:18]]
    expect(page.locator(".hm-delta")).to_have_text(deltas)
    expect(page.locator(".hm-map-caption").first).to_contain_text("apagada")
    expect(page.locator(".hm-legend")).to_contain_text("‖Δsalida‖: norma de lo que cambia")
    expect(page.get_by_role("columnheader", name="‖Δsalida‖")).to_be_attached()
    row(page, 3).hover()
    expect(status(page)).to_contain_text(f"Sin esta cabeza, su salida cambia {deltas[3]}.")
    page.get_by_role("button", name="Encender").click()
    expect(page.locator(".hm-delta")).to_have_count(0)


def test_without_deltas_no_head_can_be_switched_off(open_map):
    page = open_map(payloads.uniform())
    expect(page.get_by_role("button", name="Apagar")).to_be_hidden()


def test_summary_labels_only_above_the_stated_threshold(open_map):
    page = open_map(payloads.lesson_like())
    summary = page.locator(".hm-summary")
    expect(summary).to_contain_text("etiqueta (desde 0,60)")
    expect(summary).to_contain_text("posicional: token anterior")
    page.get_by_role("radio", name="cabeza 4").click(force=True)
    expect(summary).to_contain_text("ninguna llega")
    uniform = open_map(payloads.uniform(), name="plano")
    expect(uniform.locator(".hm-summary")).to_contain_text(re.compile("entropía.*2,00 de 2,00"))
    expect(uniform.locator(".hm-summary")).to_contain_text("ninguna llega")


def test_similarity_tells_equal_heads_from_disjoint_ones(open_map):
    eye, swap = [[1, 0], [0, 1]], [[0, 1], [1, 0]]
    page = open_map(payloads.payload([eye, eye, swap], ["a", "b"]))
    page.get_by_role("button", name="Parecido").click()
    note = page.locator(".hm-similarity > .hm-note")
    expect(note).to_contain_text("Las cabezas 1 y 2 comparten 1,00")
    page.locator(".hm-similarity .hm-rows button[data-index='0']").focus()
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(status(page)).to_have_text("Las cabezas 1 y 3 comparten 0,00 de su atención.")
    page.keyboard.press("Enter")
    expect(page.locator(".hm-map-caption:visible")).to_have_text(["Cabeza 1", "Cabeza 3"])
