"""What a test can ask of a browser, whichever it is."""

from __future__ import annotations

import contextlib
import json
import time
from abc import ABC, abstractmethod
from pathlib import Path

SIZE = 1280, 900  # of the window
SCRIPT_S, LOAD_S = 120, 60  # a machine under load is no fault of the page

REACHED = """
const node = document.querySelector(given[0]);
if (!node) throw new Error(`nothing here is ${given[0]}`);
let seen = '';
for (let tries = 0; tries < 2000; tries += 1) {
  // again and again: a reload may put the page back where it was after it has loaded
  node.scrollIntoView({ block: 'center', behavior: 'instant' });
  const { left, top, width, height } = node.getBoundingClientRect();
  const place = [Math.round(left + width / 2), Math.round(top + height / 2)];
  if (seen === String(place) && node.contains(document.elementFromPoint(...place))) return place;
  seen = String(place);
  await new Promise((resolve) => setTimeout(resolve, 25));
}
throw new Error(`${given[0]} moves, or something covers it`);
"""


TOLD = """const states = [...document.querySelectorAll('[data-state]')];
return [states.map(({ id, className, dataset }) => ({ id, class: className, ...dataset })),
  document.body.innerText];"""


class EngineError(Exception):
    """The browser or the page could not do what it was asked."""


class Engine(ABC):
    """One browser with a fresh profile and one tab."""

    @abstractmethod
    def goto(self, url: str) -> None:
        """Open an address; return when it has loaded."""

    @abstractmethod
    def reload(self) -> None:
        """Load the page again."""

    @abstractmethod
    def evaluate(self, body: str, *arguments):
        """Run the body of an async function in the page; its arguments are the array ``given``."""

    @abstractmethod
    def type(self, text: str) -> None:
        """Type on the keyboard into what has the focus."""

    @abstractmethod
    def press(self, chord: str) -> None:
        """Press a key by its DOM name, perhaps with others held: ``Control+End``."""

    @abstractmethod
    def screenshot(self, path: Path) -> None:
        """Save what is seen as a PNG file."""

    @abstractmethod
    def close(self) -> None:
        """End the browser and all that was started for it."""

    @abstractmethod
    def _move(self, x: int, y: int) -> None:
        """Move the pointer to a place in the viewport."""

    @abstractmethod
    def _click(self) -> None:
        """Press and let go of the button where the pointer is."""

    def hover(self, selector: str) -> None:
        """Scroll to an element and move the real pointer to its middle."""
        self._move(*self.evaluate(REACHED, selector))

    def click(self, selector: str) -> None:
        """Scroll to an element and click on its middle with the real pointer."""
        self.hover(selector)
        self._click()

    def wait(self, condition: str, timeout: float = 90) -> None:
        """Wait until an expression (it may await) is true in the page."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            if self.evaluate(f"return Boolean({condition});"):
                return
            time.sleep(0.1)
        raise EngineError(f"not within {timeout} s: {condition}")

    def keep_evidence(self, folder: Path) -> None:
        """Write down what is seen, what the page's parts say of themselves, and its text."""
        with contextlib.suppress(EngineError):  # the failure itself is the news
            self.screenshot(folder / "page.png")
            states, text = self.evaluate(TOLD)
            lines = [json.dumps(state, ensure_ascii=False) for state in states]
            (folder / "page.txt").write_text("\n".join([*lines, "", text]), "utf-8")
