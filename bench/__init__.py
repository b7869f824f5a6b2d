"""What is measured beside its rival in the same run: ``python -m bench``."""

import build  # noqa: F401 - it says where the project's Python lies
