"""```` ```{wrong} exercise ```` with ``:fails:``: an answer that the check has to refuse.

For the tests only: it is in no page and in no notebook.
"""

from __future__ import annotations

from dataclasses import dataclass

from sitegen.directive import Kind
from sitegen.directives.exercise import Part


@dataclass
class Wrong(Part):
    """A wrong answer; ``:fails:`` is a part of the message that it earns."""


KINDS = {"wrong": Kind(Wrong, required=("fails",), argument=True, secret=True)}
