.PHONY: demo test test-cluster lint bench lock audit clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SUDO := $(shell [ "$$(id -u)" = 0 ] || command -v sudo)

INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

# Everything comes from the locks, by version and hash; what is built is built with what is locked.
$(VENV)/installed: pyproject.toml locks/run.txt hatch_build.py $(wildcard src/dowse/*/_*.c src/dowse/*/*/_*.c src/dowse/*.h src/dowse/*/*/*.h)
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) --require-hashes --requirement locks/run.txt
	$(INSTALL) --no-deps --no-build-isolation --editable .
	touch $@

$(VENV)/tested: $(VENV)/installed locks/test.txt
	$(INSTALL) --require-hashes --requirement locks/test.txt
	touch $@

# The page is tested in a real browser; where Debian's packages can be had, it is installed.
$(VENV)/browsing: $(VENV)/tested
	command -v chromium || command -v chromium-browser || command -v google-chrome || { \
	  $(SUDO) apt-get update -qq && $(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends chromium fonts-dejavu-core; }
	touch $@

$(VENV)/benched: $(VENV)/tested locks/bench.txt
	$(INSTALL) --require-hashes --requirement locks/bench.txt
	touch $@

$(VENV)/caring: $(VENV)/tested locks/care.txt
	$(INSTALL) --require-hashes --requirement locks/care.txt
	touch $@

demo: $(VENV)/installed  ## index this repository and show real searches
	$(BIN)/python docs/demo.py

lint: $(VENV)/tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	@# Of two test files with one name pytest takes none, and runs nothing.
	@twice=$$(find tests -name 'test_*.py' | sed 's|.*/||' | sort | uniq -d); test -z "$$twice" || { echo "two test files are called $$twice"; exit 1; }

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
	$(BIN)/python -m bench.endurance --short

# One answer for every system and every Python from 3.11 on, with the hashes of all files of a version. The first lock decides; the
# others follow it, so that a package has one version everywhere.
COMPILE := $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate \
  --no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"

lock: $(VENV)/caring  ## take the newest versions that pyproject allows; then run make test
	$(COMPILE) pyproject.toml --all-extras --group test --group build --output-file locks/test.txt
	$(COMPILE) pyproject.toml --group build --constraint locks/test.txt --output-file locks/run.txt
	$(COMPILE) --group bench --constraint locks/test.txt --output-file locks/bench.txt
	$(COMPILE) --group care --constraint locks/test.txt --output-file locks/care.txt
	$(INSTALL) --require-hashes --requirement locks/test.txt
	$(BIN)/python locks/licences.py > locks/licences.txt

audit: $(VENV)/caring  ## are faults known of what is locked?
	$(BIN)/python locks/audit.py

clean:
	rm -rf $(VENV) .demo
