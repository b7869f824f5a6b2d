"""Turn Pyodide's files into what boots fast, by Pyodide itself under Node; cached by its inputs.

The steps are in ``recipe.mjs``; the memory layout that they share with the worker is in
``pyodide-snapshot/load/layout.js``.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from pyodide_snapshot.cold import TABLES, blank, check_tables
from pyodide_snapshot.delta import make_delta
from pyodide_snapshot.fetch import RuntimeFileError, cache_dir, sha256, write_whole
from pyodide_snapshot.slim import needed, slim

CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
HERE = Path(__file__).resolve().parent
SCRIPT = HERE / "recipe.mjs"
LOAD = HERE.parent / "load"
LAYOUT = LOAD / "layout.js"
RECIPE = (LAYOUT, SCRIPT, *sorted(HERE.rglob("*.py")))
IMPORTS = """
    numpy numpy.random numpy.linalg numpy.fft
    abc ast asyncio base64 bisect builtins collections collections.abc contextlib copy dataclasses
    datetime decimal difflib enum fractions functools hashlib heapq importlib importlib.abc
    importlib.metadata importlib.util inspect io itertools json linecache math numbers operator os
    pathlib pprint random re secrets statistics string struct sys textwrap time traceback types
    typing unicodedata uuid warnings weakref
""".split()  # noqa: SIM905 - in the snapshot; all that py/ imports must be here (a test says so)
WASM, GLUE = "pyodide.asm.wasm", "pyodide.asm.mjs"
CALLERS = (SCRIPT, *sorted(LOAD.glob("*.js")))  # of what the wasm exports
RESULTS = (
    *(WASM, GLUE, "stdlib.zip", "numpy.whl"),
    *("numpy-libraries.bin", "numpy-rest.zip", "snapshot.bin", "tables.bin", "docstrings.bin"),
)


def find_node() -> str:
    """Path of Node: the machine's or the venv's.

    Raises
    ------
    RuntimeFileError
        There is none.
    """
    node = shutil.which("node") or shutil.which("node", path=str(Path(sys.executable).parent))
    if not node:
        raise RuntimeFileError("node: not found; run `make setup`, or install Node.js >= 20")
    return node


def run_step(step: str, folder: Path) -> None:
    """Run one step of the recipe under Node.

    Raises
    ------
    RuntimeFileError
        The step failed; the end of its output is in the message.
    """
    done = subprocess.run(
        [find_node(), "--no-warnings", str(SCRIPT), step, str(folder)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        tail = "\n".join((done.stdout + done.stderr).splitlines()[-15:])
        raise RuntimeFileError(f"runtime recipe, step {step!r}, failed:\n{tail}")


def prepare(
    inputs: dict[str, bytes], folders: list[str] = (), cache: Path | None = None
) -> dict:
    """Return the recipe's results, from the cache when nothing it depends on has changed.

    Parameters
    ----------
    inputs : dict
        Name → bytes of `CORE`, `LOCK` and ``numpy.whl``.
    folders : list of str, optional
        Where Python will look for modules that the page brings, e.g. ``/lesson``.

    Returns
    -------
    dict
        Name → bytes of `RESULTS`, and ``"table"``: the function table's length.
    """
    glue = inputs[GLUE].decode()
    scripts = [inputs["pyodide.mjs"].decode(), *(path.read_text("utf-8") for path in CALLERS)]
    keep = needed(inputs[WASM], glue, scripts, inputs["numpy.whl"])
    parts = [f"{name} {sha256(inputs[name])}" for name in sorted(inputs)]
    parts += [*sorted(keep), *folders]
    parts += [f"{path.name} {sha256(path.read_bytes())}" for path in RECIPE]
    folder = (cache or cache_dir()) / "runtime" / sha256("\n".join(parts).encode())[:24]
    if not (folder / "facts.json").is_file():
        print("runtime: compiling, making the snapshot …", file=sys.stderr, flush=True)
        wasm, glue = slim(inputs[WASM], glue, keep, find_node())
        _make({**inputs, WASM: wasm, GLUE: glue.encode()}, folders, folder)
    results = {name: (folder / name).read_bytes() for name in RESULTS}
    return {**results, **json.loads((folder / "facts.json").read_text("utf-8"))}


def _make(inputs: dict[str, bytes], folders: list[str], target: Path) -> None:
    """Run every step in a scratch folder; keep the results in ``target``."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        out = folder / "out"
        (folder / "in").mkdir()
        out.mkdir()
        for name, data in inputs.items():
            (folder / "in" / name).write_bytes(data)
        check_tables(inputs[WASM])
        ranges = [(table.start, table.end) for table in TABLES]
        options = {"imports": IMPORTS, "folders": list(folders), "tables": ranges}
        (folder / "in" / "options.json").write_text(json.dumps(options), "utf-8")
        for step in ("pack", "base", "snapshot"):
            run_step(step, folder)
        snapshot = (out / "snapshot.heap").read_bytes()
        base = bytearray((out / "base.heap").read_bytes())
        for start, end in ranges:
            base[start:end] = bytes(end - start)
        (out / "snapshot.bin").write_bytes(make_delta(bytes(base), snapshot))
        wasm = blank(inputs[WASM], ranges)
        for place in (folder / "in", out):
            (place / WASM).write_bytes(wasm)
            (place / GLUE).write_bytes(inputs[GLUE])
        run_step("smoke", folder)
        target.mkdir(parents=True, exist_ok=True)
        for name in (*RESULTS, "facts.json"):  # facts.json last: it says that all is there
            write_whole(target / name, (out / name).read_bytes())
