"""Chromium, driven by Playwright as in all the other tests."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, Error

from tests.browser.engines.engine import LOAD_S, SIZE, Engine, EngineError


class Chromium(Engine):
    """A fresh profile in a Chromium that runs already."""

    def __init__(self, browser: Browser):
        width, height = SIZE
        self._context = browser.new_context(viewport={"width": width, "height": height})
        self._page = self._context.new_page()
        self._page.set_default_timeout(LOAD_S * 1000)

    def goto(self, url: str) -> None:
        self._page.goto(url)

    def reload(self) -> None:
        self._page.reload()

    def evaluate(self, body: str, *arguments):
        try:
            return self._page.evaluate(f"async (given) => {{ {body} }}", list(arguments))
        except Error as error:
            raise EngineError(error.message) from error

    def type(self, text: str) -> None:
        self._page.keyboard.type(text)

    def press(self, chord: str) -> None:
        self._page.keyboard.press(chord)

    def screenshot(self, path: Path) -> None:
        try:
            self._page.screenshot(path=path, timeout=10_000)
        except Error as error:
            raise EngineError(error.message) from error

    def close(self) -> None:
        self._context.close()

    def _move(self, x: int, y: int) -> None:
        self._page.mouse.move(x, y)

    def _click(self) -> None:
        self._page.mouse.down()
        self._page.mouse.up()
