"""WebKitGTK's little browser on a screen of its own, driven by W3C WebDriver over HTTP.

WebKitGTK is not Safari; its JavaScript engine, WebAssembly and workers are Safari's.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import struct
import subprocess
import tempfile
import time
import zlib
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from tests.browser.engines.engine import LOAD_S, SCRIPT_S, SIZE, EngineError
from tests.browser.engines.webdriver import WebDriver

PATHS = {  # of WebDriver's commands, below the session's address
    "SetTimeouts": "timeouts",
    "SetWindowRect": "window/rect",
    "Navigate": "url",
    "Refresh": "refresh",
    "ExecuteAsyncScript": "execute/async",
    "PerformActions": "actions",
}
START_S = 60
QUIET = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}


class WebKit(WebDriver):
    """One MiniBrowser, its driver, and the screen that it draws on."""

    def __init__(self, driver: str, browser: str, xvfb: str):
        self._home = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._processes: list[subprocess.Popen] = []
        self._session = ""
        try:
            self._port = self._start_driver(driver, self._start_screen(xvfb))
            options = {"binary": browser, "args": ["--automation"]}
            wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
            made = self._send("POST", "/session", {"capabilities": wanted})
            self._session = f"/session/{made['sessionId']}"
            self._begin()
        except BaseException:
            self.close()
            raise

    def _start_screen(self, xvfb: str) -> str:
        """Start Xvfb on a display that it finds free itself; return the display's name."""
        reads, writes = os.pipe()
        width, height = SIZE
        command = [xvfb, "-displayfd", str(writes), "-screen", "0", f"{width}x{height}x24"]
        command += ["-nolisten", "tcp", "-fbdir", self._home.name]  # what it shows, in a file
        self._processes.append(subprocess.Popen(command, pass_fds=[writes], **QUIET))
        os.close(writes)
        with os.fdopen(reads) as said:
            number = said.readline().strip()
        if not number:
            raise EngineError("Xvfb did not open a display")
        return f":{number}"

    def _start_driver(self, driver: str, display: str) -> int:
        """Start the driver in a home of its own; return its port."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        own = {"DISPLAY": display, "HOME": self._home.name, "XDG_RUNTIME_DIR": self._home.name}
        drawing = {"LIBGL_ALWAYS_SOFTWARE": "1", "WEBKIT_DISABLE_COMPOSITING_MODE": "1"}
        env = {**os.environ, **own, **drawing}
        env.pop("WAYLAND_DISPLAY", None)
        process = subprocess.Popen([driver, f"--port={port}"], env=env, **QUIET)
        self._processes.append(process)
        end = time.monotonic() + START_S
        while time.monotonic() < end and process.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return port
            except ConnectionRefusedError:
                time.sleep(0.05)
        raise EngineError("WebKitWebDriver did not open its port")

    def _send(self, method: str, path: str, parameters: dict | None = None):
        line = HTTPConnection("127.0.0.1", self._port, timeout=SCRIPT_S + LOAD_S)
        try:
            body = None if parameters is None else json.dumps(parameters)
            line.request(method, path, body, {"Content-Type": "application/json"})
            response = line.getresponse()
            answer = json.loads(response.read())["value"]
        except (OSError, HTTPException) as error:
            raise EngineError(f"{path}: {error!r}") from error
        finally:
            line.close()
        if response.status >= 400:
            raise EngineError(f"{path}: {answer['error']}: {answer['message']}")
        return answer

    def _ask(self, command: str, **parameters):
        return self._send("POST", f"{self._session}/{PATHS[command]}", parameters)

    def screenshot(self, path: Path) -> None:
        """The screen as Xvfb keeps it: the driver's own way hung at this width."""
        path.write_bytes(png(Path(self._home.name, "Xvfb_screen0").read_bytes()))

    def close(self) -> None:
        if self._session:
            with contextlib.suppress(EngineError):
                self._send("DELETE", self._session)  # ends the browser
        for process in reversed(self._processes):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self._home.cleanup()


def png(dump: bytes) -> bytes:
    """An X window dump of 32 bits a pixel, blue first, as a PNG file."""
    head, _, _, _, width, height, *rest = struct.unpack(">25I", dump[:100])
    line, colours = rest[6], rest[13]
    start = head + 12 * colours
    rows = []
    for y in range(height):
        row = dump[start + y * line :][: 4 * width]
        rgb = bytearray(3 * width)
        rgb[0::3], rgb[1::3], rgb[2::3] = row[2::4], row[1::4], row[0::4]
        rows.append(b"\0" + rgb)
    form = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", form), (b"IDAT", zlib.compress(b"".join(rows), 1)), (b"IEND", b"")]
    packed = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(packed)
