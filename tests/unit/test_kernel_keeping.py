"""When memory is saved, and what is said to be lost: the kernel's bookkeeping, in Node."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from pyodide_snapshot.recipe import find_node

ROOT = Path(__file__).resolve().parents[2]
KEEPER = """
import { Keeper } from './static/kernel/memory.js';
import { Safety } from './static/kernel/safety.js';
import { words } from './static/kernel/words.js';
const sent = [];
const saved = { memory: new ArrayBuffer(8), packages: [], files: { data: [] } };
const saver = { median: 0, save: () => saved };
const keeper = new Keeper(saver, (message) => sent.push(message), 5);
const cell = (name) => ({ cell: name, title: `Celda ${name}` });
const about = (names, tasks = 0, changed = true) => ({ names, tasks, changed });
const files = (left = []) => ({ cwd: '/', folders: [], data: [], open: [], left });
const rest = () => new Promise((resolve) => setTimeout(resolve, 30));
"""


def node(body: str):
    """What a script answers with ``say(value)``."""
    script = f"{KEEPER}\nconst say = (v) => console.log(JSON.stringify(v));\n{body}"
    done = subprocess.run(
        [find_node(), "--no-warnings", "--input-type=module", "-e", script],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_changed_memory_is_saved_at_once_while_that_is_quick():
    saving, kinds = node(
        "const saving = keeper.ended({ names: ['x'], tasks: 0 }); keeper.proceed();"
        "say([saving, sent.map((m) => [m.type, m.names])])"
    )
    assert saving is True
    assert kinds == [["memory", ["x"]]]


def test_an_unchanged_memory_is_not_saved_again():
    saving, sent = node("const saving = keeper.ended(null); keeper.proceed(); say([saving, sent])")
    assert saving is False
    assert sent == []


def test_beyond_50_ms_at_the_median_nobody_waits_and_the_page_is_told():
    told, after_run, after_rest = node(
        "saver.median = 51;"
        "const saving = keeper.ended({ names: ['x'], tasks: 0 }); keeper.proceed();"
        "const told = [saving, ...sent.map((m) => m.unsaved ?? m.type)];"
        "keeper.pause(); await rest(); const during = sent.length;"  # a cell runs
        "keeper.ended(null); keeper.proceed(); await rest();"
        "say([told, during, sent.at(-1).type])"
    )
    assert told == [False, "slow"]
    assert after_run == 1
    assert after_rest == "memory"


def test_only_what_the_saved_memory_lacks_is_lost():
    loss = node(
        "const s = new Safety(); s.ran(cell('a'), about(['x']));"
        "s.save({ names: ['x'], tasks: 0, files: files(), packages: [] });"
        "s.ran(cell('b'), about(['x', 'y'])); say(s.restore())"
    )
    assert loss["variables"] == ["y"]
    assert [c["cell"] for c in loss["cells"]] == ["b"]


def test_a_cell_that_changed_nothing_is_not_to_be_run_again():
    loss = node(
        "const s = new Safety(); s.ran(cell('a'), about(['x']));"
        "s.save({ names: ['x'], tasks: 0, files: files(), packages: [] });"
        "s.ran(cell('b'), about(['x'], 0, false)); say(s.restore())"
    )
    assert loss == {"variables": [], "cells": [], "tasks": 0, "files": []}


def test_without_a_memory_every_cell_is_to_be_run_again_in_order():
    loss = node(
        "const s = new Safety();"
        "for (const n of ['a', 'b', 'a']) s.ran(cell(n), about(['x', 'y']));"
        "say(s.restore())"
    )
    assert loss["variables"] == ["x", "y"]
    assert [c["cell"] for c in loss["cells"]] == ["b", "a"]


def test_a_memory_that_fails_twice_is_given_up():
    kept = node(
        "const s = new Safety(); s.ran(cell('a'), about(['x']));"
        "s.save({ names: ['x'], tasks: 0, files: files(), packages: [] });"
        "const kept = [1, 2, 3].map(() => { s.restore(); return Boolean(s.saved); }); say(kept)"
    )
    assert kept == [True, True, False]


def test_cancelled_tasks_name_the_cell_that_started_them_once():
    first, second, text = node(
        "const s = new Safety(); s.ran(cell('a'), about(['x'])); s.ran(cell('b'), about(['t'], 2));"
        "s.save({ names: ['t'], tasks: 2, files: files(['/tmp/grande']), packages: [] });"
        "s.ran(cell('c'), about(['t'], 2, false));"
        "const loss = s.restore(); say([loss, s.restore(), words.lost(loss, words.kept)])"
    )
    assert (first["tasks"], [c["cell"] for c in first["cells"]]) == (2, ["b"])
    assert second == {"variables": [], "cells": [], "tasks": 0, "files": []}
    for part in ("siguen ahí", "2 tareas de asyncio", "«/tmp/grande»", "Celda b"):
        assert part in text
