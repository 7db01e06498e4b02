"""Every example in every docstring runs, those of the compiled modules too."""

import doctest
import importlib

import pytest

from camicia.kernels.dispatch import runnable_modules

MODULES = sorted(runnable_modules("camicia") | runnable_modules("search"))


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_examples_of_docstrings(name):
    failures, _ = doctest.testmod(importlib.import_module(name))
    assert failures == 0
