"""Turn Pyodide's files into what boots fast, by Pyodide itself under Node; cached by its inputs.

The steps are in ``recipe.mjs``; the memory layout that they share with the worker is in
``pyodide-snapshot/load/layout.js``.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from pyodide_snapshot.cold import TABLES, blank, check_tables
from pyodide_snapshot.delta import make_delta
from pyodide_snapshot.fetch import RuntimeFileError, cache_dir, sha256, write_whole
from pyodide_snapshot.node import find_node
from pyodide_snapshot.slim import needed, slim

CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
HERE = Path(__file__).resolve().parent
SCRIPT = HERE / "recipe.mjs"
LOAD = HERE.parent / "load"
LAYOUT = LOAD / "layout.js"
RECIPE = (  # what the results depend on
    *(LAYOUT, SCRIPT, *sorted((HERE / "python").glob("*.py"))),
    *(HERE / f"{name}.py" for name in ("recipe", "cold", "delta", "slim")),
)
IMPORTS = """
    numpy numpy.random numpy.linalg numpy.fft
    abc ast asyncio base64 bisect builtins collections collections.abc contextlib copy dataclasses
    datetime decimal difflib enum fractions functools hashlib heapq importlib importlib.abc
    importlib.metadata importlib.util inspect io itertools json linecache math numbers operator os
    pathlib pprint random re secrets statistics string struct sys textwrap time traceback types
    typing unicodedata uuid warnings weakref
""".split()  # noqa: SIM905 - imported already when Python stands
WASM, GLUE = "pyodide.asm.wasm", "pyodide.asm.mjs"
CALLERS = (SCRIPT, *sorted(LOAD.glob("*.js")))  # of what the wasm exports
SCRIPTS = ("pyodide.mjs", GLUE, WASM)
FIRST = ("numpy-libraries.bin", "snapshot.bin")  # with the scripts: what a snapshot starts from
LATE = {"tables.bin": "constants", "docstrings.bin": "docstrings"}  # of memory, what comes after
LAZY = ("stdlib.zip", "numpy-rest.zip")  # what comes when Python reads it
RESULTS = (WASM, GLUE, "numpy.whl", *FIRST, *LATE, *LAZY)


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
    inputs: dict[str, bytes],
    folders: list[str] = (),
    cache: Path | None = None,
    imports: list[str] = IMPORTS,
) -> dict:
    """Return the recipe's results, from the cache when nothing it depends on has changed.

    Parameters
    ----------
    inputs : dict
        Name → bytes of `CORE`, `LOCK` and ``numpy.whl``.
    folders : list of str, optional
        Where Python will look for modules that the page brings, e.g. ``/lesson``.
    cache : Path, optional
        Where results are kept; see `fetch.cache_dir`.
    imports : list of str, optional
        What is imported before memory is taken; NumPy among it.

    Returns
    -------
    dict
        Name → bytes of `RESULTS`, and ``"table"``: the function table's length.
    """
    glue = inputs[GLUE].decode()
    scripts = [inputs["pyodide.mjs"].decode(), *(path.read_text("utf-8") for path in CALLERS)]
    keep = needed(inputs[WASM], glue, scripts, inputs["numpy.whl"])
    parts = [f"{name} {sha256(inputs[name])}" for name in sorted(inputs)]
    parts += [*sorted(keep), *folders, *imports]
    parts += [f"{path.name} {sha256(path.read_bytes())}" for path in RECIPE]
    folder = (cache or cache_dir()) / "runtime" / sha256("\n".join(parts).encode())[:24]
    if not (folder / "facts.json").is_file():
        print("runtime: compiling, making the snapshot …", file=sys.stderr, flush=True)
        wasm, glue = slim(inputs[WASM], glue, keep, find_node())
        _make({**inputs, WASM: wasm, GLUE: glue.encode()}, folders, imports, folder)
    results = {name: (folder / name).read_bytes() for name in RESULTS}
    return {**results, **json.loads((folder / "facts.json").read_text("utf-8"))}


def _make(
    inputs: dict[str, bytes], folders: list[str], imports: list[str], target: Path
) -> None:
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
        options = {"imports": imports, "folders": folders, "tables": ranges, "late": list(LATE)}
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
