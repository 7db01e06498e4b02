"""The Makefile does what is needed and no more, and its lint looks at every stub."""

import os
import re
import subprocess
import time

import pytest
from places import ROOT

#: What make leaves in the environment as it gets on, in this order.
STEPS = (".tools", ".compiled", ".hunt", ".installed")

#: What tells of each kind of step in what make prints.
COMPILES = "build_ext --inplace"
INSTALLS = "install --no-build-isolation --editable ."
INSTALLS_MORE = "install 'camicia["


def files(kind):
    """The files of the packages with this ending."""
    return [
        str(path.relative_to(ROOT))
        for folder in ("camicia", "search")
        for path in sorted((ROOT / folder).rglob(f"*.{kind}"))
    ]


def planned(environment, *words, steps=STEPS):
    """What make would do, if these steps were done just now for the environment in that folder."""
    for number, step in enumerate(steps):
        (environment / step).touch()
        os.utime(environment / step, ns=(time.time_ns() + number,) * 2)
    variables = {name: text for name, text in os.environ.items() if not name.startswith("MAKE")}
    words = ["make", "--dry-run", f"VENV={environment}", *words]
    done = subprocess.run(words, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("target", ["search", "install", "bench"])
def test_a_step_that_is_done_is_not_done_again(tmp_path, target):
    commands = planned(tmp_path, target)
    assert COMPILES not in commands and "pip" not in commands


@pytest.mark.parametrize("kind", ["pyx", "pxd", "pxi", "h"])
def test_a_changed_source_is_compiled_again(tmp_path, kind):
    assert files(kind)
    for source in files(kind):
        commands = planned(tmp_path, "install", "--what-if", source)
        assert COMPILES in commands and "pip" not in commands, source


def test_what_is_no_source_builds_nothing(tmp_path):
    assert (
        not planned(tmp_path, "ready", "--what-if", "README.md")
        .strip()
        .replace("make: Nothing to be done for 'ready'.", "")
    )


def test_changed_metadata_are_installed_again(tmp_path):
    commands = planned(tmp_path, "install", "--what-if", "pyproject.toml")
    assert INSTALLS in commands and INSTALLS_MORE in commands


def test_a_hunt_installs_nothing_for_developers(tmp_path):
    commands = planned(tmp_path, "search", steps=())
    assert commands.index(COMPILES) < commands.index(INSTALLS)
    assert INSTALLS_MORE not in commands
    # A later `make test` adds what is missing, and compiles nothing.
    commands = planned(tmp_path, "test", steps=STEPS[:-1])
    assert INSTALLS_MORE in commands and COMPILES not in commands and INSTALLS not in commands


def test_building_takes_no_numpy():
    # Whoever builds the package would have to install it first, which takes longer than most compiling.
    for source in [*files("pyx"), *files("pxd"), *files("pxi")]:
        assert not re.search(r"cimport numpy|from numpy\S* cimport", (ROOT / source).read_text()), source


def test_lint_compares_every_stub_with_its_module(tmp_path):
    commands = planned(tmp_path, "lint").replace("\\\n", "").splitlines()
    (command,) = [command for command in commands if "/stubtest" in command]
    stubs = {path.removesuffix(".pyi").replace("/", ".") for path in files("pyi")}
    assert stubs and stubs <= set(command.split())
    # A CPU may lack what a module of the lanes was built for: none is imported unasked.
    assert "lanes_" not in command
