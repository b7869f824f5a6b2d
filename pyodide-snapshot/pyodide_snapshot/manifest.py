"""Write the interpreter and what goes with it into a site, and tell its files in a manifest.

What a file is stands in its `Product`, once: the loader, an offline copy and whoever else needs it
read it in the manifest (``load/types.js``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from pyodide_snapshot.compress import write_siblings
from pyodide_snapshot.fetch import (
    VERSION,
    core_file,
    fetch_vendored,
    fetch_wheels,
    read_lock,
    sha256,
)
from pyodide_snapshot.recipe import CORE, FIRST, LATE, LAZY, LOCK, SCRIPTS, prepare


@dataclass(frozen=True)
class Product:
    """One file of the runtime before it has its place.

    Parameters
    ----------
    name : str
        What the worker calls it.
    data : bytes
    folder : str, optional
        Files that must sit side by side under their own names share a folder.
    when : str, optional
        It comes before Python stands (``boot``), as soon as it does (``late``), or when somebody
        reads it (``lazy``).
    memory : str, optional
        Of a late file that holds a part of Python's memory: ``constants``, whose lack would make
        results wrong, or ``docstrings``.
    """

    name: str
    data: bytes
    folder: str = ""
    when: str = "boot"
    memory: str = ""


def build(
    out: Path,
    products: Iterable[Product] = (),
    *,
    folders: Iterable[str] = (),
    packages: Iterable[str] = (),
    wheels: Iterable[dict] = (),
    cache: Path | None = None,
) -> dict:
    """Write Pyodide with NumPy below ``out/runtime`` and return the manifest for the page.

    Parameters
    ----------
    out : Path
        The site's folder.
    products : iterable of Product, optional
        What else the site's worker brings.
    folders : iterable of str, optional
        Where Python will look for modules that the page brings, e.g. ``/lesson``.
    packages : iterable of str, optional
        Further packages of Pyodide's lock to carry; pure Python only (see `slim`).
    wheels : iterable of dict, optional
        ``name``, ``version``, ``sha256`` of pure-Python wheels to carry.
    cache : Path, optional
        Where downloads and results are kept; see `fetch.cache_dir`.

    Returns
    -------
    dict
        ``versions``; ``files``: see `place`; ``lock``: the part of Pyodide's lock that belongs to
        the wheels shipped; ``table``: length of the function table that the snapshot expects;
        ``recipes``: name → files needed, in order.

    Raises
    ------
    RuntimeFileError
        A third-party file is missing or has the wrong hash.
    """
    lock = read_lock()
    locked = fetch_wheels(lock, ("numpy", *packages), cache)
    entries = {name: dict(lock["packages"][name]) for name in locked}
    inputs = {name: core_file(name) for name in (*CORE, LOCK)}
    results = prepare({**inputs, "numpy.whl": locked["numpy"]}, list(folders), cache)
    carried = {entries[name]["file_name"]: (name, data) for name, data in locked.items()}
    numpy = entries["numpy"]
    carried[numpy["file_name"]] = ("numpy", results["numpy.whl"])
    numpy["sha256"] = sha256(results["numpy.whl"])
    for entry, data in (fetch_vendored(**wheel, cache=cache) for wheel in wheels):
        entries[entry["name"]] = entry
        carried[entry["file_name"]] = (entry["name"], data)
    every = [
        *(Product(name, results.get(name, inputs.get(name)), "core") for name in SCRIPTS),
        *(Product(name, results[name]) for name in FIRST),
        *(Product(name, results[name], when="late", memory=kind) for name, kind in LATE.items()),
        *(Product(name, results[name], when="lazy") for name in LAZY),
        *(Product(name, data, folder, "lazy") for name, (folder, data) in carried.items()),
        *products,
    ]
    constants = [name for name, kind in LATE.items() if kind == "constants"]
    first = [product.name for product in every if product.when == "boot"]
    of_the_site = [name for name in first if name not in (*SCRIPTS, *FIRST)]
    return {
        "versions": {"pyodide": VERSION, "numpy": numpy["version"]},
        "files": place(every, out, cache),
        "lock": {"info": lock["info"], "packages": entries},
        "table": results["table"],
        "recipes": {
            "snapshot": first,
            "pyc": [*SCRIPTS, *constants, "stdlib.zip", numpy["file_name"], *of_the_site],
        },
    }


def place(products: list[Product], out: Path, cache: Path | None = None) -> dict[str, dict]:
    """Write the products below ``out/runtime`` under content-hashed names.

    Returns
    -------
    dict
        ``{name: {"url", "sha256", "bytes", "when", "gzip", "brotli", "gzipSha256"}}``, and
        ``"memory"`` where a product says it; url is relative to ``out``, gzip and brotli are the
        sizes of its compressed siblings.
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
            told = {"url": url, "sha256": digest, "bytes": len(product.data), "when": product.when}
            files[product.name] = {**told, **({"memory": product.memory} if product.memory else {})}
    paths = {name: out / file["url"] for name, file in files.items()}
    hardly_read = [paths[product.name] for product in products if product.when == "lazy"]
    sizes = write_siblings(list(paths.values()), hardly_read, cache)
    for file in files.values():
        path = out / file["url"]
        file["gzip"], file["brotli"] = sizes[path]
        file["gzipSha256"] = sha256(path.with_name(f"{path.name}.gz").read_bytes())
    return files
