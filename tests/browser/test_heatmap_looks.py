"""Light, dark, narrow, printed and without scripts: legible, by number, and clean for axe."""

from __future__ import annotations

import base64
import re

import pytest
from playwright.sync_api import expect

from tests.browser.heatmap_fixtures import lit, row
from tests.browser.lesson_page import violations
from tests.fixtures.heatmap import payloads

pytest_plugins = ["tests.browser.heatmap_fixtures"]

COLOUR_RULES = ["color-contrast", "link-in-text-block"]  # of axe's: the rest know no scheme

# Contrast ratios of the palette in force, and of every text against the ground behind it.
CONTRAST = """() => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const read = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = ([r, g, b]) => [r, g, b].map((c) => c / 255)
    .map((c) => (c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4))
    .reduce((sum, c, k) => sum + c * [.2126, .7152, .0722][k], 0);
  const ratio = (a, b) => {
    const [x, y] = [light(read(a)), light(read(b))].sort((p, q) => q - p);
    return (x + .05) / (y + .05);
  };
  const hm = document.querySelector('.hm');
  const name = (key) => getComputedStyle(hm).getPropertyValue(`--hm-${key}`).trim();
  const ground = (node) => {
    for (let up = node; up; up = up.parentElement) {
      const colour = getComputedStyle(up).backgroundColor;
      if (read(colour)[3] === 255) return colour;
    }
    return '#fff';
  };
  const texts = [...hm.querySelectorAll('*')]
    .filter((n) => [...n.childNodes].some((c) => c.nodeType === 3 && c.data.trim()))
    .filter((n) => n.checkVisibility())
    .map((n) => [ratio(getComputedStyle(n).color, ground(n)), n.className, n.textContent]);
  return {
    marks: {
      high: ratio(name('high'), name('low')), hatch: ratio(name('hatch'), name('low')),
      accent: ratio(name('accent'), name('paper')), strong: ratio(name('high'), name('paper')),
      field: ratio(getComputedStyle(hm).getPropertyValue('--hm-field'), name('paper')),
    },
    worst: texts.sort((a, b) => a[0] - b[0])[0], count: texts.length,
  };
}"""


# Mean of red, green and blue of a picture, 0 to 255: the browser decodes what it drew.
MEAN_LIGHT = """async (png) => {
  const image = new Image();
  image.src = `data:image/png;base64,${png}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width, image.height];
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  let sum = 0;
  for (let at = 0; at < data.length; at += 4) sum += data[at] + data[at + 1] + data[at + 2];
  return sum / (3 * image.width * image.height);
}"""


@pytest.fixture
def mean_light(map_pages):
    """``mean_light(screenshot)``, worked out in a tab of its own."""
    with map_pages.context.new_page() as page:
        yield lambda png: page.evaluate(MEAN_LIGHT, base64.b64encode(png).decode())


@pytest.mark.parametrize("data", ["lesson_like", "causal", "odd_tokens"])
def test_text_and_marks_have_contrast(open_map, data):
    page = open_map(getattr(payloads, data)(), own=True)
    for act in (lambda: None, lambda: row(page, 3).click()):
        act()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            lit(page)  # the frame that draws it
            found = page.evaluate(CONTRAST)
            assert found["count"] > 30
            assert found["worst"][0] >= 4.5, (scheme, found["worst"])
            assert min(found["marks"].values()) >= 3, (scheme, found["marks"])


def test_numbers_on_squares_have_contrast_at_every_step(open_map):
    page = open_map(payloads.lesson_like())
    for level in (0, 0.25, 0.4, 0.5, 0.6, 0.75, 1):
        page.evaluate(
            "(payload) => window.maps.mapa.update(payload)",
            payloads.payload([[[level, 1 - level]]], ["x"], ["x", "y"]),
        )
        row(page, 0).hover()
        lit(page)  # the frame that draws it
        assert page.evaluate(CONTRAST)["worst"][0] >= 4.5


