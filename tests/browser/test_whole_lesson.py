"""The lesson as two readers do it: one, with only a keyboard, the whole; one with only a finger."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from sitegen.directives.quiz import Quiz
from tests.browser.conftest import LESSON
from tests.browser.lesson_page import BOOT, printed, settled
from tests.browser.practice_page import BUGS, EXERCISES, SOURCE, solution

pytestmark = pytest.mark.long

QUIZZES = [d for d in SOURCE.directives if type(d) is Quiz]
CELLS = [c.name for c in SOURCE.cells if not c.hidden]
OF_EXERCISES = {e.cell.name: e.name for e in EXERCISES}
TOUCHED = ["una-o-cuatro", "patio", "tu-split-heads", "en-rebanadas", "cabeza-real"]
MOST_STOPS = 260  # of the Tab key, from the top of the page to its end

HERE = """() => {
  const node = document.activeElement;
  const inside = (selector) => node.closest(selector);
  return {
    end: node === document.body,
    action: node.dataset.action ?? '',
    cell: inside('.cell')?.dataset.cell ?? '',
    writes: node.matches('textarea, .cm-content'),
    quiz: node.type === 'radio' ? inside('form.quiz')?.id ?? '' : '',
    picker: node.name === 'error-elegido',
    bug: inside('section.bug') !== null,
    exercise: inside('section.exercise')?.id ?? '',
    head: node.matches('.heatmap input[type=radio]'),
    row: /fila 1$/.test(node.getAttribute('aria-label') ?? ''),
    slider: node.type === 'range',
    model: node.matches('.mv-open'),
  };
}"""


def named(page: Page, name: str) -> Locator:
    return page.locator(f".cell[data-cell={name}]")


def done(page: Page, exercises: int, bugs: int, quizzes: int) -> None:
    """The contents say that so many are done."""
    contents = page.get_by_role("navigation", name="Contenido")
    for count, all_of_them, what in (
        (exercises, EXERCISES, "ejercicios"), (bugs, BUGS, "errores"),
        (quizzes, QUIZZES, "preguntas"),
    ):  # fmt: skip
        expect(contents).to_contain_text(f"{count} de {len(all_of_them)} {what}")


# -- keyboard -----------------------------------------------------------------------------------


def answer(page: Page, quiz: str) -> None:
    """The focus is on the first choice: go to the right one, answer."""
    right = next(i for q in QUIZZES if q.name == quiz for i, c in enumerate(q.choices) if c.correct)
    for _ in range(right):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter" if right else "Space")
    expect(page.locator(f"form.quiz#{quiz}").get_by_role("status")).to_have_text(
        re.compile(r"^Correcto\.")
    )


def try_every_bug(page: Page) -> None:
    """The focus is on the gallery's picker: predict each, come back."""
    for number in range(len(BUGS)):
        if number:
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        expect(page.locator("section.bug:visible .bug-outcome")).to_be_visible()
        page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.activeElement.name") == "error-elegido"


def run_again_from_the_editor(page: Page, name: str) -> None:
    """The focus is in the editor: write a line, run it, leave."""
    expect(named(page, name).locator(".cm-content")).to_be_focused()
    page.keyboard.press("Control+End")
    page.keyboard.type("\nprint('fin')")
    page.keyboard.press("Shift+Enter")
    expect(named(page, name).get_by_role("log")).to_contain_text("fin", timeout=BOOT)
    settled(named(page, name))
    page.keyboard.press("Escape")


def write_solution(page: Page, name: str) -> None:
    """The focus is in the editor: type over what is there, leave it."""
    editor = page.locator(f".cell[data-cell={name}] .cm-content")
    expect(editor).to_be_focused()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(solution(OF_EXERCISES[name]))
    page.keyboard.press("Escape")


