"""Order of the run: what needs no browser first.

Playwright's blocking interface keeps an event loop alive in the main thread until the session
ends, and no test behind it could call ``asyncio.run``.
"""

from __future__ import annotations

from pathlib import Path

import pytest

BROWSER = Path(__file__).parent / "browser"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items):
    """Browser tests go last; the order is otherwise kept."""
    items.sort(key=lambda item: Path(item.fspath).is_relative_to(BROWSER))
