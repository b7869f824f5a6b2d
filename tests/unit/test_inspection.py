"""Completions and descriptions from a live namespace, without running the reader's code."""

from __future__ import annotations

import numpy as np
import pytest

import inspection
import mha


def labels(source: str, namespace: dict | None = None) -> list[str]:
    return [
        o["label"] for o in inspection.complete(source, len(source), namespace or {})["options"]
    ]


def test_names_of_the_namespace_builtins_and_keywords_are_offered():
    found = labels("pri", {"prisma": 1, "_priv": 2})
    assert found == ["print", "prisma"]
    assert "lambda" in labels("lam")


def test_attributes_of_a_live_value_are_offered():
    assert "transpose" in labels("a.tra", {"a": np.zeros(3)})
    assert inspection.complete("x = a.tra", 9, {"a": np.zeros(3)})["from"] == 6


def test_a_module_offers_what_it_exports_even_before_the_import():
    assert "split_heads" in labels("mha.split")
    assert all(not name.startswith("_") for name in labels("mha."))


def test_an_array_is_told_by_shape_and_dtype():
    said = inspection.describe("a", {"a": np.zeros((2, 3), np.float32)})
    assert said["title"] == "a: array (2, 3), float32"
    (option,) = inspection.complete("att", 3, {"att": np.zeros((2, 3))})["options"]
    assert option["detail"] == "(2, 3)"


def test_a_function_is_told_by_signature_and_docstring():
    said = inspection.describe("mha.split_heads", {"mha": mha})
    assert said["title"].startswith("mha.split_heads(x, num_heads")
    assert "num_heads" in said["text"]


@pytest.mark.parametrize("name", ["nada", "a.nada", "a.b.c"])
def test_what_does_not_exist_is_not_described(name):
    assert inspection.describe(name, {"a": 1}) is None


def test_no_property_of_the_readers_is_run():
    class Trap:
        @property
        def bomb(self):
            raise AssertionError("run")

    assert "bomb" in labels("t.bo", {"t": Trap()})
    assert inspection.describe("t.bomb", {"t": Trap()}) is not None


def test_in_the_middle_of_a_number_or_a_string_of_signs_nothing_is_offered():
    assert labels("1 +)", {}) != []  # an empty prefix offers everything
    assert labels("x.", {}) == []
