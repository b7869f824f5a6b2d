"""Run one cell's source in the shared namespace and return plain data about what happened.

Knows nothing of the page, of workers or of Pyodide: plain pytest runs it, the builder runs the
lesson with it, and the worker calls the very same functions.
"""

from __future__ import annotations

import ast
import asyncio
import builtins
import contextlib
import inspect
import io
import linecache
import os
import sys
import traceback
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from types import CodeType

import displays

Writer = Callable[[str, str], None] | None
explain: Callable[[BaseException], None] | None = None  # may put an error in other words
ASK = "__ask__"  # the name that asks the reader, while a cell that may ask runs
RESULT_LIMIT = 20_000  # characters of a result's repr that are kept
_OWN_FOLDER = os.path.dirname(__file__)
_CURLY = str.maketrans("“”„«»‘’", '"""""\'\'')
_MEMORY_TEXT = (
    "no cabe en la memoria del navegador: usa matrices más pequeñas o menos precisión (float32)"
)


class _Stream(io.TextIOBase):
    """A text stream that hands every write to ``write(name, text)``."""

    def __init__(self, name: str, write: Callable[[str, str], None]):
        self.stream_name, self._write = name, write

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not isinstance(text, str):
            raise TypeError(f"write() necesita str, no {type(text).__name__}")
        self._write(self.stream_name, text)
        return len(text)


def new_namespace() -> dict:
    """Return the namespace that all the cells of a lesson share, as a fresh ``__main__``."""
    return {"__name__": "__main__", "__builtins__": builtins}


class _AskInput(ast.NodeTransformer):
    """Turn ``input(...)`` at a cell's top level into an awaited question to the page."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Rename and await the call; its arguments may ask, too."""
        self.generic_visit(node)
        if not (isinstance(node.func, ast.Name) and node.func.id == "input"):
            return node
        node.func = ast.copy_location(ast.Name(ASK, ast.Load()), node.func)
        return ast.copy_location(ast.Await(node), node)

    def _leave(self, node: ast.AST) -> ast.AST:
        return node  # a nested scope can't await for the cell

    visit_FunctionDef = visit_AsyncFunctionDef = visit_Lambda = _leave
    visit_ClassDef = visit_GeneratorExp = _leave


@dataclass(frozen=True)
class Cell:
    """A cell's text, compiled once: what decides how it runs, what runs, what is asked afterwards.

    Parameters
    ----------
    source, filename : str
        See `compile_cell`.
    tree : ast.Module or None
        None where it does not parse.
    codes : tuple of code
        Its statements, then its last expression; a cell may lack either.
    error : Exception or None
        Why it can't run: raised when it is to.
    warnings : tuple of warnings.WarningMessage
        What the compiler has to say: told when it runs.
    """

    source: str
    filename: str
    tree: ast.Module | None
    codes: tuple[CodeType, ...] = ()
    error: Exception | None = None
    warnings: tuple[warnings.WarningMessage, ...] = ()

    @property
    def awaits(self) -> bool:
        """Whether it awaits at its top level: then it is for `run_cell_async`."""
        return any(code.co_flags & inspect.CO_COROUTINE for code in self.codes)


def compile_cell(source: str, filename: str, *, asks: bool = False) -> Cell:
    """Split a cell into statements and its last expression, compiled for top-level ``await``.

    Parameters
    ----------
    source : str
        The cell's text.
    filename : str
        What tracebacks call it: the cell's title on the page.
    asks : bool
        Let ``input`` at the top level await the page's answer, by the name `ASK`.

    Returns
    -------
    Cell
        A last expression that ends in ``;`` shows nothing, as in IPython. Text that is no Python
        gives a cell, too: it fails when it runs.
    """
    lines = source.splitlines(keepends=True)
    linecache.cache[filename] = (len(source), None, lines, filename)
    tree, codes, problem = None, (), None
    with warnings.catch_warnings(record=True) as told:
        try:
            tree = ast.parse(source, filename)
            if asks and "input" in source:
                tree = _AskInput().visit(tree)
            codes = _codes(tree, source, filename)
        except Exception as error:  # others than SyntaxError where it is nested too deeply
            problem = error.with_traceback(None)
    return Cell(source, filename, tree, codes, problem, tuple(told))


