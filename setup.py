"""Builds the Cython modules; everything else about the package stands in pyproject.toml."""

import platform

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup

#: Ordinary compiled modules: fast, portable, no special flags.
OPTIMISED = ["-O3"]

#: The yardstick is what everyone writes first, compiled as everyone compiles it. Never tuned.
YARDSTICK = ["-O2"]


#: The lanes kernel, once for each instruction set. All of a game's step must be inlined in the loop that
#: makes it, for its state to stay in registers; so every function that Cython calls inline is.
LANES = [*OPTIMISED, "-DCYTHON_INLINE=inline __attribute__((always_inline))"]
LANES_FLAGS = {"baseline": []}
if platform.machine().lower() in ("x86_64", "amd64"):
    LANES_FLAGS |= {"avx2": ["-mavx2"], "avx512": ["-mavx512f", "-mavx512bw", "-mavx512vl"]}

#: What the modules of the lanes kernel are made from, besides their own few lines.
LANES_SOURCES = [
    f"camicia/lanes{name}" for name in (".h", "_baseline.h", "_avx2.h", "_avx512.h", ".pxi", "_encode.pxi")
]


def extension(name, flags=OPTIMISED, depends=()):
    """One compiled module, from the `.pyx` of its own name."""
    return Extension(
        name,
        [name.replace(".", "/") + ".pyx"],
        include_dirs=["camicia", "search", numpy.get_include()],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")],
        extra_compile_args=flags,
        depends=list(depends),
    )


EXTENSIONS = [
    extension("camicia.batch"),
    extension("camicia.circle"),
    extension("camicia.cycles"),
    extension("camicia.guests.war_dealing"),
    extension("camicia.guests.war_kernel"),
    extension("camicia.kernels"),
    extension("camicia.longest"),
    extension("camicia.ranking"),
    extension("camicia.ring"),
    extension("camicia.rows"),
    extension("camicia.sampling"),
    extension("camicia.stepping"),
    extension("camicia.trees"),
    extension("camicia.walker"),
    extension("camicia.watch"),
    extension("camicia.yardstick", YARDSTICK),
    extension("search.account", depends=["search/tally.h"]),
    extension("search.names", depends=["search/tally.h"]),
    extension("search.scan"),
    extension("search.toplist"),
    extension("search.wander", depends=["search/tally.h"]),
    *(
        extension(f"camicia.lanes_{name}", LANES + flags, LANES_SOURCES)
        for name, flags in LANES_FLAGS.items()
    ),
]

setup(ext_modules=cythonize(EXTENSIONS, build_dir="build/cython"))
