# Every habit of the project, one command each. `make run` needs Python 3.11, git and make, nothing else.

SHELL := /bin/bash
.DEFAULT_GOAL := help
BIN := .venv/bin
OUT ?= out
# Where `make evaluate` keeps what was read; CACHE= reads everything again, as measuring time needs.
CACHE ?= build/evaluation
DOCUMENTS ?= 20000
FILES ?= 10000
SEED ?= 1
MINUTES ?= 60
RUNS ?= 1
BASE ?= main
# Where scripts/setup.sh takes torch's build for CPUs from, if set.
export TORCH_INDEX
# Compiled code is kept, that of the tests, too: compiling it takes each process longer than most tests.
unexport PYTHONDONTWRITEBYTECODE
# Tests in one process more than there are cores, because some wait for processes of their own.
SIDE_BY_SIDE := --numprocesses $(shell expr $$(nproc) + 1) --maxprocesses 4 --dist worksteal
# Only these are collected for Ray: importing all the others takes longer than most tests.
RAY_TESTS := $(shell grep -rlE 'mark\.ray\b' tests --include='test_*.py')
CODE := serve_app actors models tests scripts clients $(wildcard benchmarks)

.PHONY: help setup setup-dev run check test test-plain test-ray test-thorough test-mongo lint format bench bench-extract bench-long bench-read bench-models bench-gpu bench-adapters bench-lora bench-ocr bench-store bench-accounts bench-api bench-web bench-mail bench-pipeline bench-scaling bench-telemetry bench-shadow bench-webhooks fuzz faults faults-cluster batches pictures picture-dashboard docs train tune evaluate calibrate lock chart clients sbom release clean

help:  ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

setup:  ## Create .venv and install what the service needs; quick when nothing changed
	@scripts/setup.sh

setup-dev:  ## The same, with the tools of `make lint` and `make test`
	@scripts/setup.sh dev

run: setup  ## Start the service on http://127.0.0.1:8000 and send it a sample
	@$(BIN)/invoices serve --sample samples/invoice.pdf

check: setup-dev  ## Format, lint, types, and the quick tests that this change can break, the nearest first: make check [BASE=main]
	@$(BIN)/ruff format --check --quiet $(CODE)
	@$(BIN)/ruff check --quiet $(CODE)
	@$(BIN)/mypy
	@tests="$$($(BIN)/python -m scripts.changed_tests $(BASE))" || exit; \
		[ -z "$$tests" ] || $(BIN)/pytest -q $(SIDE_BY_SIDE) -m "not slow and not ray" $$tests || [ $$? -eq 5 ]

test: setup-dev  ## All tests in random order, and beside them those of a Ray cluster, which mostly wait for it
	@$(MAKE) --no-print-directory --jobs 2 --keep-going test-plain test-ray

test-plain:
	@$(BIN)/pytest -q $(SIDE_BY_SIDE) -m "not ray"

# What it prints comes at its end, whole.
test-ray:
	@mkdir -p build
	@$(BIN)/pytest -q -m ray $(RAY_TESTS) >build/test-ray.txt 2>&1; code=$$?; cat build/test-ray.txt; exit $$code

test-thorough: export THOROUGH = 1
test-thorough: test  ## The same, where tests try a part of all cases: all of them (40 minutes on 2 cores)

test-mongo: setup-dev  ## The store's tests and a storm of kills over MongoDB's protocol: make test-mongo [DOCUMENTS=60] [SEED=1]
	@$(BIN)/python -m scripts.test_mongo --documents $(if $(filter command line,$(origin DOCUMENTS)),$(DOCUMENTS),60) --seed $(SEED)

lint: setup-dev  ## Format, lint, types, import rules, file lengths, words
	@$(BIN)/ruff format --check $(CODE)
	@$(BIN)/ruff check $(CODE)
	@$(BIN)/mypy --num-workers $$(nproc)
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python scripts/check_file_length.py $(CODE)
	@$(BIN)/python scripts/check_words.py $(CODE)
	@$(BIN)/python scripts/check_word_lists.py serve_app/extraction
	@$(BIN)/python scripts/check_phrases.py serve_app actors models docs README.md CONTRIBUTING.md CHANGELOG.md SECURITY.md
	@$(BIN)/python scripts/check_measured_values.py benchmarks/handwritten/truth $(CODE)

