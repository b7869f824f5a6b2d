"""What the lesson promises, in each of three engines: Chromium, Firefox, WebKit.

The claims are in the order of a reader's visits, because one visit serves several of them: each
boot of Python that a visit saves is seconds. Any of them can be run alone. ``fault`` marks what an
engine can't do yet, with the reason; such a claim fails fast, and on the day it holds it says so.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import pytest

from sitegen.serve import Handler
from tests.browser.conftest import LESSON, start_server
from tests.browser.engines.engine import Engine
from tests.browser.engines.start import NAMES, start
from tests.browser.practice_page import CUT, EXERCISES

pytestmark = pytest.mark.long

SNAPSHOT = "../shared/engines.md, WebKit 1: the snapshot is refused, Stop loses the variables"
DOWNLOAD = "../shared/engines.md, WebKit 2: a mere visit downloads the whole runtime"
OFFLINE = "../shared/engines.md, WebKit 3: Python does not start without a network"

CELLS = "[...document.querySelectorAll('.cell')]"
STATES = f"{CELLS}.map((cell) => cell.dataset.state)"
TEXTS = f"""{CELLS}.map((cell) => [...cell.querySelectorAll('.stream, .result')]
    .map((node) => node.textContent.trim()).filter(Boolean))"""
SETTLED = "['done', 'failed', 'stopped']"
FIRST = "document.querySelector('.cell')"
KERNEL = "document.querySelector('[data-kernel-status]').dataset"
HERE = "document.querySelector('.cell textarea')"  # the page's scripts have mounted
COPIED = "Boolean(await caches.match(location.pathname))"  # the page itself is copied last
COPIED_WITH_PYTHON = f"""await (async () => {{
  const {{ recipes, files }} = JSON.parse(document.getElementById('runtime').textContent);
  const needed = (recipes[{KERNEL}.recipe] ?? recipes.snapshot).map((name) => files[name].url);
  const copies = await Promise.all(needed.map((url) => caches.match(url)));
  return copies.every(Boolean);
}})()"""
MAP = "#mapa"
NOTE = "# una nota al margen"
TASK = next(exercise for exercise in EXERCISES if exercise.name == CUT)


def engines(fault: str = ""):
    """Run a claim in each engine; ``fault`` says why it can't hold in WebKit yet."""
    known = [pytest.mark.xfail(strict=True, reason=fault, raises=AssertionError)] if fault else []
    return pytest.mark.parametrize(
        "engine",
        [
            pytest.param(
                name,
                marks=[pytest.mark.xdist_group(name), *(known if name == "webkit" else [])],
            )
            for name in NAMES
        ],
        indirect=True,
        scope="module",
    )


class Site:
    """The built site on an address of its own, which can be shut; remembers what was asked for."""

    def __init__(self, folder):
        self.asked: list[str] = []
        self.is_shut = False
        site = self

        class Recording(Handler):
            def do_GET(self):
                if site.is_shut:  # on a connection that was open before
                    self.close_connection = True
                    return
                site.asked.append(self.path)
                super().do_GET()

        self.url, self._server = start_server(folder, Recording)

    def shut(self) -> None:
        if not self.is_shut:
            self.is_shut = True
            self._server.shutdown()
            self._server.server_close()


@dataclass
class Visit:
    """The lesson, open in an engine, and what the visit alone has asked the server for."""

    engine: Engine
    site: Site
    asked: list[str]


@pytest.fixture(scope="module")
def engine(request):
    engine = start(request.param, request)
    yield engine
    engine.close()


def visited(engine: Engine, folder):
    """Open the lesson from a server of its own; wait until its copy for later is made."""
    site = Site(folder)
    engine.goto(f"{site.url}/{LESSON}")
    engine.wait(HERE)
    engine.wait(COPIED)
    yield Visit(engine, site, list(site.asked))
    site.shut()


@pytest.fixture(scope="module")
def visit(engine, site_dir):
    """The visit in which the whole lesson is worked through."""
    yield from visited(engine, site_dir)


