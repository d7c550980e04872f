PYTHON ?= python3

# A relative path, so that a checkout whose own path holds spaces works too.
bin := .venv/bin
# What `make conformance` needs, and what everything else does.
basic := .venv/.basic
ready := .venv/.ready

# Where this is set, each of the hundreds of processes that tests start would compile the kit for itself.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup conformance matrix test test-all lint types style format prove prove-all ports soak nightly bench borders newest docs dist clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile

setup: $(ready) ## make .venv and install everything into it, unless that is done

# uv installs five times as fast as pip does; where it can't be had, pip does it.
install = VIRTUAL_ENV="$(CURDIR)/.venv" $(bin)/python -m $$($(bin)/python -m uv --version >/dev/null 2>&1 && echo uv) pip install --quiet -c constraints.txt

# Each stamp is written last: an interrupted installation is taken up again.
$(basic): pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(bin)/python -m pip install --quiet -c constraints.txt uv || echo "uv can't be had; pip installs what is needed"
	$(install) -e ".[reference]"
	@touch $@

# dspy-react-machina asks for Python 3.12, and runs on 3.11 all the same; only pip can be told so.
$(ready): $(basic)
	$(install) -e ".[reference,udspy,frameworks,server,docs,dev]"
	$(bin)/python -m pip install --quiet -c constraints.txt --no-deps --ignore-requires-python dspy-react-machina
	@touch $@

conformance: $(basic) ## run the kit against its own four classes, which must conform, and dspy; build/conformance/index.html
	$(bin)/react-tck matrix reference reference-transcript reference-conversation reference-udspy dspy --out build/conformance

matrix: $(ready) ## run the kit against all installed subjects, of which its own must conform; build/matrix/index.html
	$(bin)/react-tck matrix --out build/matrix

test: $(ready) ## run the kit's own tests, but those of `make lint`
	$(bin)/python -m pytest -n auto --dist loadfile --no-loadscope-reorder --ignore tests/project/test_house.py

test-all: $(ready) ## run all of them: every toolchain, every attack, every signal
	$(bin)/python -m pytest -m "" -n auto --dist loadfile --no-loadscope-reorder --ignore tests/project/test_house.py

lint: $(ready) ## check style, types, features against registry, and import directions
	@$(MAKE) --no-print-directory --jobs 2 --keep-going types style

types: $(ready)
	$(bin)/mypy

style: $(ready)
	$(bin)/ruff check
	$(bin)/ruff format --check
	$(bin)/python -m react_tck.catalogue.linter
	$(bin)/python -m pytest tests/project/test_house.py

format: $(ready) ## format the code and fix what ruff can fix
	$(bin)/ruff check --fix
	$(bin)/ruff format

prove: $(ready) ## show that each mutant, scenario and sanitizer can fail, and that nothing is held against who is right
	$(bin)/python -m react_tck.prove
	$(bin)/python -m tests.false_positives

prove-all: $(ready) ## play every pair of the kill matrix, and every row with every policy and unusual agent
	$(bin)/python -m react_tck.prove --all
	$(bin)/python -m tests.false_positives --whole

ports: $(ready) ## build the ports in other languages and hold them against their baselines (PORTS="ai eino": these alone)
	ports/run "$(CURDIR)/$(bin)/react-tck" $(PORTS)

soak: $(ready) ## ask `serve` by 200 clients for ten minutes, and play 10,000 rows against a harness that misbehaves at random
	$(bin)/python -m benchmarks.serve --clients 200 --seconds 600 --pace 0.2
	$(bin)/python -m tests.zoo.soak --rows 10000

# What `.ci/run` leaves out; `make dist` asks for the commit that it passed with.
nightly: $(ready) ## run what takes too long for every change: all tests, subjects, proofs, ports and newest releases
	@mkdir -p build
	@rm -f build/nightly
	PORTS= .ci/run test-all lint matrix prove-all ports soak newest
	@git diff --quiet HEAD && git rev-parse HEAD >build/nightly

bench: $(ready) ## measure how fast the kit is (AGAINST=DIR: and beside another checkout of it), and its classes beside their originals
	$(bin)/python -m benchmarks.serve
	$(bin)/python -m benchmarks $(if $(AGAINST),--against "$(AGAINST)")
	$(bin)/python -m benchmarks.classes

borders: $(ready) ## hold what Hypothesis, pytest, pytest-bdd and dspy never promised against their oldest and newest versions
	$(bin)/python -m tests.project.borders

newest: $(ready) ## try the newest releases of each extra, in an environment of its own; a table (EXTRAS="udspy strands": these alone)
	$(bin)/python -m tests.project.newest $(EXTRAS)

docs: $(ready) ## build the documentation as a site, with the results that lie in the tree; build/docs/site/index.html
	$(bin)/python -m docs_site

dist: $(ready) ## build wheel and sdist of what is committed, check them, and try each in an empty environment (TAG=v1.2.3: as that release)
	$(bin)/python -m tests.project.release $(if $(TAG),--tag "$(TAG)")

clean: ## remove everything that was made, .venv too
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
