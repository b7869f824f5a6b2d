"""The lesson's exercises: solutions pass, wrong answers fail for their own reason; how checks tell.

Every case is read from the lesson file, so that an exercise added there is tested too.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import jupytext
import numpy as np
import pytest

import cell_runner
import exercise_checks
from sitegen.assets import notebook
from sitegen.directives.exercise import Exercise
from sitegen.lesson import read_lesson, without
from sitegen.render import render_lesson

ROOT = Path(__file__).resolve().parents[2]
LESSON = read_lesson(ROOT / "lesson/31_multihead.md")
EXERCISES = [d for d in LESSON.directives if isinstance(d, Exercise)]
BUGS = [d for d in LESSON.directives if d.kind == "bug"]
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # answers that overflow
WRONGS = [
    pytest.param(e, w, id=f"{e.name}: {w.options['fails'][:30]}")
    for e in EXERCISES
    for w in e.wrongs
]


LAST = max(LESSON.cells.index(exercise.cell) for exercise in EXERCISES)
CELLS = LESSON.cells[: LAST + 1]


def run_quietly(source: str, filename: str, namespace: dict) -> dict:
    """Run a cell whose output nobody reads."""
    cell = cell_runner.compile_cell(source, filename)
    return cell_runner.run_cell(cell, namespace, lambda *_: None)


def after(cells) -> dict:
    """The namespace that running ``cells``, as served, leaves."""
    shared = cell_runner.new_namespace()
    for cell in cells:
        run_quietly(cell.body, cell.filename, shared)
    return shared


@pytest.fixture(scope="module")
def namespace() -> dict:
    """What a reader has who ran every cell."""
    return after(CELLS)


@pytest.fixture(scope="module")
def without_starters() -> dict:
    """What a reader has who wrote over every exercise before running it."""
    given = [exercise.cell for exercise in EXERCISES]
    return after([cell for cell in CELLS if cell not in given])


def judge(exercise: Exercise, source: str, namespace: dict) -> exercise_checks.Verdict:
    """The verdict on an answer written in the exercise's cell."""
    shared = dict(namespace)
    outcome = run_quietly(source, exercise.cell.filename, shared)
    assert outcome["status"] == "done", outcome.get("traceback")
    return exercise_checks.verdict(exercise.check.body, shared)


def test_the_lesson_has_its_exercises_and_bugs():
    assert len(EXERCISES) >= 6
    assert len(BUGS) == 6
    assert all(e.check and e.cell and e.hints and e.solution and e.wrongs for e in EXERCISES)


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_the_solution_passes_with_nothing_else_in_its_cell(exercise, without_starters):
    verdict = judge(exercise, exercise.solution.code, without_starters)
    assert verdict.state == "right", verdict


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_the_untouched_starter_is_not_written_yet(exercise, namespace):
    verdict = judge(exercise, exercise.cell.body, namespace)
    assert (verdict.state, verdict.message[:17]) == ("unwritten", "Aún sin escribir:")


@pytest.mark.parametrize("exercise, wrong", WRONGS)
def test_a_wrong_answer_fails_for_its_own_reason(exercise, wrong, namespace):
    verdict = judge(exercise, wrong.body, namespace)
    assert verdict.state == "wrong", verdict
    assert wrong.options["fails"].lower() in verdict.message.lower()
    assert not re.search(r"exercise_checks|cell_runner|Traceback", repr(verdict))


@pytest.mark.parametrize("exercise", EXERCISES, ids=lambda e: e.name)
def test_no_verdict_holds_the_solutions_code(exercise, namespace):
    lines = {line.strip() for line in exercise.solution.code.splitlines()}
    given = {line.strip() for line in exercise.cell.body.splitlines()}
    for wrong in exercise.wrongs:
        shown = repr(judge(exercise, wrong.body, namespace))
        assert not [line for line in lines - given if len(line) > 12 and line in shown]


def check(source: str, reader: str) -> exercise_checks.Verdict:
    """Run a check of one line against a reader's cell."""
    shared = cell_runner.new_namespace()
    run_quietly(reader, "mía", shared)
    return exercise_checks.verdict(source, shared)


DOUBLE = 'attempt("doble", np.array([1.0, 2.0])).expect(np.array([2.0, 4.0]))'


def test_a_verdict_says_the_call_what_came_out_and_what_should():
    verdict = check(DOUBLE, "def doble(x): return x + 2")
    shown = (verdict.call, verdict.got, verdict.expected)
    assert shown == ("doble([1., 2.])", "[3., 4.]", "[2., 4.]")
    assert json.loads(repr(verdict))["state"] == "wrong"


