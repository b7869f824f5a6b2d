"""Try out what a reader wrote for an exercise and say, in Spanish, what came out and what should.

A check is a few lines of Python in the lesson file. It finds ``np``, ``mha``, ``attempt`` and
``require``, and calls the reader's function on small inputs::

    attempt("doble", 3).expect(6, {"Has sumado 2 en vez de multiplicar por 2.": 5})

Whatever the reader's code does, a check ends in a `Verdict`, never in an exception.
"""

from __future__ import annotations

import copy
import json
import traceback
from dataclasses import asdict, dataclass
from functools import partial

import numpy as np

import mha

CELLS = "__main__"  # the module that cells are, wherever they run
SHOWN = 600  # characters of a value that are shown


@dataclass
class Verdict:
    """How a check ended; its repr is JSON, which is how it travels to the page.

    ``state`` is ``right``, ``wrong`` or ``unwritten``; ``call``, ``got`` and ``expected`` are
    empty where there is nothing to compare; ``missing`` is the name that a NameError lacks.
    """

    state: str
    message: str
    call: str = ""
    got: str = ""
    expected: str = ""
    missing: str = ""

    def __repr__(self):
        return json.dumps(asdict(self), ensure_ascii=False)


class Refused(Exception):
    """The check has found something: it carries the verdict."""

    def __init__(self, message: str, state: str = "wrong", **shown: str):
        super().__init__(message)
        self.verdict = Verdict(state, message, **shown)


def verdict(check: str, namespace: dict) -> Verdict:
    """Run a check against a namespace.

    Parameters
    ----------
    check : str
        Python source of the check.
    namespace : dict
        Where the reader's names are; read, not written.

    Returns
    -------
    Verdict
    """
    passed: list[str] = []
    tools = {
        "np": np,
        "mha": mha,
        "attempt": partial(attempt, namespace, passed),
        "require": require,
    }
    try:
        exec(compile(check, "comprobación", "exec"), tools)
    except Refused as refused:
        return refused.verdict
    except Exception as error:  # values so odd that they can't even be compared
        return Verdict("wrong", f"No se ha podido comparar lo que devuelve ({_words(error)}).")
    count = len(passed)
    done = "Pasa la comprobación." if count == 1 else f"Pasa las {count} comprobaciones."
    return Verdict("right", done)


def require(condition: bool, message: str) -> None:
    """Refuse with ``message`` unless ``condition`` holds."""
    if not condition:
        raise Refused(message)


@dataclass
class Attempt:
    """What the reader's code gave for one input, and how that call reads."""

    call: str
    value: object
    passed: list[str]
    args: tuple = ()
    part: str = ""  # which of several values this is

    def expect(self, expected, mistakes: dict | None = None) -> None:
        """Refuse unless the value is as expected.

        Parameters
        ----------
        expected : array_like, number or bool
        mistakes : dict of str to array_like, optional
            What a known mistake gives → what to tell who made it; the first that fits is told.

        Raises
        ------
        Refused
            Not written yet, a known mistake, a wrong type, shape, dtype or value.
        """
        self._written(self.value)
        wanted = np.asarray(expected)
        got = self._as_array(wanted)
        shown = self._shown(expected)
        for message, wrong in (mistakes or {}).items():
            if not _equal(got, wanted) and _equal(got, np.asarray(wrong)):
                raise Refused(message, **shown)
        if got.shape != wanted.shape:
            raise Refused(
                f"{self._subject()} tiene forma {_shape(got)} y debe tener {_shape(wanted)}.",
                **shown,
            )
        if wanted.dtype == bool and got.dtype != bool:
            raise Refused(f"{self._subject()} debe ser booleano y es {got.dtype}.", **shown)
        if not _equal(got, wanted):
            what = "Los valores no son" if wanted.ndim else "El resultado no es"
            raise Refused(f"{what} lo que se esperaba.", **shown)
        self.passed.append(self.call)

    def unpack(self, *names: str) -> list[Attempt]:
        """One attempt for each of the values that the call has to return together."""
        self._written(self.value)
        listed = ", ".join(names)
        if not isinstance(self.value, (tuple, list)) or len(self.value) != len(names):
            raise Refused(
                f"Debe devolver {len(names)} cosas: {listed}.",
                call=self.call,
                got=_text(self.value),
                expected=f"({listed})",
            )
        return [
            Attempt(self.call, value, self.passed, self.args, name)
            for name, value in zip(names, self.value, strict=True)
        ]

    def _written(self, value) -> None:
        parts = value if isinstance(value, tuple) else (value,)
        if any(part is None or part is ... for part in parts):
            raise Refused(
                "Aún sin escribir: no devuelve nada. ¿Falta el `return`?",
                "unwritten",
                call=self.call,
                got=_text(value),
            )

    def _as_array(self, wanted: np.ndarray) -> np.ndarray:
        try:
            got = np.asarray(self.value)
        except Exception:
            got = None
        if got is None or got.dtype.kind not in "biuf":
            kind = "un número" if wanted.ndim == 0 else f"un array de forma {_shape(wanted)}"
            raise Refused(
                f"{self._subject()} debe ser {kind}, y es de tipo `{type(self.value).__name__}`.",
                call=self.call,
                got=_text(self.value),
            )
        return got

    def _subject(self) -> str:
        return f"Lo que devuelves como {self.part}" if self.part else "Lo que devuelves"

    def _shown(self, expected) -> dict[str, str]:
        call = f"{self.call}  # {self.part}" if self.part else self.call
        return {"call": call, "got": _text(self.value), "expected": _text(expected)}


