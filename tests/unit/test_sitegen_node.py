"""What Node sets at build time: data goes there and into the page whole, faults stop the build."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

import wire
from sitegen import node
from sitegen.directive import LessonError
from sitegen.execute import execute
from sitegen.lesson import read_lesson
from sitegen.markup import json_script
from sitegen.render import render_lesson
from tests.fixtures.heatmap import payloads

LESSON = """---
title: t
description: d
lang: es
---

```{{code-cell}} python
:name: dibuja

import displays
from playground import show_heads, show_lines, show_matrix, show_progress
{source}
```
"""


def page(tmp_path, source: str) -> str:
    path = tmp_path / "lesson.md"
    path.write_text(LESSON.format(source=source), "utf-8")
    lesson = read_lesson(path)
    return str(render_lesson(lesson, execute(lesson)))


def test_what_a_cell_draws_stands_below_it_in_order(tmp_path):
    html = page(
        tmp_path,
        'show_lines({"a": ([0, 1], [1, 2])}, title="curva")\n'
        'show_heads([[1.0]], ["x"], title="mapa")\n'
        'show_matrix([[1]], title="matriz")\nshow_progress(1, 2, title="pasos")',
    )
    found = re.findall(r"<figcaption>(\w+)</figcaption>|<span>(1 de 2 pasos)</span>", html)
    assert [one or other for one, other in found] == ["curva", "mapa", "matriz", "1 de 2 pasos"]
    assert html.count('role="img"') == 3
    (baked,) = re.findall(r'class="heatmap-payload">(.*?)</script>', html)
    assert json.loads(baked)["attn_weights"] == {"shape": [1, 1, 1], "data": [1]}


def test_a_picture_that_is_refused_stops_the_build_naming_file_line_and_fault(tmp_path):
    weights = '{"shape": [1, 2, 2], "data": [1, 0, 0, 1]}'
    wrong = f'{{"title": "", "tokens_q": ["a"], "attn_weights": {weights}}}'
    with pytest.raises(LessonError, match=r"lesson\.md:7: picture of heads: .*tokens_q tiene 1"):
        page(tmp_path, f'displays.record("heads", None, {wrong})')


def test_a_formula_that_is_refused_names_its_line(tmp_path):
    with pytest.raises(LessonError, match=r"lesson\.md:14: formula"):
        page(tmp_path, "```\n\n$\\nada$\n\n```text")


def test_without_node_the_build_says_what_is_missing(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda *_args, **_more: None)
    with pytest.raises(SystemExit, match=r"pictures\.mjs: node: not found; install Node"):
        node.ask("pictures.mjs", [{}])


def test_a_script_that_fails_shows_the_end_of_what_it_said():
    with pytest.raises(SystemExit, match=r"(?s)missing\.mjs failed: .*make setup"):
        node.ask("missing.mjs", [{}])


def test_nothing_asked_starts_no_node(monkeypatch):
    monkeypatch.setattr("shutil.which", lambda *_args, **_more: None)
    assert node.ask("pictures.mjs", []) == []


def baked(data) -> object:
    return json.loads(json_script(data))


def test_a_payload_comes_back_exactly_and_no_text_in_it_closes_its_script():
    data = payloads.payload(np.eye(2)[None], ["</script><b>", "\ud800"], title="\u2028&")
    text = json_script(data)
    assert "<" not in text and baked(data) == data
    text.encode("utf-8")


def test_arrays_are_written_with_nine_digits_and_truth_values_as_numbers():
    data = wire.plain({"w": np.array([[1 / 3, 1]]), "mask": np.array([True, False]), "n": [2**40]})
    assert baked(data) == {
        "w": {"shape": [1, 2], "data": [0.333333333, 1]},
        "mask": {"shape": [2], "data": [1, 0]},
        "n": [2**40],
    }


def test_a_number_that_is_none_is_refused():
    with pytest.raises(ValueError):
        json_script(wire.plain({"w": np.array([1, np.nan])}))
