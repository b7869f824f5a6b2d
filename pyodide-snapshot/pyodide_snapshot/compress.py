"""Compressed siblings (`.gz`, `.br`) of the site's files, made once and kept in the cache."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import brotli
import deflate

from pyodide_snapshot.fetch import cache_dir, sha256, write_whole

LARGE_WINDOW = 24  # log2 of brotli's window: 16 MB, the most that every browser takes


def compressed(data: bytes, quality: int = 11, cache: Path | None = None) -> tuple[bytes, bytes]:
    """Return ``data`` as (gzip, brotli), as dense as they get; from the cache where it has them."""
    folder = (cache or cache_dir()) / "compressed"
    digest = sha256(data)
    packers = {
        "gz": lambda: bytes(deflate.gzip_compress(data, 12)),
        "br": lambda: brotli.compress(data, quality=quality, lgwin=LARGE_WINDOW),
    }
    level = {"gz": "l12", "br": quality}
    results = []
    for suffix, pack in packers.items():
        path = folder / f"{digest}-{level[suffix]}.{suffix}"
        if not path.is_file():
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(path, pack())
        results.append(path.read_bytes())
    return results[0], results[1]


def write_siblings(
    paths: list[Path], quick: list[Path] = (), cache: Path | None = None
) -> dict[Path, tuple[int, int]]:
    """Write ``name.gz`` and ``name.br`` beside each file, in parallel.

    Parameters
    ----------
    paths : list of Path
        The files.
    quick : list of Path, optional
        Those of them that hardly anybody downloads: brotli 9 instead of 11, in a tenth of the time.
    cache : Path, optional
        Where they are kept; see `fetch.cache_dir`.

    Returns
    -------
    dict
        ``{path: (gzip bytes, brotli bytes)}``.
    """

    def write(path: Path) -> tuple[Path, tuple[int, int]]:
        packed, dense = compressed(path.read_bytes(), 9 if path in quick else 11, cache)
        path.with_name(f"{path.name}.gz").write_bytes(packed)
        path.with_name(f"{path.name}.br").write_bytes(dense)
        return path, (len(packed), len(dense))

    with ThreadPoolExecutor() as pool:  # both packers release the interpreter's lock
        return dict(pool.map(write, sorted(paths, key=lambda p: -p.stat().st_size)))