format: setup-dev  ## Rewrite the code in the project's format
	@$(BIN)/ruff check --fix-only --quiet $(CODE)
	@$(BIN)/ruff format $(CODE)

bench-extract: setup-dev  ## Measure reconciling: CPU a page, and a very long document against its time limit
	@$(BIN)/python benchmarks/extract.py

bench-long: setup-dev  ## Measure long scans: several readers, a lost reader, and how long others wait; the dispatcher's CPU
	@$(BIN)/python benchmarks/long_documents.py

bench: setup-dev  ## Measure the running service (start it with `make run` first; KEY=<API key>)
	@$(BIN)/python benchmarks/service.py --key "$(KEY)"
	@$(BIN)/python scripts/memory.py

bench-read: setup-dev  ## Measure reading: pages a second through the reader deployment beside the bare libraries
	@$(BIN)/python benchmarks/read.py

bench-models: setup-dev  ## Measure the models: pages a second through their deployments beside the bare batched loop
	@$(BIN)/python benchmarks/models.py

bench-gpu: setup-dev  ## Measure the models on this machine's GPU: pages a second by precision, memory, both side by side
	@$(BIN)/python -m benchmarks.gpu

bench-adapters: setup-dev  ## Train, calibrate and serve a small model of every kind, and print a table (an hour on one core)
	@$(BIN)/python -m benchmarks.adapters

bench-lora: setup-dev  ## Teach a small vision model a new layout by `invoices models lora`; F1 before and after (an hour of one core)
	@$(BIN)/python -m benchmarks.lora

bench-ocr: setup-dev  ## Compare the OCR engines: make bench-ocr DATA=<folder with docs/ and truth/>
	@$(BIN)/python benchmarks/ocr.py "$(DATA)"

bench-store: setup-dev  ## Measure the SQLite store: eight processes on one file, claims, 500 dispatchers, a million invoices in one account
	@$(BIN)/python -m benchmarks.store

bench-accounts: setup-dev  ## Measure 500 accounts with limits of their own that all send at once, with stand-ins for reader and models
	@$(BIN)/python -m benchmarks.accounts

bench-api: setup-dev  ## Measure the API on real Serve: requests a second beside a trivial handler, memory of held calls (needs wrk)
	@$(BIN)/python -m benchmarks.api

bench-web: setup-dev  ## Measure the web application: server time of its pages at 100,000 invoices beside a trivial handler
	@$(BIN)/python -m benchmarks.web

pictures: setup-dev  ## Draw the pictures of the web application in docs/pictures anew
	@$(BIN)/python -m scripts.screenshots

bench-mail: setup-dev  ## Measure taking mail beside a bare server; damaged mails; kills between any two steps
	@$(BIN)/python -m benchmarks.mail rates
	@$(BIN)/python -m benchmarks.mail fuzz --mails 5000
	@$(BIN)/python -m benchmarks.mail kills --mails 500

bench-pipeline: setup-dev  ## Documents from POST to event against the bare loop on the same cores: pages a second, and seconds under load
	@$(BIN)/python -m benchmarks.pipeline

bench-telemetry: setup-dev  ## Measure metrics and traces: pages a second of the service with and without them, in turns
	@$(BIN)/python -m benchmarks.pipeline.telemetry

bench-shadow: setup-dev  ## Measure a shadow that reads every document: seconds to an answer with and without it, in turns
	@$(BIN)/python -m benchmarks.pipeline.shadow

picture-dashboard: setup-dev  ## Draw the dashboard in docs/pictures anew, from scrapes under load (needs prometheus)
	@$(BIN)/python -m benchmarks.pipeline.telemetry --mix mix --picture

bench-scaling: setup-dev  ## Replicas that follow 1,000 queued documents, with stand-ins that sleep
	@$(BIN)/python -m benchmarks.scaling

