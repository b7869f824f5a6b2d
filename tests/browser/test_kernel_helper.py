"""The second worker that helps the first one start: it helps, it goes, and it is not needed."""

from __future__ import annotations

import pytest

from tests.browser.kernel_page import BOOT_MS, KernelPage, hasty, holding

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


def prepared(tab, url: str, spoiled: str = ""):
    """The kernel's page with its helpers in sight."""
    kernel, log = tab("about:blank")
    kernel.page.add_init_script(HELPERS.replace("SPOILED", repr(spoiled)))
    kernel.page.goto(url)
    return kernel, log


def until_it_is(kernel: KernelPage, state: str) -> None:
    """Wait until the lock that says that a helper lives is ``held``, or ``free``."""
    held = "(await navigator.locks.query()).held.some(({ name }) => name.endsWith('-helper'))"
    kernel.until(f"{held} === {str(state == 'held').lower()}")


def test_it_is_gone_once_python_is_there_and_a_restart_needs_none(tab, kernel_url):
    kernel, _ = prepared(tab, kernel_url)
    assert kernel.value("6 * 7") == "42"
    assert kernel.page.evaluate("helpers.length") == 1
    until_it_is(kernel, "free")
    kernel.keep("x = 1")
    kernel.stopped()
    assert kernel.value("x") == "1"
    assert kernel.page.evaluate("helpers.length") == 1


def test_a_restart_before_anything_was_saved_brings_its_files_by_itself(tab, kernel_url):
    kernel, log = prepared(tab, kernel_url)
    kernel.stopped()
    assert kernel.value("6 * 7") == "42"
    assert not [line for line in log.console if "recipe" in line]


def test_python_starts_though_it_dies_half_way(serve, tab):
    line = holding(".wasm")
    kernel, log = prepared(tab, serve(line))
    kernel.start("6 * 7")
    until_it_is(kernel, "held")
    assert line.asked.wait(BOOT_MS / 1000)
    kernel.page.evaluate("helpers[0].terminate()")
    line.free.set()
    assert kernel.outcome()["result"] == "42"
    assert not [line for line in log.console if "recipe" in line]


@pytest.mark.parametrize("spoiled", ["refused", "absent"])
def test_python_starts_though_there_is_none(tab, kernel_url, spoiled):
    kernel, log = prepared(tab, hasty(kernel_url, helper=100), spoiled)
    assert kernel.value("6 * 7") == "42"
    assert not [line for line in log.console if "recipe" in line]