def attempt(namespace: dict, passed: list, name: str, *args, shown: str = "", **kwargs) -> Attempt:
    """Call the reader's function ``name`` on copies of the arguments.

    Parameters
    ----------
    namespace, passed
        Bound by `verdict`.
    shown : str, optional
        How the call reads; by default, with the arguments' values.

    Raises
    ------
    Refused
        There is no such function, it raises, or it changes an array that it was given.
    """
    call = f"{name}({shown or _arguments(args, kwargs)})"
    function = namespace.get(name)
    if not callable(function):
        gone = "no existe" if name not in namespace else "ya no es una función"
        raise Refused(f"`{name}` {gone}: la comprobación la busca con ese nombre en la celda.")
    given = copy.deepcopy(args)
    try:
        value = function(*given, **copy.deepcopy(kwargs))
    except (Exception, SystemExit) as error:
        missing = error.name or "" if isinstance(error, NameError) else ""
        message = f"`{name}` da un error: {_words(error)}{_place(error)}."
        raise Refused(message, call=call, missing=missing) from None
    for before, after in zip(args, given, strict=True):
        if isinstance(before, np.ndarray) and not np.array_equal(before, after, equal_nan=True):
            raise Refused(f"`{name}` cambia el array que recibe; trabaja sobre otro.", call=call)
    return Attempt(call, value, passed, given)


def _equal(got: np.ndarray, wanted: np.ndarray) -> bool:
    if got.shape != wanted.shape:
        return False
    return bool(np.allclose(got.astype(float), wanted.astype(float), rtol=1e-6, equal_nan=True))


def _words(error: BaseException) -> str:
    try:
        text = str(error)
    except Exception:
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _place(error: BaseException) -> str:
    """The reader's own line, where the error passed through one."""
    for frame, line in reversed(list(traceback.walk_tb(error.__traceback__))):
        if frame.f_globals.get("__name__") == CELLS:
            return f" (línea {line} de la celda)"
    return ""


def _arguments(args: tuple, kwargs: dict) -> str:
    return ", ".join([*map(_text, args), *(f"{k}={_text(v)}" for k, v in kwargs.items())])


def _shape(array: np.ndarray) -> str:
    return str(array.shape) if array.ndim else "(), un solo número"


def _text(value) -> str:
    """A value as a reader writes it, short."""
    try:
        if isinstance(value, np.ndarray) and value.ndim:
            text = np.array2string(
                value, precision=3, suppress_small=True, separator=", ", threshold=60
            )
        elif isinstance(value, (float, np.floating)):
            text = f"{float(value):.6g}"
        elif isinstance(value, np.generic):
            text = str(value.item())
        elif value is ...:
            text = "..."
        else:
            text = repr(value)
    except Exception:
        text = f"<{type(value).__name__}>"
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"
