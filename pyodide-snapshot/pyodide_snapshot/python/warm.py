"""Inside Pyodide, at build time: import what is to be there at once; then memory is taken."""

import gc
import importlib
import os
import sys
import types

REST = "/lib/numpy_rest.zip"
SITE = "/lib/python3.14/site-packages/"


class Overhearing:
    """Keep the docstrings that NumPy hands over to C, where nobody else sees them."""

    texts = []

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        """Find nothing; when NumPy is about to hand them over, get in between."""
        if name == "numpy._core._add_newdocs":
            cls.giver = sys.modules["numpy._core.function_base"]
            cls.give, cls.giver.add_docstring = cls.giver.add_docstring, cls.hear

    @classmethod
    def hear(cls, thing, text):
        """Stand in for ``add_docstring``."""
        cls.texts.append(text)
        cls.give(thing, text)


sys.path.extend(FOLDERS)  # noqa: F821 - set by the caller
sys.meta_path.insert(0, Overhearing)
for name in IMPORTS:  # noqa: F821 - set by the caller
    importlib.import_module(name)
sys.meta_path.remove(Overhearing)
Overhearing.giver.add_docstring = Overhearing.give

# NumPy's other modules lie in a zip that the worker brings when somebody asks for one of them.
for name, module in list(sys.modules.items()):
    if name.split(".")[0] == "numpy" and hasattr(module, "__path__"):
        module.__path__.append(f"{REST}/{module.__path__[0].removeprefix(SITE)}")
        importlib.util.find_spec(f"{name}._no_such_module")  # its zip directory is read now
for path in list(sys.path):
    importlib.util.find_spec(f"_no_such_module_{abs(hash(path))}")
os.chdir("/home/pyodide")
del name, module, path, IMPORTS, FOLDERS  # noqa: F821


def docstrings(heard):
    """The docstrings of functions, classes, modules and what C has got; one may come twice.

    Those that are plain text of some length: what no computation reads.
    """
    found, codes = [], []

    def note(text):
        if type(text) is str and text.isascii() and len(text) >= 64:
            hash(text)  # while it can be read: it is kept in the object
            found.append(text)

    for text in heard:
        note(text)
    for thing in gc.get_objects():
        if isinstance(thing, types.FunctionType):
            note(thing.__doc__)
            codes.append(thing.__code__)
        elif isinstance(thing, type | types.ModuleType):
            note(vars(thing).get("__doc__"))
    while codes:
        code = codes.pop()
        if code.co_flags & 0x4000000:  # CO_HAS_DOCSTRING: the first constant is one
            note(code.co_consts[0])
        codes.extend(one for one in code.co_consts if isinstance(one, types.CodeType))
    return found


# The caller takes them by address and length, and then lets go of this list.
gc.collect()
DOCSTRINGS = docstrings(Overhearing.texts)
with open("/docstrings", "wb", buffering=0) as file:
    for text in DOCSTRINGS:
        file.write(id(text).to_bytes(4, "little") + len(text).to_bytes(4, "little"))
del docstrings, file, text, Overhearing
gc.collect()
