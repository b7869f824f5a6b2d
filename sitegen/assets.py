"""Bundle and hash what the page loads: scripts, styles, fonts, the notebook to download."""

from __future__ import annotations

import hashlib
import io
import json
import re
import subprocess
import zipfile
from pathlib import Path

import jupytext

from pyodide_snapshot.node import find_node
from sitegen.fonts import build_fonts
from sitegen.lesson import without
from sitegen.plugins import vocabulary

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / ".cache/build"  # made anew whenever its sources change
SCRIPTS = ("static/lesson.js", "kernel/worker/kernel.worker.js")


def bundle(out: Path) -> dict[str, str]:
    """Bundle scripts and styles into ``out/assets`` under content-hashed names.

    Returns
    -------
    dict
        ``js``, ``worker``, ``theme``, ``css``, ``font`` (the reading face, to preload), ``icon``:
        addresses relative to ``out``.

    Raises
    ------
    SystemExit
        esbuild refuses a source; its message names file and line.
    """
    sheet = _style_entry()
    made = _esbuild(
        out,
        [*SCRIPTS, str(sheet)],
        "--format=esm",
        "--splitting",
        "--target=es2022,chrome110,firefox115,safari16.4",
    )
    theme = _esbuild(out, ["static/page/theme.js"], "--format=iife", "--target=es2020")
    icon = ROOT / "static/icon.svg"
    font = next((out / "assets").glob("source-serif-4-latin-wght-normal-*.woff2"))
    return {
        "js": made["static/lesson.js"],
        "worker": made["kernel/worker/kernel.worker.js"],
        "css": made[str(sheet.relative_to(ROOT))],
        "theme": theme["static/page/theme.js"],
        "font": f"assets/{font.name}",
        "icon": write_hashed(out / "assets", "icon.svg", icon.read_bytes()),
    }


def _style_entry() -> Path:
    """One sheet that imports the faces, KaTeX's styles, and ours: the page's, every widget's."""
    WORK.mkdir(parents=True, exist_ok=True)
    fonts = build_fonts(WORK / "fonts")
    katex = (ROOT / "node_modules/katex/dist/katex.min.css").read_text("utf-8")
    katex = re.sub(r',url\([^)]*\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)', "", katex)
    katex = katex.replace("url(fonts/", f"url({ROOT}/node_modules/katex/dist/fonts/")
    (WORK / "katex.css").write_text(katex, "utf-8")
    sheet = WORK / "site.css"
    base, last = ROOT / "static/lesson.css", ROOT / "static/media.css"
    widgets = sorted({*(ROOT / "static").rglob("*.css")} - {base, last})
    imports = [fonts, WORK / "katex.css", base, *widgets, last]
    sheet.write_text("".join(f'@import "{path}";\n' for path in imports), "utf-8")
    return sheet


def _esbuild(out: Path, entries: list[str], *options: str) -> dict[str, str]:
    """Run esbuild; return entry → address relative to ``out``."""
    meta = WORK / "meta.json"
    command = [
        find_node(),
        "node_modules/esbuild/bin/esbuild",
        *entries,
        "--bundle",
        "--minify",
        "--charset=utf8",
        "--legal-comments=none",
        "--loader:.woff2=file",
        f"--outdir={out / 'assets'}",
        "--entry-names=[name]-[hash]",
        "--asset-names=[name]-[hash]",
        "--chunk-names=[name]-[hash]",
        f"--metafile={meta}",
        "--log-level=warning",
        *options,
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"esbuild: {done.stderr.strip()}")
    outputs = json.loads(meta.read_text())["outputs"]
    return {
        made["entryPoint"]: f"assets/{Path(path).name}"
        for path, made in outputs.items()
        if made.get("entryPoint")
    }


def write_hashed(folder: Path, name: str, content: bytes) -> str:
    """Write ``content`` under a content-hashed name; return ``folder-name/file-name``."""
    stem, _, ending = name.partition(".")
    hashed = f"{stem}-{hashlib.sha256(content).hexdigest()[:12]}.{ending}"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashed).write_bytes(content)
    return f"{folder.name}/{hashed}"


def notebook(lesson: Path) -> bytes:
    """The lesson as a Jupyter notebook, without outputs; the same lesson, the same bytes."""
    text = without(vocabulary(lesson).secret, lesson.read_text("utf-8"))
    cells = jupytext.reads(text, fmt="md:myst")
    for number, cell in enumerate(cells.cells):
        cell.id = f"celda-{number}"
    return jupytext.writes(cells, fmt="ipynb").encode()


def download_bundle(lesson: Path, modules: list[Path], data: list[Path] = ()) -> bytes:
    """A zip with the notebook, the modules that its cells import, and what those read."""
    buffer = io.BytesIO()
    files = [
        (f"{lesson.stem}.ipynb", notebook(lesson)),
        *((module.name, module.read_bytes()) for module in modules),
        *((f"data/{file.name}", file.read_bytes()) for file in data),
    ]
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files:
            entry = zipfile.ZipInfo(f"{lesson.stem}/{name}", (2026, 1, 1, 0, 0, 0))
            entry.external_attr, entry.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
            archive.writestr(entry, content)
    return buffer.getvalue()
