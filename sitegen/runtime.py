"""Put Python into the site: Pyodide as `pyodide_snapshot` makes it, and the lesson's modules."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from pyodide_snapshot import manifest
from pyodide_snapshot.manifest import Product
from sitegen.cache import cache_dir
from sitegen.headers import headers_file
from sitegen.python_modules import kernel_modules, lesson_data, lesson_modules, needed_by
from sitegen.runtime_lesson import KERNEL_PLACE, LESSON_PLACE, python_bundles

ROOT = Path(__file__).resolve().parent.parent
OFFLINE = ROOT / "static" / "sw.js"  # a service worker rules the folder that it lies in


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
        See `pyodide_snapshot.manifest.build`.

    Raises
    ------
    RuntimeFileError
        A third-party file is missing or has the wrong hash.
    """
    modules = lesson_modules()
    foreseen = needed_by(first, modules)
    others = [path for path in modules if path not in foreseen]
    early, rest = python_bundles([*kernel_modules(), *foreseen], others)
    data = [(f"data/{path.name}", path.read_bytes()) for path in lesson_data()]
    products = [
        Product("lesson.bin", early),
        Product("lesson-rest.bin", rest, when="late"),
        *(Product(name, content, when="lazy") for name, content in data),
    ]
    (out / "_headers").write_text(headers_file(), "utf-8")
    shutil.copyfile(OFFLINE, out / OFFLINE.name)
    places, packages = [KERNEL_PLACE, LESSON_PLACE], ["micropip"]
    return manifest.build(
        out, products, folders=places, packages=packages, wheels=wheels, cache=cache_dir()
    )
