"""Every example of the README runs and prints what the README says."""

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"

BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)

#: Commands that set up, or are what runs this test.
SET_UP = ("make", "pip", "git", "cd", "python3")


def blocks(language):
    return [text for name, text in BLOCKS if name == language]


def run(command, folder):
    """Run a `camicia` command line, hunting for two seconds where the README says longer."""
    words = shlex.split(command, comments=True)
    assert words[0] == "camicia"
    if "--for" in words:
        words[words.index("--for") + 1] = "2s"
    return subprocess.run(
        [sys.executable, "-m", "search", *words[1:]], cwd=folder, capture_output=True, text=True, timeout=120
    )


def test_python_examples():
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks("python")), {}, "README", str(README), 0)
    assert len(examples.examples) > 3
    assert doctest.DocTestRunner().run(examples).failed == 0


@pytest.mark.parametrize("block", blocks("console"))
def test_console_examples(block, tmp_path):
    for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, printed = example.partition("\n")
        done = run(command, tmp_path)
        assert (done.returncode, done.stdout) == (0, printed), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("block", blocks("sh"))
def test_commands(block, tmp_path):
    for line in filter(None, map(str.strip, block.splitlines())):
        if line.split()[0] not in SET_UP:
            done = run(line, tmp_path)
            assert done.returncode == 0, (line, done.stderr)
