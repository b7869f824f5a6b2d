"""Find what a lesson may use: the files of ``sitegen/directives/``, and of its own ``figures/``.

A file counts because it lies there; one whose name begins with an underscore is for the others to
import.
"""

from __future__ import annotations

import importlib
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType

from sitegen.directive import Kind, Role

OWN = Path(__file__).resolve().parent / "directives"


@dataclass
class Vocabulary:
    """The directives and roles that a lesson may use, by name."""

    kinds: dict[str, Kind] = field(default_factory=dict)
    roles: dict[str, Role] = field(default_factory=dict)

    @property
    def secret(self) -> list[str]:
        """Names of the directives that no notebook shows."""
        return [name for name, kind in self.kinds.items() if kind.secret]


def figures_folder(lesson: Path) -> Path:
    """Where a lesson's own directives lie: ``31_multihead.md`` has ``31/figures/`` beside it."""
    return lesson.parent / lesson.stem.partition("_")[0] / "figures"


def vocabulary(lesson: Path) -> Vocabulary:
    """Everything that a lesson may use.

    Raises
    ------
    SystemExit
        A name that two files claim.
    """
    found = Vocabulary()
    for folder in (OWN, figures_folder(lesson)):
        for module in modules(folder).values():
            _add(found.kinds, getattr(module, "KINDS", {}), module)
            _add(found.roles, getattr(module, "ROLES", {}), module)
    return found


def _add(known: dict, more: dict, module: ModuleType) -> None:
    for name in more:
        if name in known:
            raise SystemExit(f"{module.__file__}: {{{name}}} is another file's; choose a new name")
    known.update(more)


def modules(folder: Path) -> dict[str, ModuleType]:
    """The modules of a folder by name; none where there is no folder."""
    names = sorted(path.stem for path in folder.glob("[!_]*.py"))
    package = _package(folder)
    return {name: importlib.import_module(f"{package}.{name}") for name in names}


def _package(folder: Path) -> str:
    """The folder's name as a package, so that its files can import one another."""
    if folder == OWN:
        return "sitegen.directives"
    name = "figures" + re.sub(r"\W", "_", str(folder.resolve()))
    if name not in sys.modules:
        package = ModuleType(name)
        package.__path__ = [str(folder)]
        sys.modules[name] = package
    return name
