"""Gallery of bugs, questions, and what all of the practice shares: progress, no script, axe."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LESSON
from tests.browser.lesson_page import LOOK_RULES, violations
from tests.browser.practice_page import (
    BOOT,
    BUGS,
    CUT,
    EXERCISES,
    bug,
    check,
    choose_bug,
    exercise,
    solution,
    write,
)

pytestmark = pytest.mark.long

pytest_plugins = ["tests.browser.practice_page"]


def test_each_bug_is_predicted_first_and_python_gives_what_the_build_stored(runner):
    runner.reload()  # nothing predicted yet
    for record in BUGS:
        section = choose_bug(runner, record)
        expect(section).to_be_visible()
        expect(runner.locator("section.bug:visible")).to_have_count(1)
        outcome = section.locator(".bug-outcome")
        expect(outcome).to_be_hidden()
        numbers, tables = outcome.locator(".bug-numbers"), outcome.locator("table")
        stored = numbers.text_content(), tables.all_text_contents()
        section.get_by_role("radio").first.check()
        expect(outcome).to_be_visible()
        expect(outcome.get_by_role("table")).to_have_count(2)
        if record is BUGS[0]:
            outcome.get_by_role("button", name="Calcularlo ahora con Python").click()
        expect(outcome.get_by_text("Calculado ahora mismo")).to_be_visible(timeout=BOOT)
        assert (numbers.text_content(), tables.all_text_contents()) == stored
        assert tables.nth(0).text_content() != tables.nth(1).text_content()
    contents = runner.get_by_role("navigation", name="Contenido")
    expect(contents).to_contain_text(f"{len(BUGS)} de {len(BUGS)} errores")


def test_the_gallery_computes_with_the_readers_own_code_and_survives_its_errors(runner):
    record = BUGS[0]
    section = choose_bug(runner, record)
    section.get_by_role("radio").first.check()
    numbers = section.locator(".bug-numbers")
    stored = numbers.inner_text()
    region = runner.locator("#galeria.cell")
    source = region.locator(".cell-editor pre").inner_text()
    write(region, source.replace("return y.reshape(h, n, d_k)", "return split_wrong(y)"))
    section.get_by_role("button", name=re.compile("^Calcularlo")).click()
    expect(section.get_by_text("No se ha podido calcular")).to_be_visible(timeout=BOOT)
    assert numbers.inner_text() == stored
    write(region, source.replace("Las niñas cansadas", "Las niñas"))
    section.get_by_role("button", name="Calcularlo otra vez").click()
    expect(section.get_by_text("Calculado ahora mismo")).to_be_visible(timeout=BOOT)
    expect(section.get_by_role("table").first.locator("tr")).to_have_count(7)
    assert numbers.inner_text() != stored


def test_answering_fetches_no_python_by_itself(reader, page_log):
    section = choose_bug(reader, BUGS[1])
    section.get_by_role("radio").first.check()
    expect(section.get_by_role("table")).to_have_count(2)
    reader.wait_for_load_state("networkidle")
    assert not [url for url in page_log.requests if "/runtime/" in url]


def test_a_link_to_a_bug_opens_it(reader):
    last = BUGS[-1]
    reader.goto(reader.url.split("#")[0] + f"#{last.name}")
    expect(bug(reader, last.name)).to_be_visible()
    expect(bug(reader, BUGS[0].name)).to_be_hidden()


def test_a_question_by_keyboard_looking_is_not_answering(reader):
    form = reader.locator("form.quiz#que-crece")
    said, choices = form.get_by_role("status"), form.get_by_role("radio")
    choices.nth(0).focus()
    reader.keyboard.press("ArrowDown")
    expect(choices.nth(1)).to_be_checked()
    expect(said).to_have_text("Intro para responder.")
    reader.keyboard.press("ArrowDown")
    reader.keyboard.press("Enter")
    expect(said).to_have_text(re.compile(r"^Correcto\."))
    reader.keyboard.press("ArrowDown")
    reader.keyboard.press("Space")
    expect(said).to_have_text(re.compile(r"^No\."))
    form.get_by_role("button", name="Otra vez").click()
    expect(said).to_be_empty()
    assert not any(choices.nth(i).is_checked() for i in range(choices.count()))
    expect(choices.nth(3)).to_be_focused()


def test_answers_are_kept_by_what_they_say_and_counted_when_right(reader):
    form = reader.locator("form.quiz#que-crece")
    contents = reader.get_by_role("navigation", name="Contenido")
    total = reader.locator("form.quiz").count() - len(BUGS)
    form.get_by_role("radio").nth(0).check()
    expect(contents).to_contain_text(f"0 de {total} preguntas")
    form.get_by_role("radio").nth(2).check()
    expect(contents).to_contain_text(f"1 de {total} preguntas")
    reader.reload()
    expect(form.get_by_role("radio").nth(2)).to_be_checked()
    expect(form.get_by_role("status")).to_have_text(re.compile(r"^Correcto\."))
    form.get_by_role("button", name="Otra vez").click()
    reader.reload()
    expect(form.get_by_role("status")).to_be_empty()
    expect(contents).to_contain_text(f"0 de {total} preguntas")


def test_two_tabs_share_what_is_solved(reader):
    other = reader.context.new_page()
    other.goto(reader.url)
    reader.locator("form.quiz#que-crece").get_by_role("radio").nth(2).check()
    other.locator("form.quiz#para-que-w-o").get_by_role("radio").nth(1).check()
    for tab in (reader, other):
        expect(tab.get_by_role("navigation", name="Contenido")).to_contain_text("2 de ")


def test_what_was_stored_wrong_breaks_nothing(reader):
    for stored in ("[1, 2", "[]", "null", '{"exercise:corta-en-cabezas": 3}'):
        reader.evaluate("value => localStorage.setItem('progreso:31_multihead', value)", stored)
        reader.reload()
        region = exercise(reader)
        hint = region.locator("details.hint").first
        expect(hint).to_be_hidden()
        region.get_by_role("button", name="Pista").click()
        expect(hint).to_be_visible()


def test_with_storage_refused_progress_lasts_as_long_as_the_page(quiet, site_url):
    quiet.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no'); } })"
    )
    quiet.goto(f"{site_url}/{LESSON}")
    form = quiet.locator("form.quiz#que-crece")
    form.get_by_role("radio").nth(2).check()
    expect(quiet.get_by_role("navigation", name="Contenido")).to_contain_text("1 de ")
    region = exercise(quiet)
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


def test_on_paper_the_practice_is_whole_and_solves_nothing(reader):
    reader.emulate_media(media="print")
    for task in EXERCISES:
        region = exercise(reader, task.name)
        expect(region.get_by_role("heading")).to_be_visible()
        expect(region.locator(".cell-editor > pre")).to_be_visible()
        for gone in (".exercise-tools", ".code-input", ".solution pre"):
            expect(region.locator(gone).first).to_be_hidden()
    for record in BUGS:
        expect(bug(reader, record.name).locator(".bug-numbers")).to_be_visible()
    form = reader.locator("form.quiz#que-crece")
    expect(form.locator("label").first).to_be_visible()
    expect(form.locator(".choice-feedback").first).to_be_hidden()
    wide = reader.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0


PARTS = ".exercise, .gallery, form.quiz, nav"  # what changes; the rest: test_axe_states.py
WIDER = """width => [...document.querySelectorAll('.exercise-tools, .exercise-result, .gallery *')]
    .filter(node => node.checkVisibility() && node.getBoundingClientRect().right > width + 0.5)
    .filter(node => !node.closest('pre'))
    .map(node => node.outerHTML.slice(0, 120))"""


def test_axe_finds_nothing_in_any_state_and_nothing_overflows(runner):
    region = exercise(runner)
    region.get_by_role("button", name="Pista").click()
    write(region, next(e for e in EXERCISES if e.name == CUT).wrongs[0].body)
    check(region, "wrong")
    solved = exercise(runner, "la-mascara-causal")
    write(solved, solution("la-mascara-causal"))
    check(solved, "right")
    section = choose_bug(runner, BUGS[-1])
    section.get_by_role("radio").first.check()
    expect(section.get_by_text("Calculado ahora mismo")).to_be_visible(timeout=BOOT)
    runner.locator("form.quiz#que-crece").get_by_role("radio").first.check()
    for width, scheme, rules in ((1280, "light", None), (360, "dark", LOOK_RULES)):
        runner.set_viewport_size({"width": width, "height": 900})
        runner.emulate_media(color_scheme=scheme)
        assert violations(runner, PARTS, rules) == []
        assert runner.evaluate(WIDER, width) == []
