"""The lesson in another engine, where there is one: an ordinary Firefox."""

from __future__ import annotations

import json

import pytest

from tests.browser.conftest import LESSON
from tests.browser.firefox import Firefox, find_firefox

pytestmark = pytest.mark.skipif(
    find_firefox() is None, reason="no Firefox on this machine (apt-get install firefox-esr)"
)

TEXTS = """[...document.querySelectorAll('.cell')].map((cell) =>
    [...cell.querySelectorAll('.stream, .result')].map((node) => node.textContent.trim())
      .filter(Boolean))"""
STATES = "[...document.querySelectorAll('.cell')].map((cell) => cell.dataset.state)"
FIRST = "document.querySelector('.cell')"


@pytest.fixture
def firefox(site_url):
    browser = Firefox(find_firefox())
    browser.goto(f"{site_url}/{LESSON}")
    browser.wait("document.querySelector('[data-action=run]') !== null")
    yield browser
    browser.close()


def run_first(firefox: Firefox, source: str) -> None:
    """Write a source into cell 1's first editor and press Run."""
    firefox.evaluate(
        f"""const area = {FIRST}.querySelector('textarea');
        area.value = given[0];
        area.dispatchEvent(new Event('input', {{ bubbles: true }}));
        {FIRST}.querySelector('[data-action=run]').click();""",
        source,
    )


def text_of_first(firefox: Firefox) -> str:
    return firefox.evaluate(f"return {FIRST}.querySelector('.cell-output').textContent;")


def test_every_cell_gives_its_stored_output(firefox):
    stored = firefox.evaluate(f"return {TEXTS};")
    firefox.evaluate("document.querySelector('[data-action=run-all]').click();")
    count = len(stored)
    firefox.wait(f"{STATES}.every((state) => ['done', 'failed', 'stopped'].includes(state))", 240)
    assert firefox.evaluate(f"return {STATES};") == ["done"] * count
    assert firefox.evaluate(f"return {TEXTS};") == stored


def test_stop_ends_an_endless_cell_and_variables_stay(firefox):
    run_first(firefox, "x = 41\nprint('aquí')")
    firefox.wait(f"{FIRST}.dataset.state === 'done'")
    run_first(firefox, "print('sin fin', flush=True)\nwhile True: pass")
    firefox.wait(f"{FIRST}.dataset.state === 'running'")
    firefox.wait(f"{FIRST}.querySelector('.cell-output').textContent.includes('sin fin')")
    firefox.evaluate(f"{FIRST}.querySelector('[data-action=stop]').click();")
    firefox.wait(f"{FIRST}.dataset.state === 'stopped'", 10)
    run_first(firefox, "print(x + 1)")
    firefox.wait(f"{FIRST}.dataset.state === 'done'")
    assert "42" in text_of_first(firefox)


def test_no_request_leaves_the_origin(firefox, site_url):
    run_first(firefox, "import numpy\nprint(numpy.__version__)")
    firefox.wait(f"{FIRST}.dataset.state === 'done'")
    asked = firefox.evaluate("return performance.getEntriesByType('resource').map((e) => e.name);")
    assert asked and all(url.startswith((site_url, "data:", "blob:")) for url in asked), (
        json.dumps(asked)
    )
