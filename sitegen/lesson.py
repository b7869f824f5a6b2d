"""Read a lesson's Markdown: front matter, tokens, and one typed record for every directive.

MyST's own syntax wherever it has one. Whatever is unknown, missing or named twice stops the build
with ``file:line: what; what is allowed``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import unquote

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.front_matter import front_matter_plugin
from mdit_py_plugins.myst_role import myst_role_plugin

from sitegen.directive import Directive, Kind, LessonError
from sitegen.directives.code_cell import CodeCell
from sitegen.plugins import Vocabulary, vocabulary

NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
OPENING = re.compile(r"\{([\w-]+)\}\s*(.*)")
OPTION = re.compile(r":([\w-]+):\s*(.*)")


def markdown() -> MarkdownIt:
    """The parser for lessons: CommonMark, tables, maths, roles, colon fences, footnotes."""
    md = MarkdownIt("commonmark", {"typographer": False, "html": False})
    md.enable("table")
    for plugin in (front_matter_plugin, colon_fence_plugin, myst_role_plugin, footnote_plugin):
        md.use(plugin)
    md.use(dollarmath_plugin, allow_space=False, allow_digits=False, double_inline=False)
    return md


@dataclass
class Lesson:
    """A parsed lesson: its path, front matter, top-level tokens and directives in order."""

    path: Path
    front: dict
    tokens: list[Token]
    vocabulary: Vocabulary
    directives: list[Directive] = field(default_factory=list)

    @property
    def cells(self) -> list[CodeCell]:
        """All cells, hidden ones too, in order."""
        return [d for d in self.directives if isinstance(d, CodeCell)]

    def cell_named_by(self, directive: Directive, option: str) -> CodeCell:
        """The visible cell that an option of a directive names.

        Raises
        ------
        LessonError
            There is no such cell.
        """
        cells = {c.name: c for c in self.cells if not c.hidden}
        name = directive.options[option]
        if name not in cells:
            known = _listed("cells", cells)
            raise self.error(directive.line, f":{option}: names no cell {name!r}", known)
        return cells[name]

    def error(self, line: int, what: str, allowed: str) -> LessonError:
        """An error at a line of this lesson, for the caller to raise."""
        return LessonError(self.path, line, what, allowed)


def read_lesson(path: Path, text: str | None = None) -> Lesson:
    """Parse a lesson file.

    Parameters
    ----------
    path : Path
        Named in errors.
    text : str, optional
        Its content; read from ``path`` when not given.

    Returns
    -------
    Lesson
        Every fence token that is a directive carries its record in ``token.meta["directive"]``.

    Raises
    ------
    LessonError
        Unknown directive, option, role, tag or reference; a name twice; bad front matter.
    """
    source = path.read_text("utf-8") if text is None else text
    tokens = markdown().parse(source)
    lesson = Lesson(path, _front_matter(path, tokens), tokens, vocabulary(path))
    _walk(lesson, tokens, 0)
    for directive in lesson.directives:
        directive.link(lesson)
    _check_links(lesson)
    return lesson


def _front_matter(path: Path, tokens: list[Token]) -> dict:
    """The YAML block at the top, with its title."""
    if not tokens or tokens[0].type != "front_matter":
        raise LessonError(
            path, 1, "no front matter", "start the file with a YAML block that has a title"
        )
    try:
        front = yaml.safe_load(tokens[0].content) or {}
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = 2 + (mark.line if mark else 0)
        raise LessonError(
            path, line, f"front matter: {error.problem}", "write valid YAML"
        ) from None
    for key in ("title", "description"):
        if not isinstance(front.get(key), str):
            raise LessonError(path, 1, f"front matter has no {key}", f"add `{key}: …`")
    return front


def _walk(lesson: Lesson, tokens: list[Token], offset: int) -> None:
    """Turn every fence into its record, and tell every token its line in the file."""
    for token in tokens:
        line = token.meta["line"] = offset + (token.map[0] + 1 if token.map else 1)
        if token.type in ("fence", "colon_fence"):
            _read_fence(lesson, token, line)
        elif token.type == "inline":
            for child in token.children or []:
                child.meta["line"] = line
                if child.type == "myst_role":
                    _check_role(lesson, child.meta["name"], line)


def _check_role(lesson: Lesson, name: str, line: int) -> None:
    roles = lesson.vocabulary.roles
    if name not in roles:
        raise lesson.error(line, f"unknown role {{{name}}}", _listed("roles", roles))


def _read_fence(lesson: Lesson, token: Token, line: int) -> None:
    """A fence with a name in braces is a directive; one of colons has to be."""
    found = OPENING.match(token.info.strip())
    if found:
        _read_directive(lesson, token, line, *found.groups())
    elif token.type == "colon_fence":
        known = _listed("directives", lesson.vocabulary.kinds)
        raise lesson.error(
            line, f"':::{token.info}' is no directive", f"write :::{{name}}; {known}"
        )


def _listed(what: str, known: Iterable[str]) -> str:
    return f"{what}: {', '.join(sorted(known)) or 'none'}"


def _read_directive(lesson: Lesson, token: Token, line: int, name: str, argument: str) -> None:
    kind = lesson.vocabulary.kinds.get(name)
    if kind is None:
        known = _listed("directives", lesson.vocabulary.kinds)
        raise lesson.error(line, f"unknown directive {{{name}}}", known)
    if kind.argument and not argument:
        raise lesson.error(
            line, f"{{{name}}} has no argument", f"write {{{name}}} and text behind it"
        )
    options, body, skipped = _options(lesson, token.content, kind, name, line)
    record = kind.record(name, argument.strip(), line, line + 1 + skipped, body, options)
    _check_name(lesson, record)
    lesson.directives.append(record)
    token.meta["directive"] = record
    record.read(lesson)
    if kind.markdown:
        token.children = record.children = markdown().parse(body)
        _walk(lesson, token.children, record.body_line - 1)


def _check_name(lesson: Lesson, record: Directive) -> None:
    """A name is an address in the page: plain, and nobody else's."""
    name, line = record.name, record.line
    if not name:
        return
    if not NAME.fullmatch(name):
        raise lesson.error(line, f"name {name!r}", "names are kebab-case: a-z, 0-9, hyphens")
    twin = next((d for d in lesson.directives if d.name == name), None)
    if twin:
        raise lesson.error(line, f"name {name!r} is taken by line {twin.line}", "use another")


