"""Inside Pyodide, at build time: whether an interpreter restored from the delta computes."""

import json
import random
import sys
import textwrap

import numpy as np

rng = np.random.default_rng(0)
x = rng.standard_normal((5, 8))
scores = x @ x.T / np.sqrt(8)
weights = np.exp(scores - scores.max(-1, keepdims=True))
weights /= weights.sum(-1, keepdims=True)
assert np.allclose(weights.sum(-1), 1), weights
assert np.allclose(np.fft.ifft(np.fft.fft(x)), x)
assert np.allclose(np.linalg.svd(np.eye(3))[1], 1)
assert json.loads(json.dumps({"a": [1, None]})) == {"a": [1, None]}
assert "arithmetic mean" in np.mean.__doc__
assert "inner product" in np.vdot.__doc__ and "Dot product" in np.dot.__doc__
assert "leading whitespace" in textwrap.dedent.__doc__
assert 0 <= random.random() < 1
assert sys.version_info[:2] == (3, 14)
