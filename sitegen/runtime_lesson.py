"""The lesson's Python for the worker: the modules of every run with their compiled form; the rest.

Compiling Python in the browser costs a noticeable part of the first run; what every run imports is
compiled at build time, by the very interpreter that runs it.
"""

from __future__ import annotations

import base64
import json
import struct
import subprocess
from pathlib import Path

from sitegen.runtime_fetch import NPM, ROOT, RuntimeFileError, cache_dir, sha256, write_whole
from sitegen.runtime_recipe import find_node

OWN_MODULES = (
    "kernel_boot.py",
    "kernel_packages.py",
    "cell_effects.py",
    "cell_runner.py",
    "displays.py",
    "inspection.py",
)  # what the worker calls, whatever the lesson is
EARLY = (
    *OWN_MODULES,
    "charts.py",
    "display_checks.py",
    "hand_made_heads.py",
    "mha.py",
    "mha_checks.py",
    "mha_counts.py",
    "mha_extra_keys.py",
    "mha_fast.py",
    "mha_inputs.py",
    "mha_parameters.py",
    "playground.py",
    "vocabulary.py",
)  # what every run imports, as far as a lesson has it
FOLDER = ROOT / "sitegen" / "lesson_python"
TAG = "cpython-314"


def lesson_modules(py_modules: list[Path]) -> list[Path]:
    """The lesson's modules and the runner's own, by name."""
    own = ROOT / "py"
    paths = {path.name: path for path in [*py_modules, *(own / name for name in OWN_MODULES)]}
    return [paths[name] for name in sorted(paths)]


def lesson_data() -> list[Path]:
    """What the lesson's modules read from beside them; the page fetches each when it is read."""
    return sorted(path for path in (ROOT / "py/data").glob("*") if path.is_file())


def lesson_bundles(modules: list[Path], cache: Path | None = None) -> tuple[bytes, bytes]:
    """What every run imports, and the other modules, in the format of ``static/kernel/layout.js``.

    The first begins with the index of the second: JSON [[name, bytes], …].
    """
    sources = {path.name: path.read_bytes() for path in modules}
    early = {name: sources[name] for name in EARLY if name in sources}
    rest = {name: data for name, data in sources.items() if name not in early}
    code = compiled({name: data.decode() for name, data in early.items()}, cache)
    index = json.dumps([[name, len(data)] for name, data in rest.items()]).encode()
    files = {"rest.json": index}
    for name, data in early.items():
        files[name] = data
        files[f"__pycache__/{name.removesuffix('.py')}.{TAG}.pyc"] = code[name]
    return _bundle(files), _bundle(rest)


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
