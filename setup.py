"""Builds the Cython modules; everything else about the package stands in pyproject.toml."""

import os
import shutil
import sys
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.modified import newer_group

#: What holds for every module: the inner loops check their own bounds and divide as C does.
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": False,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": False,
}

#: One build serves every Python from 3.11 on: the modules keep to the stable part of its C interface, which
#: has had buffers since 3.11. A free-threaded Python has no such part, so it needs a build of its own.
STABLE = not sysconfig.get_config_var("Py_GIL_DISABLED")
MACROS = [("Py_LIMITED_API", "0x030B0000")] if STABLE else []
OPTIONS = {"bdist_wheel": {"py_limited_api": "cp311"}} if STABLE else {}

#: Names and lines for a debugger are three quarters of a module. Whoever sets CFLAGS gets what they ask for.
PLAIN = not os.environ.get("CFLAGS")
BARE = ["-g0"] if PLAIN else []
STRIPPED = ["-Wl,-s"] if PLAIN and sys.platform == "linux" else []

#: What C that Cython has written, and headers that it includes throughout, cannot be reproached with.
BARE += ["-Wno-sign-compare", "-Wno-unused-function"]

#: Ordinary compiled modules: fast, portable, no special flags.
OPTIMISED = ["-O3", *BARE]

#: The yardstick is what everyone writes first, compiled as everyone compiles it. Never tuned.
YARDSTICK = ["-O2", *BARE]

#: The lanes kernel, once for each instruction set. All of a game's step must be inlined in the loop that
#: makes it, for its state to stay in registers; so every function that Cython calls inline is.
LANES = [*OPTIMISED, "-DCYTHON_INLINE=inline __attribute__((always_inline))"]
LANES_FLAGS = {"lanes_baseline": [], "lanes_avx2": None, "lanes_avx512": None}
# The processor that is built for, which need not be that of this machine.
if sysconfig.get_platform().endswith(("x86_64", "amd64")):
    LANES_FLAGS |= {
        "lanes_avx2": ["-mavx2"],
        "lanes_avx512": ["-mavx512f", "-mavx512bw", "-mavx512vl"],
    }

SOURCES = [path for package in ("camicia", "search") for path in sorted(Path(package).rglob("*.pyx"))]

#: What the modules include: a change in one of these builds all of them anew.
INCLUDED = [path for package in ("camicia", "search") for path in sorted(Path(package).rglob("*.[hp]*"))]
INCLUDED = [path for path in INCLUDED if path.suffix in (".h", ".pxi")]

#: CPUs to compile on: those that this process may use.
CPUS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class BuildModules(build_ext):
    """Compiles on all CPUs, says how far it is, and leaves alone what is up to date."""

    def finalize_options(self):
        super().finalize_options()
        if self.parallel is None:
            self.parallel = CPUS

    def run(self):
        self.begun = 0
        super().run()

    def build_extension(self, module):
        """Compile one module, unless it has been since its sources last changed."""
        made = Path(self.get_ext_fullpath(module.name))
        in_place = Path(self.get_ext_filename(module.name))
        needed = [*module.sources, *module.depends]
        # An editable install builds in a new folder each time; what it is for lies beside the sources.
        if self.editable_mode and not newer_group(needed, in_place):
            made.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(in_place, made)
        self.begun += 1
        if newer_group(needed, made):
            print(f"compiling {module.name} ({self.begun} of {len(self.extensions)})", flush=True)
        super().build_extension(module)

    def copy_extensions_to_source(self):
        """Put the modules beside their sources, in place of any that another Python would rather import."""
        for module in self.extensions:
            in_place = Path(self.get_ext_filename(module.name))
            for other in in_place.parent.glob(f"{module.name.rpartition('.')[2]}.*"):
                if other.suffix in (".so", ".pyd") and other != in_place:
                    other.unlink()
        super().copy_extensions_to_source()


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
        include_dirs=sorted({str(path.parent) for path in INCLUDED}),
        define_macros=MACROS,
        extra_compile_args=flags,
        extra_link_args=STRIPPED,
        py_limited_api=STABLE,
        depends=[*map(str, INCLUDED), "setup.py"],
    )


# Elsewhere than on Linux the processes that translate would run this file again.
TRANSLATORS = CPUS if sys.platform == "linux" else 0

#: Completions and the man page, where `make wheel` has had them written (.ci/shell.py).
PREFIX = Path("build/prefix")
DATA = [
    (str(path.parent.relative_to(PREFIX)), [str(path)])
    for path in sorted(PREFIX.rglob("*"))
    if path.is_file()
]

setup(
    data_files=DATA,
    ext_modules=cythonize(
        [module for module in map(extension, SOURCES) if module],
        build_dir="build/cython",
        compiler_directives=DIRECTIVES,
        nthreads=TRANSLATORS,
    ),
    cmdclass={"build_ext": BuildModules},
    options=OPTIONS,
)
