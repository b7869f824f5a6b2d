"""Every recipe gives the same interpreter; where the quick one fails the slower one steps in.

The slower one knows nothing of snapshots nor of what comes late, so it is the judge of both.
"""

from __future__ import annotations

import pytest

from tests.browser.kernel_page import losing

DOCSTRINGS = """
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
TABLES = """
import hashlib, importlib, unicodedata

CODECS = '''big5 big5hkscs cp932 cp949 cp950 euc_jis_2004 euc_jisx0213 euc_jp euc_kr gb18030 gb2312
gbk hz iso2022_jp iso2022_jp_2 iso2022_jp_2004 iso2022_kr johab shift_jis shift_jis_2004'''.split()
letters = [chr(code) for code in range(0x30000) if not 0xD800 <= code < 0xE000]
text = ''.join(letters)
pairs = b''.join(bytes([a, b, 10]) for a in range(128, 256) for b in range(48, 256))
found = hashlib.sha256()
for codec in CODECS:
    packed = text.encode(codec, 'ignore')
    again = packed.decode(codec, 'replace')
    assert len(again) > 2000, codec
    for piece in packed, again.encode(), pairs.decode(codec, 'replace').encode():
        found.update(piece)
names = [unicodedata.name(letter, '') for letter in letters]
assert all(unicodedata.lookup(name) == letter for name, letter in zip(names, letters) if name)
found.update('|'.join(names).encode())
for module in 'posixpath', 'stat', 'genericpath', '_collections_abc', 'importlib.machinery':
    importlib.reload(importlib.import_module(module))
len([name for name in names if name]), found.hexdigest()
"""


@pytest.fixture(scope="module")
def slower(lasting_tab, kernel_url):
    """A page whose engine seems to have one slot less in its function table."""
    kernel, log = lasting_tab(kernel_url)
    kernel.page.evaluate("kernel.runtime.table += 1")
    return kernel, log


def test_a_function_table_of_another_length_gives_way_to_the_slower_recipe(slower):
    kernel, log = slower
    assert kernel.value("import numpy as np, mha; int(np.arange(4).sum())") == "6"
    assert any("function table" in line for line in log.console)
    assert not log.errors


def test_a_lost_snapshot_is_replaced_by_the_slower_recipe(serve, tab):
    kernel, log = tab(serve(losing("/snapshot-")))
    assert kernel.value("import numpy as np; int(np.arange(4).sum())") == "6"
    assert any("recipe snapshot" in line for line in log.console)


def test_all_docstrings_are_those_of_a_python_that_started_without_the_snapshot(kernel, slower):
    from_snapshot, from_modules = (one.run(DOCSTRINGS) for one in (kernel, slower[0]))
    assert from_snapshot["text"].endswith(" 0\n")
    assert int(from_snapshot["text"].split()[0]) > 1500
    assert from_snapshot["result"] == from_modules["result"]


def test_all_tables_are_those_of_a_python_that_started_without_the_snapshot(kernel, slower):
    from_snapshot, from_modules = (one.value(TABLES) for one in (kernel, slower[0]))
    assert int(from_snapshot[1:].split(",")[0]) > 100_000
    assert from_snapshot == from_modules


def test_the_slower_recipe_runs_a_lesson_and_says_what_a_stop_loses(slower):
    kernel, log = slower
    kernel.empty()
    assert kernel.value("import html, mha, numpy.ma; html.escape('<')") == "'&lt;'"
    kernel.run("x = 1")
    assert "«x»" in kernel.stopped()["message"]
    assert "x" in kernel.events("lost")[0]["variables"]
    assert not log.errors