@pytest.mark.parametrize(
    "reader, message",
    [
        ("x = 1", "`doble` no existe: la comprobación la busca con ese nombre en la celda."),
        ("doble = 3", "`doble` ya no es una función"),
        ("def doble(): return 1", "`doble` da un error: TypeError: doble() takes 0 positional"),
        ("def doble(x):\n    y = x\n    return y / falta", "is not defined (línea 3 de la celda)."),
        ("def doble(x):\n    exit()", "`doble` da un error: SystemExit"),
        ("def doble(x): return doble(x)", "`doble` da un error: RecursionError"),
        ("def doble(x): return [[1], [2, 3]]", "debe ser un array de forma (2,)"),
        ("def doble(x): return 'dos'", "debe ser un array de forma (2,), y es de tipo `str`"),
        ("def doble(x): return 1j * x", "debe ser un array de forma (2,), y es de tipo `ndarray`"),
        ("def doble(x): return 2", "tiene forma (), un solo número y debe tener (2,)"),
        ("def doble(x):\n    x *= 2\n    return x", "`doble` cambia el array que recibe"),
        ("def doble(x): return x * np.nan", "`doble` da un error: NameError"),
        ("class E(Exception):\n    def __str__(self): raise self\n"
         "def doble(x): raise E", "`doble` da un error: E (línea 3 de la celda)."),
        ("class A:\n    def __array__(self, *a, **k): raise ValueError('no')\n"
         "def doble(x): return A()", "y es de tipo `A`"),
    ],
)  # fmt: skip
def test_whatever_the_reader_returns_or_raises_is_told_in_words(reader, message):
    verdict = check(DOUBLE, reader)
    assert verdict.state == "wrong"
    assert message in verdict.message
    assert "exercise_checks" not in repr(verdict)


def test_a_verdict_names_the_name_that_an_answer_lacks():
    assert check(DOUBLE, "def doble(x): return falta * x").missing == "falta"
    assert check(DOUBLE, "def doble(x): return x.falta").missing == ""


def test_lists_and_other_dtypes_of_the_right_values_are_accepted():
    assert check(DOUBLE, "def doble(x): return [2, 4]").state == "right"
    assert check(DOUBLE, "def doble(x): return (2 * x).astype('float32')").state == "right"


def test_a_check_neither_changes_the_readers_names_nor_prints():
    shared = {"doble": lambda x: 2 * x, "x": 5, "np": None}
    before = dict(shared)
    assert exercise_checks.verdict("x = np.ones(2)\n" + DOUBLE, shared).state == "right"
    assert shared == before


def test_stop_reaches_the_page():
    def interrupted(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        exercise_checks.verdict(DOUBLE, {"doble": interrupted})


def test_wrong_answers_are_in_no_page_and_checks_in_no_notebook(built):
    lesson, outputs = built
    html = str(render_lesson(lesson, outputs))
    markdown = notebook(lesson.path).decode()
    for exercise in EXERCISES:
        for wrong in exercise.wrongs:
            assert json.dumps(wrong.body)[1:-1] not in markdown
            assert wrong.body.replace("<", "\\u003c") not in html
        assert json.dumps(exercise.check.body)[1:-1] not in markdown
    assert "{wrong}" not in markdown
    assert "{check}" not in markdown


def test_a_wrong_answer_between_colons_is_taken_out_as_well():
    text = "Antes.\n\n:::{wrong} uno\n:fails: no\nx = 1\n:::\n\nDespués.\n"
    assert without(["check", "wrong"], text) == "Antes.\n\nDespués.\n"


def test_taking_the_answers_out_leaves_every_cell_where_it_was():
    text = LESSON.path.read_text("utf-8")
    cells = [c.source for c in jupytext.reads(text, fmt="md:myst").cells if c.cell_type == "code"]
    left = jupytext.reads(without(["check", "wrong"], text), fmt="md:myst").cells
    assert [c.source for c in left if c.cell_type == "code"] == cells


@pytest.mark.parametrize("bug", BUGS, ids=lambda b: b.name)
def test_a_bug_stores_two_maps_and_numbers_that_differ(bug, built):
    outputs = built[1][bug.name]
    good, broken = (np.asarray(d["payload"]["values"]) for d in outputs.display)
    assert good.shape == broken.shape == (7, 7)
    assert np.abs(good - broken).max() > 0.1
    rows = outputs.streams[0][1].splitlines()
    assert rows[0].split() == ["bien", "con", "error"]
    assert len({len(row) for row in rows}) == 1
    assert bug.options["broken"] != bug.options["right"]
