"""The built lesson as a reader meets it: read it, run its cells, point at its heads."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LESSON, ROOT
from tests.browser.lesson_page import (
    cell,
    output,
    restart,
    run,
    settled,
    source_of,
    violations,
    write,
)


def test_before_any_intent_the_page_fetches_no_runtime(lesson, page_log):
    expect(lesson.get_by_role("heading", level=1)).to_have_text("31 · Atención multi-cabeza")
    lesson.wait_for_load_state("networkidle")
    assert not [url for url in page_log.requests if "/runtime/" in url or ".worker" in url]
    assert lesson.evaluate("scrollY") == 0


def test_run_all_takes_the_cells_in_order_in_one_namespace_and_stop_drops_the_rest(warm):
    first, second, count = cell(warm, 1), cell(warm, 2), warm.locator(".cell").count()
    write(first, "of_the_first = 'hola'")
    write(second, "print(of_the_first)\nwhile True: pass")
    warm.get_by_role("button", name="Ejecutar todo").click()
    expect(second.get_by_role("log")).to_have_text("hola")
    expect(first).to_have_attribute("data-state", "done")
    expect(warm.locator(".cell[data-state=queued]")).to_have_count(count - 2)
    second.get_by_role("button", name="Detener").click()
    expect(warm.locator(".cell[data-state=stopped]")).to_have_count(count - 1)


def test_the_last_cell_alone_runs_what_it_needs_first(warm):
    restart(warm)
    region = settled(run(warm, 4))
    expect(cell(warm, 1)).to_have_attribute("data-state", "done")
    expect(cell(warm, 2)).to_have_attribute("data-state", "idle")
    assert "la celda 1" in output(region)


def test_a_name_that_only_an_edit_needs_is_found_in_an_earlier_cell(warm):
    restart(warm)
    region = cell(warm, 4)
    write(region, "print(num_heads)")
    settled(run(warm, 4))
    expect(cell(warm, 2)).to_have_attribute("data-state", "done")
    assert output(region).endswith("2")


def test_an_error_names_cell_and_line_and_shows_no_foreign_frame(warm):
    region = cell(warm, 3)
    write(region, "x = 2\nx @ 3")
    settled(run(warm, 3), "failed")
    text = output(region)
    assert "TypeError" in text
    assert "Celda 3 (construir), línea 2" in text
    region.get_by_text("Traza de Python").click()
    trace = region.locator(".error-trace pre").inner_text()
    assert 'File "Celda 3 (construir)", line 2' in trace
    assert not re.search(r"cell_runner|session|_pyodide|site-packages", trace)
    expect(region.locator(".cm-failed-line")).to_have_text("x @ 3")


def test_markup_in_outputs_and_errors_stays_text(warm):
    region = cell(warm, 1)
    write(region, 'print("<b>pesos</b>", type(1), "&lt;")')
    settled(run(warm, 1))
    assert output(region) == "<b>pesos</b> <class 'int'> &lt;"
    write(region, 'raise ValueError("<img src=x onerror=alert(1)>")')
    settled(run(warm, 1), "failed")
    assert "ValueError: <img src=x onerror=alert(1)>" in output(region)
    assert region.locator("img").count() == 0


def test_an_endless_loop_stops_and_the_next_cell_runs(warm):
    region = cell(warm, 1)
    write(region, "while True: pass")
    run(warm, 1)
    expect(region).to_have_attribute("data-state", "running")
    before = warm.evaluate("scrollY")
    warm.mouse.wheel(0, 600)
    expect(warm.locator("html")).not_to_have_js_property("scrollTop", before)
    region.get_by_role("button", name="Detener").click()
    settled(region, "stopped")
    assert "variables" in output(region)
    settled(run(warm, 2))


def test_edits_survive_a_reload_another_address_and_are_undone_by_restablecer(quiet):
    region = cell(quiet, 2)
    original = source_of(region)
    write(region, "print('mía')")
    quiet.goto(quiet.url.split("#")[0] + "?x=1#la-idea")
    region = cell(quiet, 2)
    expect(region.get_by_role("textbox")).to_have_value("print('mía')")
    expect(region.get_by_text("editada")).to_be_visible()
    region.get_by_role("button", name="Restablecer").click()
    expect(region.get_by_role("textbox")).to_have_value(original)
    quiet.reload()
    expect(cell(quiet, 2).get_by_text("editada")).to_be_hidden()


def heatmap(page: Page):
    """The playground's own map; cells that draw have theirs."""
    return page.locator("#mapa").get_by_role("region", name=re.compile("^Mapa de atención"))


