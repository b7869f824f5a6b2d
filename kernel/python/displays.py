"""What cells have drawn: kept until it is taken, or handed on at once while a page listens.

A module of its own, so that a cell that draws nothing need not wait for the playground.
"""

from __future__ import annotations

_kept: list[dict] = []
_show_now = None  # what takes a record at once, while a cell runs in the page


def record(kind: str, target: str | None, payload: dict) -> None:
    """Note that a cell draws something.

    Parameters
    ----------
    kind : str
        ``heads``, ``lines``, ``matrix`` or ``progress``.
    target : str or None
        The map of the lesson that it is drawn in, or None: the cell's own place.
    payload : dict
        What to draw.

    Raises
    ------
    ValueError
        A target that is no name.
    """
    if target is not None and not isinstance(target, str):
        raise ValueError(f"target={target!r}: es el nombre de un mapa de la lección, o None.")
    drawn = {"kind": kind, "target": target, "payload": payload}
    if _show_now is None:
        _kept.append(drawn)
    else:
        _show_now(drawn)


def send_displays_to(show) -> None:
    """Hand every record to ``show(record)`` as soon as it is made; None keeps them."""
    global _show_now
    _show_now = show


def take_displays() -> list[dict]:
    """Return what was recorded since the last call, and forget it."""
    taken, _kept[:] = list(_kept), []
    return taken
