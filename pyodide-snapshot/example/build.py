"""Make a folder that any static host can serve: ``python build.py FOLDER``, then open its index."""

import json
import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from pyodide_snapshot import manifest  # noqa: E402 - after the path above


def build(out: Path, **options) -> None:
    """Write the page, the loader and the runtime; ``options`` go to `manifest.build`."""
    shutil.copytree(HERE.parent / "load", out / "load")
    for name in ("index.html", "worker.js"):
        shutil.copy(HERE / name, out)
    (out / "runtime.json").write_text(json.dumps(manifest.build(out, **options)), "utf-8")


if __name__ == "__main__":
    build(Path(sys.argv[1]))
