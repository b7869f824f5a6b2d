"""The runtime is fetched, refused when altered, described truly, and small enough."""

from __future__ import annotations

import ast
import gzip
import html
import struct
import sys
from collections import defaultdict
from pathlib import Path

import brotli
import numpy as np
import pytest

from pyodide_snapshot import fetch as runtime_fetch
from pyodide_snapshot.compress import compressed
from pyodide_snapshot.delta import apply_delta, changed_runs, make_delta
from pyodide_snapshot.fetch import RuntimeFileError, fetch_wheels, read_lock, sha256, verify
from pyodide_snapshot.manifest import Product, place
from pyodide_snapshot.recipe import IMPORTS
from sitegen.headers import HASHED, META_CSP, cache_control, headers_file
from sitegen.markup import environment

ROOT = Path(__file__).resolve().parents[2]


def snapshot_of(heap: bytes) -> bytes:
    """A snapshot as Pyodide writes it: 128 bytes of header, the offset in its second word."""
    return struct.pack("<II", 0x706E7300, 128).ljust(128, b"h") + heap


def test_a_wrong_hash_names_the_file_both_hashes_and_the_way_out():
    with pytest.raises(RuntimeFileError) as caught:
        verify("numpy.whl", b"altered", "0" * 64, "delete it")
    message = str(caught.value)
    assert "numpy.whl" in message and "0" * 64 in message
    assert sha256(b"altered") in message and "delete it" in message


def test_an_altered_wheel_in_the_cache_stops_the_build(tmp_path):
    lock = read_lock()
    name = lock["packages"]["micropip"]["file_name"]
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / name).write_bytes(b"not the wheel")
    with pytest.raises(RuntimeFileError, match=f"{name}.*expected.*got.*delete"):
        fetch_wheels(lock, ("micropip",), tmp_path)


def test_an_altered_download_is_not_kept(tmp_path, monkeypatch):
    monkeypatch.setattr(runtime_fetch, "from_cdn", lambda name: b"something else")
    with pytest.raises(RuntimeFileError, match="the source was altered"):
        fetch_wheels(read_lock(), ("micropip",), tmp_path)
    assert not list(tmp_path.rglob("*.whl"))


def test_the_carrier_is_asked_when_the_cdn_is_out_of_reach(tmp_path, monkeypatch):
    asked = []

    def carrier(names):
        asked.extend(names)
        return dict.fromkeys(names, b"bytes")

    monkeypatch.setattr(runtime_fetch, "from_cdn", lambda name: None)
    monkeypatch.setattr(runtime_fetch, "from_carrier", carrier)
    lock = read_lock()
    entry = {**lock["packages"]["micropip"], "sha256": sha256(b"bytes")}
    wheels = fetch_wheels({"packages": {"micropip": entry}}, ("micropip",), tmp_path)
    assert asked == [entry["file_name"]]
    assert wheels == {"micropip": b"bytes"}


def test_another_version_of_pyodide_is_refused(tmp_path):
    (tmp_path / "package.json").write_text('{"version": "0.29.0"}')
    with pytest.raises(RuntimeFileError, match="version 0.29.0, need 314.0.4"):
        read_lock(tmp_path)


def test_a_delta_gives_back_the_snapshot():
    rng = np.random.default_rng(0)
    base = rng.integers(0, 256, 4096, np.uint8)
    heap = np.zeros(8192, np.uint8)
    heap[:4096] = base
    heap[100:140] = 7
    heap[5000:6000] = rng.integers(0, 256, 1000, np.uint8)
    delta = make_delta(base.tobytes(), snapshot_of(heap.tobytes()), forced=())
    assert apply_delta(base.tobytes(), delta) == heap.tobytes()
    assert len(delta) < 1500


def test_forced_ranges_travel_even_when_equal():
    base = np.arange(4096, dtype=np.uint32).view(np.uint8)
    delta = make_delta(base.tobytes(), snapshot_of(base.tobytes()), forced=[(1000, 1100)])
    other = base.copy()
    other[1000:1100] = 0  # what another engine has there
    assert apply_delta(other.tobytes(), delta) == base.tobytes()


