# Two commands do everything: `make serve` and `make test`. The rest are parts of them.
PYTHON ?= python3
PY := .venv/bin/python
PORT ?= 8000
export PATH := $(CURDIR)/.venv/bin:$(PATH)
unexport PYTHONDONTWRITEBYTECODE  # pytest keeps the asserts it rewrote: seconds a worker

.PHONY: serve test build test-fast test-browser test-torch bench lint setup setup-browser clean help
.DEFAULT_GOAL := help

help:            ## this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## */\t/' | expand -t 16

setup:
	@$(PYTHON) scripts/setup.py

setup-browser:
	@$(PYTHON) scripts/setup.py --browser

serve: setup     ## set up, build, serve the lesson on http://localhost:8000/ (PORT=… for another)
	@$(PY) build.py build
	@$(PY) build.py serve --port $(PORT)

build: setup     ## set up and write site/
	@$(PY) build.py build

lint: setup      ## ruff on the Python, tsc on the JSDoc types
	@$(PY) -m ruff check .
	@node node_modules/typescript/bin/tsc -p jsconfig.json

FAST := $(PY) -m pytest -q -m "not browser and not torch"
ATTENTION := $(wildcard tests/test_mha*.py) tests/test_exercises.py tests/test_training.py

test-fast: lint  ## lint and unit tests, no browser: two halves side by side
	@$(FAST) $(ATTENTION) & first=$$!; \
	$(FAST) $(filter-out $(ATTENTION),$(wildcard tests/test_*.py)); second=$$?; \
	wait $$first && exit $$second

test: setup-browser test-fast test-browser  ## set up and run every test: lint, unit, build, browser

test-browser: setup-browser
	@$(PY) build.py build
	@$(PY) -m pytest -m browser

test-torch: setup  ## live parity with real PyTorch (downloads it)
	@$(PYTHON) scripts/setup.py --torch
	@$(PY) -m pytest -m torch

bench: setup-browser  ## speed and size, as ratios against rivals in the same run
	@$(PY) build.py build
	@$(PY) -m bench

clean:           ## remove what was built (not the caches)
	rm -rf site test-results
