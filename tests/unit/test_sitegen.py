"""The builder: every directive and every error, from fixture files; the lesson file itself."""

from __future__ import annotations

import os
import re
from pathlib import Path

import jupytext
import nbformat
import pytest
from nbclient import NotebookClient

from sitegen.directive import LessonError
from sitegen.execute import execute
from sitegen.lesson import read_lesson, slugify
from sitegen.names import defined_and_used
from sitegen.render import render_lesson
from sitegen.site import read_site

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = Path(__file__).parents[1] / "fixtures/directives"
FRONT = "---\ntitle: t\ndescription: d\n---\n"
LESSON = ROOT / "lesson/31_multihead.md"


def fixtures(name: str) -> list:
    """(title, Markdown, expected) of a fixture file: parts between lines of a single dot."""
    text = (FIXTURES / name).read_text("utf-8")
    parts = [p.strip("\n") for p in re.split(r"^\.$", text, flags=re.M)]
    triples = zip(parts[0::3], parts[1::3], parts[2::3], strict=False)
    return [pytest.param(md, want, id=title.strip()) for title, md, want in triples]


def render(text: str, path: Path = Path("lesson.md")) -> str:
    lesson = read_lesson(path, FRONT + text)
    return render_lesson(lesson, execute(lesson))


def check_parts(html: str, expected: str) -> None:
    """Every line of ``expected`` is in the page, in this order; those after ``!`` are not."""
    at = 0
    for part in expected.split("\n"):
        if part.startswith("!"):
            assert part[1:] not in html
            continue
        found = html.find(part, at)
        assert found >= 0, f"{part!r} is not in (or out of order):\n{html}"
        at = found


@pytest.mark.parametrize("text, expected", fixtures("pages.md"))
def test_a_directive_renders_its_parts_in_order(text, expected):
    check_parts(render(text), expected)


@pytest.mark.parametrize("text, expected", fixtures("figures_pages.md"))
def test_a_figure_of_lesson_31_renders_its_parts_in_order(text, expected):
    check_parts(render(text, LESSON.with_name("31_lesson.md")), expected)


@pytest.mark.parametrize("text, expected", fixtures("figures_errors.md"))
def test_a_faulty_figure_stops_the_build_and_names_file_line_and_way_out(text, expected):
    with pytest.raises(LessonError) as caught:
        render(text, LESSON.with_name("31_lesson.md"))
    assert str(caught.value).removeprefix(f"{LESSON.parent}/").startswith(expected)


@pytest.mark.parametrize("text, expected", fixtures("errors.md"))
def test_a_faulty_lesson_stops_the_build_and_names_file_line_and_way_out(text, expected):
    with pytest.raises(LessonError) as caught:
        render(text)
    assert str(caught.value).startswith(expected)
    assert "; " in str(caught.value)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("# Hola", "lesson.md:1: no front matter; start the file"),
        ("---\ntitle: [\n---\n", "lesson.md:2: front matter: "),
        ("---\ntitle: a\n---\n", "lesson.md:1: front matter has no description; add"),
    ],
)
def test_front_matter_is_asked_for(text, expected):
    with pytest.raises(LessonError) as caught:
        read_lesson(Path("lesson.md"), text)
    assert str(caught.value).startswith(expected)


def test_a_site_says_what_it_is(tmp_path):
    said = tmp_path / "site.yml"
    said.write_text("title: t\nlead: l\n")
    with pytest.raises(LessonError, match=r"site\.yml:1: no description; add `description: …`"):
        read_site(said)


@pytest.mark.parametrize(
    "source, defines, uses",
    [
        ("x = 1", ["x"], []),
        ("x = y + len(z)", ["x"], ["y", "z"]),
        ("import numpy as np\nnp.zeros(3)", ["np"], []),
        ("from a.b import c", ["c"], []),
        ("def f(a):\n    b = a\n    return b + k", ["f"], ["k"]),
        ("[i * w for i in r]", [], ["r", "w"]),
        ("(lambda q: q + s)(1)", [], ["s"]),
        ("x += 1", ["x"], ["x"]),
        ("for i in range(3):\n    t = i", ["i", "t"], []),
        ("for i in r:\n    t = i\nelse:\n    u = i + o", ["i", "t", "u"], ["o", "r"]),
        ("try:\n    a = 1\nexcept E as e:\n    b = e, a, z", ["a", "b", "e"], ["E", "z"]),
        ("with open(p) as f:\n    pass", ["f"], ["p"]),
        ("a, (b, *c) = d", ["a", "b", "c"], ["d"]),
        ("class A(B):\n    n = 1\n    m = n", ["A"], ["B"]),
        ("mal (", [], []),
    ],
)
def test_what_a_cell_defines_and_needs(source, defines, uses):
    assert defined_and_used(source) == (defines, uses)


def test_headings_become_readable_fragments():
    assert slugify("Dónde está el truco") == "dónde-está-el-truco"


def test_every_lesson_reads_and_runs_and_its_outputs_do_not_depend_on_the_run(built):
    lesson, first = built
    assert lesson.path.stem == "31_multihead"
    second = execute(read_lesson(LESSON))
    assert {k: (o.streams, o.result) for k, o in first.items()} == {
        k: (o.streams, o.result) for k, o in second.items()
    }


def test_the_lesson_is_a_notebook_that_jupyter_runs(built, monkeypatch, tmp_path):
    notebook = jupytext.read(LESSON, fmt="md:myst")
    lesson, outputs = built
    code = [c for c in notebook.cells if c.cell_type == "code"]
    assert [c.source.strip() for c in code] == [c.body.strip() for c in lesson.cells]
    monkeypatch.setenv("PYTHONPATH", f"{ROOT / 'py'}{os.pathsep}{ROOT / 'kernel/python'}")
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path))
    ran = NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    nbformat.validate(ran)
    for cell, record in zip(
        (c for c in ran.cells if c.cell_type == "code"), lesson.cells, strict=True
    ):
        printed = "".join(o.text for o in cell.outputs if o.output_type == "stream")
        assert printed == "".join(text for _, text in outputs[record.name].streams)


def test_every_number_of_a_measured_figure_is_computed_not_typed():
    prose = re.sub(
        r"```.*?```|\{eval\}`[^`]*`|\$[^$]*\$|\[\^.*", "", LESSON.read_text("utf-8"), flags=re.S
    )
    prose = prose.split("---\n", 2)[2]
    typed = re.findall(r"\d+,\d+|\b\d{3,}\b", prose)
    assert typed == []
