# Everything a contributor does, on a fresh machine with Python 3.11 or newer, git and make.
# The virtual environment sets itself up: a stamp named by the lock's content says what is installed.

VENV := .venv
BIN := $(VENV)/bin

checksum = $(firstword $(shell cat $(1:%=requirements/%.lock) $(2) | cksum))
# The sandbox is a distribution of its own. It is installed from its folder, so its stamps go by what it says of itself too.
RUNTIME := $(VENV)/runtime-$(call checksum,runtime sandbox build,sandbox/pyproject.toml).stamp
DEV := $(VENV)/dev-$(call checksum,dev,sandbox/pyproject.toml).stamp
SANDBOX := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-index --no-deps --no-build-isolation --editable sandbox
# The Python of the virtual environment: the first of these that is new enough. One may be named, as in make PYTHON=python3.12.
PYTHON ?= python3.14 python3.13 python3.12 python3.11 python3
# Another Discord library, which sandbox/tests/conformance runs. The bot does not use it, so it is kept apart.
OTHER := $(VENV)/conformance
CONFORMANCE := $(VENV)/conformance-$(call checksum,conformance).stamp
# What builds the documentation site, kept apart for the same reason.
SPHINX := $(VENV)/docs
DOCS := $(VENV)/docs-$(call checksum,docs).stamp
# What looks for known vulnerabilities, kept apart for the same reason.
AUDIT := $(VENV)/advisories
ADVISORIES := $(VENV)/advisories-$(call checksum,advisories).stamp

COMPILE := uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-strip-extras --quiet \
	--custom-compile-command "make lock"

CORES = $(shell getconf _NPROCESSORS_ONLN)
# One more worker than cores: some tests wait for the disk or another process. Who has nothing left takes over from others.
PARALLEL = -n $(shell expr 1 + $(CORES)) --dist worksteal

ifdef DISCORD_OPENAPI
export DISCORD_OPENAPI := $(abspath $(DISCORD_OPENAPI))
endif

# The sandbox's tests, run in its folder, where its own settings of pytest are.
IN_SANDBOX := cd sandbox && $(CURDIR)/$(BIN)/python -m
# What is held against Discord's own description: all that the bot sends in these tests, and all that the sandbox does.
HELD = -p discord_sandbox.openapi.recorder --openapi-held tests/end_to_end/ --openapi-strict tests/end_to_end/
SANDBOX_HELD = -p discord_sandbox.openapi.recorder --openapi-strict tests/conformance/ --openapi-whole

# Tests start hundreds of processes. Without compiled modules each would compile the whole program again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help more run test test-fast coverage conformance test-page check docs format new-game language art gallery bench train certify arena calibrate balance soak simulate mutation lock upgrade advisories notice reference release clean
.DEFAULT_GOAL := help

# What people use every day is marked with ##, the rest with ###.
help:  ### Show what people use every day
	@sed -n 's/^\([a-z-]*\):.* ## \(.*\)/\1\t\2/p' Makefile | expand -t 12


run: $(RUNTIME)  ## Play on this machine (LOCALE=pt-BR: in a language), or on Discord if DISCORD_TOKEN is set
	@exec $(BIN)/python -m bot.launcher run$(if $(filter command line,$(origin LOCALE)), --locale "$(LOCALE)")

# Below LAWS_SHARE=1 fewer matches are played by the laws, and fewer nightly tests are run. LAWS_SEED=… plays the matches of
# another run again, which says its own first. BUT=fast leaves out what make test-fast has just run.
test: export LAWS_SHARE := $(or $(LAWS_SHARE),0.25)
test: $(DEV) $(CONFORMANCE)  ## All tests that need no browser; a quarter of the laws' matches, unless LAWS_SHARE says more
	$(BIN)/python -m pytest $(PARALLEL) $(if $(DISCORD_OPENAPI),$(HELD)) \
		-m "not page$(if $(BUT), and not $(BUT))"
	$(IN_SANDBOX) pytest $(PARALLEL) $(if $(DISCORD_OPENAPI),$(SANDBOX_HELD)) -m "not page"

test-fast: export LAWS_SHARE := $(or $(LAWS_SHARE),0.1)
test-fast: $(DEV)  ## Unit tests and a tenth of the laws' matches, in a minute
	$(BIN)/python -m pytest -n $(CORES) --dist worksteal -m fast \
		tests/bot tests/cogs tests/engines tests/games tests/languages tests/laws

