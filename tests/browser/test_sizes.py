"""What a reader downloads is what the README's table says, to 3 %."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path

import brotli
import pytest

from tests.browser.conftest import LESSON, ROOT

UNITS = {"kB": 1e3, "MB": 1e6}
ROWS = re.findall(
    r"^\| ([^|]+) \| ([\d.]+) (kB|MB) \| ([\d.]+) (kB|MB) \| ([\d.]+) (kB|MB) \|$",
    (ROOT / "README.md").read_text("utf-8"),
    re.M,
)


def packed(paths: list[Path]) -> list[int]:
    """Bytes of files by brotli, by gzip, raw."""
    texts = [path.read_bytes() for path in paths]
    return [
        sum(len(brotli.compress(text, quality=11, lgwin=24)) for text in texts),
        sum(len(gzip.compress(text, 9)) for text in texts),
        sum(map(len, texts)),
    ]


def with_imports(script: Path) -> list[Path]:
    """A script and the chunks that it names in static imports."""
    chunks = re.findall(r'from\s*"\./(chunk-\w+\.js)"', script.read_text("utf-8"))
    return [script, *(script.with_name(chunk) for chunk in chunks)]


def first_run(site: Path) -> list[int]:
    html = (site / LESSON).read_text("utf-8")
    manifest = json.loads(html.split('id="runtime">')[1].split("</script>")[0])
    needed = [manifest["files"][name] for name in manifest["recipes"]["snapshot"]]
    return [sum(file[size] for file in needed) for size in ("brotli", "gzip", "bytes")]


def asset(site: Path, name: str) -> Path:
    [found] = (site / "assets").glob(f"{name}-*.js")
    return found


MEASURED = {
    "Python with NumPy, at the first Run": first_run,
    "the page's script": lambda site: packed(with_imports(asset(site, "lesson"))),
    "the editor, when a cell is first touched": lambda site: packed([asset(site, "editor")]),
    "the lesson's HTML, all pictures and outputs in it": lambda site: packed([site / LESSON]),
}


def test_the_table_has_the_rows_that_are_measured():
    assert [row[0].strip() for row in ROWS] == list(MEASURED)


@pytest.mark.parametrize("row", ROWS, ids=[row[0].strip() for row in ROWS])
def test_a_size_is_the_one_that_the_readme_states(row, site_dir):
    name, *cells = row
    stated = [float(n) * UNITS[unit] for n, unit in zip(cells[::2], cells[1::2], strict=True)]
    real = MEASURED[name.strip()](site_dir)
    assert real == pytest.approx(stated, rel=0.03), (name, real)
