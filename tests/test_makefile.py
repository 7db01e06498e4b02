"""The Makefile rebuilds when a source changes, and its lint looks at every stub."""

import os
import subprocess

import pytest
from places import ROOT


def files(kind):
    """The files of the packages with this ending."""
    return [
        str(path.relative_to(ROOT))
        for folder in ("camicia", "search")
        for path in sorted((ROOT / folder).rglob(f"*.{kind}"))
    ]


def planned(environment, *words):
    """What make would do, if the environment in that folder was installed just now."""
    (environment / ".installed").touch()
    variables = {name: text for name, text in os.environ.items() if not name.startswith("MAKE")}
    words = ["make", "--dry-run", f"VENV={environment}", *words]
    done = subprocess.run(words, cwd=ROOT, env=variables, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("kind", ["pyx", "pxd", "pxi", "h"])
def test_a_changed_source_is_built_again(tmp_path, kind):
    assert files(kind)
    for source in files(kind):
        assert "pip install" in planned(tmp_path, "install", "--what-if", source), source


def test_what_is_no_source_builds_nothing(tmp_path):
    assert "pip install" not in planned(tmp_path, "install", "--what-if", "README.md")


def test_lint_compares_every_stub_with_its_module(tmp_path):
    commands = planned(tmp_path, "lint").replace("\\\n", "").splitlines()
    (command,) = [command for command in commands if "/stubtest" in command]
    stubs = {path.removesuffix(".pyi").replace("/", ".") for path in files("pyi")}
    assert stubs and stubs <= set(command.split())
    # A CPU may lack what a module of the lanes was built for: none is imported unasked.
    assert "lanes_" not in command