bench-webhooks: setup-dev  ## Measure webhooks: deliveries a second beside a bare loop, and with dead endpoints
	@$(BIN)/python -m benchmarks.webhooks

faults: setup-dev  ## Kill and starve the real service, then hold its books: make faults [RUNS=1]
	@$(BIN)/python -m benchmarks.faults --runs $(RUNS)

faults-cluster: setup-dev  ## Kill machines, proxies and the control store of a cluster of three (as root): make faults-cluster [SEED=1]
	@$(BIN)/python -m benchmarks.faults.cluster --seed $(SEED)

fuzz: setup-dev  ## Read thousands of broken and hostile files: make fuzz [FILES=10000] [SEED=1] [MINUTES=60]
	@$(BIN)/python -m benchmarks.fuzz --files $(FILES) --seed $(SEED) --minutes $(MINUTES)

batches: setup-dev  ## Measure splitting on generated batch files of unseen layouts
	@$(BIN)/invoices models batches

docs: setup-dev  ## The documentation as a site with search, in build/site
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet
	@echo build/site/index.html

train:  ## Train both models, or one, or go on where it stopped: make train [MODELS=extractor] [DOCUMENTS=20000] [REAL=<labelled documents>] [FROM=<weights>] [RUNS=<folder>] [FAST=1]
	@scripts/setup.sh train
	@$(BIN)/invoices models train $(MODELS) --documents $(DOCUMENTS) --export build/weights \
		$(if $(FROM),--start "$(FROM)" --rate 0.5 --runs runs/from) $(if $(REAL),--real "$(REAL)" --dropout 0.1) $(if $(FAST),--fast --runs build/fast) $(if $(RUNS),--runs "$(RUNS)")

tune:  ## Fine-tune somebody else's checkpoint: make tune MODEL=<checkpoint> ADAPTER=layout_tokens OUT=<folder> [DOCUMENTS=2000] [REAL=<labelled documents>]
	@scripts/setup.sh train
	@$(BIN)/invoices models tune "$(MODEL)" --adapter "$(ADAPTER)" --out "$(OUT)" \
		--documents $(if $(filter command line,$(origin DOCUMENTS)),$(DOCUMENTS),2000) $(if $(REAL),--real "$(REAL)")

evaluate: setup-dev  ## Measure the models: make evaluate DATA=<folder with docs/ and truth/> [OUT=out] [COMPARE=<an earlier OUT>] [CACHE=]
	@$(BIN)/invoices evaluate "$(DATA)" --out "$(OUT)" $(if $(CACHE),--cache "$(CACHE)") $(if $(COMPARE),--compare "$(COMPARE)")

calibrate: setup-dev  ## Fit rankers and confidence to the models: make calibrate DATA=<folder with docs/ and truth/> [REAL="DIR ..."] [DISPUTED=FILE]
	@[ -z "$(REAL)" ] || $(BIN)/invoices models rank $(REAL:%=--real %) --cache build/evaluation/readings
	@$(BIN)/invoices models calibrate "$(DATA)" $(REAL:%=--real %) $(DISPUTED:%=--disputed %) --page docs/experiments/calibration.md

lock: setup-dev  ## Write the lock files anew from what is installed, with the hashes of the package index
	@$(BIN)/python -m scripts.lock

chart: setup-dev  ## Write again what the Helm chart has from elsewhere: schema and defaults of its values, the Serve configuration, the alarms
	@$(BIN)/python -m scripts.chart

clients: setup-dev  ## Build the packages in clients/ into build/clients, and try them: each Python that is there, Node, Deno, Bun
	@$(BIN)/python -m scripts.clients.trial

sbom: setup-dev  ## Write the bill of materials of what the service runs with into build/sbom.cdx.json (CycloneDX)
	@mkdir -p build
	@$(BIN)/python -m scripts.release.sbom build/sbom.cdx.json

release: setup-dev  ## Build wheel, sdist, bill of materials and sums into dist/, and try the wheel; the images where Docker is
	@$(BIN)/python -m scripts.release

clean:  ## Remove what the tools made; keeps data/ and the models
	@rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .import_linter_cache build ./*.egg-info
