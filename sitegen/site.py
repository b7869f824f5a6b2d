"""Build the whole site: read each lesson, run it, render it, add what the pages load."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from markupsafe import Markup

from sitegen.assets import bundle, download_bundle, notebook
from sitegen.execute import Output, execute
from sitegen.headers import META_CSP
from sitegen.lesson import Lesson, read_lesson
from sitegen.markup import environment
from sitegen.notices import notices
from sitegen.render import contents, render_lesson
from sitegen.runtime import build_runtime, lesson_data
from sitegen.runtime_compress import write_siblings

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
    modules = sorted((ROOT / "py").glob("*.py"))
    lessons = read_all(ROOT / "lesson")
    wheels = {w["name"]: w for lesson, _ in lessons for w in lesson.front.get("wheels", [])}
    runtime = build_runtime(fresh, modules, list(wheels.values()))
    assets = bundle(fresh)
    write_siblings(sorted((fresh / "assets").glob("*.[cj]s*")))
    env = environment()
    shell = {"csp": META_CSP, "assets": assets}
    entries = []
    for lesson, outputs in lessons:
        slug = lesson.path.stem
        shared = [
            m for m in modules if m.name != "cell_runner.py" and not m.name.startswith("kernel")
        ]
        downloads = {
            "notebook": _download(fresh, f"{slug}.ipynb", notebook(lesson.path)),
            "bundle": _download(
                fresh, f"{slug}.zip", download_bundle(lesson.path, shared, lesson_data())
            ),
        }
        page = env.get_template("lesson.html").render(
            csp=META_CSP,
            assets={**assets, **downloads},
            front=lesson.front,
            slug=slug,
            contents=contents(lesson),
            body=render_lesson(lesson, outputs),
            runtime=Markup(json.dumps(runtime).replace("<", "\\u003c")),
        )
        (fresh / f"{slug}.html").write_text(page, "utf-8")
        for address, content in (pair for d in lesson.directives for pair in d.files().items()):
            (fresh / address).parent.mkdir(parents=True, exist_ok=True)
            (fresh / address).write_bytes(content)
        entries.append({"href": f"{slug}.html", **lesson.front})
    index = env.get_template("index.html").render(lessons=entries, **shell)
    (fresh / "index.html").write_text(index, "utf-8")
    (fresh / "avisos.html").write_text(
        env.get_template("notices.html").render(notices=notices(), **shell), "utf-8"
    )
    (fresh / ".nojekyll").write_text("")
    shutil.rmtree(site, ignore_errors=True)
    fresh.rename(site)


def _download(out: Path, name: str, content: bytes) -> str:
    """Write a file for the reader to keep, under its plain name."""
    folder = out / "descargas"
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(content)
    return f"descargas/{name}"

