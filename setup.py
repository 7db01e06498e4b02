"""Builds the Cython modules; everything else about the package stands in pyproject.toml."""

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup

#: Ordinary compiled modules: fast, portable, no special flags.
OPTIMISED = ["-O3"]

#: The yardstick is what everyone writes first, compiled as everyone compiles it. Never tuned.
YARDSTICK = ["-O2"]


def extension(name, flags=OPTIMISED):
    """One compiled module, from the `.pyx` of its own name."""
    return Extension(
        name,
        [name.replace(".", "/") + ".pyx"],
        include_dirs=["camicia", numpy.get_include()],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")],
        extra_compile_args=flags,
    )


EXTENSIONS = [
    extension("camicia.cycles"),
    extension("camicia.longest"),
    extension("camicia.ranking"),
    extension("camicia.ring"),
    extension("camicia.sampling"),
    extension("camicia.trees"),
    extension("camicia.walker"),
    extension("camicia.yardstick", YARDSTICK),
    extension("search.account"),
    extension("search.scan"),
]

setup(ext_modules=cythonize(EXTENSIONS, build_dir="build/cython"))
