"""Exercises, gallery of bugs and questions as a reader meets them, with the real worker."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from sitegen.directives import read_lesson
from sitegen.records import Bug, Exercise
from tests.browser.conftest import LESSON, ROOT

BOOT = 90_000  # ms: a cold boot of Python on a busy machine
SOURCE = read_lesson(ROOT / "lesson/31_multihead.md")
EXERCISES = [d for d in SOURCE.directives if isinstance(d, Exercise)]
BUGS = [d for d in SOURCE.directives if isinstance(d, Bug)]
CUT = "corta-en-cabezas"


def exercise(page: Page, name: str = CUT) -> Locator:
    return page.locator(f"section.exercise#{name}")


def write(region: Locator, source: str) -> None:
    """Type an answer, in whichever editor is there."""
    region.get_by_role("textbox").click()
    expect(region.locator(".cm-editor")).to_be_visible()
    region.get_by_role("textbox").fill(source)


def check(region: Locator, state: str) -> str:
    """Press Comprobar, wait for a verdict, return what it says."""
    region.get_by_role("button", name="Comprobar").click()
    result = region.locator(".exercise-result")
    expect(region.get_by_role("button", name="Comprobar")).to_be_visible(timeout=BOOT)
    expect(result).to_have_attribute("data-state", state, timeout=BOOT)
    return result.inner_text()


def solution(name: str) -> str:
    return next(e.solution.code for e in EXERCISES if e.name == name)


def test_in_the_page_every_solution_passes_and_every_wrong_answer_fails_for_its_reason(lesson):
    for task in EXERCISES:
        region = exercise(lesson, task.name)
        said = check(region, "unwritten")
        assert "Aún sin escribir" in said, task.name
        for wrong in task.wrongs:
            write(region, wrong.body)
            said = check(region, "wrong")
            reason = re.sub(r"[`*]", "", wrong.options["fails"]).lower()
            assert said.startswith("Todavía no.")
            assert reason in said.lower(), (task.name, said)
            assert not re.search(r"exercise_checks|cell_runner|Traceback", said)
        write(region, task.solution.code)
        said = check(region, "right")
        assert said.startswith("Correcto. Pasa"), (task.name, said)
    contents = lesson.get_by_role("navigation", name="Contenido")
    count = len(EXERCISES)
    expect(contents).to_contain_text(f"{count} de {count} ejercicios")
    expect(contents.get_by_role("img", name="resuelto")).to_have_count(count)


def test_a_verdict_shows_the_call_what_came_out_and_what_should_be(lesson):
    region = exercise(lesson, "cuenta-los-parametros")
    write(region, "def count_parameters(d_model, num_heads, bias=False):\n    return 7")
    check(region, "wrong")
    result = region.get_by_role("status").filter(has_text="Todavía no")
    shown = result.locator("dl > div")
    expect(shown).to_have_count(3)
    expect(shown.nth(0)).to_have_text("Pruebacount_parameters(512, 8)")
    expect(shown.nth(1)).to_have_text("Ha salido7")
    expect(shown.nth(2)).to_have_text("Se esperaba1048576")


def test_hints_come_one_by_one_and_the_solution_last(lesson):
    region = exercise(lesson)
    hints, answer = region.locator("details.hint"), region.locator("details.solution")
    button = region.get_by_role("button", name=re.compile("^Pista"))
    expect(answer).to_be_hidden()
    count = hints.count()
    for number in range(count):
        expect(hints.nth(number)).to_be_hidden()
        expect(button).to_have_text(f"Pista {number + 1} de {count}")
        button.focus()
        lesson.keyboard.press("Enter")
        expect(hints.nth(number)).to_have_attribute("open", "")
        expect(hints.nth(number).locator("summary")).to_be_focused()
    expect(button).to_be_hidden()
    expect(answer).to_be_visible()
    assert answer.get_attribute("open") is None
    lesson.reload()
    expect(exercise(lesson).locator("details.hint").nth(count - 1)).to_be_visible()


def test_a_try_earns_the_solution_and_an_empty_answer_does_not(lesson):
    region = exercise(lesson)
    check(region, "unwritten")
    expect(region.locator("details.solution")).to_be_hidden()
    write(region, "def split_heads(x, num_heads): return x")
    check(region, "wrong")
    expect(region.locator("details.solution")).to_be_visible()


def test_progress_is_kept_and_shown_where_the_reader_left_it(lesson):
    contents = lesson.get_by_role("navigation", name="Contenido")
    expect(contents).to_contain_text(f"0 de {len(EXERCISES)} ejercicios")
    expect(exercise(lesson).get_by_text("✓ resuelto")).to_be_hidden()
    write(exercise(lesson), solution(CUT))
    check(exercise(lesson), "right")
    lesson.goto(lesson.url.split("#")[0] + "?x=1#ejercicios")
    expect(contents).to_contain_text(f"1 de {len(EXERCISES)} ejercicios")
    expect(contents.get_by_role("img", name="resuelto")).to_have_count(1)
    expect(exercise(lesson).get_by_text("✓ resuelto")).to_be_visible()
    expect(exercise(lesson, "la-mascara-causal").get_by_text("✓ resuelto")).to_be_hidden()


def test_a_cell_that_raises_is_not_judged_and_its_error_is_in_its_output(lesson):
    region = exercise(lesson)
    write(region, "def split_heads(x, num_heads): return 1\n1 / 0")
    said = check(region, "unwritten")
    assert "La celda da un error" in said
    expect(region.get_by_role("log", name="Salida")).to_contain_text("ZeroDivisionError")


def test_an_error_inside_the_function_names_the_readers_line(lesson):
    region = exercise(lesson)
    write(region, "def split_heads(x, num_heads):\n    y = 2\n    return y @ x")
    said = check(region, "wrong")
    assert re.search(r"split_heads da un error: \w+Error: .*\(línea 3 de la celda\)", said)


def test_a_name_of_an_earlier_cell_that_only_the_answer_uses_is_there(lesson):
    region = exercise(lesson, "la-mascara-causal")
    write(region, solution("la-mascara-causal"))
    check(region, "right")
    expect(lesson.locator("#una-o-cuatro.cell")).to_have_attribute("data-state", "done")


def test_an_endless_answer_is_stopped_where_it_was_checked(lesson):
    region = exercise(lesson)
    write(region, "def split_heads(x, num_heads):\n    while True: pass")
    region.get_by_role("button", name="Comprobar").click()
    expect(region.locator(".cell")).to_have_attribute("data-state", "done", timeout=BOOT)
    region.locator(".exercise-tools").get_by_role("button", name="Detener").click()
    expect(region.get_by_text("Comprobación detenida.")).to_be_visible(timeout=10_000)
    write(region, solution(CUT))
    assert check(region, "right")


def test_a_check_leaves_nothing_in_the_readers_variables(lesson):
    region = exercise(lesson)
    shows = "\n\nmine = [1]\nsorted(set(globals()) & {'attempt', 'np', 'mine'})"
    write(region, solution(CUT) + shows)
    check(region, "right")
    check(region, "right")
    output = region.get_by_role("log", name="Salida")
    expect(output.locator(".result")).to_have_text("['mine', 'np']")


def bug(page: Page, name: str) -> Locator:
    return page.locator(f"section.bug[data-bug={name}]")


def choose_bug(page: Page, record: Bug) -> Locator:
    page.get_by_role("group", name="Elige un error").get_by_label(record.options["title"]).check()
    return bug(page, record.name)


def test_each_bug_is_predicted_first_and_python_gives_what_the_build_stored(lesson):
    for record in BUGS:
        section = choose_bug(lesson, record)
        expect(section).to_be_visible()
        expect(lesson.locator("section.bug:visible")).to_have_count(1)
        outcome = section.locator(".bug-outcome")
        expect(outcome).to_be_hidden()
        section.get_by_role("radio").first.check()
        expect(outcome).to_be_visible()
        tables = outcome.get_by_role("table")
        expect(tables).to_have_count(2)
        stored = outcome.locator(".bug-numbers").inner_text(), tables.all_inner_texts()
        if record is BUGS[0]:
            outcome.get_by_role("button", name="Calcularlo ahora con Python").click()
        expect(outcome.get_by_text("Calculado ahora mismo")).to_be_visible(timeout=BOOT)
        assert (outcome.locator(".bug-numbers").inner_text(), tables.all_inner_texts()) == stored
        assert tables.nth(0).inner_text() != tables.nth(1).inner_text()
    contents = lesson.get_by_role("navigation", name="Contenido")
    expect(contents).to_contain_text(f"{len(BUGS)} de {len(BUGS)} errores")


def test_the_gallery_computes_with_the_readers_own_code_and_survives_its_errors(lesson):
    record = BUGS[0]
    section = choose_bug(lesson, record)
    section.get_by_role("radio").first.check()
    numbers = section.locator(".bug-numbers")
    stored = numbers.inner_text()
    region = lesson.locator("#galeria.cell")
    source = region.locator(".cell-editor pre").inner_text()
    write(region, source.replace("return y.reshape(h, n, d_k)", "return split_wrong(y)"))
    section.get_by_role("button", name="Calcularlo ahora con Python").click()
    expect(section.get_by_text("No se ha podido calcular")).to_be_visible(timeout=BOOT)
    assert numbers.inner_text() == stored
    write(region, source.replace("Las niñas cansadas", "Las niñas"))
    section.get_by_role("button", name="Calcularlo otra vez").click()
    expect(section.get_by_text("Calculado ahora mismo")).to_be_visible(timeout=BOOT)
    expect(section.get_by_role("table").first.locator("tr")).to_have_count(7)
    assert numbers.inner_text() != stored


def test_answering_fetches_no_python_by_itself(lesson, page_log):
    section = choose_bug(lesson, BUGS[1])
    section.get_by_role("radio").first.check()
    expect(section.get_by_role("table")).to_have_count(2)
    lesson.wait_for_load_state("networkidle")
    assert not [url for url in page_log.requests if "/runtime/" in url]


def test_a_link_to_a_bug_opens_it(lesson):
    last = BUGS[-1]
    lesson.goto(lesson.url.split("#")[0] + f"#{last.name}")
    expect(bug(lesson, last.name)).to_be_visible()
    expect(bug(lesson, BUGS[0].name)).to_be_hidden()


def test_a_question_by_keyboard_looking_is_not_answering(lesson):
    form = lesson.locator("form.quiz#que-crece")
    said, choices = form.get_by_role("status"), form.get_by_role("radio")
    choices.nth(0).focus()
    lesson.keyboard.press("ArrowDown")
    expect(choices.nth(1)).to_be_checked()
    expect(said).to_have_text("Intro para responder.")
    lesson.keyboard.press("ArrowDown")
    lesson.keyboard.press("Enter")
    expect(said).to_have_text(re.compile(r"^Correcto\."))
    lesson.keyboard.press("ArrowDown")
    lesson.keyboard.press("Space")
    expect(said).to_have_text(re.compile(r"^No\."))
    form.get_by_role("button", name="Otra vez").click()
    expect(said).to_be_empty()
    assert not any(choices.nth(i).is_checked() for i in range(choices.count()))
    expect(choices.nth(3)).to_be_focused()


def test_answers_are_kept_by_what_they_say_and_counted_when_right(lesson):
    form = lesson.locator("form.quiz#que-crece")
    contents = lesson.get_by_role("navigation", name="Contenido")
    total = lesson.locator("form.quiz").count() - len(BUGS)
    form.get_by_role("radio").nth(0).check()
    expect(contents).to_contain_text(f"0 de {total} preguntas")
    form.get_by_role("radio").nth(2).check()
    expect(contents).to_contain_text(f"1 de {total} preguntas")
    lesson.reload()
    expect(form.get_by_role("radio").nth(2)).to_be_checked()
    expect(form.get_by_role("status")).to_have_text(re.compile(r"^Correcto\."))
    form.get_by_role("button", name="Otra vez").click()
    lesson.reload()
    expect(form.get_by_role("status")).to_be_empty()
    expect(contents).to_contain_text(f"0 de {total} preguntas")


def test_two_tabs_share_what_is_solved(lesson, context):
    other = context.new_page()
    other.goto(lesson.url)
    lesson.locator("form.quiz#que-crece").get_by_role("radio").nth(2).check()
    other.locator("form.quiz#para-que-w-o").get_by_role("radio").nth(1).check()
    for tab in (lesson, other):
        expect(tab.get_by_role("navigation", name="Contenido")).to_contain_text("2 de ")


@pytest.mark.parametrize("stored", ["[1, 2", "[]", "null", '{"exercise:corta-en-cabezas": 3}'])
def test_what_was_stored_wrong_breaks_nothing(lesson, stored):
    lesson.evaluate("value => localStorage.setItem('progreso:31_multihead', value)", stored)
    lesson.reload()
    region = exercise(lesson)
    region.get_by_role("button", name="Pista").click()
    expect(region.locator("details.hint").first).to_be_visible()


def test_with_storage_refused_progress_lasts_as_long_as_the_page(page, site_url):
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no'); } })"
    )
    page.goto(f"{site_url}/{LESSON}")
    form = page.locator("form.quiz#que-crece")
    form.get_by_role("radio").nth(2).check()
    expect(page.get_by_role("navigation", name="Contenido")).to_contain_text("1 de ")
    region = exercise(page)
    region.get_by_role("button", name="Pista").click()
    expect(region.locator("details.hint").first).to_be_visible()


def test_without_javascript_hints_solutions_and_outcomes_are_there(browser, site_url):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site_url}/{LESSON}")
    for task in EXERCISES:
        region = exercise(page, task.name)
        expect(region.locator("details.hint")).to_have_count(len(task.hints))
        expect(region.get_by_role("button")).to_have_count(0)
        answer = region.locator("details.solution")
        answer.locator("summary").click()
        expect(answer.locator("code").first).to_be_visible()
    for record in BUGS:
        section = bug(page, record.name)
        section.get_by_text("Lo que pasa").click()
        expect(section.locator(".bug-numbers")).to_contain_text("cambia la salida")
        expect(section.get_by_text("Salida guardada.")).to_be_visible()
    assert "attempt(" not in page.locator("main").inner_text()
    context.close()


AXE = "node_modules/axe-core/axe.min.js"


def violations(page: Page) -> list[str]:
    page.evaluate((ROOT / AXE).read_text("utf-8"))
    ours = [[".exercise"], [".gallery"], ["form.quiz"], [".contents"]]
    context = {"include": ours, "exclude": [[".cm-editor"]]}  # editors: test_lesson
    found = page.evaluate("context => axe.run(context)", context)["violations"]
    return [f"{v['id']}: {v['nodes'][0]['html'][:300]}" for v in found]


WIDER = """width => [...document.querySelectorAll('.exercise-tools, .exercise-result, .gallery *')]
    .filter(node => node.checkVisibility() && node.getBoundingClientRect().right > width + 0.5)
    .filter(node => !node.closest('pre'))
    .map(node => node.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("width, scheme", [(1280, "light"), (360, "dark")])
def test_axe_finds_nothing_in_any_state_and_nothing_overflows(page, site_url, width, scheme):
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.goto(f"{site_url}/{LESSON}")
    region = exercise(page)
    region.get_by_role("button", name="Pista").click()
    write(region, next(e for e in EXERCISES if e.name == CUT).wrongs[0].body)
    check(region, "wrong")
    solved = exercise(page, "la-mascara-causal")
    write(solved, solution("la-mascara-causal"))
    check(solved, "right")
    section = choose_bug(page, BUGS[-1])
    section.get_by_role("radio").first.check()
    expect(section.get_by_text("Calculado ahora mismo")).to_be_visible(timeout=BOOT)
    page.locator("form.quiz#que-crece").get_by_role("radio").first.check()
    assert violations(page) == []
    assert page.evaluate(WIDER, width) == []
