"""Turn a lesson's tokens and records into HTML."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from markdown_it.common.utils import escapeHtml
from markupsafe import Markup

from pyodide_snapshot.node import find_node
from sitegen.directive import Directive
from sitegen.directives.code_block import shown_code
from sitegen.execute import Output
from sitegen.lesson import Lesson, heading_text, headings, markdown, slugify
from sitegen.markup import WORDS

ROOT = Path(__file__).resolve().parent.parent
MATHS = re.compile("\x02(\\d+)\x03")
SAID = WORDS["footnotes"]
SOURCES = slugify(SAID["title"])
FOOTNOTES = f'''<section class="footnotes" aria-labelledby="{SOURCES}">\
<h2 id="{SOURCES}">{SAID["title"]}</h2><ol>
'''


class Page:
    """Renders one lesson; formulas are collected and set in one run of KaTeX at the end."""

    def __init__(self, lesson: Lesson, outputs: dict[str, Output]):
        self.lesson, self.outputs = lesson, outputs
        self.formulas: list[tuple[str, bool, int]] = []
        self.line = 1  # of the directive that is being set, for what stands in its options
        self.md = markdown()
        self._install_rules()

    def body(self) -> Markup:
        """The whole lesson as HTML, without the page's shell."""
        html = self.md.renderer.render(self.lesson.tokens, self.md.options, {})
        return Markup(self._set_formulas(html))

    # -- what a directive may ask ---------------------------------------------------------------

    def blocks(self, tokens: list) -> Markup:
        """Set Markdown that has been parsed: a directive's ``children``."""
        return Markup(self.md.renderer.render(tokens, self.md.options, {}))

    def inline(self, text: str) -> Markup:
        """Set a line of Markdown."""
        return Markup(self.md.renderInline(text))

    def taker(self, cell_name: str, display: dict) -> Directive | None:
        """The directive, if any, that shows what a cell drew in a place of its own."""
        return next((d for d in self.lesson.directives if d.takes(cell_name, display)), None)

    # -- Markdown rules -------------------------------------------------------------------------

    def _install_rules(self) -> None:
        rules = {
            "front_matter": lambda *_: "",
            "myst_role": self._role,
            "fence": self._fence,
            "colon_fence": self._fence,
            "math_inline": lambda tokens, i, *_: self._formula(tokens[i], False),
            "math_inline_double": lambda tokens, i, *_: self._formula(tokens[i], True),
            "math_block": lambda tokens, i, *_: self._display_formula(tokens[i]),
            "heading_open": self._heading_open,
            "heading_close": self._heading_close,
            "table_open": lambda *_: '<div class="table-scroll" tabindex="0"><table>',
            "table_close": lambda *_: "</table></div>",
            "footnote_block_open": lambda *_: FOOTNOTES,
            "footnote_block_close": lambda *_: "</ol></section>\n",
            "footnote_caption": lambda tokens, i, *_: f"[{tokens[i].meta['id'] + 1}]",
            "footnote_anchor": lambda tokens, i, *_: self._way_back(tokens[i].meta),
        }
        for name, rule in rules.items():
            self.md.renderer.rules[name] = rule

    @staticmethod
    def _way_back(meta: dict) -> str:
        """The link from a source to where the text names it, the first or a later time."""
        number, time = meta["id"] + 1, meta["subId"]
        place = f"fnref{number}" + (f":{time}" if time else "")
        label = SAID["back_again"].format(time=time + 1) if time else SAID["back"]
        arrow = '<span aria-hidden="true">↩\ufe0e</span>'
        return f' <a href="#{place}" class="footnote-backref" aria-label="{label}">{arrow}</a>'

    def _role(self, tokens, i, *_) -> str:
        meta = tokens[i].meta
        if "value" not in meta:  # it stands in a line of its own, which no execution has seen
            what = f"{{{meta['name']}}} in a title, caption or answer"
            raise self.lesson.error(self.line, what, "roles stand in prose")
        return escapeHtml(meta["value"])

    def _formula(self, token, display: bool) -> str:
        self.formulas.append((token.content, display, token.meta.get("line", self.line)))
        return f"\x02{len(self.formulas) - 1}\x03"

    def _display_formula(self, token) -> str:
        return f'<div class="formula" tabindex="0">{self._formula(token, True)}</div>\n'

    def _heading_open(self, tokens, i, *_) -> str:
        return f'<{tokens[i].tag} id="{slugify(heading_text(tokens[i + 1]))}">'

    def _heading_close(self, tokens, i, *_) -> str:
        return f"</{tokens[i].tag}>\n"

    def _fence(self, tokens, i, *_) -> str:
        token = tokens[i]
        record = token.meta.get("directive")
        if record is None:
            language = (token.info.strip().split() or ["text"])[0]
            return shown_code(self, token.content.rstrip("\n"), language, token.meta["line"])
        self.line = record.line
        return str(record.html(self))

    # -- formulas -------------------------------------------------------------------------------

    def _set_formulas(self, html: str) -> str:
        asked = [{"tex": tex, "display": display} for tex, display, _ in self.formulas]
        set_ = katex(asked)
        for (tex, _, line), answer in zip(self.formulas, set_, strict=True):
            if "error" in answer:
                raise self.lesson.error(
                    line, f"formula {tex!r}: {answer['error']}", "write valid TeX"
                )
        return MATHS.sub(lambda found: set_[int(found[1])]["html"], html)


def katex(formulas: list[dict]) -> list[dict]:
    """Set formulas with KaTeX under Node: ``[{tex, display}]`` → ``[{html} | {error}]``."""
    if not formulas:
        return []
    done = subprocess.run(
        [find_node(), "sitegen/katex.mjs"],
        cwd=ROOT,
        input=json.dumps(formulas),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"KaTeX failed: {done.stderr.strip()[-300:]}; run `make setup`")
    return json.loads(done.stdout)


def contents(lesson: Lesson) -> list[tuple[Markup, str]]:
    """(text, slug) of the lesson's second-level headings, for the table of contents."""
    return [
        (Markup.escape(text), slug) for level, text, slug in headings(lesson.tokens) if level == 2
    ]


def render_lesson(lesson: Lesson, outputs: dict[str, Output]) -> Markup:
    """The lesson's body as HTML.

    Raises
    ------
    LessonError
        A formula that KaTeX refuses, or what a directive finds wrong once its programs have run.
    """
    return Page(lesson, outputs).body()
