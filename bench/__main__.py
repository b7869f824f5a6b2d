"""Run every benchmark: ``python -m bench``, or the named ones: ``python -m bench kernel mha``."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path


def main(names: list[str]) -> None:
    """Run ``bench_NAME.main()`` for each name, or for all there are."""
    there = sorted(p.stem.removeprefix("bench_") for p in Path(__file__).parent.glob("bench_*.py"))
    unknown = [name for name in names if name not in there]
    if unknown:
        raise SystemExit(f"bench: no benchmark {', '.join(unknown)}; there are {', '.join(there)}")
    for name in names or there:
        print(f"\n== {name}", flush=True)
        importlib.import_module(f"bench.bench_{name}").main()


if __name__ == "__main__":
    main(sys.argv[1:])
