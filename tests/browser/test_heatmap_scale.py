"""Large maps stay responsive: squares on a canvas, labels only where one looks, caps stated."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.heatmap_fixtures import lit, row, status
from tests.fixtures.heatmap import payloads

pytest_plugins = ["tests.browser.heatmap_fixtures"]


def big(page, num_heads: int, n: int) -> None:
    """Redraw with seeded heads made on the page (JSON of this size would be slow to send)."""
    page.evaluate(
        """([h, n]) => {
          const data = new Float32Array(h * n * n);
          let seed = 1;
          for (let row = 0; row < h * n; row += 1) {
            let sum = 0;
            for (let j = 0; j < n; j += 1) {
              seed = (seed * 1664525 + 1013904223) >>> 0;
              sum += (data[row * n + j] = (seed / 2 ** 32) ** 12);
            }
            for (let j = 0; j < n; j += 1) data[row * n + j] /= sum;
          }
          const tokens = Array.from({ length: n }, (_, k) => `t${k}`);
          window.maps.mapa.update({ tokens_q: tokens, tokens_k: tokens, mask: null, title: 'grande',
            head_labels: [], attn_weights: { shape: [h, n, n], data } });
        }""",
        [num_heads, n],
    )


def test_512_tokens_and_16_heads_answer_and_the_cap_is_shown(open_map):
    page = open_map(payloads.uniform())
    big(page, 16, 512)
    assert page.locator(".hm *").count() < 900
    expect(page.locator(".hm-cap").first).to_contain_text("de 512 × 512")
    row(page, 5).hover()
    expect(status(page)).to_contain_text("cabeza 1: «t5» atiende")
    expect(page.locator(".hm-sentence .hm-note")).to_contain_text("de 512")
    expect(page.get_by_role("radio")).to_have_count(16)


def test_walking_1024_tokens_scrolls_the_map_and_keeps_the_focus(open_map):
    page = open_map(payloads.uniform())
    big(page, 1, 1024)
    row(page, 0).focus()
    for _ in range(6):
        page.keyboard.press("PageDown")
    expect(row(page, 60)).to_be_focused()
    assert lit(page) == ["row", 60, False]
    assert page.evaluate("document.querySelector('.hm-body').scrollTop") > 0
    page.keyboard.press("Control+End")
    expect(row(page, 1023)).to_be_focused()
    page.keyboard.press("End")
    expect(status(page)).to_contain_text("a «t1023»")
    assert page.locator(".hm-rows button").count() < 60
    box, label = page.locator(".hm-body").first.bounding_box(), row(page, 1023).bounding_box()
    assert box["y"] <= label["y"] < box["y"] + box["height"]


def test_the_whole_map_fits_one_window_on_demand(open_map):
    page = open_map(payloads.uniform())
    big(page, 1, 1024)
    page.get_by_role("button", name="Mapa entero").click()
    body = page.locator(".hm-body").first.bounding_box()
    assert 400 < body["width"] <= 600
    assert page.evaluate("document.querySelector('.hm-sizer').offsetHeight") <= 561
    expect(page.locator(".hm-legend")).to_contain_text("cada píxel muestra el mayor de los pesos")
    middle = {"x": 10, "y": body["height"] / 2 + 0.3}
    page.locator(".hm-body").first.hover(position=middle)
    expect(status(page)).to_contain_text("cabeza 1: «t51")


def test_96_heads_are_radios_over_one_canvas(open_map):
    page = open_map(payloads.uniform())
    big(page, 96, 128)
    expect(page.get_by_role("radio")).to_have_count(96)
    expect(page.locator(".hm-tiles canvas")).to_have_count(1)
    painted = page.evaluate(
        """() => {
          const canvas = document.querySelector('.hm-tiles-canvas');
          return canvas.getContext('2d').getImageData(30, 30, 1, 1).data[3];
        }"""
    )
    assert painted == 255
    page.get_by_role("radio", name="cabeza 96", exact=True).click(force=True)
    expect(page.locator(".hm-map-caption").first).to_have_text("Cabeza 96")


def test_tab_brings_back_a_row_that_was_scrolled_away(open_map):
    page = open_map(payloads.uniform())
    big(page, 1, 512)
    page.evaluate("document.querySelector('.hm-body').scrollTop = 5000")
    row(page, 0).focus()
    page.wait_for_function("document.querySelector('.hm-body').scrollTop === 0")
    assert lit(page) == ["row", 0, False]
