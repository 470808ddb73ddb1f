# Everything a newcomer needs: `make run` and `make test` create the environment they need.
#
#   make run      examine every case with torch.export on the CPU; ARGS says what else to examine
#   make test     run the tests
#   make slow     run those that it leaves out: hunts, kills at random moments, compilers
#   make check    lint, format check, types, and the database's own lint
#   make verify   fail on any result that is not as expected, on the CPU and on devices that need no hardware,
#                 and on a repro of a page that does not show what the page says
#   make site     build the site into ./site, from the expectations or ARGS="--records FILE"
#   make bench    what reading, a run, the site and a history cost, beside their budgets
#   make detect   how many broken exporters the database catches, how much its samples tell apart
#   make clean    remove the environment and all results
#
# PYTHON chooses the interpreter, CONSTRAINTS the pinned versions ("" for the newest allowed),
# ARGS goes to the command: `make run ARGS="--exporter export --tag torch.cond"`.

PYTHON ?= python3
VENV ?= .venv
CONSTRAINTS ?= constraints.txt
ARGS ?=
# Of the repros that pages offer, those that `make verify` runs: "--shard 1/24" is a part of them.
REPROS ?=
# Exporters that are checked on a second device that computes: where these two come to the same on
# both devices, so did the others.
ON_TOY := export make-fx
# Devices on which nothing is computed: captures and metadata, with the quick exporters.
WITHOUT_VALUES := meta

BIN := $(VENV)/bin
READY := $(VENV)/.ready
# A process that dies ends the tests: pytest-xdist 3.8 replaces it and then waits for ever.
PYTEST := $(BIN)/python -m pytest -n auto --dist loadfile --max-worker-restart 0

.PHONY: run test slow check verify format site bench detect clean

run: $(READY)
	$(BIN)/exportdb run $(or $(ARGS),--exporter export)

test: $(READY)
	$(PYTEST) $(ARGS)

slow: $(READY)
	$(PYTEST) -m slow --timeout 3600 $(ARGS)

check: $(READY)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/exportdb lint $(LINT)

verify: $(READY)
	$(BIN)/exportdb check $(ARGS)
	$(BIN)/exportdb check --device toy $(foreach e,$(ON_TOY),--exporter $(e)) $(ARGS)
	$(BIN)/exportdb check $(foreach d,$(WITHOUT_VALUES),--device $(d)) $(ARGS)
	$(BIN)/python tools/check_repros.py $(REPROS)

format: $(READY)
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

site: $(READY)
	$(BIN)/exportdb site --out site $(ARGS)

bench: $(READY)
	$(BIN)/python tools/bench_read.py
	$(BIN)/python tools/bench_run.py $(ARGS)
	$(BIN)/python tools/bench_site.py
	$(BIN)/python tools/bench_history.py --nights 60

detect: $(READY)
	$(BIN)/python tools/bench_detection.py $(ARGS)
	$(BIN)/python tools/bench_detection.py --predicates
	$(BIN)/python tools/bench_detection.py --operators

clean:
	rm -rf $(VENV) .exportdb site

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))' \
	  || { echo "exportdb needs Python 3.11 to 3.13; name one: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check \
	  $(if $(CONSTRAINTS),--constraint $(CONSTRAINTS)) --editable '.[torch,test,dev]'
	@touch $@
