"""Order of the run, and which worker takes what, where there are several (``pytest -n``).

What needs no browser comes first: Playwright's blocking interface keeps an event loop alive in the
main thread until the session ends, and no test behind it could call ``asyncio.run``. Then the long
files, so that no worker is left with one at the end. A file's tests stay together, on one worker,
since they share pages; ``xdist_group`` says otherwise.
"""

from __future__ import annotations

import pytest

# several modules import their helpers and ask for their fixtures: pytest must know before the first
pytest.register_assert_rewrite("tests.browser.heatmap_fixtures", "tests.browser.practice_page")


@pytest.hookimpl(trylast=True)  # the folder of browser tests has marked its own by then
def pytest_collection_modifyitems(items):
    """Sort as the module says; the order is otherwise kept."""

    def turn(item) -> tuple[bool, bool]:
        return item.get_closest_marker("browser") is not None, not item.get_closest_marker("long")

    items.sort(key=turn)
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.path.name))