def test_by_keyboard_alone_every_cell_gives_its_stored_output_and_nothing_is_left_to_do(lesson):
    page = lesson
    lit = page.locator("#mapa [aria-live=polite]")
    assert page.locator(".cell").count() == len(CELLS)
    stored = {name: printed(named(page, name)) for name in CELLS}
    live = {}
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")  # skip to the content
    seen = {"heads": 0, "rows": 0, "slider": 0, "model": 0}
    for _stop in range(MOST_STOPS):
        page.keyboard.press("Tab")
        here = page.evaluate(HERE)
        if here["end"]:
            break
        if here["action"] == "run":
            page.keyboard.press("Enter")
            live[here["cell"]] = printed(settled(named(page, here["cell"])))
        elif here["writes"] and here["cell"] == CELLS[0]:
            run_again_from_the_editor(page, CELLS[0])
        elif here["writes"] and here["cell"] in OF_EXERCISES:
            write_solution(page, here["cell"])
        elif here["action"] == "check":
            page.keyboard.press("Enter")
            result = page.locator(f"#{here['exercise']} .exercise-result")
            expect(result).to_have_attribute("data-state", "right", timeout=BOOT)
        elif here["picker"]:
            try_every_bug(page)
        elif here["quiz"] and not here["bug"]:
            answer(page, here["quiz"])
        elif here["head"]:
            page.keyboard.press("ArrowRight")
            seen["heads"] += 1
        elif here["row"]:
            page.keyboard.press("ArrowDown")
            if not seen["rows"]:
                expect(lit).to_contain_text("cabeza 2: «Las»")
            page.keyboard.press("Enter")
            page.keyboard.press("Escape")
            seen["rows"] += 1
        elif here["slider"]:
            page.keyboard.press("ArrowRight")
            expect(page.locator(".ex-output")).to_contain_text("16 cabezas")
            seen["slider"] += 1
        elif here["model"]:
            page.keyboard.press("Enter")
            expect(page.locator(".mv-live")).to_be_visible()
            seen["model"] += 1
    else:
        pytest.fail(f"after {MOST_STOPS} stops the end of the page is not reached: {here}")
    assert live == stored and any(live.values())
    assert seen["heads"] >= 3 and seen["rows"] >= 3 and seen["slider"] == 1 and seen["model"] == 1
    done(page, len(EXERCISES), len(BUGS), len(QUIZZES))
    expect(page.locator(".cell[data-state=done]")).to_have_count(len(CELLS))


# -- touch --------------------------------------------------------------------------------------


@pytest.fixture
def phone(browser):
    """A narrow one."""
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True, locale="es-ES",
        device_scale_factor=2,
    )  # fmt: skip
    yield context
    context.close()


def solve_by_touch(page: Page, name: str) -> None:
    region = named(page, name)
    exercise = page.locator(f"section.exercise#{OF_EXERCISES[name]}")
    region.get_by_role("textbox").tap()
    expect(region.locator(".cm-content")).to_be_focused()
    region.get_by_role("textbox").fill(solution(OF_EXERCISES[name]))
    exercise.get_by_role("button", name="Comprobar").tap()
    result = exercise.locator(".exercise-result")
    expect(result).to_have_attribute("data-state", "right", timeout=BOOT)


def does_not_scroll_sideways(page: Page) -> bool:
    return page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]


def test_by_touch_on_a_narrow_phone(phone, page_log, site_url):
    page = phone.new_page()
    page.set_default_timeout(30_000)
    page_log.watch(page)
    page.goto(f"{site_url}/{LESSON}")
    for name in TOUCHED:
        if name in OF_EXERCISES:
            solve_by_touch(page, name)
        else:
            named(page, name).get_by_role("button", name="Ejecutar", exact=True).tap()
            settled(named(page, name))
        assert does_not_scroll_sideways(page), name
    record = BUGS[-1]
    picker = page.get_by_role("group", name="Elige un error")
    picker.get_by_label(record.options["title"]).tap()
    section = page.locator(f"section.bug[data-bug={record.name}]")
    section.locator(".choice label").first.tap()
    expect(section.locator(".bug-outcome")).to_be_visible()
    assert does_not_scroll_sideways(page)
    quiz = QUIZZES[0]
    right = next(i for i, choice in enumerate(quiz.choices) if choice.correct)
    form = page.locator(f"form.quiz#{quiz.name}")
    form.locator(".choice label").nth(right).tap()
    expect(form.get_by_role("status")).to_have_text(re.compile(r"^Correcto\."))
    assert does_not_scroll_sideways(page)
    done(page, 1, 1, 1)
    heads = page.locator("#mapa").get_by_role("radiogroup", name="Cabeza")
    heads.get_by_text("2", exact=True).first.tap()
    expect(heads.get_by_role("radio").nth(1)).to_be_checked()
    page.locator("#mapa").get_by_role("button", name="Luis, fila").first.tap()
    expect(page.locator("#mapa [aria-live=polite]")).to_contain_text("cabeza 2: «Luis»")
    assert does_not_scroll_sideways(page)
    assert not page_log.foreign() and not page_log.unexpected()


def test_what_a_finger_presses_is_large_enough(phone, site_url):
    """24 px or more both ways (WCAG 2.5.8); a map's rows and columns have their chips, too."""
    page = phone.new_page()
    page.goto(f"{site_url}/{LESSON}")
    small = page.evaluate("""() => [...document.querySelectorAll('button, summary, .choice label')]
        .filter((node) => !node.closest('.hm-rows, .hm-cols'))
        .filter((node) => node.checkVisibility({ visibilityProperty: true }))
        .map((node) => [node.textContent.trim().slice(0, 40), node.getBoundingClientRect()])
        .filter(([, box]) => box.width < 24 || box.height < 24)
        .map(([text, box]) => `${text}: ${Math.round(box.width)} × ${Math.round(box.height)}`)""")
    assert small == []
