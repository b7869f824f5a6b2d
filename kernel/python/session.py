"""What the worker does in Python once the interpreter stands: streams, namespace, plain results.

The worker calls these functions by name; nothing here imports `js` or `pyodide`.
"""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import random
import signal
import sys

import numpy as np

import cell_effects
import cell_runner
import displays
import inspection
import packages
import wire

namespace = cell_runner.new_namespace()
_lesson_folder = ""
_task = None  # the task of the cell that awaits, while there is one
_INPUT_TEXT = (
    "input() no puede preguntar desde dentro de una función o de un módulo: pregunta fuera, en la "
    'celda, y pasa la respuesta como argumento, o escribe el valor en el código: nombre = "Ana"'
)


def _input(prompt: str = "") -> str:
    """Say clearly that here a cell can't ask: only its top level can wait for the reader."""
    raise RuntimeError(_INPUT_TEXT)


def start(reseed: bool, installable: list[str], folder: str) -> None:
    """Prepare streams, builtins and randomness; call once per boot, whatever the recipe.

    Tasks that were pending when the memory was saved would never go on here: they are cancelled.

    Parameters
    ----------
    reseed : bool
        The memory is the shipped snapshot: every reader would draw the same numbers.
    installable : list of str
        What micropip may install.
    folder : str
        Where the modules lie that a reset imports afresh: the lesson's.
    """
    if reseed:
        random.seed()
        np.random.seed()
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", write_through=True)
    builtins.input = _input
    signal.signal(signal.SIGINT, _interrupted)
    packages.limit_micropip(list(installable))
    cell_runner.explain = packages.explain_absence
    for task in _pending():
        task.cancel()
    global _lesson_folder
    _lesson_folder = folder


def _interrupted(signum, frame) -> None:
    """Stop a cell inside its own code only: what reports on it must come to its end.

    The page presses until Python answers, so a press may be let pass.
    """
    if cell_runner.in_cell(frame):
        raise KeyboardInterrupt


def compile_cell(source: str, filename: str) -> cell_runner.Cell:
    """A cell as `run` takes it or, where it ``awaits``, `run_async`."""
    return cell_runner.compile_cell(source, filename, asks=True)


@contextlib.contextmanager
def _hosted(show):
    """Draw through the page for the duration of a cell.

    Nothing of the page is kept afterwards: memory that holds its objects can't be saved.
    """
    displays.send_displays_to(None if show is None else lambda record: show(wire.plain(record)))
    try:
        yield
    finally:
        displays.send_displays_to(None)


def run(cell: cell_runner.Cell, scratch: bool = False, show=None) -> dict:
    """Run a cell in the shared namespace; `cell_runner.run_cell`'s record and ``names``.

    Parameters
    ----------
    cell : Cell
        From `compile_cell`.
    scratch : bool
        Run it in a copy of the namespace, so that it leaves no variable behind.
    show : callable, optional
        ``show(record)`` draws at once what the cell shows; else records come with the answer.
    """
    with _hosted(show):
        outcome = cell_runner.run_cell(cell, _space(scratch))
    return _answer(outcome, changed=not cell_effects.leaves_no_trace(cell, namespace))


async def run_async(cell: cell_runner.Cell, scratch: bool = False, show=None, ask=None) -> dict:
    """Run a cell that awaits; as `run`. `cancel` stops it, its variables kept.

    ``await ask(prompt)`` gives what the reader answers to the cell's ``input``.
    """
    global _task
    _task = asyncio.current_task()
    try:
        with _hosted(show):
            space = _space(scratch)
            asker = None if ask is None else _asker(ask)
            return _answer(await cell_runner.run_cell_async(cell, space, None, asker))
    finally:
        _task = None


def _asker(ask):
    """``input`` for a cell's top level."""

    async def asker(prompt="") -> str:
        sys.stdout.flush()
        return str(await ask(str(prompt)))

    return asker


def cancel() -> None:
    """Stop the cell that awaits, if there is one."""
    if _task is not None:
        _task.cancel()


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
    cell_runner.forget_modules(_lesson_folder)
    return _answer({"status": "done", "result": None, "display": []})


def _answer(outcome: dict, changed: bool = True) -> dict:
    """Flush what the cell printed; add what the page must know to bring its variables back.

    ``names`` of the reader's variables, oldest first; ``changed``: whether memory may differ from
    before the cell; ``tasks``: how many of asyncio are pending.
    """
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    names = [name for name in namespace if not name.startswith("__")]
    return wire.plain({**outcome, "names": names, "changed": changed, "tasks": len(_pending())})


def _pending() -> list[asyncio.Task]:
    """Tasks that cells have started and that are not done, without the cell's own."""
    try:
        loop = asyncio.get_running_loop()  # here one always runs
    except RuntimeError:
        return []
    return [task for task in asyncio.all_tasks(loop) if task is not asyncio.current_task(loop)]
