"""A cell's run is plain data: its result, its output, its error with the right line."""

from __future__ import annotations

import ast
import asyncio
import sys
import warnings

import numpy as np
import pytest

import cell_effects
import cell_runner
from cell_runner import compile_cell

TITLE = "Celda 3 (prueba)"


def run(source: str, namespace: dict | None = None):
    """Run a cell; return its outcome and what it wrote."""
    written = []
    space = cell_runner.new_namespace() if namespace is None else namespace
    cell = compile_cell(source, TITLE)
    outcome = cell_runner.run_cell(cell, space, lambda *part: written.append(part))
    return outcome, written


def test_the_last_expression_is_the_result():
    outcome, _ = run("x = 2\nx + 1")
    assert (outcome["status"], outcome["result"], outcome["display"]) == ("done", "3", [])


@pytest.mark.parametrize("source", ["x = 2", "None", "2;", "", "# nothing", "def f(): return 1"])
def test_other_endings_show_nothing(source):
    assert run(source)[0]["result"] is None


def test_a_long_result_is_cut_and_says_so():
    result = run("'x' * 100_000")[0]["result"]
    assert len(result) < 21_000
    assert "caracteres más" in result


def test_output_keeps_its_stream_and_order():
    written = run("import sys\nprint('a')\nprint('b', file=sys.stderr)")[1]
    assert "".join(t for s, t in written if s == "stdout") == "a\n"
    assert "".join(t for s, t in written if s == "stderr") == "b\n"


def test_cells_share_a_namespace_that_is_main():
    space = cell_runner.new_namespace()
    run("x = 1\ndef f(): return x", space)
    run("x = 5", space)
    assert run("f(), __name__", space)[0]["result"] == "(5, '__main__')"


def test_an_error_names_the_cell_its_line_and_no_frame_of_ours():
    outcome, _ = run("x = 2\nx @ 'y'")
    assert (outcome["status"], outcome["kind"], outcome["name"]) == (
        "failed",
        "python",
        "TypeError",
    )
    assert outcome["line"] == 2
    assert f'File "{TITLE}", line 2' in outcome["traceback"]
    assert "x @ 'y'" in outcome["traceback"]
    assert "cell_runner" not in outcome["traceback"]


def test_an_error_below_a_call_blames_the_cells_own_line():
    outcome, _ = run("import json\n\njson.loads('{')")
    assert outcome["line"] == 3
    assert "json" in outcome["traceback"]


def test_chained_errors_keep_their_chain():
    outcome, _ = run("try:\n    1/0\nexcept Exception as e:\n    raise KeyError('k') from e")
    assert "ZeroDivisionError" in outcome["traceback"]
    assert "cell_runner" not in outcome["traceback"]


def test_a_syntax_error_has_the_cells_line():
    outcome, _ = run("x = 1\nif x\n    pass")
    assert (outcome["name"], outcome["line"]) == ("SyntaxError", 2)


def test_curly_quotes_are_explained():
    outcome, _ = run("print(“peso”)")
    assert "comillas" in outcome["message"]
    assert 'print("peso")' in outcome["message"]


def test_a_missing_name_is_told_apart():
    assert run("no_definida")[0]["missing"] == "no_definida"
    assert run("1 / 0")[0]["missing"] is None


@pytest.mark.parametrize(
    "source",
    ["raise MemoryError", "import numpy as np\nnp.zeros((2**40, 2**40))"],
)
def test_memory_errors_are_readable(source):
    outcome, _ = run(source)
    assert outcome["kind"] == "memory"
    assert "memoria" in outcome["message"]


def test_no_error_of_a_chain_has_a_frame_of_ours():
    source = """
import cell_runner
class A:
    def __repr__(self): raise ValueError
try:
    cell_runner.show(A())
except ValueError as error:
    raise KeyError from error
"""
    trace = run(source)[0]["traceback"]
    assert "ValueError" in trace and "KeyError" in trace
    assert f'File "{TITLE}", line 6' in trace
    assert "cell_runner.py" not in trace


def test_an_interrupt_is_a_stop():
    assert run("raise KeyboardInterrupt")[0]["kind"] == "stopped"


def test_exit_ends_the_cell_only():
    assert run("exit()" if "exit" in dir(__builtins__) else "raise SystemExit")[0]["status"] == (
        "done"
    )


def test_an_exception_that_cannot_be_printed_is_still_told():
    source = "class E(Exception):\n    def __str__(self): raise RuntimeError\nraise E"
    assert run(source)[0]["name"] == "E"


