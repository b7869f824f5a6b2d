"""The second worker that helps the first one start: it helps, it goes, and it is not needed."""

from __future__ import annotations

import time

import pytest

from sitegen.serve import Handler
from tests.browser.kernel_page import KernelPage

HELPERS = """
  const Real = Worker;
  window.helpers = [];
  window.Worker = class extends Real {
    constructor(url, options) {
      if (options.name === 'kernel-helper' && SPOILED === 'refused') throw new Error('no more');
      super(SPOILED === 'absent' && options.name === 'kernel-helper' ? 'nowhere.js' : url, options);
      if (options.name === 'kernel-helper') helpers.push(this);
    }
  };
"""


class Slow(Handler):
    """A line that lets the interpreter wait, so that a boot can be caught half-way."""

    def do_GET(self):
        if ".wasm" in self.path:
            time.sleep(1)
        super().do_GET()


def prepared(tab, url: str, spoiled: str = ""):
    """The kernel's page with its helpers in sight."""
    kernel, log = tab("about:blank")
    kernel.page.add_init_script(HELPERS.replace("SPOILED", repr(spoiled)))
    kernel.page.goto(url)
    return kernel, log


def locks(kernel: KernelPage) -> list[str]:
    """Names of the locks that workers hold."""
    return kernel.page.evaluate(
        "navigator.locks.query().then(({ held }) => held.map(({ name }) => name))"
    )


def test_it_is_gone_once_python_is_there_and_a_restart_needs_none(serve, tab):
    kernel, _ = prepared(tab, serve())
    assert kernel.value("6 * 7") == "42"
    assert kernel.page.evaluate("helpers.length") == 1
    kernel.page.evaluate("new Promise((resolve) => setTimeout(resolve, 50))")
    assert not [name for name in locks(kernel) if name.endswith("-helper")]
    kernel.keep("x = 1")
    kernel.start("while True: pass")
    kernel.until_running()
    kernel.page.evaluate("kernel.stop(), last")
    assert kernel.value("x") == "1"
    assert kernel.page.evaluate("helpers.length") == 1


def test_a_restart_before_anything_was_saved_brings_its_files_by_itself(serve, tab):
    kernel, log = prepared(tab, serve())
    kernel.start("while True: pass")
    kernel.until_running()
    kernel.page.evaluate("new Promise((resolve) => setTimeout(resolve, 300))")
    kernel.page.evaluate("kernel.stop(), last")
    assert kernel.value("6 * 7") == "42"
    assert not [line for line in log.console if "recipe" in line]


def test_python_starts_though_it_dies_half_way(serve, tab):
    kernel, log = prepared(tab, serve(Slow))
    kernel.start("6 * 7")
    kernel.until("helpers.length")
    kernel.page.evaluate("new Promise((resolve) => setTimeout(resolve, 500))")
    assert [name for name in locks(kernel) if name.endswith("-helper")]
    kernel.page.evaluate("helpers[0].terminate()")
    assert kernel.outcome()["result"] == "42"
    assert not [line for line in log.console if "recipe" in line]


@pytest.mark.parametrize("spoiled", ["refused", "absent"])
def test_python_starts_though_there_is_none(serve, tab, spoiled):
    kernel, log = prepared(tab, serve(), spoiled)
    assert kernel.value("6 * 7") == "42"
    assert not [line for line in log.console if "recipe" in line]
