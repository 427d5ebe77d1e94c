# Every target creates its environment. It needs Python 3.11 or newer, make, git and a package index.

VENV := .venv
RIVALS := .venv-rivals
CLIENTS := .venv-clients
PACKAGE := .venv-package
LOWEST := .venv-lowest
PAGES := .venv-pages
ENGINES := .venv-engines
TEMPLATES := .venv-templates
COMPILED := .venv-compiled
WHEELS := .wheels
BIN := $(VENV)/bin
TRAFFIC ?= ../shared/traffic
NODE := tests/schemas/interop
INTEROP := $(NODE)/node_modules/.package-lock.json
ARGS ?=
# What needs no other environment, and no recorded traffic.
HERE := not traffic and not rivals and not clients and not engines and not browser and not templates
TESTS := $(BIN)/python -m pytest -n auto --dist=worksteal
# What type checkers say of the package and its documentation; they run nothing of it.
TYPING := tests/house/test_typing.py

# Pyright runs on the node that its extra installs, and does not look for a newer version of itself.
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

# The tests start hundreds of processes, which would each compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo test lowest laws scale attack mutants lint types contracts coverage docs browser engines templates interop clients schemas package keys traffic refusals alarms confusion rivals bench compiled fidelity growth format clean

help:
	@echo "make demo       the examples: conversions, an agent that changes its provider, fine-tuning data from logs"
	@echo "make test       the tests; ARGS='-k name' goes to pytest"
	@echo "make lowest     the tests, with the lowest versions of everything that pyproject.toml declares"
	@echo "make laws       the laws under the deep profile of Hypothesis"
	@echo "make scale      the large proofs in full, of which make test and make laws run a twentieth"
	@echo "make attack     300,000 attacks on all public functions"
	@echo "make mutants    plant faults in a copy of the package, and report which the tests find"
	@echo "make lint       ruff: check the code and its formatting"
	@echo "make types      mypy --strict and pyright strict, and the tests of what they say"
	@echo "make contracts  check which module may import which"
	@echo "make coverage   the tests, with branch coverage"
	@echo "make docs       build the documentation site in site/, and check its links"
	@echo "make browser    the pages in Chromium: hostile content, the keyboard, and what axe finds"
	@echo "make engines    the same rows from Ray, Spark, datasets and the command, with processes killed; and their pages"
	@echo "make templates  render the chat templates of TRL and vLLM, compare with transformers, and write their table"
	@echo "make interop    compile a TypeScript program against schemas/typescript and run it"
	@echo "make clients    run generators of clients over the schemas, and compile what they write"
	@echo "make schemas    write schemas/ and docs/"
	@echo "make package    build the wheel and the source distribution into dist/, and check them"
	@echo "make keys       write the generated stubs for type checkers, and the list of what is public"
	@echo "make traffic    the laws over recorded traffic in TRAFFIC=$(TRAFFIC)"
	@echo "make refusals   the rule, tests or reason of each refusal in the tables beside TRAFFIC"
	@echo "make alarms     what check finds in requests of TRAFFIC that their provider accepted, by rule"
	@echo "make confusion  what detect takes recorded requests and responses of TRAFFIC for, whole and in part"
	@echo "make rivals     the tests that need litellm, in a separate environment"
	@echo "make bench      speed, compared with other libraries"
	@echo "make compiled   build the compiled wheel, install it with the lowest versions, and run the tests with it"
	@echo "make fidelity   what becomes of hard conversations here and in other libraries"
	@echo "make growth     how the time of every call grows with its input"
	@echo "make format     let ruff fix what it can"
	@echo "make clean      remove the environments and caches"

demo: $(VENV)/.package
	$(BIN)/python examples/demo.py
	$(BIN)/python examples/three_providers.py
	$(BIN)/python examples/fine_tuning.py

test: $(VENV)/.dev $(INTEROP)
	$(TESTS) -m "$(HERE) and not deep" --ignore=$(TYPING) $(ARGS)

# Benchmarks give the same results there.
lowest: $(LOWEST)/.lowest $(INTEROP)
	$(LOWEST)/bin/python -m pytest -n auto --dist=worksteal -p no:benchmark -m "$(HERE) and not deep and not pythons" \
		--ignore=$(TYPING) $(ARGS)

laws: $(VENV)/.dev $(INTEROP)
	$(TESTS) -m "(hypothesis or deep) and $(HERE)" --hypothesis-profile=deep $(ARGS)

scale: $(VENV)/.dev $(INTEROP)
	$(TESTS) -m scale --scale 20 $(ARGS)
	$(MAKE) engines ARGS="--scale 20 $(ARGS)"

attack: $(VENV)/.dev
	$(TESTS) --attack 300000 $(ARGS) tests/laws/test_attack.py

mutants: $(VENV)/.dev $(INTEROP)
	$(BIN)/python tools/mutants.py $(ARGS)

lint: $(VENV)/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(VENV)/.dev
	$(BIN)/mypy
	$(BIN)/pyright
	$(TESTS) $(TYPING)

