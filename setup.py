"""Builds the Cython modules; everything else about the package stands in pyproject.toml."""

import platform
from pathlib import Path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup

#: What holds for every module: the inner loops check their own bounds and divide as C does.
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
}

#: Ordinary compiled modules: fast, portable, no special flags.
OPTIMISED = ["-O3"]

#: The yardstick is what everyone writes first, compiled as everyone compiles it. Never tuned.
YARDSTICK = ["-O2"]

#: The lanes kernel, once for each instruction set. All of a game's step must be inlined in the loop that
#: makes it, for its state to stay in registers; so every function that Cython calls inline is.
LANES = [*OPTIMISED, "-DCYTHON_INLINE=inline __attribute__((always_inline))"]
LANES_FLAGS = {"lanes_baseline": [], "lanes_avx2": None, "lanes_avx512": None}
if platform.machine().lower() in ("x86_64", "amd64"):
    LANES_FLAGS |= {
        "lanes_avx2": ["-mavx2"],
        "lanes_avx512": ["-mavx512f", "-mavx512bw", "-mavx512vl"],
    }

SOURCES = [path for package in ("camicia", "search") for path in sorted(Path(package).rglob("*.pyx"))]

#: What the modules include: a change in one of these builds all of them anew.
INCLUDED = [path for package in ("camicia", "search") for path in sorted(Path(package).rglob("*.[hp]*"))]
INCLUDED = [path for path in INCLUDED if path.suffix in (".h", ".pxi")]


def extension(source):
    """One compiled module, from the `.pyx` of its own name; None if it is for another kind of processor."""
    flags = OPTIMISED
    if source.stem == "yardstick":
        flags = YARDSTICK
    elif source.stem in LANES_FLAGS:
        if LANES_FLAGS[source.stem] is None:
            return None
        flags = LANES + LANES_FLAGS[source.stem]
    return Extension(
        ".".join(source.with_suffix("").parts),
        [str(source)],
        include_dirs=[*sorted({str(path.parent) for path in INCLUDED}), numpy.get_include()],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")],
        extra_compile_args=flags,
        depends=[str(path) for path in INCLUDED],
    )


EXTENSIONS = [module for module in map(extension, SOURCES) if module]

setup(ext_modules=cythonize(EXTENSIONS, build_dir="build/cython", compiler_directives=DIRECTIVES))
