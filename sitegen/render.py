"""Turn a lesson's tokens and records into HTML."""

from __future__ import annotations

import re
from collections.abc import Callable

from markdown_it.common.utils import escapeHtml
from markupsafe import Markup

from sitegen.directive import Directive
from sitegen.directives.code_block import shown_code
from sitegen.execute import Output
from sitegen.lesson import Lesson, heading_text, headings, markdown, slugify
from sitegen.markup import WORDS
from sitegen.node import ask

PLACES = re.compile("([\x02\x04])(\\d+)\x03")  # of what Node sets: a formula, a picture
SAID = WORDS["footnotes"]
SOURCES = slugify(SAID["title"])
FOOTNOTES = f'''<section class="footnotes" aria-labelledby="{SOURCES}">\
<h2 id="{SOURCES}">{SAID["title"]}</h2><ol>
'''


class Page:
    """Renders one lesson; formulas and pictures are collected, and set by Node in one run each."""

    def __init__(self, lesson: Lesson, outputs: dict[str, Output]):
        self.lesson, self.outputs = lesson, outputs
        self.formulas: list[tuple[dict, int]] = []  # what Node is asked, and the lesson's line
        self.pictures: list[tuple[dict, int]] = []
        self.line = 1  # of the directive that is being set, for what stands in its options
        self.md = markdown()
        self._install_rules()

    def body(self) -> Markup:
        """The whole lesson as HTML, without the page's shell."""
        html = self.md.renderer.render(self.lesson.tokens, self.md.options, {})
        set_ = {"\x02": self._formulas_set(), "\x04": self._pictures_drawn()}
        return Markup(PLACES.sub(lambda found: set_[found[1]][int(found[2])], html))

    # -- what a directive may ask ---------------------------------------------------------------

    def blocks(self, tokens: list) -> Markup:
        """Set Markdown that has been parsed: a directive's ``children``."""
        return Markup(self.md.renderer.render(tokens, self.md.options, {}))

    def inline(self, text: str) -> Markup:
        """Set a line of Markdown."""
        return Markup(self.md.renderInline(text))

    def picture(self, kind: str, payload: dict) -> Markup:
        """What `show_heads` and its like draw, by the modules that draw it in the page."""
        self.pictures.append(({"kind": kind, "payload": payload}, self.line))
        return Markup(f"\x04{len(self.pictures) - 1}\x03")

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
        asked = {"tex": token.content, "display": display}
        self.formulas.append((asked, token.meta.get("line", self.line)))
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

    # -- what Node sets -------------------------------------------------------------------------

    def _formulas_set(self) -> list[str]:
        def fault(asked):
            return f"formula {asked['tex']!r}", "write valid TeX"

        return self._set("katex.mjs", self.formulas, fault)

    def _pictures_drawn(self) -> list[str]:
        def fault(asked):
            return f"picture of {asked['kind']}", "draw with what playground offers"

        return self._set("pictures.mjs", self.pictures, fault)

    def _set(self, script: str, asked: list[tuple[dict, int]], fault: Callable) -> list[str]:
        """The script's HTML for each; ``fault`` names what it refuses and says what is allowed."""
        answers = ask(script, [question for question, _ in asked])
        for (question, line), answer in zip(asked, answers, strict=True):
            if "error" in answer:
                what, allowed = fault(question)
                raise self.lesson.error(line, f"{what}: {answer['error']}", allowed)
        return [answer["html"] for answer in answers]


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
        A formula or a picture that is refused, or what a directive finds wrong once its
        programs have run.
    """
    return Page(lesson, outputs).body()