coverage: $(DEV) $(CONFORMANCE)  ### How many lines the tests reach within their own process; ten minutes
	$(BIN)/python -m pytest -q $(PARALLEL) -m "not page" --cov --cov-report=
	@for package in bot cogs engines laws; do \
		echo "$$package: $$($(BIN)/coverage report --format=total --include="$$package/*") %"; \
	done
	@echo "together: $$($(BIN)/coverage report --format=total) %"
	$(IN_SANDBOX) pytest -q $(PARALLEL) -m "not page" --cov --cov-report=
	@$(IN_SANDBOX) coverage report --format=total

conformance: $(DEV) $(CONFORMANCE)  ### Hold the sandbox against Discord's description (DISCORD_OPENAPI=its file)
	$(BIN)/python -m pytest -q $(PARALLEL) $(HELD) tests/end_to_end
	$(IN_SANDBOX) pytest -q $(PARALLEL) $(SANDBOX_HELD) -m "not page"

test-page: export LAWS_SHARE := $(or $(LAWS_SHARE),0.25)
test-page: $(DEV)  ## The sandbox's page in Chromium, and the bot's screens on it
	$(BIN)/python -m pytest $(PARALLEL) -m page
	$(IN_SANDBOX) pytest $(PARALLEL) -m page

# Without a cache, types are checked by all cores; over an old one, mypy's workers have crashed. The sandbox's types come last:
# with the cache of all others, they take a second instead of ten.
check: $(DEV)  ## Format, lint, types, import law, docs, workflows
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy $(if $(wildcard .mypy_cache),,--num-workers $(CORES))
	@for conftest in examples/*/conftest.py; do $(BIN)/mypy $$conftest $$(dirname $$conftest)/tests || exit 1; done
	$(BIN)/mypy docs/verify_deal.py
	$(BIN)/mypy examples/coin/coin
	$(BIN)/lint-imports
	$(IN_SANDBOX) mypy --cache-dir ../.mypy_cache
	cd sandbox && $(CURDIR)/$(BIN)/lint-imports
	$(BIN)/python -m pytest -q tests/project/test_docs.py tests/project/test_import_law.py tests/project/test_github.py

# --nitpicky and --fail-on-warning: a broken link, or a page that the navigation does not reach, fails the build.
docs: $(DEV) $(DOCS)  ## The documentation site in build/site, built strictly
	$(SPHINX)/bin/python -m sphinx --fresh-env --nitpicky --fail-on-warning --keep-going --quiet -c docs . build/site
	$(BIN)/python -m tests.project.site build/site

format: $(DEV)  ## Format the code and fix what the linter can fix
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

new-game: $(DEV)  ## Begin a game of your own as a running copy (KEY=duchess; KIND=duel, turns, party or race; NAME="The Duchess" if you like)
	@$(BIN)/python -m tools.new_game --name="$(NAME)" --kind="$(or $(KIND),duel)" -- "$(KEY)"

language: $(DEV)  ### Begin a language, or bring one up to date (CODE=it)
	@$(BIN)/python -m tools.language -- "$(CODE)"

art: $(DEV)  ### Draw the cards again: what the bot ships, and contact sheets in build/art
	$(BIN)/python -m tools.art

gallery: $(DEV)  ### Every screen of every game in build/gallery, one page per language; fails over the limits (LANGUAGE=de; ARGS="--images docs/images")
	$(BIN)/python -m tests.gallery build/gallery --limits $(if $(filter command line,$(origin LANGUAGE)),--language $(LANGUAGE)) $(ARGS)

bench: $(DEV)  ### Benchmarks, ten minutes (ARGS="stores packed": these; ARGS=--brief: only that all run)
	$(BIN)/python -m tests.bench $(ARGS)

train: $(DEV)  ### Train Haymaker's hard computer player into build/arena; a few minutes, with a C++ compiler (ARGS=--help)
	nice -n 19 $(BIN)/python -m tests.arena.train $(ARGS)

certify: $(DEV)  ### How much an attacker that learns wins from it; an hour, with a C++ compiler (ARGS=--help)
	$(if $(ARGS),,nice -n 19 $(BIN)/python -m tests.arena.twin.compare)
	nice -n 19 $(BIN)/python -m tests.arena.certify $(ARGS)

arena: $(DEV)  ### How far apart the levels of computer players are, and races; half an hour (ARGS=--help)
	$(if $(ARGS),,nice -n 19 $(BIN)/python -m tests.arena.races)
	nice -n 19 $(BIN)/python -m tests.arena.steps $(ARGS)

calibrate: $(DEV)  ### Whether win chances come true, into tests/arena/calibration.csv (ARGS=--learn fits them first; ARGS=--help)
	nice -n 19 $(BIN)/python -m tests.arena.calibrate $(ARGS)

balance: $(DEV)  ### How balanced each preset is between computer players, and what farms come to; an hour (ARGS=--help)
	$(if $(ARGS),,nice -n 19 $(BIN)/python -m tests.arena.farms)
	$(if $(ARGS),,nice -n 19 $(BIN)/python -m tests.arena.duplicate)
	nice -n 19 $(BIN)/python -m tests.arena.balance $(ARGS)

soak: $(DEV)  ### Long runs: random matches of all games, against computers too, and a large leaderboard; half an hour
	$(BIN)/python -m tests.soak

PROCESSES = servers=2,processes=3,tables=2,thinking=25,kills=8,kills_in_a_row=1,standstills=10,standstill_seconds=60,restarts=5,database_cuts=10,database_cut_seconds=60,cuts=10,latency=0.1,twice=0.1,stale=0.1

