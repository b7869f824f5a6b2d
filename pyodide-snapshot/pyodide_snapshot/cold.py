"""Leave out of Pyodide's wasm, for a second, the constants that no usual program reads.

A tenth of what the first result needs were tables that serve it nothing. Their places in the wasm
are filled with zeros; ``tables.bin`` brings them once Python stands (``load/deferred.js``).

To find the tables of another Pyodide anew: the codecs' maps are what the index of each codec, 256
entries of pointer, first and last byte, points to; a frozen module is `_imp.find_frozen(name,
withdata=True)`, found by its content; the names of characters lie where `unicodedata.name` changes
when they are overwritten, and `normalize` does not. In all of them zeros are harmless until
somebody asks for what they hold.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pyodide_snapshot.fetch import RuntimeFileError, sha256
from pyodide_snapshot.slim import read_leb, sections

DATA = 11  # section id of the WebAssembly format
I32_CONST, END = 0x41, 0x0B  # opcodes


@dataclass(frozen=True)
class Table:
    """Constants in the interpreter's memory: what they are, where they lie, what is there."""

    what: str
    start: int
    end: int
    digest: str  # the beginning of their SHA-256


TABLES = (
    Table("maps of the East Asian codecs", 800_096, 1_389_342, "2a2cf1e3993950f1"),
    Table("names of Unicode's characters", 1_573_680, 2_020_000, "b17f58591dd7ce1f"),
    # Without ntpath, runpy and the __hello__ ones, which the snapshot has not imported yet.
    Table("frozen modules up to genericpath", 2_278_800, 2_549_472, "52224a8b60acf350"),
    Table("frozen modules from posixpath on", 2_578_160, 2_697_476, "9846a9dd1ae64583"),
)


@dataclass(frozen=True)
class Segment:
    """A stretch of memory that a wasm brings: its address, where its bytes are, how many."""

    address: int
    offset: int
    length: int


def segments(wasm: bytes) -> list[Segment]:
    """The data segments of a module whose memory is placed by constants.

    Raises
    ------
    RuntimeFileError
        A segment is of another kind.
    """
    at = 8  # after the magic number and the version
    for number, whole, body in sections(wasm):
        if number == DATA:
            at += len(whole) - len(body)
            break
        at += len(whole)
    count, at = read_leb(wasm, at)
    found = []
    for _ in range(count):
        if wasm[at] != 0 or wasm[at + 1] != I32_CONST:
            raise RuntimeFileError(f"pyodide.asm.wasm: no plain data segment at byte {at}")
        address, at = read_leb(wasm, at + 2)  # below 2**28 in Pyodide, so the sign does not show
        if wasm[at] != END:
            raise RuntimeFileError(f"pyodide.asm.wasm: no plain address at byte {at}")
        length, at = read_leb(wasm, at + 1)
        found.append(Segment(address, at, length))
        at += length
    return found


def overlaps(found: Iterable[Segment], start: int, end: int) -> Iterable[tuple[int, int, int]]:
    """``(address, offset in the wasm, length)`` of what segments have in ``[start, end)``."""
    for segment in found:
        first = max(start, segment.address)
        last = min(end, segment.address + segment.length)
        if first < last:
            yield first, segment.offset + first - segment.address, last - first


def check_tables(wasm: bytes) -> None:
    """Make sure that `TABLES` lie where they are said to.

    Raises
    ------
    RuntimeFileError
        One of them doesn't: this is another wasm.
    """
    found = segments(wasm)
    for table in TABLES:
        image = bytearray(table.end - table.start)
        for address, offset, length in overlaps(found, table.start, table.end):
            at = address - table.start
            image[at : at + length] = wasm[offset : offset + length]
        if sha256(bytes(image))[:16] != table.digest:
            raise RuntimeFileError(
                f"pyodide.asm.wasm: bytes {table.start} to {table.end} of its memory are not the "
                f"{table.what}; find them anew, as cold.py says, or take that line out"
            )


def blank(wasm: bytes, ranges: Iterable[tuple[int, int]]) -> bytes:
    """The module with zeros at these addresses of its memory, ``[start, end)`` each."""
    found = segments(wasm)
    out = bytearray(wasm)
    for start, end in ranges:
        for _, offset, length in overlaps(found, start, end):
            out[offset : offset + length] = bytes(length)
    return bytes(out)
