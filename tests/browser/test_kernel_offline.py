"""The lesson works with the network off, and two builds never mix."""

from __future__ import annotations

import shutil

import pytest

from tests.browser.conftest import serving
from tests.browser.kernel_page import write_page

KEEP = """async () => {
  const offline = await offerOffline(true);
  const kept = new Promise((resolve) => {
    navigator.serviceWorker.addEventListener('message', ({ data }) => resolve(data.count));
  });
  const { files, recipes } = kernel.runtime;
  offline.keep(recipes.snapshot.map((name) => files[name].url));
  return kept;
}"""
CACHED = """async () => {
  const cache = await caches.open('lesson');
  return (await cache.keys()).map(({ url }) => new URL(url).pathname);
}"""


@pytest.fixture(scope="module")
def kept(lasting_tab, kernel_url):
    """A page that has run Python and is kept for when the network is off; how many files are."""
    kernel, _ = lasting_tab(kernel_url)
    assert kernel.value("1 + 1") == "2"
    return kernel, kernel.page.evaluate(KEEP)


def test_with_the_network_off_the_lesson_runs(kept):
    kernel, files = kept
    assert files > 5
    kernel.page.context.set_offline(True)
    kernel.page.reload()
    assert kernel.page.get_by_text("Prosa que siempre se lee.").is_visible()
    assert kernel.value("import mha, numpy as np; int(np.arange(4).sum())") == "6"


def test_only_hashed_files_and_the_page_itself_are_kept(kept):
    paths = kept[0].page.evaluate(CACHED)
    plain = [p for p in paths if not p.startswith("/runtime/") and "-0000000000" not in p]
    assert plain == ["/"]


def test_a_new_build_runs_at_once_and_the_old_one_is_forgotten(kernel_dir, tmp_path, tab):
    folder = shutil.copytree(kernel_dir, tmp_path / "site")
    with serving(folder) as start:
        kernel, _ = tab(start())
        kernel.value("1")
        kernel.page.evaluate(KEEP)
        write_page(folder, build="b" * 10)
        for old in folder.rglob("*-0000000000.js"):
            old.unlink()
        kernel.page.reload()
        assert kernel.page.evaluate("build") == "b" * 10
        assert kernel.value("2 + 2") == "4"
        kernel.page.evaluate(KEEP)
        assert not [p for p in kernel.page.evaluate(CACHED) if "-0000000000" in p]


def test_one_setting_takes_the_offer_back(tab, kernel_url):
    kernel, _ = tab(kernel_url)
    kernel.page.evaluate(KEEP)
    kernel.page.evaluate("offerOffline(false)")
    assert kernel.page.evaluate("caches.has('lesson')") is False
    assert kernel.page.evaluate(
        "navigator.serviceWorker.getRegistrations().then((all) => all.length)"
    ) == 0  # fmt: skip
