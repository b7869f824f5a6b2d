"""Every claim of mha_claims.py, on cases that Hypothesis draws and on the few that Pyodide runs."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mha
import mha_fast
from tests import mha_claims


@st.composite
def cases(draw):
    num_heads = draw(st.sampled_from([1, 2, 3, 4]))
    return mha_claims.Case(
        seed=draw(st.integers(0, 2**32 - 1)),
        batch=draw(st.sampled_from([(), (1,), (3,), (2, 2)])),
        n=draw(st.integers(1, 6)),
        num_heads=num_heads,
        d_head=draw(st.integers(1, 4)),
        num_kv_heads=draw(st.sampled_from([i for i in (1, 2, 3, 4) if num_heads % i == 0])),
        bias=draw(st.booleans()),
    )


@pytest.mark.parametrize("claim", mha_claims.CLAIMS, ids=lambda claim: claim.__name__)
def test_claim_holds_whatever_the_case(claim):
    @settings(max_examples=40, deadline=None, derandomize=True)
    @given(cases())
    def check(case):
        claim(case)

    check()


ANY_SIZE = [claim for claim in mha_claims.CLAIMS if claim not in mha_claims.OVERFLOWING]


@pytest.mark.parametrize("claim", ANY_SIZE, ids=lambda claim: claim.__name__)
def test_claim_holds_by_the_textbook_as_it_is_written(claim, monkeypatch):
    for name, function in mha._TEXTBOOK.items():
        monkeypatch.setattr(mha, name, function)

    @settings(max_examples=40, deadline=None, derandomize=True)
    @given(cases())
    def check(case):
        claim(case)

    check()
    assert mha._attend is not mha_fast.attend


@pytest.mark.parametrize("case", mha_claims.FEW_CASES, ids=repr)
@pytest.mark.parametrize("claim", mha_claims.CLAIMS, ids=lambda claim: claim.__name__)
def test_claim_holds_without_blas_as_in_pyodide(claim, case, monkeypatch):
    monkeypatch.setattr("mha_fast.HAS_BLAS", False)
    claim(case)
