"""``{module-source} module``: the source of a module that cells import, shown when asked for.

The page fetches the colours of the code when the reader opens it; without scripts, and until
then, there is a link to the file itself.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from markupsafe import Markup

from sitegen.directive import Directive, Kind
from sitegen.markup import coloured, template
from sitegen.python_modules import lesson_modules

if TYPE_CHECKING:
    from sitegen.lesson import Lesson
    from sitegen.render import Page

FOLDER = "modulos"
HTML = template("""
{% set say = words.module_source %}
<details class="module-source" data-module-source="{{ pieces }}" data-failed="{{ say.failed }}"
 data-label="{{ say.label.format(file=file) }}">
<summary>{{ say.show.format(file=file) }}</summary>
<p><a href="{{ source }}" download="{{ file }}">{{ say.download.format(file=file) }}</a>
<span class="module-source-said" role="status"></span></p>
</details>
""")


@dataclass
class ModuleSource(Directive):
    """A module to read; ``file`` is where it lies."""

    file: Path = Path()

    def read(self, lesson: Lesson) -> None:
        """The argument is the name of a module."""
        known = {path.stem: path for path in lesson_modules()}
        if self.argument not in known:
            what = f"no module {self.argument!r}"
            raise lesson.error(self.line, what, f"modules: {', '.join(known)}")
        self.file = known[self.argument]

    def html(self, page: Page) -> Markup:
        """What opens, and the link."""
        pieces, source = self.files()
        return HTML(file=self.file.name, pieces=pieces, source=source)

    def files(self) -> dict[str, bytes]:
        """The code in coloured pieces, and the file as it is."""
        code = self.file.read_bytes()
        pieces = coloured(code.decode("utf-8").rstrip("\n"), "python")
        text = json.dumps(pieces, ensure_ascii=False, separators=(",", ":")).encode()
        return {
            f"{FOLDER}/{self.file.stem}-{_digest(content)}.{ending}": content
            for ending, content in (("json", text), ("py", code))
        }


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:12]


KINDS = {"module-source": Kind(ModuleSource, argument=True)}
