"""Odd payloads are drawn for what they are; wrong ones are refused and the picture stands."""

from __future__ import annotations

import math

import numpy as np
from playwright.sync_api import expect

from tests.browser.heatmap_fixtures import lit, region, row, status
from tests.fixtures.heatmap import payloads

pytest_plugins = ["tests.browser.heatmap_fixtures"]


def pixel(page, i: int, j: int, panel: int = 0) -> list[int]:
    """The colour in the middle of a square."""
    return page.evaluate(
        """([i, j, panel]) => {
          const canvas = document.querySelectorAll('.hm-base')[panel];
          const cell = parseFloat(canvas.closest('.hm-map').style.getPropertyValue('--hm-cell'));
          const scale = canvas.width / canvas.clientWidth;
          const at = (k) => Math.floor((k + .5) * cell * scale);
          return [...canvas.getContext('2d').getImageData(at(j), at(i), 1, 1).data];
        }""",
        [i, j, panel],
    )


def colours(page, i: int, j: int) -> int:
    """How many different colours a square holds: hatching has several."""
    return page.evaluate(
        """([i, j]) => {
          const canvas = document.querySelector('.hm-base');
          const cell = parseFloat(canvas.closest('.hm-map').style.getPropertyValue('--hm-cell'));
          const { data } = canvas.getContext('2d')
            .getImageData(j * cell + 3, i * cell + 3, cell - 7, cell - 7);
          return new Set(new Uint32Array(data.buffer)).size;
        }""",
        [i, j],
    )


def update(page, payload, name="mapa"):
    """Redraw; the error's message, or None."""
    return page.evaluate(
        """([payload, name]) => {
          try { window.maps[name].update(payload); } catch (error) { return error.message; }
          return null;
        }""",
        [payload, name],
    )


def test_weights_above_the_diagonal_are_visible(open_map):
    page = open_map(payloads.payload([[[0.1, 0.9], [0.5, 0.5]]], ["a", "b"]))
    dark = sum(pixel(page, 0, 1)[:3])
    assert dark < sum(pixel(page, 1, 0)[:3]) < sum(pixel(page, 0, 0)[:3])
    assert colours(page, 0, 1) == 1, "nothing is hatched when nothing is masked"
    row(page, 0).hover()
    expect(status(page)).to_contain_text("«a» atiende 0,90 a «b»")


def test_uniform_rows_read_a_quarter_in_either_scale(open_map):
    page = open_map(payloads.uniform())
    expect(page.locator(".hm-legend")).to_contain_text("escala absoluta: peso de 0 a 1")
    row(page, 1).hover()
    expect(status(page)).to_contain_text("«b» atiende 0,25 a «a»")
    flat = pixel(page, 1, 1)
    page.get_by_role("button", name="Escala por fila").click()
    expect(page.locator(".hm-legend")).to_contain_text(
        "escala por fila: 1 = el máximo de cada fila"
    )
    full = pixel(page, 1, 1)
    assert sum(full[:3]) < sum(flat[:3])
    row(page, 1).hover()
    expect(status(page)).to_contain_text("0,25")  # numbers stay the real ones


def test_masked_squares_are_hatched_and_a_row_without_keys_says_so(open_map):
    page = open_map(payloads.no_keys())
    assert colours(page, 0, 1) > 3
    assert colours(page, 0, 0) == 1
    expect(page.locator(".hm-legend")).to_contain_text("enmascarada")
    row(page, 1).hover()
    expect(status(page)).to_have_text("cabeza 1: «b», sin claves: todas están enmascaradas.")
    expect(page.locator(".hm-lead")).to_contain_text("sin claves")
    expect(page.get_by_role("cell", name="sin claves")).to_be_attached()
    page.get_by_role("button", name="Escala por fila").click()
    assert colours(page, 1, 0) > 3, "a row of zeros is not divided by its maximum"


def test_a_masked_square_is_told_apart_from_a_zero(open_map):
    page = open_map(payloads.causal())
    row(page, 0).focus()
    page.keyboard.press("End")
    expect(status(page)).to_contain_text("«El» no puede mirar a «bien»: casilla enmascarada")
    chip = page.locator(".hm-chip").last
    expect(chip.locator(".hm-value")).to_have_text("oculta")


def test_the_legend_has_no_hatching_when_nothing_is_masked(open_map):
    page = open_map(payloads.uniform())
    expect(page.locator(".hm-hatch")).to_be_hidden()


