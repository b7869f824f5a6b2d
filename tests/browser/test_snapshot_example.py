"""pyodide-snapshot does without the lesson and its kernel: its example page, on a plain host."""

from __future__ import annotations

import importlib.util
from http.server import SimpleHTTPRequestHandler
from pathlib import Path

import pytest
from playwright.sync_api import expect

from sitegen.cache import cache_dir
from sitegen.runtime_lesson import KERNEL_PLACE, LESSON_PLACE
from tests.browser.conftest import ROOT, serving
from tests.browser.kernel_page import BOOT_MS

SAID = "[3 5 7]\nSum of array elements over a given axis."


class Plain(SimpleHTTPRequestHandler):
    """A host that compresses nothing and sets no header."""

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def example_url(tmp_path_factory):
    """Address of the example; with the lesson's folders, so that its snapshot is there already."""
    source = ROOT / "pyodide-snapshot" / "example" / "build.py"
    spec = importlib.util.spec_from_file_location("snapshot_example", source)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    folder: Path = tmp_path_factory.mktemp("example")
    example.build(folder, folders=[KERNEL_PLACE, LESSON_PLACE], cache=cache_dir())
    with serving(folder) as start:
        yield start(Plain)


@pytest.mark.parametrize("recipe", ["snapshot", "pyc"])
def test_a_page_of_a_few_lines_computes_with_numpy(page, page_log, example_url, recipe):
    page_log.origin = example_url.rstrip("/")
    page.goto(f"{example_url}?recipe={recipe}")
    expect(page.locator("#said")).to_have_text(SAID, timeout=BOOT_MS)
