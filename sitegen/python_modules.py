"""Python that travels to the page: what runs cells, and what cells import, by folder.

``kernel/python`` is the kernel's own, ``py`` what a lesson's cells may import. Who needs whom is
read from the import statements.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KERNEL = ROOT / "kernel" / "python"
LESSON = ROOT / "py"


def kernel_modules() -> list[Path]:
    """What the worker calls, whatever the lesson is."""
    return sorted(KERNEL.glob("*.py"))


def lesson_modules() -> list[Path]:
    """What cells may import."""
    return sorted(LESSON.glob("*.py"))


def lesson_data() -> list[Path]:
    """What the lesson's modules read from beside them; the page fetches each when it is read."""
    return sorted(path for path in (LESSON / "data").glob("*") if path.is_file())


def imported(source: str) -> set[str]:
    """Top-level names that a module or a cell imports anywhere in its text."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.partition(".")[0])
    return names


def needed_by(names: Iterable[str], modules: list[Path]) -> list[Path]:
    """Those of ``modules`` that these names reach by imports, one by another."""
    there = {path.stem: path for path in modules}
    found: set[str] = set()
    todo = set(names) & set(there)
    while todo:
        name = todo.pop()
        found.add(name)
        todo |= (imported(there[name].read_text("utf-8")) & set(there)) - found
    return [there[name] for name in sorted(found)]
