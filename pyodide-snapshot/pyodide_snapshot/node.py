"""Where Node is, and what npm has installed."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent


class NodeMissingError(RuntimeError):
    """There is no Node on this machine."""


def find_node() -> str:
    """Path of Node: the machine's or the venv's.

    Raises
    ------
    NodeMissingError
        There is none.
    """
    node = shutil.which("node") or shutil.which("node", path=str(Path(sys.executable).parent))
    if not node:
        raise NodeMissingError("node: not found; install Node.js >= 20")
    return node


def node_modules() -> Path:
    """The nearest ``node_modules`` above this file; where there is none, the one to install."""
    for folder in HERE.parents:
        if (folder / "node_modules").is_dir():
            return folder / "node_modules"
    return HERE.parent / "node_modules"
