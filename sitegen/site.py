"""Build the whole site: read each lesson, run it, render it, add what the pages load."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import yaml
from markupsafe import Markup

from pyodide_snapshot.compress import write_siblings
from sitegen.assets import bundle, download_bundle, notebook
from sitegen.cache import cache_dir
from sitegen.directive import LessonError
from sitegen.execute import Output, execute
from sitegen.headers import META_CSP
from sitegen.lesson import Lesson, read_lesson
from sitegen.markup import environment
from sitegen.notices import notices
from sitegen.python_modules import (
    imported,
    kernel_modules,
    lesson_data,
    lesson_modules,
    needed_by,
)
from sitegen.render import contents, render_lesson
from sitegen.runtime import build_runtime

ROOT = Path(__file__).resolve().parent.parent


def read_all(folder: Path) -> list[tuple[Lesson, dict[str, Output]]]:
    """Every lesson of a folder, parsed and executed.

    Raises
    ------
    LessonError
        The first fault found.
    """
    lessons = [read_lesson(path) for path in sorted(folder.glob("*.md"))]
    return [(lesson, execute(lesson)) for lesson in lessons]


def read_site(path: Path) -> dict[str, str]:
    """What the site says of itself: title, description, lead.

    Raises
    ------
    LessonError
        One of them is missing.
    """
    said = yaml.safe_load(path.read_text("utf-8"))
    for key in ("title", "description", "lead"):
        if not isinstance(said.get(key), str):
            raise LessonError(path, 1, f"no {key}", f"add `{key}: …`")
    return said


def build(site: Path) -> None:
    """Write the site into ``site``, replacing what is there only when all went well.

    Parameters
    ----------
    site : Path
        The folder to write; its old content is kept until the new one is complete.
    """
    fresh = site.with_name(site.name + ".new")
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    lessons = read_all(ROOT / "lesson")
    wheels = {w["name"]: w for lesson, _ in lessons for w in lesson.front.get("wheels", [])}
    runtime = build_runtime(fresh, first_imports(lessons), list(wheels.values()))
    assets = bundle(fresh)
    write_siblings(sorted((fresh / "assets").glob("*.[cj]s*")), cache=cache_dir())
    shell = {"csp": META_CSP, "assets": assets, "site": read_site(ROOT / "lesson/site.yml")}
    shell["runtime"] = Markup(json.dumps(runtime).replace("<", "\\u003c"))
    for lesson, outputs in lessons:
        _write_lesson(fresh, lesson, outputs, shell)
    entries = [{"href": f"{lesson.path.stem}.html", **lesson.front} for lesson, _ in lessons]
    _write_page(fresh / "index.html", "index.html", lessons=entries, **shell)
    _write_page(fresh / "avisos.html", "notices.html", notices=notices(), **shell)
    (fresh / ".nojekyll").write_text("")
    shutil.rmtree(site, ignore_errors=True)
    fresh.rename(site)


def first_imports(lessons: list[tuple[Lesson, dict[str, Output]]]) -> set[str]:
    """What the cells import up to the first that a reader can run, in any lesson."""
    names: set[str] = set()
    for lesson, _ in lessons:
        for cell in lesson.cells:
            names |= imported(cell.body)
            if not cell.hidden:
                break
    return names


def shared_modules() -> list[Path]:
    """The modules that go with the notebook: the lesson's, and the kernel's that they import."""
    modules = lesson_modules()
    names = set().union(*(imported(path.read_text("utf-8")) for path in modules))
    return [*modules, *needed_by(names, kernel_modules())]


def _write_lesson(out: Path, lesson: Lesson, outputs: dict[str, Output], shell: dict) -> None:
    """A lesson's page, what a reader may take home, and what the page fetches later."""
    slug = lesson.path.stem
    zipped = download_bundle(lesson.path, shared_modules(), lesson_data())
    downloads = {
        "notebook": _download(out, f"{slug}.ipynb", notebook(lesson.path)),
        "bundle": _download(out, f"{slug}.zip", zipped),
    }
    _write_page(
        out / f"{slug}.html",
        "lesson.html",
        **{**shell, "assets": {**shell["assets"], **downloads}},
        front=lesson.front,
        slug=slug,
        contents=contents(lesson),
        body=render_lesson(lesson, outputs),
    )
    for directive in lesson.directives:
        for address, content in directive.files().items():
            (out / address).parent.mkdir(parents=True, exist_ok=True)
            (out / address).write_bytes(content)


def _write_page(path: Path, template: str, **given) -> None:
    path.write_text(environment().get_template(template).render(**given), "utf-8")


def _download(out: Path, name: str, content: bytes) -> str:
    """Write a file for the reader to keep, under its plain name."""
    folder = out / "descargas"
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(content)
    return f"descargas/{name}"

