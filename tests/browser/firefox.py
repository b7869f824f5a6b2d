"""A Firefox, where the machine has one, driven by its own Marionette protocol.

Playwright drives only its own build of Firefox; this is the few commands that the tests need of an
ordinary one.
"""

from __future__ import annotations

import itertools
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path


def find_firefox() -> str | None:
    """Path of an installed Firefox, or None."""
    return next((path for path in map(shutil.which, ("firefox", "firefox-esr")) if path), None)


class Firefox:
    """One headless Firefox with a fresh profile and one tab."""

    def __init__(self, binary: str):
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        wanted = {"marionette.port": 0, "datareporting.policy.dataSubmissionEnabled": False}
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});"
            for name, value in wanted.items()
        ]
        Path(self._profile.name, "user.js").write_text("\n".join(lines), "utf-8")
        command = [binary, "--headless", "--marionette", "--no-remote", "--profile"]
        self._process = subprocess.Popen(
            [*command, self._profile.name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "MOZ_HEADLESS": "1", "HOME": self._profile.name},
        )  # fmt: skip
        self._numbers = itertools.count(1)
        self._socket = socket.create_connection(("127.0.0.1", self._port()))
        self._stream = self._socket.makefile("rb")
        self._read()  # its greeting
        timeouts = {"script": 180_000, "pageLoad": 60_000}
        self._ask("WebDriver:NewSession", {"timeouts": timeouts})

    def _port(self) -> int:
        written = Path(self._profile.name, "MarionetteActivePort")
        for _ in range(600):
            if written.is_file() and written.read_text():
                return int(written.read_text())
            if self._process.poll() is not None:
                break
            time.sleep(0.1)
        raise RuntimeError("Firefox did not open its Marionette port")

    def _read(self):
        length = b""
        while not length.endswith(b":"):
            byte = self._stream.read(1)
            if not byte:
                raise RuntimeError("Firefox closed the connection")
            length += byte
        return json.loads(self._stream.read(int(length[:-1])))

    def _ask(self, command: str, parameters: dict):
        packet = json.dumps([0, next(self._numbers), command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(packet), packet))
        _, _, error, result = self._read()
        if error:
            raise RuntimeError(f"{command}: {error['error']}: {error['message']}")
        return result

    def goto(self, url: str) -> None:
        self._ask("WebDriver:Navigate", {"url": url})

    def evaluate(self, body: str, *arguments):
        """Run the body of a function in the page; a promise is awaited."""
        script = (
            "const [...given] = arguments; const done = given.pop();"
            f"(async () => {{ {body} }})().then("
            "(value) => done({ value }), (error) => done({ error: String(error) }));"
        )
        parameters = {"script": script, "args": list(arguments), "sandbox": "default"}
        answer = self._ask("WebDriver:ExecuteAsyncScript", parameters)["value"]
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer.get("value")

    def wait(self, condition: str, timeout: float = 90):
        """Wait until an expression is true in the page; return its value."""
        end = time.monotonic() + timeout
        while time.monotonic() < end:
            value = self.evaluate(f"return ({condition});")
            if value:
                return value
            time.sleep(0.1)
        raise AssertionError(f"not within {timeout} s: {condition}")

    def close(self) -> None:
        self._socket.close()
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._profile.cleanup()
