# A handful of targets; each does its own set-up.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
# Kernels a second time, with every access to an array checked: compiled anew, so only those that read what strangers write.
CHECKED := tests/bounds tests/unit/extraction/test_segmenter_kernel.py tests/unit/extraction/test_repaired_text.py \
  tests/unit/quality/test_quality_rules.py tests/unit/lexicon tests/unit/dedup/test_word_runs.py
PYTEST := $(BIN)/python -m pytest -q
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Where it is set, each of the thousand processes of the tests compiles all libraries again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-waits test-checked test-slow lint bench browser docs clean

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) install -e .
	$(BIN)/python -m compileall -q src
	touch $@

# Packages for development are compiled as they are imported: most of their modules never are.
$(VENV)/.installed-dev: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(PIP) install --no-compile -e '.[dev]'
	$(BIN)/python -m compileall -q src
	touch $(VENV)/.installed $@

demo: $(VENV)/.installed
	$(BIN)/paberki demo demo-corpus

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check src tests benchmarks
	$(BIN)/ruff format --check src tests benchmarks
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

# Debian's browser, for the tests that look at pages; without it they are skipped.
browser:
	@command -v chromium >/dev/null || test "$$(id -u)" != 0 || ! command -v apt-get >/dev/null \
	  || (apt-get update -qq && apt-get install -qq -y chromium >/dev/null) || true

# One process more than cores, as many tests wait for others, and the long modules (e2e) before the many short ones. Tests in
# a browser have processes of their own, since the library that drives it leaves an event loop behind. Then those that start,
# kill and await processes; what these leave of the machine is for the checked kernels. Last, alone, what is timed.
test:
	$(MAKE) -j2 $(VENV)/.installed-dev browser
	$(BIN)/python -m paberki doctor --warm --quiet & $(MAKE) lint; said=$$?; wait; exit $$said
	$(PYTEST) -n $$(($$(getconf _NPROCESSORS_ONLN) + 1)) --dist loadfile --no-loadscope-reorder -m "not alone and not waits and not slow" --ignore=tests/browser
	$(PYTEST) -n $$(getconf _NPROCESSORS_ONLN) --dist loadfile tests/browser
	$(MAKE) --output-sync=target -j2 test-waits test-checked
	$(PYTEST) -m alone tests/e2e/test_cli_verbs.py tests/unit/crawl/test_hostile.py

test-waits:
	$(PYTEST) -n 2 --dist loadfile -m waits tests/e2e

test-checked:
	NUMBA_BOUNDSCHECK=1 nice -n 10 $(PYTEST) -n 2 --dist loadfile $(CHECKED)

# Tests that take longer than the others, which they mostly confirm on larger corpora.
test-slow: $(VENV)/.installed-dev
	$(PYTEST) -n $$(getconf _NPROCESSORS_ONLN) --dist loadfile -m slow

# The site, in build/site; it fails on a broken link.
docs: $(VENV)/.installed-dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet

bench: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/build.py

clean:
	rm -rf $(VENV) demo-corpus .mypy_cache .ruff_cache .pytest_cache
