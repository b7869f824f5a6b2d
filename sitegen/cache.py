"""Where this project keeps what was downloaded or is slow to make."""

from __future__ import annotations

import os
from pathlib import Path


def cache_dir() -> Path:
    """Folder outside the tree; ``LESSON_CACHE`` names another."""
    named = os.environ.get("LESSON_CACHE")
    if named:
        return Path(named)
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "atencion-multicabeza"
