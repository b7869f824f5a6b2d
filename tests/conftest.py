"""Order of the run: what needs no browser first.

Playwright's blocking interface keeps an event loop alive in the main thread until the session
ends, and no test behind it could call ``asyncio.run``.
"""

from __future__ import annotations

import pytest

# several modules import their helpers and ask for their fixtures: pytest must know before the first
pytest.register_assert_rewrite("tests.browser.heatmap_fixtures", "tests.browser.practice_page")


@pytest.hookimpl(trylast=True)  # the folder of browser tests has marked its own by then
def pytest_collection_modifyitems(items):
    """Browser tests go last; the order is otherwise kept."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
