"""What a lesson's cells may import: micropip installs what the site carries; the rest is told.

The lesson's front matter lists wheels; the build vendors them into the runtime and into Pyodide's
lock. No index is ever asked: a name that is not there is an error that says how an author adds it.
"""

from __future__ import annotations

import difflib
import functools
import importlib.util
import re
import sys
from importlib.abc import Loader, MetaPathFinder

OWN = ("mha", "playground")  # the lesson's modules that a reader is told of
CARRIED = ("numpy", "micropip")  # packages that are not installed but there
_installable: list[str] = []
_NAME = re.compile(r"\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(@|\W.*)?")


def limit_micropip(names: list[str]) -> None:
    """See that ``import micropip`` gives one that knows these packages only."""
    _installable[:] = [name for name in names if name not in CARRIED]
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder(names))


def explain_absence(error: BaseException) -> None:
    """Put a ModuleNotFoundError in words that fit this page: what is absent, what there is."""
    if not isinstance(error, ModuleNotFoundError) or not error.name:
        return
    top = error.name.partition(".")[0]
    if top in sys.modules or getattr(error, "explained", False):
        return  # a part that an existing package does not have: Python's own words are right
    error.explained = True
    error.__notes__ = []  # Pyodide's advice is for its own pages
    error.msg = absence(error.name.lstrip("_") if top.startswith("_") else top)
    error.args = (error.msg,)


def absence(name: str) -> str:
    """Why a module can't be imported here, and what there is instead."""
    if name in map(_module_name, _installable):
        package = next(p for p in _installable if _module_name(p) == name)
        return (
            f"«{name}» está en esta página, pero hay que instalarlo antes: "
            f'import micropip; await micropip.install("{package}")'
        )
    there = f"NumPy, {' y '.join(OWN)}"
    extra = f"; con micropip: {', '.join(sorted(_installable))}" if _installable else ""
    if name in sys.stdlib_module_names:
        return (
            f"No existe «{name}» en esta página: es de la biblioteca estándar, pero Python en el "
            f"navegador no la trae entera. Hay: lo demás de ella, {there}{extra}."
        )
    near = difflib.get_close_matches(name, [*sys.stdlib_module_names, "numpy", *OWN], 1, 0.75)
    hint = f" ¿Querías decir «{near[0]}»?" if near else ""
    return (
        f"No existe ningún módulo «{name}» en esta página.{hint} "
        f"Hay: la biblioteca estándar, {there}{extra}."
    )


def _module_name(package: str) -> str:
    return package.replace("-", "_")


def canonical(requirement: str) -> str | None:
    """The normalised name of a requirement, or None where it is a URL."""
    found = _NAME.fullmatch(requirement)
    if not found or found[2] == "@" or "://" in requirement:
        return None
    return re.sub(r"[-_.]+", "-", found[1]).lower()


def check(requirements, names: list[str]) -> None:
    """Refuse what the lesson does not carry.

    Raises
    ------
    ValueError
        Naming the package, those there are, and how an author adds one.
    """
    wanted = [requirements] if isinstance(requirements, str) else list(requirements)
    for requirement in wanted:
        if canonical(str(requirement)) not in names:
            there = ", ".join(sorted(names)) or "ninguno"
            raise ValueError(
                f"micropip: «{requirement}» no está entre los paquetes de esta lección ({there}). "
                "Para añadirlo, quien la escribe lo pone en la cabecera del archivo: "
                "wheels: [{name: …, version: …, sha256: …}] y vuelve a construir el sitio."
            )


class _Finder(MetaPathFinder):
    """Steps in once, for micropip alone."""

    def __init__(self, names: list[str]):
        self.names = names

    def find_spec(self, fullname, path=None, target=None):
        if fullname != "micropip":
            return None
        sys.meta_path.remove(self)
        try:
            spec = importlib.util.find_spec(fullname)
        finally:
            sys.meta_path.insert(0, self)
        if spec is not None:
            spec.loader = _Limited(spec.loader, self.names)
        return spec


class _Limited(Loader):
    """Loads micropip and puts the check in front of its `install`."""

    def __init__(self, loader, names: list[str]):
        self.loader, self.names = loader, names

    def __getattr__(self, name):
        return getattr(self.loader, name)

    def create_module(self, spec):
        return self.loader.create_module(spec)

    def exec_module(self, module):
        self.loader.exec_module(module)
        original, names = module.install, self.names

        @functools.wraps(original)
        async def install(requirements, *args, **kwargs):
            check(requirements, names)
            return await original(requirements, *args, **{**kwargs, "index_urls": []})

        module.install = install