def _codes(tree: ast.Module, source: str, filename: str) -> tuple[CodeType, ...]:
    """What `exec` is for, then what `eval` is for."""
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    quiet = source.rstrip().endswith(";")
    shows = bool(tree.body) and isinstance(tree.body[-1], ast.Expr) and not quiet
    codes = []
    if statements := tree.body[:-1] if shows else tree.body:
        codes.append(compile(ast.Module(statements, []), filename, "exec", flags))
    if shows:
        codes.append(compile(ast.Expression(tree.body[-1].value), filename, "eval", flags))
    return tuple(codes)


def show(value) -> str | None:
    """Text of a cell's last value, capped; an array's shape and dtype too. None shows nothing."""
    if value is None:
        return None
    text = repr(value)
    if len(text) > RESULT_LIMIT:
        left = len(text) - RESULT_LIMIT
        text = f"{text[:RESULT_LIMIT]}… ({left} caracteres más)"
    shape, dtype = getattr(value, "shape", None), getattr(value, "dtype", None)
    if isinstance(shape, tuple) and shape and dtype is not None:
        text = f"{text}\nforma {shape}, {dtype}"
    return text


def describe(error: BaseException, filename: str) -> dict:
    """Plain record of an exception: the cell's own frames only, and the line to blame.

    Returns
    -------
    dict
        ``kind`` (``python``, ``stopped`` or ``memory``), ``name``, ``message``, ``line`` (int or
        None, in the cell that ran), ``traceback`` (str), ``missing`` (the name that a NameError
        lacks, else None).
    """
    if explain is not None:
        explain(error)
    report = traceback.TracebackException(type(error), error, error.__traceback__, compact=True)
    _own_frames(report)
    line = error.lineno if _is_own_syntax_error(error, filename) else None
    for frame in report.stack:
        if frame.filename == filename:
            line = frame.lineno
    return {
        "kind": _kind(error),
        "name": type(error).__name__,
        "message": _message(error, filename),
        "line": line,
        "traceback": "".join(report.format()).rstrip(),
        "missing": getattr(error, "name", None) if isinstance(error, NameError) else None,
    }


def _is_own_syntax_error(error: BaseException, filename: str) -> bool:
    return isinstance(error, SyntaxError) and error.filename == filename


def _kind(error: BaseException) -> str:
    """Who is to blame: ``memory`` also for the sizes that NumPy refuses before it asks for them."""
    if isinstance(error, KeyboardInterrupt | asyncio.CancelledError):
        return "stopped"
    refused = isinstance(error, ValueError) and str(error).startswith(
        ("array is too big", "Maximum allowed dimension exceeded")
    )
    return "memory" if refused or isinstance(error, MemoryError) else "python"


def _message(error: BaseException, filename: str) -> str:
    """The exception's own text, and the way out in Spanish where Python's words don't tell it."""
    try:
        message = error.msg if isinstance(error, SyntaxError) else str(error)
    except Exception:  # a reader's class may raise in __str__
        return "<str() de la excepción ha fallado>"
    if _kind(error) == "memory":
        return f"{_MEMORY_TEXT} ({message})" if message else _MEMORY_TEXT
    if _is_own_syntax_error(error, filename) and _has_curly_quotes(error, filename):
        return (
            f"{message}. Hay comillas tipográficas: Python solo entiende comillas rectas (\" o '). "
            f"Escribe: {(error.text or '').strip().translate(_CURLY)}"
        )
    return message


def _has_curly_quotes(error: SyntaxError, filename: str) -> bool:
    """Whether the line to blame has quotes that a phone or a word processor put there."""
    lines = linecache.getlines(filename)
    text = error.text or (lines[error.lineno - 1] if error.lineno and lines else "")
    return text.translate(_CURLY) != text


