"""Put the Pyodide runtime into the site: verified, slim, content-hashed, told by a manifest.

`runtime_fetch` gets the third-party bytes, `runtime_recipe` turns them into what boots fast, this
module names and places the results and tells the page about them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from sitegen.runtime_fetch import VERSION, cache_dir, core_file, fetch_wheels, read_lock, sha256

OWN_MODULES = ("kernel_boot.py", "cell_runner.py")  # what the worker calls, whatever the lesson is


@dataclass(frozen=True)
class Product:
    """One file of the runtime before it has its place: its name for the worker and its bytes."""

    name: str
    data: bytes
    folder: str = ""  # files that must sit side by side under their own names share a folder


def place(products: list[Product], out: Path) -> dict[str, dict]:
    """Write the products below ``out/runtime`` under content-hashed names.

    Returns
    -------
    dict
        ``{name: {"url", "sha256", "bytes"}}``; url is relative to ``out``.
    """
    folders: dict[str, list[Product]] = {}
    for product in products:
        folders.setdefault(product.folder, []).append(product)
    files = {}
    for folder, members in folders.items():
        joint = sha256("".join(sha256(p.data) for p in members).encode())[:16]
        for product in members:
            digest = sha256(product.data)
            stem, dot, suffix = product.name.partition(".")
            url = (
                f"runtime/{folder}-{joint}/{product.name}"
                if folder
                else f"runtime/{stem}-{digest[:16]}{dot}{suffix}"
            )
            path = out / url
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(product.data)
            files[product.name] = {"url": url, "sha256": digest, "bytes": len(product.data)}
    return files


def lesson_bundle(py_modules: list[Path]) -> Product:
    """The lesson's Python modules and the runner's own, as one JSON of name → source."""
    own = Path(__file__).resolve().parent.parent / "py"
    paths = {path.name: path for path in [*py_modules, *(own / name for name in OWN_MODULES)]}
    sources = {name: paths[name].read_text("utf-8") for name in sorted(paths)}
    return Product("lesson.json", json.dumps(sources, ensure_ascii=False).encode())


def build_runtime(out: Path, py_modules: list[Path]) -> dict:
    """Write the runtime below ``out/runtime`` and return the manifest for the page.

    Parameters
    ----------
    out : Path
        The site's folder.
    py_modules : list of Path
        Python modules that the lesson's cells import.

    Returns
    -------
    dict
        ``versions``; ``files``: name → url (relative to ``out``), sha256, bytes; ``lock``: the part
        of Pyodide's lock that belongs to the wheels shipped; ``recipes``: name → files needed.

    Raises
    ------
    RuntimeFileError
        A third-party file is missing or has the wrong hash.
    """
    lock = read_lock()
    wheels = fetch_wheels(lock, cache=cache_dir())
    entries = {name: lock["packages"][name] for name in wheels}
    core = [
        Product(name, core_file(name), "core")
        for name in ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
    ]
    products = [
        *core,
        Product("stdlib.zip", core_file("python_stdlib.zip")),
        *(Product(entries[name]["file_name"], data, name) for name, data in wheels.items()),
        lesson_bundle(py_modules),
    ]
    files = place(products, out)
    return {
        "versions": {"pyodide": VERSION, "numpy": entries["numpy"]["version"]},
        "files": files,
        "lock": {"info": lock["info"], "packages": entries},
        "recipes": {
            "pyc": [
                *(p.name for p in core),
                "stdlib.zip",
                entries["numpy"]["file_name"],
                "lesson.json",
            ]
        },
    }
