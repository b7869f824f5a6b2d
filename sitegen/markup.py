"""HTML by Jinja templates that escape by default, and what may stand in it unescaped."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import yaml
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.token import STANDARD_TYPES

ROOT = Path(__file__).resolve().parent.parent
SURROGATES = re.compile("[\ud800-\udfff]")
WORDS = yaml.safe_load((ROOT / "sitegen/words_es.yml").read_text("utf-8"))


@cache
def environment() -> Environment:
    """The shell's templates, and the rules for every other; all of them know ``words``."""
    made = Environment(
        loader=FileSystemLoader(ROOT / "templates"),
        autoescape=select_autoescape(["html"], default_for_string=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    made.globals["words"] = WORDS
    return made


def template(source: str) -> Callable[..., Markup]:
    """A template that stands in a module; call it with what it names."""
    made = environment().from_string(source.removeprefix("\n"))
    return lambda **given: Markup(made.render(**given))


def highlighted(code: str, language: str) -> Markup:
    """Static, coloured code: the inside of a ``<code>``.

    Raises
    ------
    pygments.util.ClassNotFound
        A language that Pygments doesn't know.
    """
    lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    html = highlight(code, lexer, HtmlFormatter(nowrap=True))
    return Markup(html.removesuffix("\n"))  # an editor would show it as one more line


def coloured(code: str, language: str) -> list[tuple[str, str]]:
    """Code as (class, text) pieces, for a page to build: the classes are those of `highlighted`."""
    lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    pieces: list[tuple[str, str]] = []
    for token, text in lexer.get_tokens(code):
        name = "" if text.isspace() else STANDARD_TYPES.get(token, "")
        if pieces and pieces[-1][0] == name:
            pieces[-1] = (name, pieces[-1][1] + text)
        else:
            pieces.append((name, text))
    return pieces


def as_json(data: object) -> str:
    """JSON of plain data and of what `wire.plain` gives; floats keep 9 significant digits.

    Raises
    ------
    ValueError
        A number is not finite.
    """
    text = json.dumps(
        data, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_numbers
    )
    # A lone surrogate can't be written as UTF-8; JSON can escape it.
    return SURROGATES.sub(lambda half: f"\\u{ord(half[0]):04x}", text)


def _numbers(flat: np.ndarray) -> list:
    if flat.dtype.kind == "f":
        return [float(f"{value:.9g}") for value in flat.tolist()]
    return flat.tolist()


def json_script(data: object) -> Markup:
    """`as_json` for inside a ``<script type="application/json">``: nothing in it can close it."""
    return Markup(as_json(data).replace("<", "\\u003c"))
