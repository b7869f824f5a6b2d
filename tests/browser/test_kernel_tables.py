"""The interpreter's tables come after the first result; nobody ever reads zeros in their place."""

from __future__ import annotations

import threading
import time

from sitegen.serve import Handler
from tests.browser.kernel_page import losing

GBK = "str(bytes([0xC4, 0xE3, 0xBA, 0xC3]), 'gbk')"  # no word gives it away
NAME = "import unicodedata\nunicodedata.name('ñ'), '\\N{GREEK SMALL LETTER ALPHA}'"
NAMED = "('LATIN SMALL LETTER N WITH TILDE', 'α')"
ALL = """
import hashlib, importlib, unicodedata

CODECS = '''big5 big5hkscs cp932 cp949 cp950 euc_jis_2004 euc_jisx0213 euc_jp euc_kr gb18030 gb2312
gbk hz iso2022_jp iso2022_jp_2 iso2022_jp_2004 iso2022_kr johab shift_jis shift_jis_2004'''.split()
letters = [chr(code) for code in range(0x30000) if not 0xD800 <= code < 0xE000]
found = hashlib.sha256()
for codec in CODECS:
    packed = [letter.encode(codec, 'ignore') for letter in letters]
    found.update(b' '.join(packed))
    known = [one for one in packed if one]
    assert len(known) > 2000, codec
    again = ''.join(one.decode(codec, 'replace') for one in known)
    found.update(again.encode())
    pairs = [bytes([a, b]) for a in range(128, 256) for b in range(48, 256)]
    found.update(''.join(pair.decode(codec, 'replace') for pair in pairs).encode())
names = [unicodedata.name(letter, '') for letter in letters]
assert all(unicodedata.lookup(name) == letter for name, letter in zip(names, letters) if name)
found.update('|'.join(names).encode())
for module in 'posixpath', 'stat', 'genericpath', '_collections_abc', 'importlib.machinery':
    importlib.reload(importlib.import_module(module))
len([name for name in names if name]), found.hexdigest()
"""


class Slow(Handler):
    """A line on which the tables take their time."""

    def do_GET(self):
        if "/tables-" in self.path:
            time.sleep(1.5)
        super().do_GET()


def test_all_of_them_are_those_of_a_python_that_started_without_the_snapshot(serve, tab):
    url = serve()
    from_snapshot, from_modules = (tab(url + query)[0].value(ALL) for query in ("", "?recipe=pyc"))
    assert int(from_snapshot[1:].split(",")[0]) > 100_000
    assert from_snapshot == from_modules


def test_a_cell_that_reads_them_waits(serve, tab):
    kernel, _ = tab(serve(Slow))
    assert kernel.value(NAME) == NAMED
    kernel, _ = tab(serve(Slow))
    assert kernel.value(GBK) == "'你好'"
    kernel, _ = tab(serve(Slow))
    assert kernel.value("'ñ'.encode('ascii', 'namereplace')") == (
        "b'\\\\N{LATIN SMALL LETTER N WITH TILDE}'"
    )


def test_a_cell_that_does_not_read_them_does_not_wait(serve, tab):
    asked, free = threading.Event(), threading.Event()

    class Held(Handler):
        def do_GET(self):
            if "/tables-" in self.path:
                asked.set()
                free.wait(60)
            super().do_GET()

    kernel, _ = tab(serve(Held))
    text = kernel.value("atención = frozenset([42])\nf'{min(atención):,.2f} ½ «ñ»'.upper()")
    assert text == "'42.00 ½ «Ñ»'"
    assert asked.wait(10) and not free.is_set()
    free.set()
    assert kernel.value(NAME) == NAMED


def test_a_cell_that_could_not_begin_leaves_all_as_it_was(serve, tab):
    kernel, _ = tab(serve(losing("/tables-", 10**6)))
    kernel.keep("x = 1")
    kernel.run("import js\nunsaved = js.Object.new()\nfor i in range(30_000): print(i)")
    failed = kernel.run(NAME)
    assert failed["status"] == "failed" and not failed["whole"]
    assert "«unsaved»" in kernel.run("import os\nos._exit(0)")["message"]
    assert kernel.value("x") == "1"


def test_a_codec_in_c_waits_too(serve, tab):
    kernel, _ = tab(serve(Slow))
    source = "import _codecs_kr\n_codecs_kr.getcodec('cp949').decode(b'\\xb0\\xa1')[0]"
    assert kernel.value(source) == "'가'"


def test_without_them_a_cell_fails_rather_than_be_wrong(serve, tab):
    line = losing("/tables-", 10**6)
    kernel, _ = tab(serve(line))
    kernel.keep("x = 1")
    outcome = kernel.run(NAME)
    assert outcome["status"] == "failed" and outcome["kind"] == "python"
    assert "«tables.bin»" in outcome["message"] and "conexión" in outcome["message"]
    assert kernel.run(GBK)["name"] in ("OSError", "LookupError")
    line.mend()
    assert kernel.value(NAME) == NAMED
    assert kernel.value(f"x, {GBK}") == "(1, '你好')"


def test_a_library_that_is_out_of_reach_is_an_error_of_the_cell(serve, tab):
    line = losing("/stdlib-", 10**6)
    kernel, _ = tab(serve(line))
    kernel.keep("x = 1")
    assert kernel.run("import csv")["name"] == "OSError"
    line.mend()
    assert kernel.value("import csv\nx, csv.QUOTE_ALL") == "(1, 1)"


def test_they_are_there_after_a_stop(serve, tab):
    kernel, _ = tab(serve(Slow))
    kernel.keep("x = 1")
    kernel.start("while True: pass")
    kernel.until_running()
    kernel.page.evaluate("kernel.stop(), last")
    assert kernel.value(NAME) == NAMED
    assert kernel.value(GBK) == "'你好'"
