"""The cell: editor, runs, output, errors explained, edits that are never lost."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LESSON
from tests.browser.lesson_page import (
    BOOT,
    cell,
    output,
    restart,
    result_of,
    run,
    settled,
    source_of,
    time_passes,
    write,
)

pytestmark = pytest.mark.long

# -- running ------------------------------------------------------------------------------------


def test_the_last_expression_is_shown_and_arrays_with_shape_and_dtype(warm):
    text = result_of(warm, 1, "import numpy as np\nnp.zeros((2, 3), dtype=np.float32)")
    assert text.endswith("forma (2, 3), float32")
    assert result_of(warm, 1, "7 * 6") == "42"
    assert result_of(warm, 1, "7 * 6;") == ""


def test_top_level_await_works(warm):
    source = "import asyncio\nawait asyncio.sleep(0.01)\n'hecho'"
    assert result_of(warm, 1, source) == "'hecho'"


def test_alt_enter_runs_and_goes_on_to_the_next_editor(warm):
    region = cell(warm, 1)
    write(region, "1 + 1")
    region.get_by_role("textbox").press("Alt+Enter")
    settled(region)
    expect(cell(warm, 2).get_by_role("textbox")).to_be_focused()


def test_run_to_here_runs_all_before_it_and_nothing_after(warm):
    region = cell(warm, 3)
    region.get_by_label("Más acciones de la celda 3").click()
    region.get_by_role("button", name="Ejecutar hasta aquí").click()
    for number in (1, 2, 3):
        settled(cell(warm, number))
    expect(cell(warm, 4)).to_have_attribute("data-state", "idle")


def test_restart_empties_the_namespace(warm):
    settled(run(warm, 2))
    question = "'x_small' in globals()"
    assert result_of(warm, 1, question) == "True"
    restart(warm)
    assert result_of(warm, 1, question) == "False"


def test_composing_with_an_input_method_never_runs_the_cell(quiet):
    region = cell(quiet, 1)
    write(region, "1")
    region.get_by_role("textbox").evaluate(
        """node => {
            node.dispatchEvent(new CompositionEvent('compositionstart', {bubbles: true}));
            const enter = {key: 'Enter', code: 'Enter', keyCode: 13, shiftKey: true, bubbles: true};
            node.dispatchEvent(new KeyboardEvent('keydown', {...enter, isComposing: true}));
        }"""
    )
    expect(region).to_have_attribute("data-state", "idle")


# -- output -------------------------------------------------------------------------------------


def test_a_progress_bar_with_carriage_returns_stays_one_line(warm):
    source = "for i in range(200): print(f'\\rpaso {i}', end='')\nprint('\\rfin')"
    assert result_of(warm, 1, source) == "fino 199"  # "fin" over "paso 199"


def test_a_long_output_is_capped_and_the_whole_is_offered(warm):
    region = cell(warm, 1)
    for _ in range(2):
        write(region, "for i in range(10000): print(i)")
        settled(run(warm, 1))
        assert region.locator(".cell-output *").count() < 100
        text = output(region)
        assert text.endswith("9999")
        assert text.count("\n") < 600
        expect(region.get_by_text("se muestra el final")).to_be_visible()
    with warm.expect_download() as caught:
        region.get_by_role("link", name="Descargar la salida completa").click()
    whole = Path(caught.value.path()).read_text("utf-8")
    assert whole == "".join(f"{i}\n" for i in range(10000))


def test_one_huge_line_stays_bounded(warm):
    region = cell(warm, 1)
    write(region, 'print("x" * 5_000_000)')
    settled(run(warm, 1))
    assert region.locator(".cell-output").evaluate("node => node.textContent.length") < 150_000


def test_charts_are_pictures_with_words_and_numbers(warm):
    source = (
        "import playground\n"
        "playground.show_lines({'a': ([0, 1], [0, 2])}, title='Recta')\n"
        "playground.show_matrix([[1, -2]], title='<b>M</b>')"
    )
    result_of(warm, 1, source)
    region = cell(warm, 1)
    expect(region.get_by_role("img", name="Recta: a: de 0 a 2")).to_be_visible()
    expect(region.locator("figcaption").nth(1)).to_have_text("<b>M</b>")
    region.locator(".chart summary").nth(1).click()
    expect(region.get_by_role("cell", name="−2")).to_be_visible()


# -- errors -------------------------------------------------------------------------------------

EXPLAINED = [
    ("x = pesoss", "pesoss"),
    ("lentgh = 3\nlenght", "¿Querías decir"),
    ("import numpy as np\nnp.ones((2, 3)) @ np.ones((2, 3))", "el número de columnas de A"),
    ("import numpy as np\nnp.ones(3) + np.ones(4)", "no encajan elemento a elemento"),
    ("import numpy as np\nnp.ones(6).reshape(4, 2)", "6 elementos"),
    ("import numpy as np\nnp.ones(3)[5]", "índice 5 en el eje 0"),
    ("import numpy as np\nnp.ones(3)[0, 1]", "1 dimensiones"),
    ("import numpy as np\nif np.ones(3): pass", "np.allclose"),
    ("import numpy as np\nnp.ones(3).sofmax()", "np.sofmax"),
    ("import mha\nmha.MultiHeadAttention(10, 3)", "1, 2, 5, 10"),
    ("def f():\nreturn 1", "más adentro"),
    ("print('hola'", "no se cierra"),
    ("if 1\n    pass", "dos puntos"),
    ("1 / 0", "entre cero"),
    ("def f(n): return f(n)\nf(1)", "sin llegar nunca a terminar"),
    ("2 @ 3", "@ multiplica arrays"),
    ("len(3, 4)", "TypeError"),
    ("{'a': 1}['b']", "no tiene la clave 'b'"),
    ("import torch", "No existe ningún módulo «torch»"),
    ("None.shape", "¿Falta un return?"),
    ("print(“peso”)", "comillas"),
    ("a, b = 1, 2, 3", "no hay tantos nombres"),
]


@pytest.mark.parametrize("source, words", EXPLAINED, ids=[words for _, words in EXPLAINED])
def test_a_common_error_is_explained_in_spanish(warm, source, words):
    assert words in result_of(warm, 1, source, "failed")


def test_the_original_traceback_is_one_click_away(warm):
    result_of(warm, 1, "import numpy as np\nnp.ones((2, 3)) @ np.ones((2, 3))", "failed")
    region = cell(warm, 1)
    region.get_by_text("Traza de Python").click()
    expect(region.locator(".error-trace pre")).to_contain_text("gufunc signature")
    expect(region.locator(".error-place")).to_have_text(re.compile("línea 2$"))


def test_input_inside_a_function_says_what_to_do(warm):
    source = "def f():\n    return input('¿Nombre? ')\nf()"
    assert "pregunta fuera, en la celda" in result_of(warm, 1, source, "failed")


# -- editor -------------------------------------------------------------------------------------


def test_completion_asked_for_while_python_loads_comes_once_it_is_there(lesson):
    held, free = [], []
    lesson.context.route(
        "**/runtime/snapshot-*",
        lambda route: route.continue_() if free else held.append(route),
    )
    region = cell(lesson, 1)
    asked = lesson.context.expect_event("request", lambda r: "/snapshot-" in r.url, timeout=BOOT)
    with asked:  # by a worker: the page's own events do not tell
        write(region, "pri")
    region.get_by_role("textbox").press("Control+Space")
    assert region.get_by_role("option").count() == 0
    free.append(True)
    for route in held:
        route.continue_()
    expect(region.get_by_role("option", name=re.compile("print"))).to_be_visible(timeout=BOOT)
    assert held


def test_completion_offers_the_live_namespace_and_the_lessons_modules(warm):
    region = cell(warm, 1)
    write(region, "mi_variable_larga = 1")
    settled(run(warm, 1))
    write(region, "mi_var")
    box = region.get_by_role("textbox")
    box.press("Control+Space")
    expect(region.get_by_role("option", name=re.compile("mi_variable_larga"))).to_be_visible()
    box.press("Escape")
    write(region, "import mha\nmha.split")
    box.press("Control+Space")
    expect(region.get_by_role("option", name=re.compile("split_heads"))).to_be_visible()
    time_passes(warm, 1000)  # Enter is no answer to a list that came up 75 ms ago
    box.press("Enter")
    assert source_of(region) == "import mha\nmha.split_heads"


def test_esc_then_tab_leaves_even_from_a_list_of_completions(warm):
    region = cell(warm, 1)
    write(region, "import mha\nmha.split")
    box = region.get_by_role("textbox")
    box.press("Control+Space")
    expect(region.get_by_role("option", name=re.compile("split_heads"))).to_be_visible()
    box.press("Escape")
    expect(region.get_by_role("option")).to_have_count(0)
    time_passes(warm, 60_000)  # the editor's own way out is over by now
    warm.keyboard.press("Tab")
    expect(region.locator(".cm-editor.cm-focused")).to_have_count(0)
    assert source_of(region) == "import mha\nmha.split"
    box.focus()
    box.press("Escape")
    box.press("ArrowLeft")  # any other key takes the way out back: Tab indents again
    box.press("Tab")
    assert source_of(region) != "import mha\nmha.split"


def test_a_docstring_is_shown_under_the_pointer(warm):
    region = cell(warm, 1)
    write(region, "import mha\nmha.softmax")
    region.locator(".cm-line").nth(1).get_by_text("softmax").hover()
    expect(region.locator(".cm-described")).to_contain_text("mha.softmax(")


def test_pasted_invisible_spaces_and_tabs_are_mended(quiet):
    region = cell(quiet, 1)
    write(region, "")
    region.get_by_role("textbox").evaluate(
        """node => {
            const data = new DataTransfer();
            data.setData('text/plain', 'if True:\\n\\tprint(1)\\u200b');
            node.dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true}));
        }"""
    )
    expect(region.locator(".cell-editor > pre")).to_have_text("if True:\n    print(1)")


def test_undo_reaches_back_over_restablecer(quiet):
    region = cell(quiet, 1)
    write(region, "mio = 1")
    region.get_by_role("button", name="Restablecer").click()
    region.get_by_role("textbox").focus()
    region.get_by_role("textbox").press("Control+z")
    assert source_of(region) == "mio = 1"


def test_no_autocorrect_on_phones(quiet):
    region = cell(quiet, 1)
    for _ in range(2):  # the text area, then CodeMirror
        box = region.get_by_role("textbox")
        for name in ("autocapitalize", "autocorrect"):
            expect(box).to_have_attribute(name, "off")
        expect(box).to_have_attribute("spellcheck", "false")
        box.click()
        expect(region.locator(".cm-editor")).to_be_visible()


def test_touching_a_cell_moves_nothing(quiet):
    region = cell(quiet, 2)
    region.scroll_into_view_if_needed()
    before = region.bounding_box()
    region.get_by_role("textbox").evaluate("node => node.focus({preventScroll: true})")
    expect(region.locator(".cm-editor")).to_be_visible()
    after = region.locator(".cell-output").bounding_box()
    assert abs(region.bounding_box()["y"] - before["y"]) < 1
    assert after["y"] - before["y"] < before["height"] + 30


# -- edits --------------------------------------------------------------------------------------


def test_when_the_lesson_has_changed_a_cell_both_versions_are_offered(quiet):
    region = cell(quiet, 2)
    original = source_of(region)
    edit = json.dumps({"source": "mio = 1", "base": "otra cosa"})
    quiet.evaluate(
        "edit => localStorage.setItem('leccion:31_multihead:cortar-en-cabezas', edit)", edit
    )
    quiet.reload()
    region = cell(quiet, 2)
    assert source_of(region) == "mio = 1"
    expect(region.get_by_text("La lección ha cambiado esta celda")).to_be_visible()
    region.get_by_role("button", name="Ver la de la lección").click()
    assert source_of(region) == original
    region.get_by_role("button", name="Volver a ella").click()
    assert source_of(region) == "mio = 1"


def test_two_tabs_do_not_overwrite_each_other_silently(quiet):
    other = quiet.context.new_page()
    other.goto(quiet.url)
    write(cell(quiet, 2), "de_una = 1")
    region = cell(other, 2)
    expect(region.get_by_text("otra pestaña")).to_be_visible()
    region.get_by_role("button", name="Traer esa versión").click()
    assert source_of(region) == "de_una = 1"
    other.close()


def test_where_storage_is_refused_the_page_works_and_says_so(page, site_url):
    page.add_init_script(
        "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); };"
    )
    page.goto(f"{site_url}/{LESSON}")
    assert result_of(page, 1, "print('bien')") == "bien"
    expect(page.locator(".kernel-warning")).to_have_text(re.compile("no deja guardar"))


def test_restore_all_gives_each_edit_back_on_request(quiet):
    originals = [source_of(cell(quiet, n)) for n in (1, 2)]
    for number in (1, 2):
        write(cell(quiet, number), f"mia = {number}")
    quiet.locator(".top").get_by_text("Más").click()
    quiet.get_by_role("button", name="Restaurar todas las celdas").click()
    assert [source_of(cell(quiet, n)) for n in (1, 2)] == originals
    cell(quiet, 2).get_by_role("button", name="Recuperar el mío").click()
    assert source_of(cell(quiet, 2)) == "mia = 2"


def test_a_link_carries_the_edits_and_runs_nothing(quiet):
    write(cell(quiet, 2), "print('¡compartida, con ñ y €!')")
    quiet.context.grant_permissions(["clipboard-read", "clipboard-write"])
    quiet.locator(".top").get_by_text("Más").click()
    quiet.get_by_role("button", name="Copiar un enlace").click()
    expect(quiet.locator(".kernel-text")).to_have_text(re.compile("Enlace copiado"))
    address = quiet.evaluate("navigator.clipboard.readText()")
    quiet.evaluate("localStorage.clear()")
    quiet.goto("about:blank")
    quiet.goto(address)
    region = cell(quiet, 2)
    expect(region.get_by_text("El enlace trae otra versión")).to_be_visible()
    expect(region).to_have_attribute("data-state", "idle")
    region.get_by_role("button", name="Verla").click()
    assert source_of(region) == "print('¡compartida, con ñ y €!')"
    expect(region).to_have_attribute("data-state", "idle")


def test_the_edits_can_be_taken_along_as_py_and_as_a_notebook(quiet):
    write(cell(quiet, 2), "print('mía')")
    files = {}
    for name in ("(.py)", "(.ipynb)"):
        quiet.locator(".top").get_by_text("Más").click()
        with quiet.expect_download() as caught:
            quiet.get_by_role("button", name=name).click()
        files[name] = Path(caught.value.path()).read_text("utf-8")
    assert "# %% Celda 2: cortar en cabezas\nprint('mía')\n" in files["(.py)"]
    notebook = json.loads(files["(.ipynb)"])
    (mine,) = (c for c in notebook["cells"] if c["metadata"].get("name") == "cortar-en-cabezas")
    assert mine["source"] == "print('mía')"


# -- while it runs ------------------------------------------------------------------------------


def test_what_a_cell_shows_is_drawn_while_it_runs_and_in_place(warm):
    source = (
        "import playground, time\n"
        "for n in range(2, 5):\n"
        "    playground.show_lines({'a': (list(range(n)), list(range(n)))}, title='vivo')\n"
        "while True: time.sleep(0.01)"
    )
    region = cell(warm, 1)
    write(region, source)
    run(warm, 1)
    expect(region.get_by_role("img", name="vivo: a: de 0 a 3")).to_be_visible()
    expect(region).to_have_attribute("data-state", "running")
    assert region.locator(".chart").count() == 1
    region.get_by_role("button", name="Detener").click()
    settled(region, "stopped")


def test_stopping_a_cell_that_awaits_keeps_what_it_made(warm):
    region = cell(warm, 1)
    source = "n = 0\nwhile True:\n    n += 1\n    print(n)\n    await asyncio.sleep(0.01)"
    write(region, f"import asyncio\n{source}")
    run(warm, 1)
    expect(region.get_by_role("log")).to_contain_text("4")
    region.get_by_role("button", name="Detener").click()
    settled(region, "stopped")
    assert "siguen ahí" in output(region)
    assert result_of(warm, 1, "n > 3") == "True"


def test_input_asks_in_the_page(warm):
    region = cell(warm, 1)
    write(region, 'nombre = input("¿Nombre? ")\nprint(f"Hola, {nombre}")')
    run(warm, 1)
    box = region.get_by_label("¿Nombre?")
    expect(box).to_be_focused()
    box.fill("<b>Ana</b>")
    box.press("Enter")
    settled(region)
    assert output(region) == "¿Nombre? <b>Ana</b>\nHola, <b>Ana</b>"


def test_a_cell_that_waits_for_input_can_be_stopped(warm):
    region = cell(warm, 1)
    write(region, "input()")
    run(warm, 1)
    expect(region.locator(".cell-ask")).to_be_visible()
    region.get_by_role("button", name="Detener").click()
    settled(region, "stopped")
    expect(region.locator(".cell-ask")).to_have_count(0)
    assert result_of(warm, 1, "1 + 1") == "2"


def test_a_module_reads_the_files_beside_it_when_it_needs_them(warm):
    source = "import real_heads\nreal_heads.load_maps('maria-ella').attn_weights.shape[:2]"
    assert result_of(warm, 1, source) == "(12, 12)"
    source = "layer = real_heads.load_layer()\nlayer.num_heads"
    assert result_of(warm, 1, source) == "12"


# -- nothing moves ------------------------------------------------------------------------------


def heights(region) -> list[float]:
    return [region.locator(p).bounding_box()["height"] for p in (".cell-bar", ".cell-editor")]


@pytest.mark.parametrize("width", [1280, 360])
def test_nothing_moves_when_a_cell_is_touched_and_edited(quiet, width):
    quiet.set_viewport_size({"width": width, "height": 900})
    region = cell(quiet, 1)
    before = heights(region)
    region.get_by_role("textbox").click()
    expect(region.locator(".cm-editor")).to_be_visible()
    assert heights(region) == pytest.approx(before, abs=1)
    region.get_by_role("textbox").press("Control+End")
    quiet.keyboard.type("  # una nota")
    expect(region.get_by_text("editada")).to_be_visible()
    assert heights(region) == pytest.approx(before, abs=1)


def test_nothing_moves_when_an_edited_cell_has_run(warm):
    warm.set_viewport_size({"width": 360, "height": 900})
    region = cell(warm, 1)
    before = heights(region)
    write(region, source_of(region) + "  # una nota")
    settled(run(warm, 1))
    expect(region.get_by_text("editada")).to_be_visible()
    assert heights(region) == pytest.approx(before, abs=1)
