"""Inside Pyodide, at build time: compile stdlib and NumPy to .pyc and pack what the worker needs.

Reads /in/python_stdlib.zip, the wheel unpacked in site-packages and /in/options.json; writes /out.
"""

import importlib._bootstrap_external as external
import importlib.util
import io
import json
import struct
import sys
import zipfile
from pathlib import Path

SITE = Path("/lib/python3.14/site-packages")
STDLIB = "/lib/python314.zip/"
DATE = (2025, 1, 1, 0, 0, 0)  # the same bytes whenever it is built
UNUSED = (".pyi", ".h", ".a", ".pxd", ".c", ".pyx", ".in", ".txt", ".rst", ".md", ".build")
UNUSED += (".template", ".ini", ".pc", ".cfg", ".cpp", ".toml")
UNUSED_PARTS = {"f2py", "tests", "_pyinstaller", "doc", "distutils", "include"}


def pyc(source: bytes, filename: str) -> bytes:
    """A .pyc that is never checked against its source."""
    code = compile(source, filename, "exec", dont_inherit=True)
    return bytes(external._code_to_hash_pyc(code, importlib.util.source_hash(source), False))


def compiled(name: str, data: bytes, prefix: str) -> tuple[str, bytes]:
    """A .py as .pyc; anything else as it is."""
    return (f"{name}c", pyc(data, prefix + name)) if name.endswith(".py") else (name, data)


def zipped(files: list[tuple[str, bytes]]) -> bytes:
    """A stored zip: the host's compression does better over the whole than deflate by file."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        for name, data in files:
            info = zipfile.ZipInfo(name, DATE)
            info.external_attr = 0o644 << 16
            archive.writestr(info, data)
    return target.getvalue()


def bundle(files: list[tuple[str, bytes]]) -> bytes:
    """The format that pyodide-snapshot/load/layout.js reads."""
    index = json.dumps([[n, len(d)] for n, d in files], separators=(",", ":")).encode()
    return struct.pack("<I", len(index)) + index + b"".join(data for _, data in files)


def stdlib() -> list[tuple[str, bytes]]:
    """Every file of the standard library, compiled."""
    with zipfile.ZipFile("/in/python_stdlib.zip") as archive:
        names = sorted(n for n in archive.namelist() if not n.endswith("/"))
        return [compiled(n, archive.read(n), STDLIB) for n in names]


def wanted(name: str) -> bool:
    """Whether a file of NumPy's wheel is of use in a page."""
    if ".dist-info/" in name:
        return name.endswith(("/METADATA", "/WHEEL", "/RECORD"))
    parts = set(name.split("/")[:-1])
    unused = name.endswith((*UNUSED, "conftest.py", "setup.py")) or parts & UNUSED_PARTS
    return not unused and "lapack_lite.cpython" not in name


options = json.loads(Path("/in/options.json").read_text())
with zipfile.ZipFile("/in/numpy.whl") as wheel:
    numpy_files = [(n, wheel.read(n)) for n in sorted(wheel.namelist()) if wanted(n)]

for name in options["imports"]:
    importlib.import_module(name)
core = {
    str(Path(module.__file__).relative_to(SITE))
    for module in list(sys.modules.values())
    if (getattr(module, "__file__", None) or "").startswith(f"{SITE}/")
}

info = [(n, d) for n, d in numpy_files if ".dist-info/" in n and not n.endswith("/RECORD")]
libraries = [(n, d) for n, d in numpy_files if n.endswith(".so")]
modules = [(n, d) for n, d in numpy_files if n.endswith(".py")]
prefix = f"{SITE}/"
packed = {n: compiled(n, d, prefix) for n, d in modules}
out = {
    "stdlib.zip": zipped(stdlib()),
    "numpy.whl": zipped(
        [
            *libraries,
            *packed.values(),
            *info,
            *[(n, b"") for n, _ in numpy_files if n.endswith("/RECORD")],
        ]
    ),
    "numpy-libraries.bin": bundle([*libraries, *info]),
    "numpy-core.bin": bundle([*(packed[n] for n, _ in modules if n in core), *info]),
    "numpy-rest.zip": zipped([packed[n] for n, _ in modules if n not in core]),
}
for name, data in out.items():
    Path("/out", name).write_bytes(data)