def test_the_heatmap_answers_before_python_is_there(lesson, page_log):
    viewer = heatmap(lesson)
    heads = viewer.get_by_role("radiogroup", name="Cabeza").get_by_role("radio")
    assert heads.count() >= 4
    heads.nth(1).click()
    expect(heads.nth(1)).to_be_checked()
    viewer.get_by_role("button", name=re.compile("^estaban")).first.hover()
    spoken = viewer.locator("[aria-live=polite]")
    expect(spoken).to_contain_text("cabeza 2: «estaban» atiende 1,00 a «niñas»")
    assert not [url for url in page_log.requests if "/runtime/" in url]


def test_an_edited_cell_redraws_the_heatmap_in_place(warm):
    viewer = heatmap(warm)
    heads = viewer.get_by_role("radiogroup", name="Cabeza").get_by_role("radio")
    heads.nth(2).click()
    region = cell(warm, 4)
    source = source_of(region)
    write(region, re.sub(r'sentence = ".*"', 'sentence = "Ana llamó a Luis"', source))
    settled(run(warm, 4))
    expect(viewer.get_by_role("button", name=re.compile("^llamó")).first).to_be_visible()
    expect(viewer.get_by_role("button", name=re.compile("^cansadas"))).to_have_count(0)
    expect(heads.nth(2)).to_be_checked()
    assert heatmap(warm).count() == 1


def test_a_wrong_array_is_refused_and_the_last_picture_stands(warm):
    region = settled(run(warm, 4))
    write(region, "import playground\nplayground.show_heads([[0.5, 0.6], [1, 0]], ['a', 'b'])")
    settled(run(warm, 4), "failed")
    assert "ValueError" in output(region)
    expect(heatmap(warm).get_by_role("button", name=re.compile("^estaban")).first).to_be_visible()


def test_the_quiz_says_something_of_every_answer(lesson):
    for form in lesson.locator("form.quiz:visible").all():
        said = set()
        choices = form.get_by_role("radio")
        for i in range(choices.count()):
            choices.nth(i).check()
            status = form.get_by_role("status")
            expect(status).to_have_text(re.compile("^(Correcto|No)\\."))
            said.add(status.inner_text())
        assert len(said) == choices.count()
        assert sum(text.startswith("Correcto") for text in said) == 1


def test_the_modules_source_is_fetched_when_asked_for_and_read_by_keyboard(quiet, page_log):
    page_log.allow_errors("net::ERR_FAILED")
    details = quiet.locator("details.module-source")
    assert not [url for url in page_log.requests if "/modulos/" in url]
    quiet.route("**/modulos/*.json", lambda route: route.abort(), times=1)
    details.locator("summary").press("Enter")
    expect(details.get_by_role("status")).to_contain_text("No se ha podido descargar")
    details.locator("summary").press("Enter")
    details.locator("summary").press("Enter")
    listing = quiet.get_by_role("region", name="Código de mha.py")
    expect(listing).to_be_visible()
    expect(details.get_by_role("status")).to_be_empty()
    assert listing.inner_text().strip() == (ROOT / "py/mha.py").read_text("utf-8").strip()
    quiet.keyboard.press("Tab")
    expect(listing).to_be_focused()
    assert violations(quiet, ".module-source") == []
    quiet.keyboard.press("Tab")
    expect(quiet.get_by_role("link", name="Descargar mha.py")).to_be_focused()


