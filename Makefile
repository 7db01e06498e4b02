# What people do with a checkout. `make search` and `make test` need only Python 3.11+ and a C compiler:
# the first call of either installs everything into .venv.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# All that the compiled modules are made of, in whatever folder.
SOURCES := pyproject.toml setup.py \
           $(shell find camicia search -name '*.pyx' -o -name '*.pxd' -o -name '*.pxi' -o -name '*.h')

.PHONY: help install search test fast sanitize lint docs pictures bench clean
.DEFAULT_GOAL := help

help:               ## list the targets
	@sed -n 's/^\([a-z]*\): .*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 18

install: $(VENV)/.installed  ## install into .venv, for changing the sources in place

# Written last, so that an install that was cut short is done again.
$(VENV)/.installed: $(SOURCES)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "camicia needs Python 3.11 or newer; name it: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[report,test,dev]'
	touch $@

search: install     ## hunt for a minute on all cores, and print the best deals found
	$(BIN)/camicia search --for 60s

test: install       ## run the whole test suite
	$(BIN)/python -m pytest

fast: install       ## run the tests without the slow ones
	$(BIN)/python -m pytest -m 'not slow'

# The whole package is built once more, apart; the sanitizers must be there before Python is. What Python keeps
# for good is no leak of ours.
KERNEL_TESTS := lanes kernels sampling simulate reference hostile_arrays war
SANITIZERS := -g -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer
sanitize: install   ## run the kernels' tests with the address and undefined-behaviour sanitizers
	CFLAGS='$(SANITIZERS)' LDFLAGS='$(SANITIZERS)' $(BIN)/python setup.py --quiet build \
	    --build-base build/sanitize --build-lib build/sanitize/lib
	cd build/sanitize/lib && ASAN_OPTIONS=detect_leaks=0 \
	    LD_PRELOAD="$$(cc -print-file-name=libasan.so) $$(cc -print-file-name=libubsan.so)" \
	    $(CURDIR)/$(BIN)/python -m pytest -p no:cacheprovider --rootdir=$(CURDIR) -m 'not slow' \
	    $(KERNEL_TESTS:%=$(CURDIR)/tests/test_%.py)

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
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
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

bench: install      ## deals per second of every kernel
	$(BIN)/camicia bench

clean:              ## remove what was built and installed; ledgers stay
	rm -rf $(VENV) build docs/_build docs/generated *.egg-info
	find camicia search -name '*.so' -delete
