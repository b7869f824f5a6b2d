"""What the worker does in Python once the interpreter stands: streams, namespace, plain results.

The worker calls these functions by name; nothing here imports `js` or `pyodide`.
"""

from __future__ import annotations

import builtins
import random
import sys

import cell_runner
import inspection
import kernel_packages
import numpy as np

namespace = cell_runner.new_namespace()
_INPUT_TEXT = (
    "input() no puede preguntar en esta página: escribe el valor en el código, "
    'por ejemplo nombre = "Ana"'
)


def _input(prompt: str = "") -> str:
    """Say clearly that a cell can't ask."""
    raise RuntimeError(_INPUT_TEXT)


def start(reseed: bool, packages: list[str]) -> None:
    """Prepare streams, builtins and randomness; call once per boot, whatever the recipe.

    Parameters
    ----------
    reseed : bool
        The memory is the shipped snapshot: every reader would draw the same numbers.
    packages : list of str
        What micropip may install.
    """
    if reseed:
        random.seed()
        np.random.seed()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", write_through=True)
    builtins.input = _input
    kernel_packages.limit_micropip(list(packages))


def needs_await(source: str) -> bool:
    """Whether the cell must be run by `run_async`."""
    return cell_runner.needs_await(source)


def run(source: str, filename: str, scratch: bool = False) -> dict:
    """Run a cell in the shared namespace; `cell_runner.run_cell`'s record and ``names``.

    Parameters
    ----------
    source, filename : str
        As in `cell_runner.run_cell`.
    scratch : bool
        Run it in a copy of the namespace, so that it leaves no variable behind.
    """
    return _answer(cell_runner.run_cell(source, filename, _space(scratch), None))


async def run_async(source: str, filename: str, scratch: bool = False) -> dict:
    """Run a cell that awaits; as `run`."""
    return _answer(await cell_runner.run_cell_async(source, filename, _space(scratch), None))


def _space(scratch: bool) -> dict:
    return dict(namespace) if scratch else namespace


def complete(source: str, offset: int) -> dict:
    """`inspection.complete` on the shared namespace."""
    return inspection.complete(source, offset, namespace)


def describe(name: str) -> dict | None:
    """`inspection.describe` on the shared namespace."""
    return inspection.describe(name, namespace)


def reset() -> dict:
    """Empty the shared namespace and import the lesson's modules afresh; as `run`."""
    namespace.clear()
    namespace.update(cell_runner.new_namespace())
    cell_runner.forget_modules()
    return _answer({"status": "done", "result": None, "display": []})


def _answer(outcome: dict) -> dict:
    """Flush what the cell printed; add the names of the reader's variables, oldest first."""
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    names = [name for name in namespace if not name.startswith("__")]
    return _wire({**outcome, "names": names})


def _wire(value):
    """Turn every array into ``{"shape", "data"}`` whose data is one flat typed buffer."""
    if isinstance(value, np.ndarray):
        kind = np.uint8 if value.dtype == bool else value.dtype
        if value.dtype.kind in "iu" and value.dtype.itemsize > 4:
            kind = np.float64  # a page's numbers, not BigInt
        flat = np.ascontiguousarray(value, dtype=kind).reshape(-1)
        return {"shape": list(value.shape), "data": flat}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {key: _wire(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_wire(item) for item in value]
    return value
