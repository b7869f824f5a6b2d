"""The tables that the wasm goes without at first: where they lie, and that all else stays."""

from __future__ import annotations

import dataclasses

import pytest

from pyodide_snapshot import cold
from pyodide_snapshot.cold import TABLES, blank, check_tables, overlaps, segments
from pyodide_snapshot.fetch import RuntimeFileError, core_file


@pytest.fixture(scope="module")
def wasm() -> bytes:
    return core_file("pyodide.asm.wasm")


def test_they_lie_where_they_are_said_to(wasm):
    check_tables(wasm)


def test_blanked_bytes_are_zeros_and_no_other_byte_changes(wasm):
    ranges = [(table.start, table.end) for table in TABLES]
    blanked = blank(wasm, ranges)
    assert len(blanked) == len(wasm)
    found = segments(wasm)
    kept, at = [], 0
    for start, end in ranges:
        for _, offset, length in overlaps(found, start, end):
            assert not any(blanked[offset : offset + length])
            kept.append((at, offset))
            at = offset + length
    for start, end in [*kept, (at, len(wasm))]:
        assert blanked[start:end] == wasm[start:end]
    assert sum(end - start for start, end in ranges) > 1_000_000


def test_another_wasm_is_refused_by_name(wasm, monkeypatch):
    moved = dataclasses.replace(TABLES[1], start=TABLES[1].start + 16)
    monkeypatch.setattr(cold, "TABLES", (moved,))
    with pytest.raises(RuntimeFileError, match="names of Unicode's characters; find them anew"):
        check_tables(wasm)


def test_segments_hold_what_the_module_says():
    # (data (i32.const 300) "abc") (data (i32.const 8) "\00z")
    body = b"\x02" + b"\x00\x41\xac\x02\x0b\x03abc" + b"\x00\x41\x08\x0b\x02\x00z"
    module = b"\0asm\x01\0\0\0" + bytes([11, len(body)]) + body
    assert [(s.address, s.length) for s in segments(module)] == [(300, 3), (8, 2)]
    blanked = module.replace(b"abc", b"a\0c").replace(b"z", b"\0")
    assert blank(module, [(301, 302), (9, 100)]) == blanked