contracts: $(VENV)/.dev
	$(BIN)/lint-imports

coverage: $(VENV)/.dev $(INTEROP)
	$(TESTS) -m "$(HERE) and not deep" --ignore=$(TYPING) --cov --cov-report=term $(ARGS)

# Twice: the successor of what builds the site has to build it too. Its warning about that is not needed.
docs: $(VENV)/.package $(PAGES)/.pages
	$(PAGES)/bin/zensical build --clean --strict
	$(BIN)/python tools/links.py site
	NO_MKDOCS_2_WARNING=1 $(PAGES)/bin/mkdocs build --quiet
	$(BIN)/python tools/links.py site
	$(BIN)/python tools/blocks.py
	$(BIN)/python tools/newcomer.py

browser: $(VENV)/.package $(PAGES)/.pages
	$(PAGES)/bin/python -m pytest -m browser $(ARGS) $$(grep -rl --include='test_*.py' 'mark\.browser' tests)

RECORDED = $(if $(wildcard $(TRAFFIC)),"--traffic=$(TRAFFIC)")
# Their table is written before the tests, with the arguments in TABLE: `make templates TABLE=--check` compares it only.
templates: $(TEMPLATES)/.templates
	$(TEMPLATES)/bin/python tools/template_table.py $(TABLE)
	$(TEMPLATES)/bin/python -m pytest -m templates -n 2 $(RECORDED) $(ARGS) $$(grep -rl --include='test_*.py' 'mark\.templates' tests)

# One after the other: each starts its own processes. Ray would report that it is used, print the logs of its workers among
# what a page prints, starve its workers where other processes are busy, and listen at the address of the network.
RAY := RAY_USAGE_STATS_ENABLED=0 RAY_LOG_TO_DRIVER=0 RAY_worker_niceness=0 RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER=0
engines: $(ENGINES)/.engines
	$(RAY) $(ENGINES)/bin/python -m pytest -m engines $(ARGS) $$(grep -rl --include='test_*.py' 'mark\.engines' tests)

interop: $(VENV)/.dev $(INTEROP)
	@if ! command -v npm > /dev/null; then echo "Node and npm are not installed." >&2; exit 1; fi
	$(BIN)/python -m pytest $(ARGS) tests/schemas/test_interop.py

clients: $(VENV)/.dev $(CLIENTS)/.clients $(INTEROP)
	$(TESTS) -m clients $(ARGS) tests/clients/test_clients.py

package: $(PACKAGE)/.packaging
	@if $(MAKE) --no-print-directory $(WHEELS)/.compiled; then $(PACKAGE)/bin/python tools/package.py --compiled $(WHEELS); \
	else echo "The compiled wheel could not be built: checking without it."; $(PACKAGE)/bin/python tools/package.py; fi

keys: $(VENV)/.dev
	$(BIN)/python tools/keys.py
	$(BIN)/python tools/signatures.py
	$(BIN)/python tools/body_names.py
	$(BIN)/python tools/public.py

schemas: $(VENV)/.dev
	$(BIN)/interlingua schema
	$(BIN)/python tools/tables.py
	$(BIN)/python tools/matrix.py
	$(BIN)/python tools/rules.py
	$(BIN)/python tools/columns.py
	$(BIN)/python tools/delays.py
	$(BIN)/python tools/reference.py
	$(BIN)/python tools/outcomes.py

traffic: $(VENV)/.dev
	$(TESTS) -m "traffic and not templates" "--traffic=$(TRAFFIC)" $(ARGS) $$(grep -rl --include='test_*.py' 'mark\.traffic' tests)

refusals: $(VENV)/.dev
	@cd tests && ../$(BIN)/python -m checking.refusals "$(abspath $(dir $(TRAFFIC)))"

alarms: $(VENV)/.dev
	@cd tests && ../$(BIN)/python -m checking.refusals.alarms "$(abspath $(TRAFFIC))"

confusion: $(VENV)/.dev
	@cd tests && ../$(BIN)/python -m conversion.confusion "$(abspath $(TRAFFIC))"

# Only the files with such tests: others import packages that this environment does not have. What the other libraries leave
# open after the last test, in threads of their own, is no fault of a test.
rivals: $(RIVALS)/.rivals
	$(RIVALS)/bin/python -m pytest -m rivals -W default::pytest.PytestUnraisableExceptionWarning $(ARGS) $$(grep -rl --include='test_*.py' 'mark\.rivals' tests)

# Where the other libraries cannot be installed, this one is measured alone; without a C compiler, in pure Python alone.
bench: $(VENV)/.package
	@$(MAKE) --no-print-directory $(WHEELS)/.compiled || echo "The compiled wheel could not be built: measuring without it."
	@if $(MAKE) --no-print-directory $(RIVALS)/.rivals; then $(RIVALS)/bin/python benchmarks/run.py $(ARGS); \
	else echo "The other libraries could not be installed: measuring without them."; $(BIN)/python benchmarks/run.py $(ARGS); fi

