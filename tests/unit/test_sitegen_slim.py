"""The interpreter keeps every export that somebody may ask for, and loses the others."""

from __future__ import annotations

import re
import zipfile

import pytest

from pyodide_snapshot.fetch import NPM, RuntimeFileError, read_lock
from pyodide_snapshot.slim import (
    EXPORTS,
    exports,
    imports,
    leb,
    named_by_scripts,
    needed,
    read_leb,
    sections,
    slim_glue,
    without_exports,
)
from sitegen.cache import cache_dir

GLUE = (
    "var _used,_unused,_data;"
    "function assignWasmExports(wasmExports){"
    '_used=Module["_used"]=wasmExports["used"];'
    '_unused=Module["_unused"]=wasmExports["unused"];'
    'memory=wasmMemory=wasmExports["memory"];'
    '_data=Module["_data"]=wasmExports["data"].value>>>0}'
    "var wasmImports={};_used(1);wasmMemory;memory"
)


@pytest.fixture(scope="module")
def wasm() -> bytes:
    return (NPM / "pyodide.asm.wasm").read_bytes()


@pytest.fixture(scope="module")
def glue() -> str:
    return (NPM / "pyodide.asm.mjs").read_text("utf-8")


@pytest.fixture(scope="module")
def wheel() -> bytes:
    return (cache_dir() / "wheels" / read_lock()["packages"]["numpy"]["file_name"]).read_bytes()


def names(wasm: bytes) -> set[str]:
    return {
        name for number, _, body in sections(wasm) if number == EXPORTS for name, _ in exports(body)
    }


@pytest.mark.parametrize("value", [0, 1, 127, 128, 300, 2**21, 2**32 - 1])
def test_numbers_come_back_as_they_were_written(value):
    assert read_leb(b"\xff" + leb(value) + b"\xff", 1) == (value, 1 + len(leb(value)))


def test_sections_put_together_are_the_module(wasm):
    assert wasm[:8] + b"".join(whole for _, whole, _ in sections(wasm)) == wasm


def test_what_the_glue_uses_beyond_its_list_is_named():
    assert {"used", "memory"} <= named_by_scripts(GLUE, [])
    assert not {"unused", "data"} & named_by_scripts(GLUE, [])
    assert "data" in named_by_scripts(GLUE, ["Module._data"])


def test_the_glue_loses_the_assignments_of_what_is_gone_and_nothing_else():
    left = slim_glue(GLUE, {"used", "memory"})
    assert re.findall(r'wasmExports\["(\w+)"\]', left) == ["used", "memory"]
    assert left.startswith("var _used") and left.endswith("_used(1);wasmMemory;memory")


def test_another_glue_stops_the_build_and_says_where_to_look():
    with pytest.raises(RuntimeFileError, match="adapt slim.py"):
        named_by_scripts("something else", [])


@pytest.mark.browser  # the build has fetched the wheel
def test_nothing_that_numpy_links_to_goes_and_most_of_the_rest_does(wasm, glue, wheel, tmp_path):
    (tmp_path / "numpy.whl").write_bytes(wheel)
    with zipfile.ZipFile(tmp_path / "numpy.whl") as archive:
        libraries = [archive.read(n) for n in archive.namelist() if n.endswith(".so")]
    assert len(libraries) >= 12
    linked = set().union(*map(imports, libraries)) & names(wasm)
    keep = needed(wasm, glue, ["Module._set_method_docstring"], wheel)
    left = names(without_exports(wasm, keep))
    assert linked <= left and len(linked) > 500
    assert {"malloc", "set_method_docstring", "memory", "__wasm_call_ctors"} <= left
    assert len(left) < len(names(wasm)) / 5