@pytest.mark.parametrize("name", ["index.html", "avisos.html"])
def test_axe_finds_nothing_on_the_other_pages(page, site_url, name):
    page.goto(f"{site_url}/{name}")
    assert violations(page) == []


def test_without_javascript_the_whole_lesson_is_there(browser, site_url):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site_url}/{LESSON}")
    assert page.locator(".cell .code").count() == page.locator(".cell").count() >= 4
    expect(page.locator("#construir .cell-output")).to_contain_text("igual que mha: True")
    expect(page.locator(".katex-display").first).to_be_visible()
    expect(page.locator(".heatmap svg").first).to_be_visible()
    expect(page.get_by_role("button", name="Ejecutar", exact=True)).to_have_count(0)
    expect(page.locator(".noscript")).to_be_visible()
    page.locator(".module-source summary").click()
    with page.expect_download() as module:
        page.get_by_role("link", name="Descargar mha.py").click()
    assert module.value.suggested_filename == "mha.py"
    context.close()


def test_print_keeps_every_line_of_code_and_the_outputs(quiet):
    region = cell(quiet, 3)
    source = "\n".join(f"a{i} = {i}" for i in range(120))
    write(region, source)
    quiet.emulate_media(media="print")
    shown = region.locator(".cell-editor pre")
    expect(shown).to_be_visible()
    assert shown.inner_text().split("\n") == source.split("\n")
    expect(region.locator(".cm-editor")).to_be_hidden()
    expect(quiet.locator("#una-o-cuatro .cell-output pre").first).to_be_visible()


def test_a_dark_theme_is_printed_dark_on_white(quiet):
    quiet.evaluate("document.documentElement.dataset.theme = 'dark'")
    quiet.emulate_media(media="print")
    body = quiet.locator("body")
    expect(body).to_have_css("color", "rgb(31, 31, 36)")
    expect(body).to_have_css("background-color", "rgb(255, 255, 255)")


def test_the_theme_is_switched_and_kept(quiet):
    before = quiet.evaluate("getComputedStyle(document.body).backgroundColor")
    quiet.get_by_role("button", name="Cambiar entre claro y oscuro").click()
    after = quiet.evaluate("getComputedStyle(document.body).backgroundColor")
    assert before != after
    quiet.reload()
    assert quiet.evaluate("getComputedStyle(document.body).backgroundColor") == after


COPIED = """async () => {
  for (;;) {
    const paths = (await (await caches.open('lesson')).keys()).map(({ url }) => url);
    const has = (pattern) => paths.some((url) => pattern.test(url));
    if (has(/[.]html$/) && has(/snapshot-/)) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}"""


def test_with_the_network_off_the_whole_lesson_goes_on_working(lesson, context, page_log):
    page_log.allow_errors("ERR_INTERNET_DISCONNECTED", "Failed to fetch")
    settled(run(lesson, 1))
    assert lesson.evaluate(COPIED)
    context.set_offline(True)
    lesson.goto(lesson.url)
    settled(run(lesson, 1))
    assert "cabeza" in output(cell(lesson, 1))
    write(cell(lesson, 2), "1 + 1")
    context.set_offline(False)


def test_the_offline_copy_is_switched_off_by_one_setting(lesson):
    lesson.evaluate("() => navigator.serviceWorker.ready.then(() => true)")
    lesson.locator(".top").get_by_text("Más").click()
    lesson.get_by_role("button", name="Guardar copia para leer sin red").click()
    expect(lesson.locator(".kernel-text")).to_have_text(re.compile("se ha borrado"))
    lesson.reload()
    count = "() => navigator.serviceWorker.getRegistrations().then((all) => all.length)"
    assert lesson.evaluate(count) == 0
