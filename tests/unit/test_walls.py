"""Who may know whom, read from the import statements: an arrow never runs up."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
IMPORTED = re.compile(
    r"""^(?:import|export)\b[^'"]*?['"](\.[^'"]+)['"]|\bimport\(['"](\.[^'"]+)""", re.M
)
TYPES = re.compile(r"^ *(?:/?\*|//).*$", re.M)  # a comment's lines: what they import are types
# A folder, and what its scripts may import beside one another. `kernel` is what its rooms share.
SCRIPTS = {
    "pyodide-snapshot": (),
    "kernel": ("pyodide-snapshot",),
    "kernel/page": ("kernel", "pyodide-snapshot"),
    "kernel/worker": ("kernel", "pyodide-snapshot"),
    "static/heatmap": (),
    "static": ("static/heatmap", "kernel/page", "kernel"),
}
MODULES = {
    "pyodide-snapshot": (),
    "kernel/python": (),
    "py": ("kernel/python",),
    "sitegen": ("kernel/python", "pyodide-snapshot", "py"),
}


def room_of(path: Path, rooms) -> str:
    """The innermost room that a file lies in; the heatmap's entry belongs to its folder."""
    name = path.relative_to(ROOT).as_posix().replace("static/heatmap.js", "static/heatmap/")
    return max((room for room in rooms if name.startswith(f"{room}/")), key=len, default=name)


def scripts(room: str) -> list[Path]:
    found = [p for p in (ROOT / room.split("/")[0]).rglob("*.js") if room_of(p, SCRIPTS) == room]
    assert found, room
    return found


def crossed(room: str, code_only: bool) -> set[tuple[str, str]]:
    """What this room's scripts import from other rooms."""
    found = set()
    for path in scripts(room):
        text = path.read_text("utf-8")
        for match in IMPORTED.finditer(TYPES.sub("", text) if code_only else text):
            target = (path.parent / (match[1] or match[2])).resolve()
            if (other := room_of(target, SCRIPTS)) != room:
                found.add((path.name, other))
    return found


@pytest.mark.parametrize("room", SCRIPTS)
def test_no_script_imports_from_a_room_above_its_own(room):
    assert {other for _, other in crossed(room, code_only=True)} <= {*SCRIPTS[room]}


@pytest.mark.parametrize("room", ["pyodide-snapshot", "static/heatmap"])
def test_who_knows_nobody_knows_nobodys_types_either(room):
    assert not crossed(room, code_only=False)


def test_only_the_supposed_kind_of_import_goes_unseen():
    text = "import './a.js';\nimport {\n b } from \"./b.js\";\nexport * from './c.js';\n"
    text += "const d = import('./d.js'); // import('./e.js') is seen, too\n/** import('./f.js') */"
    seen = [one or other for one, other in IMPORTED.findall(TYPES.sub("", text))]
    assert seen == ["./a.js", "./b.js", "./c.js", "./d.js", "./e.js"]


def modules(room: str) -> dict[str, Path]:
    """A room's modules and packages by the name that an import says."""
    return {p.stem: p for p in (ROOT / room).iterdir() if p.is_dir() or p.suffix == ".py"}


@pytest.mark.parametrize("room", MODULES)
def test_no_module_imports_from_a_room_above_its_own(room):
    allowed = {room, *MODULES[room]}
    owner = {name: other for other in MODULES if other != "sitegen" for name in modules(other)}
    owner["sitegen"] = "sitegen"
    for path in (ROOT / room).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            for name in names:
                other = owner.get(name.partition(".")[0], room)
                assert other in allowed, f"{path.relative_to(ROOT)} imports {name}"
