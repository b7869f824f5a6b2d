"""A page with nothing but heatmaps, for tests and measurements: any payload, real stylesheets."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from sitegen.markup import json_script
from sitegen.node import ask

ROOT = Path(__file__).resolve().parents[2]

PAGE = """<!doctype html>
<html lang="es"><head><meta charset="utf-8"><title>Mapas</title>
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><link rel="stylesheet" href="heatmap.css">
<style>
:root {{ color-scheme: light dark; --paper: #fcfaf6; --raised: #fffefb; --ink: #1f1f24;
  --ink-soft: #5b5a63; --rule: #e2ddd1; --accent: #3a46a8; --focus: #b4540a; }}
@media (prefers-color-scheme: dark) {{ :root {{ --paper: #16171b; --raised: #1d1f25;
  --ink: #e9e6df; --ink-soft: #aeaab4; --rule: #33353d; --accent: #aab4ff; --focus: #ffb45c; }} }}
@media print {{ :root {{ --paper: #fff; --ink: #111; --ink-soft: #444; --accent: #3a46a8; }} }}
body {{ background: var(--paper); color: var(--ink); margin: 0; padding: 16px; }}
main {{ max-width: 928px; margin: 0 auto; }}
</style></head>
<body><main><h1>Mapas</h1><h2 id="seccion">Una sección</h2>{nodes}</main>
<script type="module">
import {{ mountHeatmap }} from './heatmap.js';
window.mountHeatmap = mountHeatmap;
window.said = [];
window.maps = {{}};
const options = {options};
const onSentence = async (text) => {{
  window.said.push(text);
  if (text.includes('falla')) throw new Error('La celda falló.');
}};
if ({mount}) for (const node of document.querySelectorAll('.heatmap')) {{
  const own = options.own ? {{ onSentence }} : {{}};
  window.maps[node.dataset.heatmap] = mountHeatmap(node, null, own);
}}
window.ready = true;
</script></body></html>
"""


def bundle(folder: Path) -> None:
    """Bundle the widget and copy its stylesheet into ``folder``."""
    subprocess.run(
        [
            ROOT / "node_modules/.bin/esbuild",
            ROOT / "static/heatmap.js",
            "--bundle",
            "--format=esm",
            "--minify",
            "--log-level=warning",
            f"--outfile={folder / 'heatmap.js'}",
        ],
        check=True,
    )
    css = (ROOT / "static/heatmap.css").read_text("utf-8")
    (folder / "heatmap.css").write_text(css, "utf-8")
    (folder / "index.html").write_text("<!doctype html><title>Mapas</title>", "utf-8")


def write_page(folder: Path, name: str, payloads: dict, *, own=False, mount=True, drawn=True):
    """Write ``name``.html with one heatmap for each payload.

    ``drawn=False`` leaves out the static figure (big payloads).
    """
    asked = [{"kind": "heads", "payload": payload} for payload in payloads.values()]
    figures = ask("pictures.mjs", asked) if drawn else [{"html": ""}] * len(payloads)
    nodes = "".join(
        f'<div class="heatmap" data-heatmap="{key}">{figure["html"]}'
        '<script type="application/json" class="heatmap-payload">'
        f"{json_script(payload)}</script></div>"
        for (key, payload), figure in zip(payloads.items(), figures, strict=True)
    )
    page = PAGE.format(nodes=nodes, options=json.dumps({"own": own}), mount=json.dumps(mount))
    (folder / f"{name}.html").write_bytes(page.encode("utf-8", "replace"))
