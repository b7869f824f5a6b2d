"""A cell that can't have changed anything is told from one that may have."""

from __future__ import annotations

import numpy as np
import pytest

from cell_effects import leaves_no_trace
from cell_runner import compile_cell


class Counter:
    n = 0

    def __repr__(self):
        self.n += 1
        return str(self.n)


SPACE = {
    "x": 41,
    "a": np.ones((2, 3)),
    "things": [1, "dos", (3.0,)],
    "objects": np.array([Counter()], dtype=object),
    "counter": Counter(),
    "mixed": [Counter()],
    "f": lambda: SPACE.clear(),
    "np": np,
}


@pytest.mark.parametrize(
    "source",
    ["", "x", "x + 1", "a.shape", "a @ a.T", "a[0, 1:]", "print(x, a, sep='-')", "things[0] == 1",
     "f'{x:5} {a.mean(axis=0)}'", "len(a), max(things[0], 2)", "no_hay", "x = = 1", "a.sum(axis=1)",
     "x @ a"],
)  # fmt: skip
def test_looking_changes_nothing(source):
    assert leaves_no_trace(compile_cell(source, "celda"), SPACE)


@pytest.mark.parametrize(
    "source",
    ["y = 1", "a[0] = 1", "a += 1", "del x", "import math", "f()", "counter", "mixed", "objects",
     "print(counter)", "np.random.rand()", "a.sort()", "a.fill(0)", "a.sum(out=a)",
     "things.append(1)", "(y := 2)", "[f() for _ in range(2)]", "print(x, file=f)",
     "open('a', 'w')", "exec('y = 1')", "def g(): pass", "x.__class__.__subclasses__()",
     "a.round(2, a)", "len(counter)", "input()", "await g()", "lambda: f()",
     "max(a, key=f)", "a.real.sort()", "x;" + " " * 3000],
)  # fmt: skip
def test_what_may_change_something_counts_as_a_change(source):
    assert not leaves_no_trace(compile_cell(source, "celda"), SPACE)


def test_a_shadowed_function_is_not_trusted():
    assert not leaves_no_trace(compile_cell("print(1)", "celda"), {"print": lambda x: None})