simulate: $(DEV)  ### The whole bot in virtual time and bad weather, a seed after the other; half an hour (ARGS=--help)
	$(if $(ARGS),,nice -n 19 $(BIN)/python -m tests.simulation --planted --slow)
	$(if $(ARGS),,nice -n 19 $(BIN)/python -m tests.simulation --minutes 5 --hours 4 --steps 200000 --faults $(PROCESSES))
	$(if $(ARGS),,for accounts in 1 5 20; do nice -n 19 $(BIN)/python -m tests.simulation \
		--seed $$accounts --hours 168 --steps 2000000 --faults servers=1,tables=1,hostiles=$$accounts || exit 1; done)
	nice -n 19 $(BIN)/python -m tests.simulation --minutes 30 --hours 24 --steps 1000000 $(ARGS)

mutation: $(DEV)  ### Put faults into rules and core and count those that the tests notice; an hour (ARGS=--help)
	nice -n 19 $(BIN)/python -m tools.mutation $(ARGS)

lock:  ### Resolve the dependencies for Python 3.11 to 3.14 on every system; what is locked stays if it fits
	python3 -m venv build/uv && build/uv/bin/python -m pip install --quiet uv
	PATH="$(CURDIR)/build/uv/bin:$$PATH" && \
	$(COMPILE) --extra dev pyproject.toml sandbox/pyproject.toml -o requirements/dev.lock && \
	$(COMPILE) --constraint requirements/dev.lock pyproject.toml -o requirements/runtime.lock && \
	$(COMPILE) --constraint requirements/dev.lock --extra postgresql pyproject.toml -o requirements/postgresql.lock && \
	$(COMPILE) --constraint requirements/dev.lock sandbox/pyproject.toml -o requirements/sandbox.lock && \
	$(COMPILE) --constraint requirements/dev.lock --group build -o requirements/build.lock && \
	$(COMPILE) --group sandbox/pyproject.toml:conformance -o requirements/conformance.lock && \
	$(COMPILE) --group advisories -o requirements/advisories.lock && \
	$(COMPILE) --group docs --fork-strategy fewest -o requirements/docs.lock

upgrade: COMPILE += --upgrade --exclude-newer "14 days"
# Most bad releases are found and withdrawn within days.
upgrade: lock  ### Resolve them again, with versions that are at least 14 days old

advisories: $(ADVISORIES)  ### Look for known vulnerabilities in what is locked; asks a server
	@for lock in requirements/*.lock; do \
		echo "$$lock"; \
		$(AUDIT)/bin/pip-audit --strict --disable-pip --require-hashes --progress-spinner off -r "$$lock" || exit 1; \
	done

notice: $(DEV)  ### Write NOTICE: the licences of the packages that the bot needs
	$(BIN)/python -m tools.notice

reference: $(DEV)  ### Write docs/settings.md, limits.md, metrics.md, languages.md, .env.example, and tables of benchmarks.md and README.md
	$(BIN)/python -m tools.reference

release: $(DEV)  ### Check, build the wheels twice and tag a version (VERSION=0.1.0; DRY=1 leaves nothing)
	@$(BIN)/python -m tools.release $(if $(DRY),--dry-run) -- "$(VERSION)"

more:  ## What else there is
	@sed -n 's/^\([a-z-]*\):.* ### \(.*\)/\1\t\2/p' Makefile | expand -t 12

clean:  ### Remove what was built, the virtual environment too; data/ stays
	cd sandbox && rm -rf build src/*.egg-info .mypy_cache .pytest_cache .import_linter_cache .coverage .coverage.*
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage .coverage.*

$(VENV)/runtime-%.stamp: | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes \
		-r requirements/runtime.lock -r requirements/sandbox.lock -r requirements/build.lock
	$(SANDBOX)
	@rm -f $(VENV)/runtime-*.stamp && touch $@

$(VENV)/dev-%.stamp: | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/dev.lock
	$(SANDBOX)
	@rm -f $(VENV)/dev-*.stamp && touch $@

$(VENV)/conformance-%.stamp: | $(BIN)/python
	$(BIN)/python -m venv --clear $(OTHER)
	$(OTHER)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/conformance.lock
	@rm -f $(VENV)/conformance-*.stamp && touch $@

$(VENV)/docs-%.stamp: | $(BIN)/python
	$(BIN)/python -m venv --clear $(SPHINX)
	$(SPHINX)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/docs.lock
	@rm -f $(VENV)/docs-*.stamp && touch $@

$(VENV)/advisories-%.stamp: | $(BIN)/python
	$(BIN)/python -m venv --clear $(AUDIT)
	$(AUDIT)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/advisories.lock
	@rm -f $(VENV)/advisories-*.stamp && touch $@

# The first of $(PYTHON) that is new enough and can make virtual environments.
$(BIN)/python:
	@rm -rf $(VENV); \
	for python in $(PYTHON); do \
		if "$$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
			echo "setting up $(VENV) with $$python"; \
			"$$python" -m venv $(VENV) && exit 0; \
		fi; \
	done; \
	echo "Cardroom needs Python 3.11 or newer with its venv module (on Debian and Ubuntu: apt install python3-venv)." >&2; \
	rm -rf $(VENV); exit 1
