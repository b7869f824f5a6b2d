"""What the editor asks of the live namespace: completions, and what a name is.

Nothing of the reader's is called: names are looked up and attributes read, no more. Properties of
the reader's own classes are not evaluated.
"""

from __future__ import annotations

import builtins
import inspect
import keyword
import re

MODULES = ("mha", "playground", "numpy")  # offered by `import`, and described before it
DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*\.?$")
MAX_OPTIONS = 200
MAX_DOC = 1500  # characters


def complete(source: str, offset: int, namespace: dict) -> dict:
    """Completions for the name that ends at ``offset``.

    Parameters
    ----------
    source : str
        The cell's text.
    offset : int
        Where the cursor is, in characters.
    namespace : dict
        The cells' shared one.

    Returns
    -------
    dict
        ``from`` (offset where the replaced part begins) and ``options``, a list of
        ``{"label", "type", "detail"}`` with CodeMirror's types.
    """
    found = DOTTED.search(source[:offset])
    text = found[0] if found else ""
    parent, dot, prefix = text.rpartition(".")
    if dot:
        owner = _resolve(parent, namespace)
        names = _attributes(owner)
        values = {name: _peek(owner, name) for name in names}
    else:
        values = {**dict.fromkeys(keyword.kwlist, keyword), **vars(builtins), **namespace}
    hidden = not prefix.startswith("_")
    options = [
        {"label": name, **_kind(value)}
        for name, value in sorted(values.items())
        if name.startswith(prefix) and not (hidden and name.startswith("_"))
    ]
    return {"from": offset - len(prefix), "options": options[:MAX_OPTIONS]}


def describe(expression: str, namespace: dict) -> dict | None:
    """Signature and docstring of a dotted name, or an array's shape and dtype.

    Returns
    -------
    dict or None
        ``title`` and ``text``; None where there is nothing by that name.
    """
    value = _resolve(expression, namespace)
    if value is _NOTHING:
        return None
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and hasattr(value, "dtype"):
        return {"title": f"{expression}: array {shape}, {value.dtype}", "text": ""}
    text = inspect.getdoc(value) if _documented(value) else ""
    if len(text or "") > MAX_DOC:
        text = f"{text[:MAX_DOC]}…"
    return {"title": f"{expression}{_signature(value)}", "text": text or ""}


class _Nothing:
    """No such name."""


_NOTHING = _Nothing()


def _resolve(dotted: str, namespace: dict):
    """The object that a dotted name stands for, by plain look-ups."""
    first, *rest = dotted.split(".")
    value = namespace.get(first, getattr(builtins, first, _NOTHING))
    if value is _NOTHING and first in (*MODULES, "np"):
        value = __import__("numpy" if first == "np" else first)
    for name in rest:
        value = _peek(value, name)
        if value is _NOTHING:
            break
    return value


def _peek(owner, name: str):
    """An attribute without running a property of the reader's own."""
    static = inspect.getattr_static(owner, name, _NOTHING)
    if isinstance(static, property):
        return static
    try:
        return getattr(owner, name, _NOTHING)
    except Exception:  # a descriptor that raises: it has the name, no more is known
        return static


def _attributes(owner) -> list[str]:
    if owner is _NOTHING:
        return []
    public = getattr(owner, "__all__", None)
    return list(public) if inspect.ismodule(owner) and public else dir(owner)


def _kind(value) -> dict:
    """CodeMirror's type of an option, and a word about it."""
    if value is keyword:
        return {"type": "keyword", "detail": ""}
    if inspect.ismodule(value):
        return {"type": "namespace", "detail": "módulo"}
    if inspect.isclass(value):
        return {"type": "class", "detail": ""}
    if callable(value):
        return {"type": "function", "detail": _signature(value)[:60]}
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        return {"type": "variable", "detail": str(shape)}
    return {"type": "variable", "detail": "" if value is _NOTHING else type(value).__name__}


def _documented(value) -> bool:
    return callable(value) or inspect.ismodule(value)


def _signature(value) -> str:
    try:
        return str(inspect.signature(value))
    except (TypeError, ValueError):
        return "(…)" if callable(value) else f": {type(value).__name__}"
