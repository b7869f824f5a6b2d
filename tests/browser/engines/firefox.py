"""An ordinary Firefox, driven by its own Marionette protocol.

Playwright drives only its own build of Firefox; Marionette's commands are WebDriver's, sent as
JSON over a socket.
"""

from __future__ import annotations

import base64
import itertools
import json
import os
import socket
import subprocess
import tempfile
import time
from pathlib import Path

from tests.browser.engines.engine import EngineError
from tests.browser.engines.webdriver import WebDriver

SETTINGS = {"marionette.port": 0, "datareporting.policy.dataSubmissionEnabled": False}
START_S = 60


class Firefox(WebDriver):
    """One headless Firefox."""

    def __init__(self, binary: str):
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        lines = [
            f"user_pref({json.dumps(name)}, {json.dumps(value)});"
            for name, value in SETTINGS.items()
        ]
        Path(self._profile.name, "user.js").write_text("\n".join(lines), "utf-8")
        command = [binary, "--headless", "--marionette", "--no-remote", "--profile"]
        self._process = subprocess.Popen(
            [*command, self._profile.name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "MOZ_HEADLESS": "1", "HOME": self._profile.name},
        )  # fmt: skip
        self._numbers = itertools.count(1)
        try:
            self._socket = socket.create_connection(("127.0.0.1", self._port()))
            self._stream = self._socket.makefile("rb")
            self._read()  # its greeting
            self._ask("NewSession")
            self._begin()
        except BaseException:
            self._end()
            raise

    def _port(self) -> int:
        written = Path(self._profile.name, "MarionetteActivePort")
        end = time.monotonic() + START_S
        while time.monotonic() < end and self._process.poll() is None:
            if written.is_file() and written.read_text():
                return int(written.read_text())
            time.sleep(0.05)
        raise EngineError("Firefox did not open its Marionette port")

    def _read(self):
        length = b""
        while not length.endswith(b":"):
            byte = self._stream.read(1)
            if not byte:
                raise EngineError("Firefox closed the connection")
            length += byte
        return json.loads(self._stream.read(int(length[:-1])))

    def _ask(self, command: str, **parameters):
        packet = json.dumps([0, next(self._numbers), f"WebDriver:{command}", parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(packet), packet))
        _, _, error, result = self._read()
        if error:
            raise EngineError(f"{command}: {error['error']}: {error['message']}")
        return result["value"] if isinstance(result, dict) and "value" in result else result

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self._ask("TakeScreenshot", full=False)))

    def close(self) -> None:
        self._socket.close()
        self._end()

    def _end(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._profile.cleanup()