def test_the_checksum_covers_all_that_is_kept():
    base = np.arange(4096, dtype=np.uint32).view(np.uint8)
    first = make_delta(base.tobytes(), snapshot_of(base.tobytes()), forced=())
    assert struct.unpack_from("<I", first, 16)[0] == sum(range(4096))


def test_near_runs_are_joined():
    base = np.zeros(1600, np.uint8)
    heap = base.copy()
    heap[[0, 40, 800]] = 1
    assert changed_runs(base, heap).tolist() == [[0, 3], [50, 51]]


def test_the_snapshot_has_all_that_the_lessons_python_imports():
    missing = {}
    for path in (ROOT / "py").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [node.module]
            else:
                continue
            standard = {n for n in names if n.split(".")[0] in sys.stdlib_module_names}
            there = {"__future__", "keyword", "signal"}  # collections and asyncio bring them
            if lacking := standard - there - {*IMPORTS}:
                missing.setdefault(path.name, set()).update(lacking)
    assert not missing, f"add them to IMPORTS in pyodide_snapshot/recipe.py: {missing}"


def test_files_get_content_hashed_names_and_compressed_siblings(tmp_path):
    cache = tmp_path / "cache"
    products = [Product("a.json", b"{}"), Product("x.mjs", b"1;" * 99, "core")]
    files = place(products, tmp_path, cache)
    for file in files.values():
        path = tmp_path / file["url"]
        assert HASHED.search(file["url"])
        assert sha256(path.read_bytes()) == file["sha256"]
        packed = path.with_name(f"{path.name}.gz").read_bytes()
        dense = path.with_name(f"{path.name}.br").read_bytes()
        assert gzip.decompress(packed) == brotli.decompress(dense) == path.read_bytes()
        assert (len(packed), len(dense)) == (file["gzip"], file["brotli"])
    changed = place([Product("a.json", b"{} ")], tmp_path, cache)
    assert changed["a.json"]["url"] != files["a.json"]["url"]


def test_the_manifest_says_of_each_file_when_it_comes_and_what_of_memory_it_holds(tmp_path):
    products = [
        Product("a.json", b"{}"),
        Product("b.bin", b"b", when="late", memory="constants"),
        Product("c.bin", b"c", when="lazy"),
    ]
    files = place(products, tmp_path, tmp_path / "cache")
    told = {name: (file["when"], file.get("memory")) for name, file in files.items()}
    assert told == {
        "a.json": ("boot", None),
        "b.bin": ("late", "constants"),
        "c.bin": ("lazy", None),
    }


def test_compression_is_done_once(tmp_path, monkeypatch):
    first = compressed(b"lesson" * 50, cache=tmp_path)
    monkeypatch.setattr(brotli, "compress", None)
    assert compressed(b"lesson" * 50, cache=tmp_path) == first


def test_the_policy_forbids_every_foreign_origin():
    for directive in ("script-src", "connect-src", "worker-src", "font-src"):
        [rule] = [r for r in META_CSP.split("; ") if r.startswith(f"{directive} ")]
        assert "'self'" in rule
    assert "default-src 'none'" in META_CSP
    assert "unsafe-eval'" not in META_CSP.replace("wasm-unsafe-eval", "")
    assert "http" not in META_CSP and "*" not in META_CSP
    assert "script-src 'self' 'wasm-unsafe-eval'" in META_CSP


def test_every_page_says_the_policy_itself_before_its_first_script():
    for path in (ROOT / "templates").glob("*.html"):
        if path.name != "base.html":
            assert path.read_text("utf-8").startswith('{% extends "base.html" %}')
    page = environment().get_template("base.html").render(
        csp=META_CSP, assets=defaultdict(str), site=defaultdict(str)
    )
    head, script, _ = html.unescape(page).partition("<script")
    assert script
    assert f'<meta http-equiv="Content-Security-Policy" content="{META_CSP}">' in head


def test_hashed_files_stay_for_ever_and_pages_are_revalidated():
    assert "immutable" in cache_control("/runtime/core-a3f412fc3e82ffb9/pyodide.mjs")
    assert cache_control("/31_multihead.html") == "no-cache"
    assert "/runtime/*" in headers_file() and META_CSP in headers_file()
