"""Python modules for the worker: those of every run with their compiled form; the rest.

Compiling Python in the browser costs a noticeable part of the first run; what every run imports is
compiled at build time, by the very interpreter that runs it.
"""

from __future__ import annotations

import base64
import json
import struct
import subprocess
from pathlib import Path

from pyodide_snapshot.fetch import NPM, RuntimeFileError, sha256, write_whole
from pyodide_snapshot.node import find_node
from sitegen.cache import cache_dir
from sitegen.python_modules import KERNEL

FOLDER = Path(__file__).resolve().parent / "lesson_python"
TAG = "cpython-314"
KERNEL_PLACE, LESSON_PLACE = "/kernel", "/lesson"  # in the worker's file system


def place_of(path: Path) -> str:
    """Where the worker's Python finds a module: the kernel's own are apart."""
    return f"{KERNEL_PLACE if path.parent == KERNEL else LESSON_PLACE}/{path.name}"


def python_bundles(early: list[Path], rest: list[Path], cache: Path | None = None):
    """What every run imports, and the other modules, in the format of ``load/layout.js``.

    Returns
    -------
    early, rest : bytes
        The first begins with the index of the second: JSON [[path, bytes], …].
    """
    others = {place_of(path): path.read_bytes() for path in rest}
    code = compiled({place_of(path): path.read_text("utf-8") for path in early}, cache)
    index = json.dumps([[name, len(data)] for name, data in others.items()]).encode()
    files = {"rest.json": index}
    for path in early:
        name = place_of(path)
        folder, _, file = name.rpartition("/")
        files[name] = path.read_bytes()
        files[f"{folder}/__pycache__/{file.removesuffix('.py')}.{TAG}.pyc"] = code[name]
    return _bundle(files), _bundle(others)


def _bundle(files: dict[str, bytes]) -> bytes:
    index = json.dumps([[name, len(data)] for name, data in files.items()]).encode()
    return struct.pack("<I", len(index)) + index + b"".join(files.values())


def compiled(sources: dict[str, str], cache: Path | None = None) -> dict[str, bytes]:
    """Compile modules, all in one go; from the cache where nothing has changed.

    Raises
    ------
    RuntimeFileError
        A module does not compile, or Node failed; the end of its output is in the message.
    """
    told = json.dumps(sources, ensure_ascii=False).encode()
    recipe = b"".join(path.read_bytes() for path in sorted(FOLDER.glob("compile.*")))
    version = (NPM / "package.json").read_bytes()
    path = (cache or cache_dir()) / "lesson" / f"{sha256(told + recipe + version)[:24]}.json"
    if not path.is_file():
        done = subprocess.run(
            [find_node(), "--no-warnings", str(FOLDER / "compile.mjs"), str(NPM)],
            input=told,
            capture_output=True,
            check=False,
        )
        if done.returncode:
            tail = "\n".join(done.stderr.decode(errors="replace").splitlines()[-15:])
            raise RuntimeFileError(f"compiling the lesson's modules failed:\n{tail}")
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, done.stdout)
    packed = json.loads(path.read_text("utf-8"))
    return {name: base64.b64decode(code) for name, code in packed.items()}
