"""What the project says of itself outside its code is true: workflow, lock files, sizes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
IMPORT = re.compile(r"^(?:import|export)\b[^;]*?'(\.[^']+)'|^[^*]*\bimport\('(\.[^']+)'\)", re.M)
WORKFLOW = yaml.safe_load((ROOT / ".github/workflows/pages.yml").read_text("utf-8"))
JOBS = WORKFLOW["jobs"]


def test_only_the_deployment_may_write():
    assert WORKFLOW["permissions"] == {"contents": "read"}
    assert "permissions" not in JOBS["test"]
    assert JOBS["deploy"]["permissions"] == {"pages": "write", "id-token": "write"}
    assert JOBS["deploy"]["concurrency"]["cancel-in-progress"] is False


def test_the_runtimes_cache_follows_every_lock_and_the_recipe():
    [cache] = [step["with"] for step in JOBS["test"]["steps"] if "cache@" in step.get("uses", "")]
    patterns = re.findall(r"'([^']+)'", cache["key"])
    matched = {path for pattern in patterns for path in ROOT.glob(pattern)}
    assert all(list(ROOT.glob(pattern)) for pattern in patterns), patterns
    locks = {ROOT / "package-lock.json", *(ROOT / "requirements").iterdir()}
    assert locks <= matched
    assert ROOT / "pyodide-snapshot/pyodide_snapshot/recipe.py" in matched
    assert cache["restore-keys"]


def test_lock_files_name_no_registry():
    assert '"resolved"' not in (ROOT / "package-lock.json").read_text("utf-8")
    for path in (ROOT / "requirements").iterdir():
        assert "://" not in path.read_text("utf-8"), path.name


PAPERS = ("README.md", "CONTRIBUTING.md", "docs/architecture.md", "pyodide-snapshot/README.md")
ROOMS = "lesson|py|kernel|pyodide-snapshot|static|sitegen|templates|tests|bench|scripts|docs"


@pytest.mark.parametrize("paper", PAPERS)
def test_every_path_that_a_paper_names_is_there(paper):
    text = (ROOT / paper).read_text("utf-8")
    named = set(re.findall(rf"`((?:{ROOMS})/[\w./*-]*)`", text))
    absent = [path for path in sorted(named) if not list(ROOT.glob(path.rstrip("/")))]
    assert named and not absent


def test_the_folders_of_static_know_shared_and_no_other():
    static = ROOT / "static"
    rooms = {path.name for path in static.iterdir() if path.is_dir()}
    for room in rooms:
        for script in (static / room).glob("*.js"):
            for one, other in IMPORT.findall(script.read_text("utf-8")):
                found = (script.parent / (one or other)).resolve()
                if not found.is_relative_to(static):
                    continue
                known = found.relative_to(static).parts[0]
                allowed = {room} if room == "heatmap" else {room, "shared"}
                assert known in allowed, f"{script}: {one or other}"
