"""Serve the built site on localhost, as a plain static host would."""

from __future__ import annotations

import contextlib
import os
import sys
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from sitegen.headers import SECURITY, cache_control

ENCODINGS = {"br": ".br", "gzip": ".gz"}  # best first


class Handler(SimpleHTTPRequestHandler):
    """Static files with right types, security headers, caching, compressed siblings; quiet."""

    protocol_version = "HTTP/1.1"
    extensions_map = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".js": "text/javascript",
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
        ".json": "application/json",
        ".woff2": "font/woff2",
        ".svg": "image/svg+xml",
        ".ipynb": "application/x-ipynb+json",
    }

    encoding: str | None = None  # of the sibling that is sent instead of the file

    def translate_path(self, path):
        """Where the file is: its compressed sibling, if there is one and the browser takes it."""
        file = super().translate_path(path)
        accepted = self.headers.get("Accept-Encoding", "")
        self.encoding = next(
            (e for e, s in ENCODINGS.items() if e in accepted and os.path.isfile(file + s)), None
        )
        return file + ENCODINGS[self.encoding] if self.encoding else file

    def guess_type(self, path):
        """The type of the file itself, not of the packing."""
        suffix = ENCODINGS.get(self.encoding or "", "")
        return super().guess_type(str(path).removesuffix(suffix))

    def end_headers(self):
        """Add what a good host says of every file."""
        if self.encoding:
            self.send_header("Content-Encoding", self.encoding)
            self.send_header("Vary", "Accept-Encoding")
        for name, value in SECURITY.items():
            self.send_header(name, value)
        self.send_header("Cache-Control", cache_control(self.path.split("?")[0]))
        super().end_headers()

    def log_message(self, format, *args):
        """Say nothing; the address line is all that the reader needs."""


class Server(ThreadingHTTPServer):
    """Threads that end with the process; a browser that hangs up is no error."""

    daemon_threads = True

    def handle_error(self, request, client_address):
        """Report what is not a closed connection."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def make_server(site: Path, port: int, handler: type[Handler] = Handler) -> ThreadingHTTPServer:
    """Bind a server for ``site`` on 127.0.0.1.

    Parameters
    ----------
    site : Path
        The built site.
    port : int
        0 takes any free one; see ``server_address[1]``.
    handler : type, optional
        For tests: a host with other rules.

    Returns
    -------
    ThreadingHTTPServer
        Not yet serving.

    Raises
    ------
    SystemExit
        The site is not built, or the port is taken.
    """
    if not (site / "index.html").is_file():
        raise SystemExit(f"serve: {site}/index.html is missing; run `make build` first")
    try:
        return Server(("127.0.0.1", port), partial(handler, directory=str(site)))
    except OSError as error:
        raise SystemExit(f"serve: port {port}: {error.strerror}; choose another: PORT=…") from None


def serve(site: Path, port: int) -> None:
    """Serve ``site`` until interrupted; print the address first."""
    server = make_server(site, port)
    print(f"http://localhost:{server.server_address[1]}/", flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        server.serve_forever()
