"""What is shown can be taken away, linked to, and fed with the reader's own sentence."""

from __future__ import annotations

import csv
import io
import json
import struct
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from tests.browser.heatmap_fixtures import lit, row, status
from tests.fixtures.heatmap import payloads

pytest_plugins = ["tests.browser.heatmap_fixtures"]


def take(page, label: str) -> bytes:
    """Press a button of "Llevárselo" and read the file."""
    details = page.locator(".hm-take")
    if details.get_attribute("open") is None:
        details.locator("summary").click()
    with page.expect_download() as download:
        details.get_by_role("button", name=label, exact=True).click()
    kind, _, of = label.lower().partition(" de ")
    assert download.value.suggested_filename == f"mapa{of and f'-{of}'}.{kind}"
    return Path(download.value.path()).read_bytes()


def test_svg_is_well_formed_and_shows_the_lit_row(open_map):
    page = open_map(payloads.lesson_like())
    row(page, 3).click()
    root = ElementTree.fromstring(take(page, "SVG"))
    text = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "Cabeza 1 · token anterior" in text
    assert "0,96" in text
    assert text.count("llamaron") == 2
    assert len(list(root.iter("{http://www.w3.org/2000/svg}rect"))) >= 81
    assert any("escala absoluta" in part for part in text)


def test_svg_survives_any_token(open_map):
    page = open_map(payloads.odd_tokens())
    text = [node.text for node in ElementTree.fromstring(take(page, "SVG")).iter()]
    assert text.count("<b>negrita</b>") == 2


def test_png_holds_the_same_picture(open_map):
    page = open_map(payloads.lesson_like())
    data = take(page, "PNG")
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    assert width > 700
    assert height > 700


def test_all_heads_are_taken_side_by_side(open_map):
    page = open_map(payloads.lesson_like())
    root = ElementTree.fromstring(take(page, "SVG de todas"))
    captions = [node.text for node in root.iter() if (node.text or "").startswith("Cabeza ")]
    assert [text[:8] for text in captions] == [f"Cabeza {n}" for n in (1, 2, 3, 4)]
    assert len(list(root.iter("{http://www.w3.org/2000/svg}rect"))) >= 4 * 81
    assert take(page, "PNG de todas")[:4] == b"\x89PNG"


def test_many_heads_are_taken_as_pictures_of_a_size_that_opens(open_map):
    page = open_map(payloads.random_heads(96, 64), drawn=False)
    svg = take(page, "SVG de todas")
    assert svg.count(b"data:image/png") == 96
    width, height = struct.unpack(">II", take(page, "PNG de todas")[16:24])
    assert width > 2000 and width * height <= 24_000_000


def test_a_large_map_is_taken_as_one_picture(open_map):
    page = open_map(payloads.random_heads(1, 160), drawn=False)
    svg = take(page, "SVG")
    assert b"data:image/png" in svg
    assert len(svg) < 200_000


def test_csv_has_every_weight(open_map):
    data = payloads.causal()
    page = open_map(data)
    rows = list(csv.DictReader(io.StringIO(take(page, "CSV").decode("utf-8-sig"))))
    assert [float(r["peso"]) for r in rows] == data["attn_weights"]["data"]
    assert rows[1]["enmascarada"] == "1"
    assert (rows[6]["query"], rows[6]["key"]) == ("gato", "El")


def test_json_is_the_payload_again(open_map):
    data = payloads.lesson_like()
    assert json.loads(take(open_map(data), "JSON")) == data


def test_a_link_restores_head_row_scale_and_view(open_map):
    page = open_map(payloads.lesson_like())
    page.get_by_role("radio", name="cabeza 2").click(force=True)
    page.get_by_role("button", name="Escala por fila").click()
    row(page, 7).click()
    page.locator(".hm-take summary").click()
    page.get_by_role("button", name="Copiar enlace").click()
    expect(page.locator(".hm-take [role=status]")).to_contain_text("Enlace copiado")
    url = page.evaluate("navigator.clipboard.readText()")
    assert parse_qs(urlsplit(url).fragment) == {
        "mapa": ["mapa"],
        "cabeza": ["2"],
        "fila": ["8"],
        "escala": ["fila"],
    }
    again = open_map(payloads.lesson_like(), hash="#" + urlsplit(url).fragment)
    expect(again.get_by_role("radio", name="cabeza 2")).to_be_checked()
    assert lit(again) == ["row", 7, True]
    expect(again.locator(".hm-legend")).to_contain_text("escala por fila")
    expect(status(again)).to_contain_text("cabeza 2: «estaban»")


@pytest.mark.parametrize("hash", ["#seccion", "#mapa=otro&cabeza=2", "#mapa=mapa&cabeza=99&fila=x"])
def test_other_addresses_leave_the_map_alone(open_map, hash):
    page = open_map(payloads.lesson_like(), hash=hash)
    expect(page.get_by_role("radio", name="cabeza 1")).to_be_checked()
    expect(page.locator(".hm-label[data-lit]")).to_have_count(0)


def test_following_a_link_on_the_page_moves_the_map(open_map):
    page = open_map(payloads.lesson_like())
    page.evaluate("location.hash = 'mapa=mapa&cabeza=3&columna=3'")
    expect(page.get_by_role("radio", name="cabeza 3")).to_be_checked()
    assert lit(page) == ["col", 2, True]


def test_the_own_sentence_goes_to_the_callback(open_map):
    page = open_map(payloads.lesson_like(), own=True)
    field = page.get_by_role("textbox", name="Tu frase")
    field.fill("El 2 de mayo <b>llovió</b>")
    field.press("Enter")
    page.wait_for_function("window.said.length === 1")
    assert page.evaluate("window.said") == ["El 2 de mayo <b>llovió</b>"]
    expect(page.get_by_role("radio", name="cabeza 1")).to_be_checked()  # digits typed
    field.fill("  ")
    page.get_by_role("button", name="Dibujar").click()
    expect(page.locator(".hm-own [role=status]")).to_have_text("Escribe al menos una palabra.")
    field.fill("falla")
    field.press("Enter")
    expect(page.locator(".hm-own [role=status]")).to_have_text("La celda falló.")


def test_a_link_brings_a_sentence_one_press_from_drawn(open_map):
    page = open_map(
        payloads.lesson_like(),
        own=True,
        hash="#mapa=mapa&cabeza=2&fila=3&frase=Ana+durmi%C3%B3+bien",
    )
    expect(page.get_by_role("textbox", name="Tu frase")).to_have_value("Ana durmió bien")
    assert page.evaluate("window.said") == [], "nothing runs without the reader"
    page.get_by_role("button", name="Dibujar").click()
    page.wait_for_function("window.said.length === 1")
    page.evaluate("(p) => window.maps.mapa.update(p)", payloads.random_heads(4, 3))
    expect(page.get_by_role("radio", name="cabeza 2")).to_be_checked()
    assert lit(page) == ["row", 2, True]


def test_without_a_callback_there_is_no_text_field(open_map):
    page = open_map(payloads.lesson_like())
    expect(page.get_by_role("textbox", name="Tu frase")).to_have_count(0)
