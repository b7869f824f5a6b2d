"""Build, serve or check the lessons: ``python build.py build|serve|check``."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path[:0] = [str(ROOT / part) for part in ("py", "kernel/python", "pyodide-snapshot")]

from sitegen.directive import LessonError  # noqa: E402 - after the path above
from sitegen.serve import serve  # noqa: E402
from sitegen.site import build, read_all  # noqa: E402

SITE = ROOT / "site"


def main(argv: list[str] | None = None) -> int:
    """Run one command; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("build", help="write site/")
    commands.add_parser("check", help="read and run the lessons, write nothing")
    serving = commands.add_parser("serve", help="serve site/ on localhost")
    serving.add_argument("--port", type=int, default=8000, help="0 takes any free one")
    args = parser.parse_args(argv)
    start = time.perf_counter()
    try:
        if args.command == "build":
            build(SITE)
        elif args.command == "check":
            read_all(ROOT / "lesson")
        else:
            serve(SITE, args.port)
    except LessonError as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{args.command}: {time.perf_counter() - start:.1f} s", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
