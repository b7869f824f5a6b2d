"""Inside Pyodide, at build time: import all that a lesson meets, before memory is snapshotted."""

import gc
import importlib
import os
import sys

REST = "/lib/numpy_rest.zip"
SITE = "/lib/python3.14/site-packages/"

sys.path.append("/lesson")
for name in IMPORTS:  # noqa: F821 - set by the caller
    importlib.import_module(name)

# NumPy's other modules lie in a zip that the worker brings when somebody asks for one of them.
for name, module in list(sys.modules.items()):
    if name.split(".")[0] == "numpy" and hasattr(module, "__path__"):
        module.__path__.append(f"{REST}/{module.__path__[0].removeprefix(SITE)}")
        importlib.util.find_spec(f"{name}._no_such_module")  # its zip directory is read now
for path in list(sys.path):
    importlib.util.find_spec(f"_no_such_module_{abs(hash(path))}")
os.chdir("/home/pyodide")
del name, module, path, IMPORTS  # noqa: F821
gc.collect()
