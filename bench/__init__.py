"""What is measured beside its rival in one run; the project's own modules are importable here."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / part) for part in ("py", "kernel/python", "pyodide-snapshot")]