def _options(lesson: Lesson, content: str, kind: Kind, name: str, line: int):
    """Split leading ``:key: value`` lines from the body."""
    options: dict[str, str] = {}
    allowed = {*kind.required, *kind.optional}
    lines = content.split("\n")
    skipped = 0
    for text in lines:
        found = OPTION.fullmatch(text.strip())
        if not found:
            break
        key, value = found.groups()
        if key not in allowed:
            raise lesson.error(
                line + 1 + skipped,
                f"{{{name}}} has no option :{key}:",
                _listed("options", allowed),
            )
        options[key] = value.strip()
        skipped += 1
    for key in sorted(set(kind.required) - options.keys()):
        raise lesson.error(line, f"{{{name}}} lacks :{key}:", f"add `:{key}: …` below the fence")
    if skipped and skipped < len(lines) and not lines[skipped].strip():
        skipped += 1
    return options, "\n".join(lines[skipped:]), skipped


def inline_tokens(tokens: list[Token]) -> Iterator[Token]:
    """All inline tokens of a token list, nested directives included, in document order."""
    for token in tokens:
        if token.type == "inline":
            yield token
        elif token.type == "colon_fence" or "directive" in token.meta:
            yield from inline_tokens(token.children or [])


def _check_links(lesson: Lesson) -> None:
    names = {d.name for d in lesson.directives if d.name}
    targets = names | {slug for _, _, slug in headings(lesson.tokens)}
    for token in inline_tokens(lesson.tokens):
        for child in token.children or []:
            href = unquote(str(child.attrs.get("href", ""))) if child.type == "link_open" else ""
            if href.startswith("#") and href[1:] not in targets:
                raise lesson.error(
                    child.meta["line"], f"link to nothing: {href}",
                    f"targets: {', '.join(sorted(targets))}",
                )  # fmt: skip


def without(names: Iterable[str], text: str) -> str:
    """A lesson's Markdown without its fences of these names."""
    fence = rf"^(`{{3,}}|:{{3,}})\{{(?:{'|'.join(names)})\}}.*?^\1[`:]*[ \t]*\n+"
    return re.sub(fence, "", text, flags=re.M | re.S)


def slugify(text: str) -> str:
    """Heading text → fragment: lower case, words joined by hyphens, accents kept."""
    return re.sub(r"[^\w]+", "-", text.lower()).strip("-")


def heading_text(inline: Token) -> str:
    """What a heading says, markup apart."""
    shown = ("text", "code_inline", "math_inline")
    return "".join(c.content for c in inline.children or [] if c.type in shown)


def headings(tokens: list[Token]) -> list[tuple[int, str, str]]:
    """(level, text, slug) of every top-level heading."""
    found = []
    for opening, inline in zip(tokens, tokens[1:], strict=False):
        if opening.type == "heading_open":
            text = heading_text(inline)
            found.append((int(opening.tag[1]), text, slugify(text)))
    return found
