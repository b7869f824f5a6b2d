"""The page's own JavaScript at build time, under Node: all questions in one run."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from pyodide_snapshot.node import NodeMissingError, find_node
from sitegen.markup import as_json

FOLDER = Path(__file__).resolve().parent


def ask(script: str, questions: list) -> list[dict]:
    """Put questions to a script of this folder, which answers each: ``{html}`` or ``{error}``.

    Raises
    ------
    SystemExit
        There is no Node, or the script failed; the end of its output is in the message.
    """
    if not questions:
        return []
    try:
        command = [find_node(), str(FOLDER / script)]
    except NodeMissingError as error:
        raise SystemExit(f"{script}: {error}") from None
    done = subprocess.run(
        command, input=as_json(questions), capture_output=True, encoding="utf-8", check=False
    )
    if done.returncode:
        raise SystemExit(f"{script} failed: {done.stderr.strip()[-600:]}; run `make setup`")
    return json.loads(done.stdout)
