"""Set-up of the unit tests: one thread a process for NumPy, and the lesson executed once."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

# Before anything imports NumPy: the matrices here are small, and two workers with a thread a core
# each would wait for one another.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

LESSONS = Path(__file__).resolve().parents[2] / "lesson"


@pytest.fixture(scope="session")
def built() -> tuple:
    """The lesson, and what its cells store when the site is built."""
    from sitegen.site import read_all

    [lesson_and_outputs] = read_all(LESSONS)
    return lesson_and_outputs
