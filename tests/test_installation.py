"""What an installation brings: the command under its other name, completions, the man page."""

import re
import subprocess
import sys

import pytest
from hunting import environment
from places import ROOT

from search.cli import COMMANDS


def test_the_package_is_the_command(tmp_path):
    def printed(module, *words):
        done = subprocess.run(
            [sys.executable, "-m", module, *words],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            text=True,
        )
        return done.returncode, done.stdout, done.stderr

    for words in (["play", "J--/-J-"], ["play", "x"], ["--version"]):
        assert printed("camicia", *words) == printed("search", *words)


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """The texts that a wheel installs for shells and for `man`, by file name."""
    pytest.importorskip("shtab")
    pytest.importorskip("argparse_manpage")
    script = ROOT / ".ci" / "shell.py"
    if not script.exists():
        pytest.skip("not a checkout")
    prefix = tmp_path_factory.mktemp("prefix")
    subprocess.run([sys.executable, script, prefix], env=environment(), check=True, timeout=120)
    return {path.name: path for path in prefix.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["camicia", "_camicia", "camicia.fish", "camicia.1"])
def test_every_command_is_known(shared, name):
    text = shared[name].read_text()
    assert all(re.search(rf"\b{command}\b", text) for command in COMMANDS)
    assert re.search(r"-?-?keep(-|\\-)going", text)


def test_bash_completes(shared):
    code = (
        f"source {shared['camicia']}; COMP_WORDS=(camicia pla); COMP_CWORD=1;"
        '_shtab_camicia camicia pla camicia; echo "${COMPREPLY[@]}"'
    )
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, timeout=60)
    assert (done.stdout.split(), done.stderr) == (["play"], "")