def test_any_token_is_drawn_visibly_as_text(open_map):
    page = open_map(payloads.odd_tokens())
    labels = page.locator(".hm-rows .hm-token")
    expect(labels).to_have_count(len(payloads.ODD_TOKENS))
    texts = labels.all_inner_texts()
    assert texts[:6] == ["∅", "␣", "↵", "el", "el", "<b>negrita</b>"]
    assert "‹200B›" in texts
    assert "�" in texts
    assert "👩‍👩‍👧" in texts
    assert page.locator(".hm b").count() == 0
    turns = page.locator(".hm-rows .hm-turn")
    assert [turn.get_attribute("data-turn") for turn in turns.all()] == ["1", "2"]
    row(page, 3).hover()
    expect(status(page)).to_contain_text("«el» (1.º)")
    expect(row(page, 6).locator("bdi")).to_have_text("مرحبا")
    long = row(page, 10)
    assert payloads.ODD_TOKENS[10] == long.get_attribute("title")
    box = long.bounding_box()
    assert box["width"] <= 160, "a long token is cut"
    row(page, 0).focus()
    expect(status(page)).to_contain_text("token vacío")


def test_cross_attention_has_its_own_rows_and_columns(open_map):
    page = open_map(payloads.cross())
    expect(page.locator(".hm-rows button")).to_have_count(3)
    expect(page.locator(".hm-cols button")).to_have_count(5)
    expect(page.locator(".hm-summary")).not_to_contain_text("diagonal")
    page.locator(".hm-cols button[data-index='4']").hover()
    expect(page.locator(".hm-chip")).to_have_count(3)


def test_layers_are_chosen_and_named(open_map):
    page = open_map(payloads.layered())
    first = pixel(page, 0, 0)
    page.get_by_role("combobox", name="Capa").select_option("3")
    assert pixel(page, 0, 0) != first
    row(page, 0).hover()
    expect(status(page)).to_contain_text("capa 3, cabeza 1: «uno»")


def test_update_keeps_head_and_locked_row_where_they_exist(open_map):
    page = open_map(payloads.lesson_like())
    page.get_by_role("radio", name="cabeza 3").click(force=True)
    row(page, 7).click()
    assert update(page, payloads.random_heads(4, 8)) is None
    expect(page.get_by_role("radio", name="cabeza 3")).to_be_checked()
    assert lit(page) == ["row", 7, True]
    expect(status(page)).to_contain_text("cabeza 3: «t7»")
    assert update(page, payloads.uniform()) is None
    expect(page.get_by_role("radio", name="cabeza 1")).to_be_checked()
    expect(page.locator(".hm-label[aria-pressed=true]")).to_have_count(0)
    expect(page.get_by_role("region")).to_have_count(1)


def wrong() -> list[tuple[dict, str]]:
    """Payloads with something wrong in them, and a part of what is said to it."""
    good = payloads.payload([[[0.5, 0.5], [1, 0]]], ["a", "b"])
    return [
        ({**good, "attn_weights": {"shape": [1, 2, 2], "data": [math.nan, 0.5, 1, 0]}}, "NaN"),
        ({**good, "tokens_q": ["a"]}, "tokens_q tiene 1 tokens"),
    ]


def test_wrong_data_are_refused_and_the_last_picture_stands(open_map):
    page = open_map(payloads.lesson_like())
    row(page, 3).click()
    expect(status(page)).to_contain_text("«llamaron» atiende")
    assert lit(page) == ["row", 3, True]  # drawn: nothing changes from here on
    before = page.locator(".hm").inner_html()
    picture = page.evaluate("document.querySelector('.hm-base').toDataURL()")
    for payload, part in wrong():  # which ones are refused, and why: tests/node/payload.test.js
        message = update(page, payload)
        assert message is not None, "drawn"
        assert message.startswith("Mapa de atención: ")
        assert part in message
        assert page.locator(".hm").inner_html() == before
        assert page.evaluate("document.querySelector('.hm-base').toDataURL()") == picture


def test_heads_follow_their_number(open_map):
    page = open_map(payloads.random_heads(12, 5))
    expect(region(page).get_by_role("radio")).to_have_count(12)
    update(page, payloads.random_heads(3, 5))
    expect(region(page).get_by_role("radio")).to_have_count(3)
    update(page, payloads.random_heads(30, 5))
    expect(region(page).get_by_role("radio")).to_have_count(30)


def test_one_token_and_one_head_are_enough(open_map):
    page = open_map(payloads.payload(np.ones((1, 1, 1)), ["solo"]))
    row(page, 0).hover()
    expect(status(page)).to_have_text("cabeza 1: «solo» atiende 1,00 a «solo».")
    expect(page.get_by_role("button", name="Comparar")).to_be_hidden()
