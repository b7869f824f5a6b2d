"""The interpreter's tables come after the first result; nobody ever reads zeros in their place."""

from __future__ import annotations

import pytest

from tests.browser.kernel_page import BOOT_MS, holding, losing

GBK = "str(bytes([0xC4, 0xE3, 0xBA, 0xC3]), 'gbk')"  # no word gives it away
NAME = "import unicodedata\nunicodedata.name('ñ'), '\\N{GREEK SMALL LETTER ALPHA}'"
NAMED = "('LATIN SMALL LETTER N WITH TILDE', 'α')"
NONE_READ = "atención = frozenset([42])\nf'{min(atención):,.2f} ½ «ñ»'.upper()"
READERS = {
    "names": (NAME, NAMED),
    "a codec by its name": (GBK, "'你好'"),
    "names as a way out": (
        "'ñ'.encode('ascii', 'namereplace')",
        "b'\\\\N{LATIN SMALL LETTER N WITH TILDE}'",
    ),
    "a codec in C": (
        "import _codecs_kr\n_codecs_kr.getcodec('cp949').decode(b'\\xb0\\xa1')[0]",
        "'가'",
    ),
}


@pytest.fixture
def line():
    """A line that holds them back."""
    return holding("/tables-")


@pytest.mark.parametrize("name", READERS)
def test_a_cell_that_reads_them_waits_and_no_other(serve, tab, line, name):
    kernel, _ = tab(serve(line))
    assert kernel.value(NONE_READ) == "'42.00 ½ «Ñ»'"
    assert line.asked.wait(BOOT_MS / 1000)
    source, value = READERS[name]
    kernel.start(source)
    kernel.until_running()
    line.free.set()
    assert kernel.outcome()["result"] == value


def test_without_them_a_cell_fails_rather_than_be_wrong_and_leaves_all_as_it_was(serve, tab):
    line = losing("/tables-")
    kernel, _ = tab(serve(line))
    kernel.keep("x = 1")
    kernel.run("import js\nunsaved = js.Object.new()\nfor i in range(30_000): print(i)")
    failed = kernel.run(NAME)
    assert (failed["status"], failed["kind"]) == ("failed", "python")
    assert not failed["whole"]  # nothing of the cell before
    assert "«tables.bin»" in failed["message"] and "conexión" in failed["message"]
    assert kernel.run(GBK)["name"] in ("OSError", "LookupError")
    assert "«unsaved»" in kernel.run("import os\nos._exit(0)")["message"]
    assert kernel.value("x") == "1"
    line.mend()
    assert kernel.value(NAME) == NAMED
    assert kernel.value(f"x, {GBK}") == "(1, '你好')"


def test_a_library_that_is_out_of_reach_is_an_error_of_the_cell(serve, tab):
    line = losing("/stdlib-")
    kernel, _ = tab(serve(line))
    kernel.keep("x = 1")
    assert kernel.run("import csv")["name"] == "OSError"
    line.mend()
    assert kernel.value("import csv\nx, csv.QUOTE_ALL") == "(1, 1)"


def test_they_are_there_after_a_stop(serve, tab, line):
    kernel, _ = tab(serve(line))
    kernel.keep("x = 1")  # a memory without them
    kernel.stopped()
    kernel.start(NAME)
    kernel.until_running()
    line.free.set()
    assert kernel.outcome()["result"] == NAMED
    assert kernel.value(f"x, {GBK}") == "(1, '你好')"
