"""Take out of Pyodide's wasm what nothing on the site can call.

Pyodide exports some 8 500 names, so that any compiled package can be linked to it. NumPy's own
libraries and Pyodide's scripts name some 900 of them. Without the others, and without the code that
only they reached, the interpreter is smaller to bring and quicker to start. The price: no other
compiled wheel can be linked: only pure-Python ones can be added (`fetch.fetch_vendored`).
"""

from __future__ import annotations

import io
import re
import subprocess
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from pyodide_snapshot.fetch import RuntimeFileError
from pyodide_snapshot.node import node_modules

OPTIMIZER = node_modules() / "binaryen" / "bin" / "wasm-opt"
FEATURES = [
    f"--enable-{feature}"
    for feature in (
        "exception-handling", "reference-types", "bulk-memory", "mutable-globals", "multivalue",
        "nontrapping-float-to-int", "sign-ext", "simd", "tail-call",
    )
]  # fmt: skip - what Pyodide is compiled with; "all" would write what Node can't read
IMPORTS, EXPORTS = 2, 7  # section ids of the WebAssembly format
FUNCTION, TABLE, MEMORY, GLOBAL, TAG = range(5)  # kinds of imports and exports
ASSIGNMENTS = "function assignWasmExports(wasmExports){"
ASSIGNED = re.compile(r'wasmExports\["([^"]+)"\]')
WORD = re.compile(r"[A-Za-z_$][\w$]*")


def read_leb(data: bytes, at: int) -> tuple[int, int]:
    """An unsigned LEB128 number at ``at``, and where the next field is."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return value, at


def leb(value: int) -> bytes:
    """An unsigned LEB128 number."""
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def sections(wasm: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    """``(id, whole section, its body)`` of each section."""
    at = 8  # after the magic number and the version
    while at < len(wasm):
        length, start = read_leb(wasm, at + 1)
        yield wasm[at], wasm[at : start + length], wasm[start : start + length]
        at = start + length


def _name(body: bytes, at: int) -> tuple[str, int]:
    length, at = read_leb(body, at)
    return body[at : at + length].decode(), at + length


def exports(body: bytes) -> list[tuple[str, bytes]]:
    """``(name, whole entry)`` of an export section."""
    count, at = read_leb(body, 0)
    found = []
    for _ in range(count):
        start = at
        name, at = _name(body, at)
        _, at = read_leb(body, at + 1)
        found.append((name, body[start:at]))
    return found


def imports(wasm: bytes) -> set[str]:
    """Names that a module imports, whatever from."""
    names = set()
    for body in (body for number, _, body in sections(wasm) if number == IMPORTS):
        count, at = read_leb(body, 0)
        for _ in range(count):
            _, at = _name(body, at)
            name, at = _name(body, at)
            names.add(name)
            at = _after_type(body, at)
    return names


def _after_type(body: bytes, at: int) -> int:
    """Where the next import starts; ``at`` is at this one's kind."""
    kind, at = body[at], at + 1
    if kind == GLOBAL:
        return at + 2
    if kind in (TABLE, TAG):
        at += 1  # element type, or attribute
    if kind in (FUNCTION, TAG):
        return read_leb(body, at)[1]
    bounded, at = body[at] & 1, at + 1  # of a table or a memory
    for _ in range(1 + bounded):
        _, at = read_leb(body, at)
    return at


def without_exports(wasm: bytes, keep: set[str]) -> bytes:
    """The module with the kept exports only; its code is as it was."""
    out = bytearray(wasm[:8])
    for number, whole, body in sections(wasm):
        if number == EXPORTS:
            kept = [entry for name, entry in exports(body) if name in keep]
            body = leb(len(kept)) + b"".join(kept)
            whole = bytes([EXPORTS]) + leb(len(body)) + body
        out += whole
    return bytes(out)


def named_by_scripts(glue: str, others: Iterable[str]) -> set[str]:
    """Export names that Pyodide's glue, outside its list of all, or other scripts speak of.

    The glue knows the export ``x`` as ``_x``: once where the variable is declared, and again
    wherever it is used.
    """
    before, _, rest = glue.partition(ASSIGNMENTS)
    if not rest:
        raise RuntimeFileError(f"pyodide.asm.mjs: no {ASSIGNMENTS!r}; adapt slim.py")
    after = rest[rest.index("}") :]
    words = Counter(WORD.findall(before + after))
    named = {word[1:] for word, count in words.items() if word[0] == "_" and count > 1}
    named |= set(words)
    for text in others:
        found = set(WORD.findall(text))
        named |= found | {word[1:] for word in found if word[0] == "_"}
    return named


def slim_glue(glue: str, keep: set[str]) -> str:
    """The glue without the assignments of exports that are gone."""
    before, start, rest = glue.partition(ASSIGNMENTS)
    end = rest.index("}")
    kept = []
    for statement in rest[:end].split(";"):
        names = ASSIGNED.findall(statement)
        if all(name in keep for name in names):
            kept.append(statement)
    return before + start + ";".join(kept) + rest[end:]


def needed(wasm: bytes, glue: str, scripts: Iterable[str], wheel: bytes) -> set[str]:
    """The exports that somebody may ask for.

    Parameters
    ----------
    wasm : bytes
        ``pyodide.asm.wasm``.
    glue : str
        ``pyodide.asm.mjs``.
    scripts : iterable of str
        Every other script that calls into the interpreter.
    wheel : bytes
        The package whose compiled parts are linked to it.
    """
    wanted = named_by_scripts(glue, scripts)
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        for name in archive.namelist():
            if name.endswith(".so"):
                wanted |= imports(archive.read(name))
    every = next(body for number, _, body in sections(wasm) if number == EXPORTS)
    return {name for name, _ in exports(every)} & wanted


def slim(wasm: bytes, glue: str, keep: set[str], node: str) -> tuple[bytes, str]:
    """Pyodide's wasm and glue with no other exports than these, and no code that only others reach.

    Raises
    ------
    RuntimeFileError
        The optimizer fails, or is not installed.
    """
    if not OPTIMIZER.is_file():
        raise RuntimeFileError(f"{OPTIMIZER}: missing; run `npm ci`")
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "in.wasm"), Path(folder, "out.wasm")
        source.write_bytes(without_exports(wasm, keep))
        command = [node, OPTIMIZER, *FEATURES, "--remove-unused-module-elements"]
        done = subprocess.run(
            [*command, source, "-o", target], capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeFileError(f"wasm-opt failed:\n{done.stderr[-800:]}")
        return target.read_bytes(), slim_glue(glue, keep)
