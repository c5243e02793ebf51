.PHONY: demo test test-cluster lint bench clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SUDO := $(shell [ "$$(id -u)" = 0 ] || command -v sudo)

$(VENV)/installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	touch $@

$(VENV)/tested: $(VENV)/installed
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --upgrade 'pip>=25.1'
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group test
	touch $@

# The page is tested in a real browser; where Debian's packages can be had, it is installed.
$(VENV)/browsing: $(VENV)/tested
	command -v chromium || command -v chromium-browser || command -v google-chrome || { \
	  $(SUDO) apt-get update -qq && $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium fonts-dejavu-core; }
	touch $@

$(VENV)/benched: $(VENV)/tested
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --group bench
	touch $@

demo: $(VENV)/installed  ## index this repository and show real searches
	$(BIN)/python docs/demo.py

lint: $(VENV)/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint $(VENV)/browsing  ## everything that must hold
	$(BIN)/python -m pytest

# A cluster to test with: the one that DOWSE_TEST_OPENSEARCH names (host:port,host:port), else three nodes started for the tests.
CLUSTER ?= ../shared/opensearch/cluster

test-cluster: $(VENV)/tested  ## the engine contract and what only a cluster can show
	$(BIN)/python tests/cluster/run.py --cluster "$(CLUSTER)"

bench: $(VENV)/benched  ## speed and quality beside others, in one run
	$(BIN)/python -m bench.speed
	$(BIN)/python -m bench.indexing
	$(BIN)/python -m bench.quality
	$(BIN)/python -m bench.hybrid
	$(BIN)/python -m bench.together
	$(BIN)/python -m bench.serving

clean:
	rm -rf $(VENV) .demo
