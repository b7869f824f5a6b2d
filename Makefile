# Two commands do everything: `make serve` and `make test`. The rest are parts of them.
PYTHON ?= python3
PY := .venv/bin/python
PORT ?= 8000
export PATH := $(CURDIR)/.venv/bin:$(PATH)
unexport PYTHONDONTWRITEBYTECODE  # pytest keeps the asserts it rewrote: seconds a worker

.PHONY: serve test build test-fast test-torch bench lint setup setup-browsers clean help
.DEFAULT_GOAL := help

help:            ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## */\t/' | expand -t 16

setup:
	@$(PYTHON) scripts/setup.py

setup-browsers:
	@$(PYTHON) scripts/setup.py --browsers

serve: setup     ## set up, build, serve the lesson on http://localhost:8000/ (PORT=… for another)
	@$(PY) build.py build
	@$(PY) build.py serve --port $(PORT)

build: setup     ## set up and write site/
	@$(PY) build.py build

lint: setup      ## ruff on the Python, tsc on the JSDoc types
	@$(PY) -m ruff check .
	@node node_modules/typescript/bin/tsc -p jsconfig.json

test-fast: setup ## lint, Node's tests and the unit tests: no build, no browser
	@$(PY) scripts/run_tests.py --fast

test: setup-browsers ## set up and run every test, in three browser engines
	@$(PY) scripts/run_tests.py

test-torch: setup  ## live parity with real PyTorch (downloads it)
	@$(PYTHON) scripts/setup.py --torch
	@$(PY) -m pytest -m torch

bench: setup-browsers  ## speed and size, as ratios against rivals in the same run
	@$(PY) build.py build
	@$(PY) -m bench

clean:           ## remove what was built (not the caches)
	rm -rf site test-results
