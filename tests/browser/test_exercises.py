"""Exercises as a reader meets them, with the real worker."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.practice_page import BOOT, CUT, EXERCISES, check, exercise, solution, write

pytestmark = pytest.mark.long

pytest_plugins = ["tests.browser.practice_page"]


def test_in_the_page_every_exercise_tells_nothing_a_wrong_answer_and_the_solution_apart(runner):
    """Every wrong answer, by the same Python: tests/unit/test_exercises.py."""
    for task in EXERCISES:
        region = exercise(runner, task.name)
        said = check(region, "unwritten")
        assert "Aún sin escribir" in said, task.name
        wrong = task.wrongs[0]
        write(region, wrong.body)
        said = check(region, "wrong")
        reason = re.sub(r"[`*]", "", wrong.options["fails"]).lower()
        assert said.startswith("Todavía no.")
        assert reason in said.lower(), (task.name, said)
        write(region, task.solution.code)
        said = check(region, "right")
        assert said.startswith("Correcto. Pasa"), (task.name, said)
    contents = runner.get_by_role("navigation", name="Contenido")
    count = len(EXERCISES)
    expect(contents).to_contain_text(f"{count} de {count} ejercicios")
    expect(contents.get_by_role("img", name="resuelto")).to_have_count(count)


def test_a_verdict_shows_the_call_what_came_out_and_what_should_be(runner):
    region = exercise(runner, "cuenta-los-parametros")
    write(region, "def count_parameters(d_model, num_heads, bias=False):\n    return 7")
    check(region, "wrong")
    result = region.get_by_role("status").filter(has_text="Todavía no")
    shown = result.locator("dl > div")
    expect(shown).to_have_count(3)
    expect(shown.nth(0)).to_have_text("Pruebacount_parameters(512, 8)")
    expect(shown.nth(1)).to_have_text("Ha salido7")
    expect(shown.nth(2)).to_have_text("Se esperaba1048576")


def test_hints_come_one_by_one_and_the_solution_last(reader):
    region = exercise(reader)
    hints, answer = region.locator("details.hint"), region.locator("details.solution")
    button = region.get_by_role("button", name=re.compile("^Pista"))
    expect(answer).to_be_hidden()
    count = hints.count()
    for number in range(count):
        expect(hints.nth(number)).to_be_hidden()
        expect(button).to_have_text(f"Pista {number + 1} de {count}")
        button.focus()
        reader.keyboard.press("Enter")
        expect(hints.nth(number)).to_have_attribute("open", "")
        expect(hints.nth(number).locator("summary")).to_be_focused()
    expect(button).to_be_hidden()
    expect(answer).to_be_visible()
    assert answer.get_attribute("open") is None
    reader.reload()
    expect(exercise(reader).locator("details.hint").nth(count - 1)).to_be_visible()


def test_a_try_earns_the_solution_and_an_empty_answer_does_not(runner):
    region = exercise(runner)
    check(region, "unwritten")
    expect(region.locator("details.solution")).to_be_hidden()
    write(region, "def split_heads(x, num_heads): return x")
    check(region, "wrong")
    expect(region.locator("details.solution")).to_be_visible()


def test_progress_is_kept_and_shown_where_the_reader_left_it(runner):
    contents = runner.get_by_role("navigation", name="Contenido")
    expect(contents).to_contain_text(f"0 de {len(EXERCISES)} ejercicios")
    expect(exercise(runner).get_by_text("✓ resuelto")).to_be_hidden()
    write(exercise(runner), solution(CUT))
    check(exercise(runner), "right")
    runner.goto(runner.url.split("#")[0] + "?x=1#ejercicios")
    expect(contents).to_contain_text(f"1 de {len(EXERCISES)} ejercicios")
    expect(contents.get_by_role("img", name="resuelto")).to_have_count(1)
    expect(exercise(runner).get_by_text("✓ resuelto")).to_be_visible()
    expect(exercise(runner, "la-mascara-causal").get_by_text("✓ resuelto")).to_be_hidden()


def test_a_cell_that_raises_is_not_judged_and_its_error_is_in_its_output(runner):
    region = exercise(runner)
    write(region, "def split_heads(x, num_heads): return 1\n1 / 0")
    said = check(region, "unwritten")
    assert "La celda da un error" in said
    expect(region.get_by_role("log", name="Salida")).to_contain_text("ZeroDivisionError")


def test_an_error_inside_the_function_names_the_readers_line(runner):
    region = exercise(runner)
    write(region, "def split_heads(x, num_heads):\n    y = 2\n    return y @ x")
    said = check(region, "wrong")
    assert re.search(r"split_heads da un error: \w+Error: .*\(línea 3 de la celda\)", said)


def test_a_name_of_an_earlier_cell_that_only_the_answer_uses_is_there(runner):
    runner.reload()  # without the variables of the tests before
    region = exercise(runner, "la-mascara-causal")
    write(region, solution("la-mascara-causal"))
    check(region, "right")
    expect(runner.locator("#una-o-cuatro.cell")).to_have_attribute("data-state", "done")


def test_an_endless_answer_is_stopped_where_it_was_checked(runner):
    region = exercise(runner)
    write(region, "def split_heads(x, num_heads):\n    while True: pass")
    region.get_by_role("button", name="Comprobar").click()
    expect(region.locator(".cell")).to_have_attribute("data-state", "done", timeout=BOOT)
    region.locator(".exercise-tools").get_by_role("button", name="Detener").click()
    expect(region.get_by_text("Comprobación detenida.")).to_be_visible(timeout=BOOT)
    write(region, solution(CUT))
    assert check(region, "right")


def test_a_check_leaves_nothing_in_the_readers_variables(runner):
    region = exercise(runner)
    shows = "\n\nmine = [1]\nsorted(set(globals()) & {'attempt', 'np', 'mine'})"
    write(region, solution(CUT) + shows)
    check(region, "right")
    check(region, "right")
    output = region.get_by_role("log", name="Salida")
    expect(output.locator(".result")).to_have_text("['mine', 'np']")