def test_the_ramp_is_even_in_lightness_and_its_ends_are_far_apart(open_map):
    levels = [k / 8 for k in range(9)]
    rows = [[level, 1 - level] for level in levels]
    for scheme in ("light", "dark"):
        page = open_map(
            payloads.payload([rows], [str(k) for k in range(9)], ["a", "b"]), scheme=scheme
        )
        lightness = page.evaluate(
            """() => {
              const canvas = document.querySelector('.hm-base');
              const map = document.querySelector('.hm-map');
              const cell = parseFloat(map.style.getPropertyValue('--hm-cell'));
              const linear = (c) => (c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
              return [...Array(9).keys()].map((k) => {
                const [r, g, b] = [...canvas.getContext('2d')
                  .getImageData(cell / 2, (k + .5) * cell, 1, 1).data].map((c) => linear(c / 255));
                const l = Math.cbrt(.4122214708 * r + .5363325363 * g + .0514459929 * b);
                const m = Math.cbrt(.2119034982 * r + .6806995451 * g + .1073969566 * b);
                const s = Math.cbrt(.0883024619 * r + .2817188376 * g + .6299787005 * b);
                return .2104542553 * l + .793617785 * m - .0040720468 * s;
              });
            }"""
        )
        steps = [b - a for a, b in zip(lightness, lightness[1:], strict=False)]
        assert abs(lightness[-1] - lightness[0]) > 0.6
        assert max(steps) < 0 or min(steps) > 0
        assert max(map(abs, steps)) < 1.12 * min(map(abs, steps)), steps


def test_axe_finds_nothing_in_light_or_dark(open_map):
    page = open_map(payloads.lesson_like(), own=True)

    def lit_off_and_open():
        row(page, 3).click()
        page.get_by_role("button", name="Apagar").click()
        page.locator(".hm-take summary").click()

    for act in (
        lambda: None,
        lit_off_and_open,
        page.get_by_role("button", name="Tabla").click,
        page.get_by_role("button", name="Parecido").click,
    ):
        act()
        assert violations(page) == []
        page.emulate_media(color_scheme="dark")
        lit(page)  # the frame that draws it
        assert violations(page, rules=COLOUR_RULES) == []
        page.emulate_media(color_scheme="light")


@pytest.mark.parametrize("data", ["no_keys", "odd_tokens", "layered"])
def test_odd_or_scrolling_maps_fit_a_phone_and_axe_finds_nothing(open_map, data):
    page = open_map(getattr(payloads, data)(), width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page) == []
    page.get_by_role("button", name="Tabla").click()
    assert violations(page) == []


def test_light_and_dark_look_as_they_should(open_map, mean_light):
    shots = {}
    for scheme in ("light", "dark"):
        page = open_map(payloads.lesson_like(), scheme=scheme)
        row(page, 3).click()
        page.mouse.move(2, 2)
        shots[scheme] = page.locator(".hm").screenshot()
    assert mean_light(shots["light"]) > 200
    assert mean_light(shots["dark"]) < 75


def test_a_narrow_map_fits_with_squares_for_fingers(open_map):
    page = open_map(payloads.lesson_like(), width=360)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator(".hm-base").first.bounding_box()["width"] >= 9 * 24


def test_a_dark_page_is_printed_light_with_its_table_and_no_tools(open_map, mean_light):
    page = open_map(payloads.lesson_like(), scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    expect(page.locator(".hm-toolbar")).to_be_hidden()
    expect(page.locator(".hm-table")).to_be_visible()
    page.wait_for_function(
        """() => {
          const canvas = document.querySelector('.hm-base');
          const [r, g, b] = canvas.getContext('2d').getImageData(200, 20, 1, 1).data;
          return r + g + b > 600;
        }"""
    )
    assert mean_light(page.locator(".hm").screenshot()) > 200


def test_the_paper_holds_maps_and_numbers(open_map):
    page = open_map(payloads.lesson_like())
    pdf = page.pdf()
    assert pdf[:5] == b"%PDF-"
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 2
    assert len(pdf) > 20_000


@pytest.fixture
def scriptless(browser):
    """A tab that runs no JavaScript."""
    with browser.new_context(
        java_script_enabled=False, viewport={"width": 1280, "height": 900}
    ) as context:
        yield context.new_page()


def test_without_javascript_every_head_is_drawn_and_its_table_opens(scriptless, stand, mean_light):
    page = scriptless
    page.goto(stand("sin", {"mapa": payloads.causal()}))
    expect(page.locator(".heatmap svg")).to_have_count(2)
    expect(page.locator(".heatmap svg").first).to_be_visible()
    expect(page.locator(".hm-static-note")).to_contain_text("Rayadas: casillas enmascaradas")
    table = page.get_by_role("table").first
    expect(table).to_be_hidden()
    page.get_by_text("Cabeza 1: tabla").click()
    expect(table).to_be_visible()
    shot = page.locator(".heatmap svg").first.screenshot()
    assert 120 < mean_light(shot) < 250


def test_a_theme_chosen_by_hand_repaints(open_map):
    page = open_map(payloads.lesson_like())
    before = page.evaluate("document.querySelector('.hm-base').toDataURL()")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.wait_for_function(
        "(before) => document.querySelector('.hm-base').toDataURL() !== before", arg=before
    )
