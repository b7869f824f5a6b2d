"""What the lesson shows of PyTorch is what PyTorch really printed."""

from __future__ import annotations

import json
from pathlib import Path

from sitegen.lesson import read_lesson

ROOT = Path(__file__).resolve().parents[2]
REAL = json.loads((ROOT / "tests/fixtures/torch/readalong.json").read_text("utf-8"))


def shown(name: str):
    lesson = read_lesson(ROOT / "lesson/31_multihead.md")
    return next(d for d in lesson.directives if d.name == name)


def test_the_program_in_the_lesson_is_the_one_that_ran():
    assert shown("torch-programa").body.strip() == REAL["program"].strip()


def test_the_output_in_the_lesson_is_what_it_printed():
    block = shown("torch-salida")
    assert block.body.strip() == REAL["printed"].strip()
    assert REAL["torch"].split("+")[0] in block.options["caption"]
