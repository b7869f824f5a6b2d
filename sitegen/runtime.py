"""Put the Pyodide runtime into the site: verified, slim, content-hashed, told by a manifest.

`pyodide_snapshot` gets the third-party bytes and turns them into what boots fast; this module names
and places the results and tells the page about them.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pyodide_snapshot.compress import write_siblings
from pyodide_snapshot.fetch import (
    ROOT,
    VERSION,
    core_file,
    fetch_vendored,
    fetch_wheels,
    read_lock,
    sha256,
)
from pyodide_snapshot.recipe import CORE, LOCK, prepare
from sitegen.headers import headers_file
from sitegen.python_modules import kernel_modules, lesson_data, lesson_modules, needed_by
from sitegen.runtime_lesson import KERNEL_PLACE, LESSON_PLACE, python_bundles

OFFLINE = ROOT / "static" / "sw.js"  # a service worker rules the folder that it lies in
SNAPSHOT = ("numpy-libraries.bin", "snapshot.bin")
TABLES = "tables.bin"  # constants of the interpreter
LATE = (TABLES, "docstrings.bin")  # what comes once the first cell has run


@dataclass(frozen=True)
class Product:
    """One file of the runtime before it has its place: its name for the worker and its bytes."""

    name: str
    data: bytes
    folder: str = ""  # files that must sit side by side under their own names share a folder
    spare: bool = False  # not part of the usual first run


def place(products: list[Product], out: Path) -> dict[str, dict]:
    """Write the products below ``out/runtime`` under content-hashed names.

    Returns
    -------
    dict
        ``{name: {"url", "sha256", "bytes", "gzip", "brotli"}}``; url is relative to ``out``, the
        last two are the sizes of its compressed siblings.
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
    paths = {name: out / file["url"] for name, file in files.items()}
    sizes = write_siblings(list(paths.values()), [paths[p.name] for p in products if p.spare])
    for file in files.values():
        path = out / file["url"]
        file["gzip"], file["brotli"] = sizes[path]
        packed = path.with_name(f"{path.name}.gz")
        if packed.exists():
            file["gzipSha256"] = sha256(packed.read_bytes())
    return files


def build_runtime(out: Path, first: Iterable[str] = (), wheels: list[dict] = ()) -> dict:
    """Write the runtime below ``out/runtime`` and return the manifest for the page.

    Also writes ``_headers`` (what a host should say) and ``sw.js`` (the offline copy) into ``out``.

    Parameters
    ----------
    out : Path
        The site's folder.
    first : iterable of str, optional
        Modules that a first run imports: they, and what they import, come with Python itself; the
        others once it stands, or when a cell imports them.
    wheels : list of dict, optional
        ``name``, ``version``, ``sha256`` of pure-Python wheels that micropip may install.

    Returns
    -------
    dict
        ``versions``; ``files``: see `place`; ``lock``: the part of Pyodide's lock that belongs to
        the wheels shipped; ``table``: length of the function table that the snapshot expects;
        ``recipes``: name → files needed.

    Raises
    ------
    RuntimeFileError
        A third-party file is missing or has the wrong hash.
    """
    lock = read_lock()
    locked = fetch_wheels(lock)
    entries = {name: dict(lock["packages"][name]) for name in locked}
    vendored = [fetch_vendored(**wheel) for wheel in wheels]
    entries.update({entry["name"]: entry for entry, _ in vendored})
    modules = lesson_modules()
    foreseen = needed_by(first, modules)
    others = [path for path in modules if path not in foreseen]
    early, rest = python_bundles([*kernel_modules(), *foreseen], others)
    inputs = {name: core_file(name) for name in (*CORE, LOCK)}
    results = prepare({**inputs, "numpy.whl": locked["numpy"]}, [KERNEL_PLACE, LESSON_PLACE])
    numpy = entries["numpy"]
    numpy["sha256"] = sha256(results["numpy.whl"])
    scripts = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
    products = [
        *(Product(name, results.get(name, inputs[name]), "core") for name in scripts),
        *(Product(name, results[name]) for name in (*SNAPSHOT, *LATE)),
        *(Product(name, results[name], spare=True) for name in ("stdlib.zip", "numpy-rest.zip")),
        Product(numpy["file_name"], results["numpy.whl"], "numpy", spare=True),
        Product(entries["micropip"]["file_name"], locked["micropip"], "micropip", spare=True),
        *(Product(e["file_name"], data, e["name"], spare=True) for e, data in vendored),
        Product("lesson.bin", early),
        Product("lesson-rest.bin", rest),
        *(Product(f"data/{path.name}", path.read_bytes(), spare=True) for path in lesson_data()),
    ]
    (out / "_headers").write_text(headers_file(), "utf-8")
    shutil.copyfile(OFFLINE, out / OFFLINE.name)
    return {
        "versions": {"pyodide": VERSION, "numpy": numpy["version"]},
        "files": place(products, out),
        "lock": {"info": lock["info"], "packages": entries},
        "table": results["table"],
        "recipes": {
            "snapshot": [*scripts, *SNAPSHOT, "lesson.bin"],
            "pyc": [*scripts, TABLES, "stdlib.zip", numpy["file_name"], "lesson.bin"],
        },
    }
