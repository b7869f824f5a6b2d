"""Light, dark, narrow, printed and without scripts: legible, by number, and clean for axe."""

from __future__ import annotations

import io
import re
import zlib

import pytest
from playwright.sync_api import expect

from tests.browser.heatmap_fixtures import row
from tests.browser.lesson_page import violations
from tests.fixtures.heatmap import payloads

pytest_plugins = ["tests.browser.heatmap_fixtures"]

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


def png_pixels(data: bytes) -> tuple[int, int, list[bytes]]:
    """Decode an 8-bit RGB(A) PNG: width, height, rows of pixels (bytes each), with the stdlib."""
    stream = io.BytesIO(data[8:])
    packed, width, height, channels = b"", 0, 0, 3
    while True:
        length = int.from_bytes(stream.read(4))
        kind, body = stream.read(4), stream.read(length)
        stream.read(4)
        if kind == b"IHDR":
            width, height = int.from_bytes(body[:4]), int.from_bytes(body[4:8])
            channels = {2: 3, 6: 4}[body[9]]
        elif kind == b"IDAT":
            packed += body
        elif kind == b"IEND":
            break
    raw, stride = zlib.decompress(packed), width * channels
    rows, above = [], bytes(stride)
    for y in range(height):
        kind, line = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1 :][:stride])
        for x in range(stride):
            left = line[x - channels] if x >= channels else 0
            corner = above[x - channels] if x >= channels else 0
            guess = left + above[x] - corner
            nearest = min((left, above[x], corner), key=lambda v, g=guess: abs(g - v))
            line[x] = (line[x] + (0, left, above[x], (left + above[x]) // 2, nearest)[kind]) & 255
        above = bytes(line)
        rows.append(above)
    return channels, height, rows


def mean_light(data: bytes) -> float:
    """Mean of red, green and blue, 0 to 255."""
    channels, _, rows = png_pixels(data)
    sample = [line[x : x + 3] for line in rows[::3] for x in range(0, len(line), 3 * channels)]
    return sum(map(sum, sample)) / (3 * len(sample))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("data", ["lesson_like", "causal", "odd_tokens"])
def test_text_and_marks_have_contrast(open_map, scheme, data):
    page = open_map(getattr(payloads, data)(), scheme=scheme, own=True)
    for act in (lambda: None, lambda: row(page, 3).click()):
        act()
        page.evaluate("new Promise(requestAnimationFrame)")
        found = page.evaluate(CONTRAST)
        assert found["count"] > 30
        assert found["worst"][0] >= 4.5, found["worst"]
        assert min(found["marks"].values()) >= 3, found["marks"]


def test_numbers_on_squares_have_contrast_at_every_step(open_map):
    page = open_map(payloads.lesson_like())
    for level in (0, 0.25, 0.4, 0.5, 0.6, 0.75, 1):
        page.evaluate(
            "(payload) => window.maps.mapa.update(payload)",
            payloads.payload([[[level, 1 - level]]], ["x"], ["x", "y"]),
        )
        row(page, 0).hover()
        page.evaluate("new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r)))")
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(open_map, scheme):
    page = open_map(payloads.lesson_like(), scheme=scheme, own=True)
    assert violations(page) == []
    row(page, 3).click()
    page.get_by_role("button", name="Apagar").click()
    page.locator(".hm-take summary").click()
    assert violations(page) == []
    page.get_by_role("button", name="Tabla").click()
    assert violations(page) == []
    page.get_by_role("button", name="Parecido").click()
    assert violations(page) == []


@pytest.mark.parametrize("data", ["no_keys", "odd_tokens", "layered"])
def test_odd_or_scrolling_maps_fit_a_phone_and_axe_finds_nothing(open_map, data):
    page = open_map(getattr(payloads, data)(), width=390)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert violations(page) == []
    page.get_by_role("button", name="Tabla").click()
    assert violations(page) == []


def test_light_dark_narrow_and_print_look_as_they_should(open_map):
    shots = {}
    for scheme in ("light", "dark"):
        page = open_map(payloads.lesson_like(), scheme=scheme)
        row(page, 3).click()
        page.mouse.move(2, 2)
        shots[scheme] = page.locator(".hm").screenshot()
    assert mean_light(shots["light"]) > 200
    assert mean_light(shots["dark"]) < 75

    narrow = open_map(payloads.lesson_like(), width=360)
    assert narrow.evaluate("document.documentElement.scrollWidth") <= 360
    assert narrow.locator(".hm-base").first.bounding_box()["width"] >= 9 * 24

    dark = open_map(payloads.lesson_like(), scheme="dark")
    dark.emulate_media(media="print", color_scheme="dark")
    expect(dark.locator(".hm-toolbar")).to_be_hidden()
    expect(dark.locator(".hm-table")).to_be_visible()
    dark.wait_for_function(
        """() => {
          const canvas = document.querySelector('.hm-base');
          const [r, g, b] = canvas.getContext('2d').getImageData(200, 20, 1, 1).data;
          return r + g + b > 600;
        }"""
    )
    assert mean_light(dark.locator(".hm").screenshot()) > 200


def test_the_paper_holds_maps_and_numbers(open_map):
    page = open_map(payloads.lesson_like())
    pdf = page.pdf()
    assert pdf[:5] == b"%PDF-"
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 2
    assert len(pdf) > 20_000


def test_without_javascript_every_head_is_drawn_and_its_table_opens(browser, stand):
    context = browser.new_context(
        java_script_enabled=False, viewport={"width": 1280, "height": 900}
    )
    page = context.new_page()
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
    context.close()


def test_a_theme_chosen_by_hand_repaints(open_map):
    page = open_map(payloads.lesson_like())
    before = page.evaluate("document.querySelector('.hm-base').toDataURL()")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    page.wait_for_function(
        "(before) => document.querySelector('.hm-base').toDataURL() !== before", arg=before
    )
