"""``{code-block} language``: code that is shown, not run; a plain Markdown fence looks the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from markupsafe import Markup
from pygments.util import ClassNotFound

from sitegen.directive import Directive, Kind
from sitegen.markup import highlighted, template

if TYPE_CHECKING:
    from sitegen.render import Page

HTML = template("""
<figure class="code-block"><pre class="code" tabindex="0" data-language="{{ language }}"><code>
{{- code }}</code></pre>
{%- if caption %}<figcaption>{{ caption }}</figcaption>{% endif %}</figure>
""")


@dataclass
class CodeBlock(Directive):
    """Code that is shown; ``:caption:`` says what it is."""

    def html(self, page: Page) -> Markup:
        """The code with its caption."""
        caption = self.options.get("caption", "")
        return shown_code(page, self.body.rstrip("\n"), self.argument, self.line, caption)


def shown_code(page: Page, code: str, language: str, line: int, caption: str = "") -> Markup:
    """Coloured code in a figure.

    Raises
    ------
    LessonError
        A language that Pygments doesn't know.
    """
    try:
        coloured = highlighted(code, language)
    except ClassNotFound:
        raise page.lesson.error(
            line, f"unknown code language {language!r}", "a Pygments lexer: python, text, …"
        ) from None
    return HTML(code=coloured, language=language, caption=page.inline(caption))


KINDS = {"code-block": Kind(CodeBlock, optional=("name", "caption"), argument=True)}
