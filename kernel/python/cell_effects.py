"""Whether a cell demonstrably changed nothing, told from its source and the values that it names.

Looking at a value is the commonest thing that readers do; Python's memory need not be saved again
after it. Anything not known to be harmless counts as a change.
"""

from __future__ import annotations

import ast
import builtins

from cell_runner import Cell

LONGEST = 2_000  # characters of source that are looked at
_NODES = (
    ast.Module, ast.Expr, ast.Constant, ast.Name, ast.Load, ast.Tuple, ast.BinOp, ast.UnaryOp,
    ast.BoolOp, ast.Compare, ast.Subscript, ast.Slice, ast.Attribute, ast.JoinedStr,
    ast.FormattedValue, ast.Call, ast.keyword, ast.Pass, ast.operator, ast.unaryop, ast.boolop,
    ast.cmpop,
)  # fmt: skip
_FUNCTIONS = {"abs", "bool", "float", "int", "len", "max", "min", "print", "round", "str", "sum"}
_METHODS = {"argmax", "copy", "max", "mean", "min", "reshape", "round", "std", "sum", "tolist"}
_PLAIN = {bool, bytes, complex, float, int, str, type(None)}
_MEMBERS = 1_000  # of a list or tuple that are looked at


def leaves_no_trace(cell: Cell, namespace: dict) -> bool:
    """Whether running a cell can't have changed the namespace nor anything that it holds.

    Parameters
    ----------
    cell : Cell
        One that does not compile never ran.
    namespace : dict
        The cells' shared one.
    """
    if cell.error is not None:
        return True
    if len(cell.source) > LONGEST:
        return False
    return all(isinstance(n, _NODES) and _harmless(n, namespace) for n in ast.walk(cell.tree))


def _harmless(node: ast.AST, namespace: dict) -> bool:
    """Whether this node alone is; its children are looked at on their own."""
    if isinstance(node, ast.Name):
        if node.id in namespace:
            return _is_inert(namespace[node.id])
        return node.id in _FUNCTIONS or not hasattr(builtins, node.id)  # no name, no effect
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Name):
            return node.func.id in _FUNCTIONS and node.func.id not in namespace
        known = isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS
        return known and len(node.args) <= 1  # a further argument may be an array to write to
    if isinstance(node, ast.keyword):
        return node.arg in {"axis", "decimals", "end", "keepdims", "sep"}
    return True


def _is_inert(value) -> bool:
    """Whether reading, printing or indexing a value runs no code of the reader's."""
    kind = type(value)
    if kind in _PLAIN:
        return True
    if kind in (list, tuple):
        return len(value) <= _MEMBERS and all(map(_is_inert, value))
    numeric = kind.__module__ == "numpy" and hasattr(value, "dtype")
    return numeric and not value.dtype.hasobject
