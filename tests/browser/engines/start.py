"""Start an engine by its name, or say what is missing."""

from __future__ import annotations

import os

import pytest

from scripts.setup import find_firefox, find_webkit
from tests.browser.engines.chromium import Chromium
from tests.browser.engines.engine import Engine
from tests.browser.engines.firefox import Firefox
from tests.browser.engines.webkit import WebKit

NAMES = "chromium", "firefox", "webkit"


def start(name: str, request: pytest.FixtureRequest) -> Engine:
    """A fresh engine; the caller closes it."""
    if name == "chromium":
        return Chromium(request.getfixturevalue("browser"))
    if name == "firefox":
        return Firefox(find_firefox() or missing("Firefox", "firefox-esr"))
    return WebKit(*(find_webkit() or missing("WebKitGTK", "webkit2gtk-driver xvfb")))


def missing(name: str, packages: str):
    """Skip where a reader lacks an engine; fail where the set-up should have brought it."""
    words = f"no {name} on this machine: apt-get install {packages}"
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if root or os.environ.get("CI"):
        pytest.fail(words)
    pytest.skip(words)