@pytest.fixture(scope="module")
def other_visit(engine, site_dir):
    """A visit that ends without a network."""
    yield from visited(engine, site_dir)


def write(engine: Engine, cell: str, source: str) -> None:
    """Put a source into a cell's first editor."""
    engine.evaluate(
        """const area = document.querySelector(`${given[0]} textarea`);
        area.value = given[1];
        area.dispatchEvent(new Event('input', { bubbles: true }));""",
        cell,
        source,
    )


def press_run(engine: Engine, source: str) -> None:
    """Write a source into the first cell and press Run."""
    write(engine, ".cell", source)
    engine.evaluate(f"{FIRST}.dataset.state = 'idle';")
    engine.click(".cell [data-action=run]")


def run(engine: Engine, source: str) -> list[str]:
    """Run a source in the first cell to its end; its state and its output."""
    press_run(engine, source)
    engine.wait(f"{SETTLED}.includes({FIRST}.dataset.state)")
    return engine.evaluate(f"return [{FIRST}.dataset.state, {output(FIRST)}];")


def output(cell: str) -> str:
    return f"{cell}.querySelector('.cell-output').innerText.trim()"


def ready(engine: Engine, source: str, said: str) -> None:
    """Run what a claim starts from; no AssertionError, which a known fault is expected to give."""
    ended = run(engine, source)
    if ended != ["done", said]:
        pytest.fail(f"{source!r} gave {ended}")


def need_python(engine: Engine) -> None:
    """See that Python has run, where no claim before this one has made it."""
    if engine.evaluate(f"return {KERNEL}.state;") not in ("ready", "running"):
        ready(engine, "1 + 1", "2")


def runtime(asked: list[str]) -> list[str]:
    return [path for path in asked if "/runtime/" in path]


@engines(DOWNLOAD)
def test_a_visit_alone_fetches_no_python(visit):
    assert visit.asked[0] == f"/{LESSON}"
    assert runtime(visit.asked) == []


@engines()
def test_the_heatmap_follows_the_pointer(visit):
    engine = visit.engine
    engine.hover(f"{MAP} .hm-rows button[data-index='3']")
    said = f"document.querySelector('{MAP} .hm-live').textContent"
    engine.wait(f"{said}.startsWith('cabeza 1: «llamaron» atiende')", 20)
    engine.hover(f"{MAP} .hm-cols button[data-index='2']")
    engine.wait(f"{said}.startsWith('cabeza 1: «niñas» recibe')", 20)


@engines()
def test_the_heatmap_follows_the_keyboard(visit):
    engine = visit.engine
    engine.evaluate(f"document.querySelector(`{MAP} .hm-rows button[data-index='0']`).focus();")
    said = f"document.querySelector('{MAP} .hm-live').textContent"
    for key, words in [
        ("ArrowDown", "cabeza 1: «Las» atiende"),
        ("2", "cabeza 2: «Las» atiende"),
        ("ArrowDown", "cabeza 2: «niñas» atiende"),
        ("End", "a «cansadas»."),
    ]:
        engine.press(key)
        engine.wait(f"{said}.includes({json.dumps(words)})", 20)


@engines()
def test_what_was_typed_is_there_after_a_reload(visit):
    engine = visit.engine
    engine.click("#tu-cuenta textarea")
    engine.wait("document.activeElement.matches('#tu-cuenta .cm-content')")
    engine.press("Control+End")
    engine.type(f"\n{NOTE}")
    written = "document.querySelector('#tu-cuenta pre').textContent"
    engine.wait(f"{written}.endsWith({json.dumps(NOTE)})", 20)
    engine.reload()
    engine.wait("document.querySelector('#tu-cuenta textarea')")
    assert engine.evaluate("return document.querySelector('#tu-cuenta textarea').value;").endswith(
        f"\n{NOTE}"
    )