# The wheel is installed as a user installs it, with the lowest versions of everything, so that one run tests both.
compiled: $(COMPILED)/.compiled $(INTEROP)
	$(COMPILED)/bin/python -m pytest -n auto --dist=worksteal -p no:benchmark -m "$(HERE) and not deep and not pythons" \
		--ignore=$(TYPING) $(ARGS)

fidelity: $(RIVALS)/.rivals
	$(RIVALS)/bin/python benchmarks/fidelity.py $(ARGS)

# Memory that is freed is kept: else large texts are measured with the pages that the system hands out.
growth: $(VENV)/.package
	MALLOC_MMAP_THRESHOLD_=4294967296 MALLOC_TRIM_THRESHOLD_=4294967296 $(BIN)/python benchmarks/growth.py $(ARGS)

format: $(VENV)/.dev
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

clean:
	rm -rf $(VENV) $(RIVALS) $(LOWEST) $(CLIENTS) $(PACKAGE) dist $(PAGES) $(ENGINES) $(TEMPLATES) $(COMPILED) $(WHEELS) site $(NODE)/node_modules .coverage* .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache .benchmarks

# Without Node, the tests that need it are skipped.
$(NODE)/node_modules/.package-lock.json: $(NODE)/package-lock.json
	@if command -v npm > /dev/null; then npm ci --prefix $(NODE) --no-audit --no-fund --silent && touch $@; \
	else echo "Node and npm are not installed: tests that need them are skipped."; fi

# The environments; each is created once, and again when pyproject.toml changes.

# With uv, which installs in seconds what takes pip minutes.
%/bin/uv:
	@for python in python3 python3.14 python3.13 python3.12 python3.11; do \
		if "$$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			echo "$$("$$python" --version) in $*"; \
			"$$python" -m venv --clear "$*" && exec "$*/bin/python" -m pip install --quiet 'uv>=0.13'; \
		fi; \
	done; echo "Python 3.11 or newer, with its venv module, is required and was not found." >&2; exit 1

INSTALL = $(@D)/bin/uv pip install --quiet --python $(@D)/bin/python

$(VENV)/.package: $(BIN)/uv pyproject.toml
	$(INSTALL) --editable .
	@touch $@

$(VENV)/.dev: $(VENV)/.package
	$(INSTALL) --group dev
	@touch $@

# The test client of the oldest FastAPI needs httpx; google-genai declares a later pydantic than it needs here.
LOWEST_OF := --resolution lowest-direct --group dev
ALSO_LOWEST := httpx pydantic==2.12.0
EXTRAS := testing,fastapi,cli,arrow,templates

$(LOWEST)/.lowest: $(VENV)/.dev
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(LOWEST)
	$(BIN)/uv pip install --quiet --python $(LOWEST)/bin/python $(LOWEST_OF) --editable '.[$(EXTRAS)]'
	$(BIN)/uv pip install --quiet --python $(LOWEST)/bin/python $(ALSO_LOWEST)
	@touch $@

# A wheel for this Python and this machine, and what is in it, for the benchmarks.
$(WHEELS)/.compiled: $(VENV)/.package hatch_build.py tools/training.py $(shell find src -name '*.py')
	rm -rf $(WHEELS)
	HATCH_BUILD_HOOKS_ENABLE=1 $(BIN)/python -m pip wheel --quiet --no-deps --wheel-dir $(WHEELS) .
	$(BIN)/python -m zipfile -e $(WHEELS)/*.whl $(WHEELS)/unpacked
	@touch $@

$(COMPILED)/.compiled: $(VENV)/.dev $(WHEELS)/.compiled
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(COMPILED)
	$(BIN)/uv pip install --quiet --python $(COMPILED)/bin/python $(LOWEST_OF) "interlingua[$(EXTRAS)] @ file://$$(ls $(CURDIR)/$(WHEELS)/*.whl)"
	$(BIN)/uv pip install --quiet --python $(COMPILED)/bin/python $(ALSO_LOWEST)
	@touch $@

$(RIVALS)/.rivals: $(RIVALS)/bin/uv pyproject.toml
	$(INSTALL) --editable . --group rivals
	@touch $@

$(PAGES)/.pages: $(PAGES)/bin/uv pyproject.toml
	$(INSTALL) --editable . --group pages
	@touch $@

$(ENGINES)/.engines: $(ENGINES)/bin/uv pyproject.toml
	$(INSTALL) --editable '.[arrow,cli]' --group engines
	@touch $@

# TRL needs torch, and its templates do not.
$(TEMPLATES)/.templates: $(TEMPLATES)/bin/uv pyproject.toml tools/template_sources.py
	$(INSTALL) --editable '.[templates]' --group templates
	$(INSTALL) --no-deps trl==1.16.0
	$(TEMPLATES)/bin/python tools/template_sources.py $(TEMPLATES)/sources
	@touch $@

$(PACKAGE)/.packaging: $(PACKAGE)/bin/uv pyproject.toml
	$(INSTALL) --group package
	@touch $@

$(CLIENTS)/.clients: $(CLIENTS)/bin/uv pyproject.toml
	$(INSTALL) --group clients
	@touch $@