def _is_own(filename: str) -> bool:
    """Whether code is of what runs cells, rather than of a cell or of what it imports."""
    return os.path.dirname(filename) == _OWN_FOLDER


def _own_frames(report: traceback.TracebackException) -> None:
    """Drop this module's frames from a report and from all that it chains to."""
    seen = set()
    todo = [report]
    while todo:
        one = todo.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        kept = [f for f in one.stack if not (_is_own(f.filename) or "_pyodide" in f.filename)]
        one.stack = traceback.StackSummary.from_list(kept)
        todo += [one.__cause__, one.__context__, *(one.exceptions or ())]


def in_cell(frame) -> bool:
    """Whether a frame belongs to what a cell runs, rather than to what runs cells."""
    outer = frame
    while outer is not None and not _is_own(outer.f_code.co_filename):
        outer = outer.f_back
    runs = outer is not None and outer.f_code.co_name in ("run_cell", "run_cell_async", "show")
    return runs and outer is not frame


@contextlib.contextmanager
def _redirected(write: Callable[[str, str], None] | None):
    """Send stdout and stderr to ``write`` for the duration of a cell; None leaves them alone."""
    if write is None:
        yield
        return
    with (
        contextlib.redirect_stdout(_Stream("stdout", write)),
        contextlib.redirect_stderr(_Stream("stderr", write)),
    ):
        yield


def _done(value) -> dict:
    return {"status": "done", "result": show(value), "display": displays.take_displays()}


def _failed(error: BaseException, filename: str) -> dict:
    if isinstance(error, SystemExit):  # a cell that calls exit() ends itself, not the kernel
        return _done(None)
    return {"status": "failed", **describe(error, filename), "display": displays.take_displays()}


def _begin(cell: Cell) -> None:
    """Tell what compiling it gave rise to."""
    for told in cell.warnings:
        warnings.warn_explicit(told.message, told.category, told.filename, told.lineno)
    if cell.error is not None:
        raise cell.error


def run_cell(cell: Cell, namespace: dict, write: Writer = None) -> dict:
    """Run a cell that does not await at its top level.

    Parameters
    ----------
    cell : Cell
        From `compile_cell`.
    namespace : dict
        Shared by all cells; changed in place.
    write : callable, optional
        ``write(stream, text)`` with stream ``"stdout"`` or ``"stderr"``, called as text appears;
        None leaves the process's own streams in place.

    Returns
    -------
    dict
        ``{"status": "done", "result": str | None, "display": list}`` or
        ``{"status": "failed", ...`describe`'s fields..., "display": list}``.
    """
    displays.take_displays()
    value = None
    with _redirected(write):
        try:
            _begin(cell)
            for code in cell.codes:
                value = eval(code, namespace)  # statements give None
            return _done(value)
        except BaseException as error:
            return _failed(error, cell.filename)


async def run_cell_async(cell: Cell, namespace: dict, write: Writer = None, ask=None) -> dict:
    """Run a cell that may ``await`` at its top level; otherwise as `run_cell`.

    ``ask`` is what the ``input`` of a cell compiled with ``asks`` awaits: ``await ask(prompt)``
    gives the answer.
    """
    displays.take_displays()
    value = None
    with _redirected(write):
        try:
            _begin(cell)
            if ask is not None:
                namespace[ASK] = ask
            for code in cell.codes:
                value = eval(code, namespace)
                if code.co_flags & inspect.CO_COROUTINE:
                    value = await value
            return _done(value)
        except BaseException as error:
            return _failed(error, cell.filename)
        finally:
            namespace.pop(ASK, None)


def forget_modules(folder: str) -> None:
    """Drop the modules that lie in a folder, so that a reset namespace imports them afresh."""
    for name, module in list(sys.modules.items()):
        if os.path.dirname(getattr(module, "__file__", None) or "") == folder:
            del sys.modules[name]
