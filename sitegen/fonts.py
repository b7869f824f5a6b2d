"""Subset the three faces to what Spanish prose and Python code need, and write their CSS."""

from __future__ import annotations

from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

ROOT = Path(__file__).resolve().parent.parent
FACES = (  # family, style, weights, npm package, file
    ("Source Serif 4", "normal", "200 900", "source-serif-4", "source-serif-4-latin-wght-normal"),
    ("Source Serif 4", "italic", "200 900", "source-serif-4", "source-serif-4-latin-wght-italic"),
    ("Source Sans 3", "normal", "200 900", "source-sans-3", "source-sans-3-latin-wght-normal"),
    (
        "Source Code Pro",
        "normal",
        "200 900",
        "source-code-pro",
        "source-code-pro-latin-wght-normal",
    ),
)
CHARACTERS = (
    "".join(chr(c) for c in (*range(0x20, 0x7F), *range(0xA0, 0x100)))
    + "–—‘’“”„•…‹›€™−≤≥≠≈√∞→←↑↓·×÷′″\u2009\u202f\u00a0"
)


def build_fonts(out: Path) -> Path:
    """Write the subset faces and ``fonts.css`` into ``out``.

    Returns
    -------
    Path
        The style sheet. Faces are ``font-display: swap``, so text is never invisible.
    """
    out.mkdir(parents=True, exist_ok=True)
    rules = []
    for family, style, weights, package, name in FACES:
        target = out / f"{name}.woff2"
        source = ROOT / f"node_modules/@fontsource-variable/{package}/files/{name}.woff2"
        if not target.is_file() or target.stat().st_mtime < source.stat().st_mtime:
            _subset(source, target)
        rules.append(
            f'@font-face{{font-family:"{family}";font-style:{style};font-weight:{weights};'
            f'font-display:swap;src:url("./{target.name}") format("woff2")}}'
        )
    sheet = out / "fonts.css"
    sheet.write_text("\n".join(rules) + "\n", "utf-8")
    return sheet


def _subset(source: Path, target: Path) -> None:
    options = subset.Options()
    options.flavor = "woff2"
    options.layout_features = [
        "kern",
        "liga",
        "calt",
        "tnum",
        "lnum",
        "onum",
        "ccmp",
        "locl",
        "mark",
    ]
    options.notdef_outline = True
    options.drop_tables += ["STAT"] if "wght" not in source.name else []
    font = TTFont(source)
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=CHARACTERS)
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(target)