def test_a_repr_that_raises_is_the_cells_error():
    outcome, _ = run("class A:\n    def __repr__(self): raise ValueError('repr')\nA()")
    assert (outcome["status"], outcome["name"]) == ("failed", "ValueError")


def test_what_was_drawn_comes_with_the_outcome_even_after_an_error():
    source = (
        "import numpy as np, playground\n"
        "playground.show_heads(np.full((1, 2, 2), .5), ['a', 'b'])\n1/0"
    )
    outcome, _ = run(source)
    [record] = outcome["display"]
    assert record["kind"] == "heads"
    assert isinstance(record["payload"]["attn_weights"], np.ndarray)
    assert run("1")[0]["display"] == []


def test_await_is_told_apart_and_runs():
    assert compile_cell("await f()", TITLE).awaits
    assert not compile_cell("async def f(): await g()", TITLE).awaits
    assert not compile_cell("if", TITLE).awaits
    source = "import asyncio\nawait asyncio.sleep(0)\n7"
    space = cell_runner.new_namespace()
    outcome = asyncio.run(cell_runner.run_cell_async(compile_cell(source, TITLE), space))
    assert outcome["result"] == "7"


def test_streams_are_left_alone_when_nobody_listens(capsys):
    cell_runner.run_cell(compile_cell("print('x')", TITLE), cell_runner.new_namespace())
    assert capsys.readouterr().out == "x\n"


def test_an_array_is_shown_with_its_shape_and_dtype():
    import numpy as np

    assert cell_runner.show(np.zeros((2, 1), np.float32)).endswith("forma (2, 1), float32")
    assert cell_runner.show(np.float64(2)) == "np.float64(2.0)"


def test_input_at_the_top_level_awaits_the_answer():
    import asyncio

    async def ask(prompt=""):
        return f"respuesta a {prompt}"

    space = cell_runner.new_namespace()
    source = "a = [input(str(i)) for i in range(2)]\nif True:\n    b = input('x').upper()\na, b"
    cell = compile_cell(source, TITLE, asks=True)
    assert cell.awaits and not compile_cell(source, TITLE).awaits
    outcome = asyncio.run(cell_runner.run_cell_async(cell, space, ask=ask))
    assert outcome["result"] == "(['respuesta a 0', 'respuesta a 1'], 'RESPUESTA A X')"
    assert cell_runner.ASK not in space


def test_input_in_a_nested_scope_is_left_alone():
    source = "def f(): return input()\ng = lambda: input()"
    assert not compile_cell(source, TITLE, asks=True).awaits


def test_only_what_a_cell_runs_may_be_interrupted():
    space = cell_runner.new_namespace()
    space["look"] = lambda: cell_runner.in_cell(sys._getframe())
    source = "class C:\n    def __repr__(self): return str(look())\nlook(), C()"
    assert cell_runner.run_cell(compile_cell(source, TITLE), space)["result"] == "(True, True)"
    source = "class E(Exception):\n    def __str__(self): return str(look())\nraise E"
    assert cell_runner.run_cell(compile_cell(source, TITLE), space)["message"] == "False"
    assert not cell_runner.in_cell(sys._getframe())


def test_a_run_compiles_its_source_once_whatever_is_asked_about_it(monkeypatch):
    calls = []

    def noted(name, real):
        return lambda *args, **named: calls.append(name) or real(*args, **named)

    monkeypatch.setattr(ast, "parse", noted("parse", ast.parse))
    monkeypatch.setattr(cell_runner, "compile", noted("compile", compile), raising=False)
    cell = compile_cell("x = 1\nx", TITLE, asks=True)
    space = cell_runner.new_namespace()
    assert not cell.awaits
    assert cell_runner.run_cell(cell, space)["result"] == "1"
    assert not cell_effects.leaves_no_trace(cell, space)
    assert calls == ["parse", "compile", "compile"]  # the statements, the last expression


def test_what_the_compiler_warns_of_is_told_once_when_the_cell_runs(capsys):
    with warnings.catch_warnings():
        warnings.resetwarnings()
        warnings.showwarning = lambda message, *_: print(message, file=sys.stderr)
        cell = compile_cell("x = 1\nx is 1", TITLE)
        assert capsys.readouterr().err == ""
        written = []
        cell_runner.run_cell(cell, {}, lambda *part: written.append(part))
    text = "".join(part for stream, part in written if stream == "stderr")
    assert text.count('"is" with') == 1


@pytest.mark.parametrize("source", ["(" * 500, "a\0b", "return 1"])
def test_text_that_does_not_compile_is_a_cell_that_fails(source):
    outcome, _ = run(source)
    assert outcome["status"] == "failed"
    assert "cell_runner" not in outcome["traceback"]
