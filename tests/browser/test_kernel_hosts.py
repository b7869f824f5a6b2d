"""The built site, copied elsewhere, works from the plainest host there is."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import threading

import pytest
from playwright.sync_api import expect

from sitegen.serve import Handler
from tests.browser.conftest import LESSON, start_server
from tests.browser.lesson_page import BOOT, run, settled


@pytest.fixture
def plain_url(site_dir, tmp_path):
    """Address of a copy of the site, two folders down, by ``python -m http.server``."""
    shutil.copytree(site_dir, tmp_path / "usb" / "mi curso" / "site")
    command = [sys.executable, "-u", "-m", "http.server", "0", "--bind", "127.0.0.1"]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen(command, cwd=tmp_path / "usb", **pipes) as server:
        port = re.search(r"port (\d+)", server.stdout.readline())[1]
        yield f"http://127.0.0.1:{port}/mi%20curso/site/{LESSON}"
        server.terminate()


def test_a_copy_on_a_usb_stick_works_from_a_sub_path_and_offers_the_notebook(
    page, page_log, plain_url
):
    page_log.origin = plain_url.split("/mi%20curso/")[0]
    page.goto(plain_url)
    settled(run(page, 1))
    link = page.get_by_role("link", name=re.compile("Cuaderno de Jupyter"))
    answer = page.request.get(link.evaluate("node => node.href"))
    assert answer.json()["nbformat"] == 4


def test_a_line_that_goes_quiet_says_what_is_missing(page, page_log, site_dir):
    more = threading.Event()

    class Slow(Handler):
        def copyfile(self, source, outputfile):
            if "/snapshot-" in self.path:
                outputfile.write(source.read(100_000))
                outputfile.flush()
                more.wait(BOOT / 1000)
            super().copyfile(source, outputfile)

    url, server = start_server(site_dir, Slow)
    page_log.origin = url
    page.goto(f"{url}/{LESSON}")
    region = run(page, 1)
    expect(page.locator(".kernel-text")).to_contain_text("falta snapshot.bin")
    more.set()
    settled(region)
    expect(page.locator(".kernel-text")).to_have_text("Python listo.")
    server.shutdown()
    server.server_close()
