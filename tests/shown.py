"""The commands that help, README and documentation show, and how tests run them: in a shell, quickly."""

import re
import stat
import subprocess
import sys
from typing import NamedTuple

from hunting import environment

from search.cli import make_parser

#: What is changed in a command so that it takes a second or two, in this order. All else runs as it is shown.
SHORTENED = (
    # Another disk, which is not here.
    (r"/media/", ""),
    (r"--(for|time) \S+", r"--\1 0.3s"),
    (r"--(deals|until) 1e9", r"--\1 1e5"),
    (r"--rounds \d+", "--rounds 1"),
    (r"^(camicia bench)$", r"\1 --rounds 1"),
    # A hunt to which no end is named would go on until Ctrl-C.
    (r"^(camicia search(?!.*--(for|deals|dry-run|help)).*)$", r"\1 --for 0.3s"),
    # A walk among loops keeps whole units only, and the usual ones take longer than a second.
    (r"^(camicia search loops .*?)--for 0.3s", r"\1--unit-size 20000 --deals 40000"),
)

#: Commands that are not run, and why.
NOT_RUN = {
    r"--watch": "goes on until Ctrl-C; test_terminal.py watches",
    r"view .*--open": "starts a browser; test_view.py asks for one",
    r"--dask|^dask ": "needs a cluster; test_cluster.py has one",
    r"^(make|pip|git|cd) ": "sets up the checkout that runs this test",
}


class Shown(NamedTuple):
    """A command as it is shown.

    Parameters
    ----------
    command : str
        A line for the shell.
    printed : str
        What is shown of its output; empty if nothing is.
    """

    command: str
    printed: str = ""


def parsers():
    """Every parser of the command line."""

    def below(parser):
        yield parser
        for action in parser._actions:
            for child in dict(action.choices).values() if action.nargs == "A..." else ():
                yield from below(child)

    return {parser.prog: parser for parser in below(make_parser())}


def examples_of_help(description):
    """The examples of a help text, without the explanations beside them.

    >>> examples_of_help("examples:\\n  a 'b  c'   says so\\n             and more\\n  d")
    [Shown(command="a 'b  c'", printed=''), Shown(command='d', printed='')]
    """
    _, _, examples = (description or "").partition("examples:\n")
    lines = re.findall(r"^  (?! )(.*)$", examples, re.MULTILINE)
    # Two spaces end a command, but not between quotes.
    word = r"""(?:'[^']*'|"[^"]*"|(?!  )[^'"])+"""
    return [Shown(re.match(word, line)[0].strip()) for line in lines]


def blocks(text, language):
    """The fenced blocks of a page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def commands_of_page(text):
    """The commands of a page in their order: lines of `sh`, and of `console` with what they print."""
    found = []
    for language, block in re.findall(r"^```(sh|console)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if language == "sh":
            found += [Shown(line.strip()) for line in block.splitlines() if line.strip()]
        else:
            found += [
                Shown(command.strip(), printed)
                for command, _, printed in (
                    part.partition("\n") for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
                )
            ]
    return found


def why_not_run(command):
    """Why a command is not run, None if it is."""
    return next((why for pattern, why in NOT_RUN.items() if re.search(pattern, command)), None)


def shortened(command):
    """The command as it is run: quick, and without the comment.

    >>> shortened("camicia search --for 10m   # ten minutes")
    'camicia search --for 0.3s'
    >>> shortened("camicia search sample --deck italian")
    'camicia search sample --deck italian --for 0.3s'
    """
    command = re.sub(r"\s+# [^']*$", "", command)
    for pattern, replacement in SHORTENED:
        command = re.sub(pattern, replacement, command)
    return command


class Shell:
    """A folder in which commands run one after another, as somebody types them.

    Parameters
    ----------
    folder : Path
        The folder.
    """

    def __init__(self, folder):
        self.folder = folder
        commands = folder.parent / f"{folder.name}-commands"
        commands.mkdir()
        for name, words in (("camicia", "-m search "), ("python", "")):
            script = commands / name
            script.write_text(f'#!/bin/sh\nexec "{sys.executable}" {words}"$@"\n')
            script.chmod(script.stat().st_mode | stat.S_IXUSR)
        path = environment()["PATH"]
        self.environment = environment() | {"PATH": f"{commands}:{path}"}

    def run(self, command):
        """Run a command, shortened; returns what it prints."""
        command = shortened(command)
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, f"{command}\n{done.stderr}{done.stdout}"
        return done.stdout
