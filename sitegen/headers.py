"""What a host should say beside the files: content security, caching; as headers and as a file.

The same policy stands in every page's meta tag, for hosts that let nobody set headers.
"""

from __future__ import annotations

import re

POLICY = {
    "default-src": "'none'",
    "script-src": "'self' 'wasm-unsafe-eval'",
    "style-src": "'self' 'unsafe-inline'",  # the editor's and the formulas' own styles
    "img-src": "'self' data: blob:",
    "font-src": "'self'",
    "connect-src": "'self'",
    "worker-src": "'self'",
    "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'",
}
META_CSP = "; ".join(f"{name} {value}" for name, value in POLICY.items())
HEADER_CSP = f"{META_CSP}; frame-ancestors 'self'"  # a meta tag may not say this one
SECURITY = {
    "Content-Security-Policy": HEADER_CSP,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
HASHED = re.compile(r"[-.](?:[0-9a-f]{10,}|[A-Z0-9]{8})[./]")  # in a file's or a folder's name
IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "no-cache"
HASHED_FOLDERS = ("runtime", "assets")


def cache_control(path: str) -> str:
    """Hashed names for ever, everything else revalidated."""
    return IMMUTABLE if HASHED.search(path) else REVALIDATE


def headers_file() -> str:
    """The ``_headers`` file that Netlify and Cloudflare Pages read."""
    lines = ["/*", *(f"  {name}: {value}" for name, value in SECURITY.items())]
    for folder in HASHED_FOLDERS:
        lines += [f"/{folder}/*", f"  Cache-Control: {IMMUTABLE}"]
    return "\n".join(lines) + "\n"
