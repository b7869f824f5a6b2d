"""Which names a cell defines and which it needs from earlier cells, read off its syntax tree."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
BLOCKS = ("body", "handlers", "cases", "orelse", "finalbody")
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def defined_and_used(source: str) -> tuple[list[str], list[str]]:
    """Names that a cell binds at its top level, and names it reads before binding them.

    Parameters
    ----------
    source : str
        A cell's text; one that does not parse defines and uses nothing.

    Returns
    -------
    defines, uses : list of str
        Sorted. Builtins are not counted as used. A function's body counts as read where it is
        defined, its own locals apart.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return [], []
    defines: set[str] = set()
    uses: set[str] = set()
    for step in _steps(tree.body):
        uses |= _loads(step) - defines
        defines |= _stores(step)
    return sorted(defines), sorted(uses - set(dir(builtins)))


def _steps(statements: list[ast.stmt]) -> Iterator[ast.AST]:
    """Statements in the order they run; a compound one gives its head, then its blocks."""
    for statement in statements:
        if isinstance(statement, SCOPES) or not hasattr(statement, "body"):
            yield statement
            continue
        head = [part for name, part in ast.iter_fields(statement) if name not in BLOCKS]
        yield from sorted(
            _nodes(head), key=lambda node: isinstance(getattr(node, "ctx", 0), ast.Store)
        )
        for name in BLOCKS:
            block = getattr(statement, name, [])
            yield from _steps([s for s in block if isinstance(s, ast.stmt)])
            for handler in (b for b in block if not isinstance(b, ast.stmt)):
                yield from _nodes(
                    [getattr(handler, "type", None), getattr(handler, "pattern", None)]
                )
                if getattr(handler, "name", None):
                    yield ast.Name(handler.name, ast.Store())
                yield from _steps(handler.body)


def _nodes(parts: list) -> Iterator[ast.AST]:
    """The syntax nodes among ``parts``, lists flattened."""
    for part in parts:
        if isinstance(part, list):
            yield from _nodes(part)
        elif isinstance(part, ast.AST):
            yield part


def _stores(node: ast.AST) -> set[str]:
    """Names bound in ``node``'s own scope."""
    if isinstance(node, SCOPES):
        return set() if isinstance(node, ast.Lambda) else {node.name}
    if isinstance(node, COMPREHENSIONS):
        return set()
    found: set[str] = set()
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
        found.add(node.id)
    elif isinstance(node, ast.Import | ast.ImportFrom):
        found |= {(a.asname or a.name).split(".")[0] for a in node.names}
    elif isinstance(node, ast.ExceptHandler) and node.name:
        found.add(node.name)
    for child in ast.iter_child_nodes(node):
        found |= _stores(child)
    return found


def _loads(node: ast.AST) -> set[str]:
    """Names read in ``node``, free names of nested scopes included."""
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Load) else set()
    found: set[str] = set()
    for child in ast.iter_child_nodes(node):
        found |= _loads(child)
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        found.add(node.target.id)
    if isinstance(node, SCOPES):
        found -= _locals(node)
    elif isinstance(node, COMPREHENSIONS):
        for generator in node.generators:
            found -= _stores(generator.target)
    return found


def _locals(scope) -> set[str]:
    """Arguments and local names of a function, lambda or class."""
    names: set[str] = set()
    if not isinstance(scope, ast.ClassDef):
        a = scope.args
        names = {
            arg.arg for arg in [*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg] if arg
        }
    body = [scope.body] if isinstance(scope, ast.Lambda) else scope.body
    for statement in body:
        names |= _stores(statement)
    return names
