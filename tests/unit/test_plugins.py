"""A directive is one file: lying in the folder is all that makes it known."""

from __future__ import annotations

import pytest

from sitegen import plugins
from sitegen.directive import LessonError
from sitegen.execute import execute
from sitegen.lesson import read_lesson
from sitegen.render import render_lesson

TEXT = "---\ntitle: t\ndescription: d\n---\n\n"
COUNT = '''
"""``{count}`` with ``:upto:``: numbers, and their sum."""

from dataclasses import dataclass

from sitegen.directive import Directive, Kind, Program
from sitegen.markup import template

from ._words import SUM

HTML = template("""
<ol class="count">{% for n in numbers %}<li>{{ n }}</li>{% endfor %}</ol>
<p>{{ word }}: {{ total }} {{ caption }}</p>
""")


@dataclass
class Count(Directive):
    upto: int = 0

    def read(self, lesson):
        self.read_sizes(lesson, "upto")
        if self.upto > 9:
            raise lesson.error(self.line, f"{self.upto} is too far", "up to 9")

    def program(self):
        return Program(f"sum(range({self.upto} + 1))", "cuenta", self.line)

    def html(self, page):
        total = page.outputs[self.name].result
        numbers = range(1, self.upto + 1)
        caption = page.inline(self.body.strip())
        return HTML(numbers=numbers, word=SUM, total=total, caption=caption)


KINDS = {"count": Kind(Count, required=("name", "upto"))}
ROLES = {"loud": lambda lesson, line, content, namespace: content.upper()}
'''


@pytest.fixture
def lesson(tmp_path):
    """A lesson 7 whose folder holds one directive; written anew for every test."""
    figures = tmp_path / "7/figures"
    figures.mkdir(parents=True)
    (figures / "count.py").write_text(COUNT, "utf-8")
    (figures / "_words.py").write_text('SUM = "<suma>"\n', "utf-8")
    return tmp_path / "7_contar.md"


def render(path, text: str) -> str:
    lesson = read_lesson(path, TEXT + text)
    return str(render_lesson(lesson, execute(lesson)))


def test_a_directive_is_added_by_adding_one_file(lesson):
    html = render(lesson, "```{count}\n:name: c\n:upto: 3\n*tres*\n```\n")
    assert '<ol class="count"><li>1</li><li>2</li><li>3</li></ol>' in html
    assert "<p>&lt;suma&gt;: 6 <em>tres</em></p>" in html


def test_so_is_a_role(lesson):
    assert "<p>HOLA</p>" in render(lesson, "{loud}`hola`\n")


def test_its_errors_name_the_line_and_those_of_its_options_come_for_free(lesson):
    with pytest.raises(LessonError, match=r"7_contar\.md:6: 10 is too far; up to 9"):
        render(lesson, "```{count}\n:name: c\n:upto: 10\n```\n")
    with pytest.raises(LessonError, match="has no option :from:; options: name, upto"):
        render(lesson, "```{count}\n:from: c\n```\n")


def test_only_the_lesson_beside_the_folder_knows_it(lesson):
    with pytest.raises(LessonError, match=r"unknown directive \{count\}"):
        render(lesson.with_name("8_otra.md"), "```{count}\n:name: c\n:upto: 3\n```\n")


def test_a_name_that_another_file_claims_stops_the_build(lesson):
    twin = lesson.parent / "7/figures/twin.py"
    twin.write_text((lesson.parent / "7/figures/count.py").read_text("utf-8"), "utf-8")
    with pytest.raises(SystemExit, match=r"twin\.py: \{count\} is another file's"):
        read_lesson(lesson, TEXT)


def test_every_file_of_the_folder_holds_a_directive_or_a_role():
    found = plugins.modules(plugins.OWN)
    files = {path.stem for path in plugins.OWN.glob("*.py")} - {"__init__"}
    assert set(found) == files
    assert all(hasattr(m, "KINDS") or hasattr(m, "ROLES") for m in found.values())
