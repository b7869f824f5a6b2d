"""Tell a memory snapshot as what changed since the base image, in the format layout.js reads."""

from __future__ import annotations

import struct

import numpy as np

GRANULE = 16  # bytes: the unit that counts as changed or not
GAP = 2  # unchanged granules that are cheaper to repeat than to skip
FIELDS = struct.Struct("<5I")  # header, heap, runs, base watched: lengths; its checksum
# Bytes of the base image that differ between engines (random seeds, the order of the linker's
# tables), seen by comparing Node 20, Chromium and a simulated iPhone; the tail is added at run
# time. The worker checks a sum of the rest, up to MARGIN beyond what is used, so a difference
# missed here can't go unnoticed.
ENGINE_DEPENDENT = (
    (3_204_864, 3_205_376),
    (3_252_992, 3_253_056),
    (3_966_784, 3_966_912),
    (4_007_808, 4_008_064),
    (4_024_448, 4_024_704),
    (14_537_472, 14_538_496),
    (15_066_816, 15_066_880),
)
TAIL = 8_192  # bytes at the end of the base's used memory: the linker's own tables
MARGIN = 65_536  # bytes beyond them that are checked too; the rest of the memory is fresh


def changed_runs(base: np.ndarray, heap: np.ndarray, forced=()) -> np.ndarray:
    """Runs of granules that differ.

    Parameters
    ----------
    base, heap : (n,) uint8 ndarray
        Memory before and after.
    forced : iterable of (int, int), optional
        Byte ranges that engines disagree on: always part of a run.

    Returns
    -------
    (runs, 2) int64 ndarray
        First granule and one past the last, of each run.
    """
    changed = (base != heap).reshape(-1, GRANULE).any(axis=1)
    for start, end in forced:
        changed[start // GRANULE : -(-end // GRANULE)] = True
    edges = np.flatnonzero(np.diff(np.concatenate(([0], changed.view(np.int8), [0]))))
    starts, ends = edges[::2], edges[1::2]
    if not len(starts):
        return np.zeros((0, 2), np.int64)
    new = np.concatenate(([True], starts[1:] - ends[:-1] > GAP))
    lasts = np.concatenate((ends[:-1][new[1:]], ends[-1:]))
    return np.stack([starts[new], lasts], axis=1)


def engine_dependent(base: np.ndarray) -> list[tuple[int, int]]:
    """Byte ranges of the base image that another engine may fill differently."""
    end = used(base)
    return [*ENGINE_DEPENDENT, (end - TAIL, end + GRANULE)]


def used(base: np.ndarray) -> int:
    """Length of a memory without the zeros at its end, bytes."""
    return int(np.flatnonzero(base)[-1]) + 1 if base.any() else 0


def make_delta(base: bytes, snapshot: bytes, forced=None) -> bytes:
    """Delta of a Pyodide snapshot against the heap of a fresh instance.

    Parameters
    ----------
    base : bytes
        The heap right after instantiation.
    snapshot : bytes
        What ``makeMemorySnapshot`` returned: a header, then the heap.
    forced : iterable of (int, int), optional
        See `changed_runs`; by default `engine_dependent`.

    Returns
    -------
    bytes
        `FIELDS`; header; gaps and lengths of the runs (uint32); changed bytes.
    """
    offset = struct.unpack_from("<I", snapshot, 4)[0]
    heap = np.frombuffer(snapshot, np.uint8, offset=offset)
    before = np.zeros(len(heap), np.uint8)
    before[: len(base)] = np.frombuffer(base, np.uint8)
    runs = changed_runs(before, heap, engine_dependent(before) if forced is None else forced)
    starts, ends = runs[:, 0], runs[:, 1]
    gaps = (starts - np.concatenate(([0], ends[:-1]))).astype("<u4")
    lengths = (ends - starts).astype("<u4")
    watched = min(len(base), -(-(used(before) + MARGIN) // GRANULE) * GRANULE)
    kept = before[:watched].copy()
    for a, b in runs.tolist():
        kept[a * GRANULE : b * GRANULE] = 0
    checksum = int(kept.view("<u4").sum(dtype=np.uint64)) % 2**32
    fields = FIELDS.pack(offset, len(heap), len(runs), watched, checksum)
    body = b"".join(heap[a * GRANULE : b * GRANULE].tobytes() for a, b in runs.tolist())
    return fields + snapshot[:offset] + gaps.tobytes() + lengths.tobytes() + body


def apply_delta(base: bytes, delta: bytes) -> bytes:
    """The heap that `make_delta` described; what layout.js does, in Python, for the tests."""
    header, length, count, _, _ = FIELDS.unpack_from(delta)
    start = FIELDS.size + header
    numbers = np.frombuffer(delta, "<u4", 2 * count, start)
    heap = bytearray(base.ljust(length, b"\0"))
    at, source = 0, start + 8 * count
    for gap, run in zip(numbers[:count].tolist(), numbers[count:].tolist(), strict=True):
        at += gap * GRANULE
        size = run * GRANULE
        heap[at : at + size] = delta[source : source + size]
        at, source = at + size, source + size
    return bytes(heap)
