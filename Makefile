# Every habit of the project, one command each. `make run` needs Python 3.11, git and make, nothing else.

SHELL := /bin/bash
.DEFAULT_GOAL := help
BIN := .venv/bin
CODE := serve_app actors models tests scripts $(wildcard benchmarks)

.PHONY: help setup setup-dev run test lint format bench train evaluate lock clean

help:  ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup:  ## Create .venv and install what the service needs; quick when nothing changed
	@scripts/setup.sh

setup-dev:  ## The same, with the tools of `make lint` and `make test`
	@scripts/setup.sh dev

run: setup  ## Start the service on http://127.0.0.1:8000
	@$(BIN)/invoices serve

test: setup-dev  ## All tests, the quick ones first
	@$(BIN)/pytest -q -m "not slow and not ray"
	@$(BIN)/pytest -q -m "slow or ray"

lint: setup-dev  ## Format, lint, types, import rules, file lengths
	@$(BIN)/ruff format --check $(CODE)
	@$(BIN)/ruff check $(CODE)
	@$(BIN)/mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python scripts/check_file_length.py $(CODE)

format: setup-dev  ## Rewrite the code in the project's format
	@$(BIN)/ruff check --fix-only --quiet $(CODE)
	@$(BIN)/ruff format $(CODE)

bench: setup-dev  ## Measure the running service (start it with `make run` first; KEY=<API key>)
	@$(BIN)/python benchmarks/service.py --key "$(KEY)"
	@$(BIN)/python scripts/memory.py

train:  ## Train the models anew; continues where it stopped
	@scripts/setup.sh train
	@$(BIN)/python -m models.training

evaluate: setup  ## Measure the models: make evaluate DIR=<documents> OUT=<report folder>
	@$(BIN)/invoices evaluate "$(DIR)" --out "$(OUT)"

lock: setup-dev  ## Write the lock files anew from what is installed
	@$(BIN)/python scripts/lock.py

clean:  ## Remove what the tools made; keeps data/ and the models
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache build ./*.egg-info
