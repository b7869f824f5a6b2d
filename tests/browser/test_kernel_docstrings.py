"""The library's docstrings come after the first result; who reads them sooner waits for them."""

from __future__ import annotations

import time

from sitegen.serve import Handler
from tests.browser.kernel_page import losing

READ = "import numpy as np\nnp.mean.__doc__.split('.')[0].strip()"
SECRETLY = "import numpy as np\ngetattr(np.mean, '__d' + 'oc__')[1:8]"  # no word gives it away
MEAN = "'Compute the arithmetic mean along the specified axis'"
ALL = """
import ast, asyncio, dataclasses, hashlib, inspect, json, random, statistics, textwrap, types
import numpy as np

modules = [ast, asyncio, dataclasses, inspect, json, random, statistics, textwrap, types]
modules += [np, np.linalg, np.fft, np.random]
found = {}
for module in modules:
    found[module.__name__] = module.__doc__
    for name, value in sorted(vars(module).items()):
        methods = sorted(vars(value).items()) if isinstance(value, type) else []
        for inner, method in [("", value), *methods]:
            doc = getattr(method, "__doc__", None)
            if callable(method) and isinstance(doc, str):
                found[f"{module.__name__}.{name}.{inner}"] = doc
print(len(found), sum("\\0" in doc for doc in found.values() if doc))
hashlib.sha256(json.dumps(sorted(found.items())).encode()).hexdigest()
"""


def test_the_first_cell_can_read_them(serve, tab):
    kernel, _ = tab(serve())
    assert kernel.value(READ) == MEAN


def test_all_of_them_are_those_of_a_python_that_started_without_the_snapshot(serve, tab):
    url = serve()
    from_snapshot, from_modules = (tab(url + query)[0].run(ALL) for query in ("", "?recipe=pyc"))
    assert from_snapshot["text"].endswith(" 0\n")
    assert int(from_snapshot["text"].split()[0]) > 1500
    assert from_snapshot["result"] == from_modules["result"]


def test_a_cell_that_does_not_read_them_does_not_wait_and_has_them_later(serve, tab):
    line = losing("/docstrings-", 10**6)
    kernel, log = tab(serve(line))
    assert kernel.value("6 * 7") == "42"
    while not any("no docstrings.bin" in entry for entry in log.console):
        kernel.page.evaluate("new Promise((r) => setTimeout(r, 50))")
    line.mend()
    assert kernel.value(READ) == MEAN  # asked again
    assert kernel.value(SECRETLY) == "'Compute'"


def test_a_line_without_them_stops_no_cell(serve, tab):
    kernel, log = tab(serve(losing("/docstrings-", 10**6)))
    assert kernel.run("import numpy as np\nlen(np.mean.__doc__) > 500")["result"] == "True"
    assert any("no docstrings.bin" in entry for entry in log.console)


def test_modules_that_are_made_of_them_find_them(serve, tab):
    kernel, _ = tab(serve(losing("/docstrings-", 1)))  # what comes at idle fails
    assert (
        kernel.value("import numpy.ma as m\n'masked' in getattr(m.all, '__d' + 'oc__')") == "True"
    )
    kernel, _ = tab(serve())
    assert "arithmetic mean" in kernel.run("import numpy as np\nhelp(np.mean)")["text"]


def test_they_are_there_after_a_stop(serve, tab):
    kernel, _ = tab(serve())
    kernel.keep("x = 1")
    kernel.start("while True: pass")
    kernel.until_running()
    kernel.page.evaluate("kernel.stop(), last")
    assert kernel.value(f"{READ}, x") == f"({MEAN}, 1)"
    assert kernel.value(SECRETLY) == "'Compute'"
    kernel.keep("del np.mean")  # whoever lets go of a function doesn't harm what comes in its place
    assert (
        kernel.value("[bytes(range(250)) for _ in range(2000)] == [bytes(range(250))] * 2000")
        == "True"
    )


def test_the_description_of_a_name_waits_for_them(serve, tab):
    class Slow(Handler):
        def do_GET(self):
            if "/docstrings-" in self.path:
                time.sleep(1)
            super().do_GET()

    kernel, _ = tab(serve(Slow))
    kernel.run("import numpy as np")
    told = kernel.page.evaluate("kernel.inspect({ what: 'describe', name: 'np.mean' })")
    assert told["text"].startswith("Compute the arithmetic mean")
