"""`mha` inside real Pyodide: another platform, 32-bit, without BLAS or floating-point warnings.

The same fixtures and claims as the native tests, run in cells of the kernel.
"""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]

AS_MODULE = """
import sys, types
module = types.ModuleType({name!r})
sys.modules[{name!r}] = module
exec(compile({source!r}, {name!r} + ".py", "exec"), module.__dict__)
"""


@pytest.fixture(scope="module")
def kernel(shared):
    """A kernel that has the recipe and the claims as modules."""
    kernel, _ = shared
    for path in (TESTS / "fixtures" / "torch" / "recipe.py", TESTS / "mha_claims.py"):
        run(kernel, AS_MODULE.format(name=path.stem, source=path.read_text("utf-8")))
    return kernel


def run(kernel, source: str) -> str:
    """Run a cell that must succeed; return what it printed."""
    outcome = kernel.run(source)
    assert outcome["status"] == "done", outcome["traceback"]
    return outcome["text"]


def test_this_is_the_other_platform(kernel):
    printed = run(kernel, """
import sys, mha_fast
print(sys.platform, sys.maxsize, mha_fast.HAS_BLAS)
""")
    assert printed.split() == ["emscripten", str(2**31 - 1), "False"]


def test_every_configuration_equals_torch_to_1e12(kernel):
    outputs = base64.b64encode((TESTS / "fixtures" / "torch" / "outputs.npz").read_bytes())
    printed = run(kernel, f"""
import base64, io, json
import numpy as np
import recipe

stored = np.load(io.BytesIO(base64.b64decode({outputs!r})))["values"]
print(json.dumps(recipe.compare(stored, tolerance=1e-12)))
""")
    count, worst, failures = json.loads(printed)
    assert not failures, failures[:5]
    assert count >= 256 and worst <= 1e-12


def test_every_claim_holds(kernel):
    printed = run(kernel, """
import json
import traceback
import mha_claims

wrong = {}
for claim in mha_claims.CLAIMS:
    for case in mha_claims.FEW_CASES:
        try:
            claim(case)
        except Exception:
            wrong[f"{claim.__name__}({case})"] = traceback.format_exc()
print(json.dumps({"wrong": wrong, "run": len(mha_claims.CLAIMS) * len(mha_claims.FEW_CASES)}))
""")
    found = json.loads(printed)
    assert not found["wrong"], found["wrong"]
    assert found["run"] >= 76  # 19 claims, 4 cases


def test_a_claim_that_is_false_is_seen(kernel):
    printed = run(kernel, """
import mha, mha_claims

right, mha.causal_mask = mha.causal_mask, lambda n: right(n).T
try:
    mha_claims.three_ways_to_say_causal_agree(mha_claims.Case())
    print("nobody noticed")
except AssertionError:
    print("seen")
finally:
    mha.causal_mask = right
""")
    assert printed == "seen\n"


def test_overflow_is_warned_of_though_numpy_itself_is_silent(kernel):
    printed = run(kernel, """
import warnings
import numpy as np
import mha

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    np.exp(np.array(1e4))
    mha.MultiHeadAttention(4, 2, rng=0)(np.full((2, 4), 3e38, np.float32))
print(len(caught), *(w.message for w in caught))
""")
    assert printed.startswith("1 la salida tiene NaN o infinito")


def test_errors_read_the_same(kernel):
    outcome = kernel.run("import mha\nmha.MultiHeadAttention(10, 3)")
    assert (outcome["status"], outcome["name"]) == ("failed", "ValueError")
    assert outcome["message"] == ("d_model=10 no se divide entre num_heads=3; "
                                  "divisores: 1, 2, 5, 10")