@engines()
def test_every_cell_gives_its_stored_output(visit):
    engine = visit.engine
    stored = engine.evaluate(f"return {TEXTS};")
    engine.click("[data-action=run-all]")
    engine.wait(f"{STATES}.every((state) => {SETTLED}.includes(state))", 400)
    assert engine.evaluate(f"return {STATES};") == ["done"] * len(stored)
    assert engine.evaluate(f"return {TEXTS};") == stored


@engines(SNAPSHOT)
def test_python_starts_from_the_snapshot(visit):
    need_python(visit.engine)
    assert visit.engine.evaluate(f"return {KERNEL}.recipe;") == "snapshot"


def verdict(engine: Engine, source: str) -> list[str]:
    """Check an answer to the exercise; what is said of it."""
    result = f"document.querySelector('#{CUT} .exercise-result')"
    write(engine, f"#{CUT}", source)
    engine.evaluate(f"delete {result}.dataset.state;")
    engine.click(f"#{CUT} [data-action=check]")
    engine.wait(f"['right', 'wrong', 'unwritten'].includes({result}.dataset.state)")
    return engine.evaluate(f"return [{result}.dataset.state, {result}.innerText];")


@engines()
def test_a_wrong_answer_to_an_exercise_is_told_why(visit):
    state, said = verdict(visit.engine, TASK.wrongs[0].body)
    assert state == "wrong"
    assert said.startswith("Todavía no.")


@engines()
def test_a_right_answer_to_an_exercise_is_told_so(visit):
    state, said = verdict(visit.engine, TASK.solution.code)
    assert (state, said.split(".")[0]) == ("right", "Correcto")


@engines()
def test_nothing_is_asked_of_another_origin(visit):
    need_python(visit.engine)
    asked = "performance.getEntriesByType('resource').map((entry) => entry.name)"
    urls = visit.engine.evaluate(f"return {asked};")
    assert urls
    assert [u for u in urls if not u.startswith((visit.site.url, "data:", "blob:"))] == []


@pytest.fixture(scope="module")
def stopped(other_visit):
    """The first cell after a Stop, in a Python that has done little: its state and output.

    (A memory that has grown is saved later, and a Stop may come before.)
    """
    engine = other_visit.engine
    ready(engine, "x = 41\nprint('aquí')", "aquí")
    press_run(engine, "print('sin fin', flush=True)\nwhile True: pass")
    engine.wait(f"{output(FIRST)}.includes('sin fin')")
    engine.click(".cell [data-action=stop]")
    engine.wait(f"{SETTLED}.includes({FIRST}.dataset.state)")
    return engine.evaluate(f"return [{FIRST}.dataset.state, {output(FIRST)}];")


@engines()
def test_stop_ends_an_endless_cell(stopped):
    state, said = stopped
    assert state == "stopped"
    assert "Celda detenida." in said


@engines(SNAPSHOT)
def test_stop_keeps_the_variables(stopped, other_visit):
    assert "Las variables de las celdas anteriores siguen ahí" in stopped[1]
    assert run(other_visit.engine, "print(x + 1)") == ["done", "42"]


@pytest.fixture(scope="module")
def without_network(other_visit):
    """A second visit after the server is gone; the first has run Python."""
    engine, site = other_visit.engine, other_visit.site
    if not engine.evaluate(f"return {COPIED_WITH_PYTHON};"):
        need_python(engine)
        engine.wait(COPIED_WITH_PYTHON)
    site.shut()
    # by its address: a driver's reload may go past the service worker
    engine.goto("about:blank")
    engine.goto(f"{site.url}/{LESSON}")
    engine.wait(HERE)
    return engine


@engines()
def test_without_a_network_the_lesson_can_be_read(without_network):
    title = without_network.evaluate("return document.querySelector('h1').innerText;")
    assert "multi-cabeza" in title.lower()


@engines(OFFLINE)
def test_without_a_network_a_cell_runs(without_network):
    source = "import numpy as np\nprint(np.arange(4).sum())"
    assert run(without_network, source) == ["done", "6"]
