"""The library's docstrings come after the first result; who reads them sooner waits for them."""

from __future__ import annotations

import pytest

from tests.browser.kernel_page import holding, losing

READ = "import numpy as np\nnp.mean.__doc__.split('.')[0].strip()"
SECRETLY = "import numpy as np\ngetattr(np.mean, '__d' + 'oc__')[1:8]"  # no word gives it away
MEAN = "'Compute the arithmetic mean along the specified axis'"


@pytest.fixture
def line():
    """A line that holds them back."""
    return holding("/docstrings-")


def test_a_first_cell_that_reads_them_waits(serve, tab, line):
    kernel, _ = tab(serve(line))
    kernel.start(READ)
    kernel.until_running()
    line.free.set()
    assert kernel.outcome()["result"] == MEAN
    assert "arithmetic mean" in kernel.run("help(np.mean)")["text"]


def test_the_description_of_a_name_waits_for_them(serve, tab, line):
    kernel, _ = tab(serve(line))
    kernel.run("import numpy as np")
    kernel.page.evaluate(
        "() => { window.told = kernel.inspect({ what: 'describe', name: 'np.mean' }); }"
    )
    line.free.set()
    assert kernel.page.evaluate("told")["text"].startswith("Compute the arithmetic mean")


def test_a_line_without_them_stops_no_cell_and_they_are_asked_for_again(serve, tab):
    line = losing("/docstrings-")
    kernel, log = tab(serve(line))
    assert kernel.value("import numpy as np\nlen(np.mean.__doc__) > 500") == "True"
    assert any("no docstrings.bin" in entry for entry in log.console)
    line.mend()
    assert kernel.value(READ) == MEAN
    assert kernel.value(SECRETLY) == "'Compute'"


def test_modules_that_are_made_of_them_find_them(serve, tab):
    line = losing("/docstrings-")
    kernel, _ = tab(serve(line))
    with kernel.page.expect_console_message(lambda said: "no docstrings.bin" in said.text):
        kernel.value("1")  # then they come, if they can
    line.mend()
    assert (
        kernel.value("import numpy.ma as m\n'masked' in getattr(m.all, '__d' + 'oc__')") == "True"
    )


def test_they_are_there_after_a_stop(serve, tab, line):
    kernel, _ = tab(serve(line))
    kernel.keep("x = 1")  # a memory without them
    kernel.stopped()
    kernel.start(f"{READ}, x")
    kernel.until_running()
    line.free.set()
    assert kernel.outcome()["result"] == f"({MEAN}, 1)"
    assert kernel.value(SECRETLY) == "'Compute'"
    kernel.keep("del np.mean")  # whoever lets go of a function doesn't harm what comes in its place
    assert (
        kernel.value("[bytes(range(250)) for _ in range(2000)] == [bytes(range(250))] * 2000")
        == "True"
    )
