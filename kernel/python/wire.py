"""The one way from Python's values to plain data, for the page and for the builder."""

from __future__ import annotations

import numpy as np


def plain(value):
    """Turn every array inside into ``{"shape", "data"}`` whose data is one flat buffer of numbers.

    Booleans become 0 and 1; whole numbers of 64 bits floats, as a page has them.
    """
    if isinstance(value, np.ndarray):
        kind = np.uint8 if value.dtype == bool else value.dtype
        if value.dtype.kind in "iu" and value.dtype.itemsize > 4:
            kind = np.float64  # a page's numbers, not BigInt
        flat = np.ascontiguousarray(value, dtype=kind).reshape(-1)
        return {"shape": list(value.shape), "data": flat}
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value
