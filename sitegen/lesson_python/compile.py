"""Inside Pyodide, at build time: the lesson's modules as .pyc that are never checked.

Reads /in/lesson.json (path → source); leaves JSON (path → .pyc in base64) in ``result``.
"""

import base64
import importlib._bootstrap_external as external
import importlib.util
import json
from pathlib import Path


def pyc(path: str, source: str) -> str:
    """A module as .pyc, in base64."""
    data = source.encode()
    code = compile(data, path, "exec", dont_inherit=True)
    made = external._code_to_hash_pyc(code, importlib.util.source_hash(data), False)
    return base64.b64encode(made).decode()


sources = json.loads(Path("/in/lesson.json").read_text("utf-8"))
result = json.dumps({path: pyc(path, source) for path, source in sources.items()})
