"""The static figure holds every head, every number and the payload, whatever the tokens say."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from sitegen.heatmap import payload_script, static_heatmap, visible
from tests.fixtures.heatmap import payloads


class Text(HTMLParser):
    """Collect tags, attributes and the text of each kind of element."""

    def __init__(self, html: str):
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict]] = []
        self.text: dict[str, list[str]] = {}
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.seen.append((tag, dict(attrs)))
        if tag not in ("path",):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def handle_data(self, data):
        if self.open:
            self.text.setdefault(self.open[-1], []).append(data)


def baked(html: str) -> dict:
    """The payload in the script element."""
    return json.loads(re.search(r'class="heatmap-payload">(.*?)</script>', html, re.S)[1])


def test_every_head_is_drawn_with_its_table():
    data = payloads.lesson_like()
    figure = Text(static_heatmap("mapa", data))
    tags = [tag for tag, _ in figure.seen]
    assert tags.count("svg") == tags.count("table") == 4
    assert len(figure.text["td"]) == 4 * 81
    first = np.reshape(data["attn_weights"]["data"], data["attn_weights"]["shape"])[0, 3, 2]
    assert figure.text["td"][3 * 9 + 2] == f"{first:.2f}".replace(".", ",")
    assert "Cabeza 2 · verbo → sujeto" in figure.text["p"]


def test_squares_cover_every_weight_once():
    html = static_heatmap("mapa", payloads.random_heads(1, 7))
    moves = "".join(re.findall(r'class="hm-q" style="[^"]*" d="([^"]*)"', html)).count("M")
    assert moves == 49


def test_darker_means_heavier():
    html = static_heatmap("m", payloads.payload([[[0.1, 0.9], [0.5, 0.5]]], ["a", "b"]))
    shades = dict(re.findall(r'--w:([\d.]+)%" d="M(\d+ \d+)', html))
    assert shades == {"10": "0 0", "50": "0 30", "90": "30 0"}


def test_arrays_and_their_plain_form_draw_the_same():
    data = payloads.causal()
    arrays = {
        **data,
        "attn_weights": np.reshape(data["attn_weights"]["data"], data["attn_weights"]["shape"]),
        "mask": np.reshape(data["mask"]["data"], data["mask"]["shape"]).astype(bool),
    }
    assert static_heatmap("m", arrays) == static_heatmap("m", data)


def test_masked_squares_are_hatched_and_named():
    html = static_heatmap("m", payloads.no_keys())
    assert 'class="hm-q-hidden"' in html
    assert ">sin claves<" in html
    assert html.count(">oculta<") == 2
    assert "Rayadas" in html
    assert "hm-q-hidden" not in static_heatmap("m", payloads.uniform())


def test_no_token_becomes_markup_or_closes_the_script():
    tokens = ["</script><script>alert(1)</script>", "<b>", "&amp;", '"', "\u2028", "\ud800"]
    data = payloads.payload(np.eye(6)[None], tokens, title="<i>título</i>", labels=["</p><hr>"])
    html = static_heatmap("m", data)
    tags = {tag for tag, _ in Text(html).seen}
    assert tags.isdisjoint({"b", "i", "hr"})
    assert html.count("<script") == html.count("</script>") == 1
    assert baked(html) == data
    html.encode("utf-8")


def test_the_payload_comes_back_exactly():
    data = payloads.lesson_like()
    assert baked(static_heatmap("m", data)) == data


def test_json_of_a_number_that_is_none_is_refused():
    with pytest.raises(ValueError):
        payload_script({"attn_weights": np.array([[np.nan]])})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"tokens_q": ["a"]}, "1 × 2 tokens for 2 × 2 weights"),
        ({"mask": {"shape": [1, 2], "data": [0, 0]}}, "mask has shape"),
        ({"attn_weights": {"shape": [2, 2], "data": [1, 0, 0, 1]}}, "attn_weights has shape"),
        ({"attn_weights": {"shape": [1, 2, 2], "data": [np.nan, 0, 0, 1]}}, "not finite"),
    ],
)
def test_wrong_payloads_stop_the_build_naming_the_heatmap(change, message):
    data = payloads.payload([[[1, 0], [0, 1]]], ["a", "b"])
    with pytest.raises(ValueError, match=f"heatmap mapa: .*{message}"):
        static_heatmap("mapa", {**data, **change})


@pytest.mark.parametrize(
    ("token", "shown"),
    [("", "∅"), (" ", "␣"), ("\n", "↵"), (" gato", "␣gato"), ("New York", "New York"),
     ("\x07", "␇"), ("\u200b", "‹200B›"), ("\ud83d", "\ufffd"), ("مرحبا", "مرحبا")],
)  # fmt: skip
def test_tokens_are_visible(token, shown):
    assert visible(token) == shown


def test_large_maps_are_drawn_without_tables_and_huge_ones_said():
    middle = static_heatmap("m", payloads.random_heads(8, 40))
    assert middle.count("<svg") == 8
    assert "<table" not in middle
    assert "<text" not in middle
    huge = static_heatmap("m", payloads.random_heads(1, 100))
    assert "<svg" not in huge
    assert "1 cabezas de 100 × 100" in huge


def test_layers_show_the_first_and_say_so():
    html = static_heatmap("m", payloads.layered())
    assert "Se ve la capa 1 de 3" in html
    assert html.count("<svg") == 2
