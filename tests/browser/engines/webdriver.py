"""WebDriver's commands, which Firefox's own protocol has too; how they travel is the engine's."""

from __future__ import annotations

from abc import abstractmethod

from tests.browser.engines.engine import LOAD_S, SCRIPT_S, SIZE, Engine, EngineError

KEYS = {
    "Tab": "\ue004",
    "Enter": "\ue007",
    "\n": "\ue007",
    "Shift": "\ue008",
    "Control": "\ue009",
    "Alt": "\ue00a",
    "Escape": "\ue00c",
    "End": "\ue010",
    "Home": "\ue011",
    "ArrowLeft": "\ue012",
    "ArrowUp": "\ue013",
    "ArrowRight": "\ue014",
    "ArrowDown": "\ue015",
}
AWAITED = """const [...given] = arguments; const done = given.pop();
(async () => { %s })().then(
  (value) => done({ value }), (error) => done({ error: String(error) }));"""


class WebDriver(Engine):
    """An engine that takes WebDriver's commands."""

    @abstractmethod
    def _ask(self, command: str, **parameters):
        """Send a command; return what is answered."""

    def _begin(self) -> None:
        """Set a new session up."""
        self._ask("SetTimeouts", script=SCRIPT_S * 1000, pageLoad=LOAD_S * 1000)
        width, height = SIZE
        self._ask("SetWindowRect", x=0, y=0, width=width, height=height)

    def goto(self, url: str) -> None:
        self._ask("Navigate", url=url)

    def reload(self) -> None:
        self._ask("Refresh")

    def evaluate(self, body: str, *arguments):
        answer = self._ask("ExecuteAsyncScript", script=AWAITED % body, args=list(arguments))
        if "error" in answer:
            raise EngineError(answer["error"])
        return answer.get("value")

    def type(self, text: str) -> None:
        keys = [KEYS.get(letter, letter) for letter in text]
        self._keys([step for key in keys for step in (("keyDown", key), ("keyUp", key))])

    def press(self, chord: str) -> None:
        keys = [KEYS.get(name, name) for name in chord.split("+")]
        self._keys([("keyDown", key) for key in keys] + [("keyUp", key) for key in keys[::-1]])

    def _keys(self, steps: list[tuple[str, str]]) -> None:
        actions = [{"type": kind, "value": key} for kind, key in steps]
        self._act({"type": "key", "id": "keyboard", "actions": actions})

    def _move(self, x: int, y: int) -> None:
        self._point({"type": "pointerMove", "x": x, "y": y, "duration": 0, "origin": "viewport"})

    def _click(self) -> None:
        self._point({"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})

    def _point(self, *actions: dict) -> None:
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}}
        self._act({**mouse, "actions": actions})

    def _act(self, source: dict) -> None:
        self._ask("PerformActions", actions=[source])
