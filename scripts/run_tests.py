"""Run the tests in their order, cheap ones first, and say at the end what each part took.

``python scripts/run_tests.py`` runs everything; ``--fast`` leaves out the build and the browsers.
The first part that fails ends the run with its exit code. Words behind ``--`` go to pytest.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NODE_TESTS = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("tests/node/*.test.js"))
PYTEST = [sys.executable, "-m", "pytest", "-q", "--durations=15"]
PYTEST += ["-n", "logical", "--dist", "loadgroup", "--no-loadscope-reorder"]  # a process a core
PARTS = {
    "ruff": [sys.executable, "-m", "ruff", "check", "."],
    "tsc": ["node", "node_modules/typescript/bin/tsc", "-p", "jsconfig.json"],
    "node": ["node", "--test", "--test-reporter=tap", *NODE_TESTS],
    "unit": [*PYTEST, "tests/unit", "-m", "not browser and not torch"],
    "build": [sys.executable, "build.py", "build"],
    "all": [*PYTEST, "tests", "-m", "not torch"],
}


def counted(output: str) -> str:
    """How many of Node's tests passed and failed, for the closing lines."""
    found = dict(re.findall(r"^# (pass|fail) (\d+)$", output, re.M))
    return f" ({found['pass']} passed, {found['fail']} failed)" if len(found) == 2 else ""


def run(name: str, more: list[str]) -> str:
    """Run one part; return its line of the closing report, or stop with its exit code."""
    began = time.monotonic()
    quiet = name == "node"  # a line a test is too much where all is well
    pipe = subprocess.PIPE if quiet else None
    done = subprocess.run(
        [*PARTS[name], *more], cwd=ROOT, stdout=pipe, text=True, check=False, env=os.environ
    )
    if done.returncode:
        print(done.stdout or "", f"tests: {name} failed", sep="\n", flush=True)
        raise SystemExit(done.returncode)
    return f"{name}{counted(done.stdout or '')} {time.monotonic() - began:.0f} s"


def main() -> None:
    """Run the parts, then print them with their times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fast", action="store_true", help="no build, no browsers")
    parser.add_argument("pytest", nargs="*", help="more words for pytest")
    args = parser.parse_args()
    names = ["ruff", "tsc", "node", *(["unit"] if args.fast else ["build", "all"])]
    began = time.monotonic()
    took = [run(name, args.pytest if name in ("unit", "all") else []) for name in names]
    minutes, seconds = divmod(round(time.monotonic() - began), 60)
    print(f"tests: {' · '.join(took)} · total {minutes} min {seconds} s", flush=True)


if __name__ == "__main__":
    main()
