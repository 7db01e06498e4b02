"""The `camicia` command: finds the command's module, and turns errors into one line and an exit code."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from types import ModuleType

#: The modules of `search.commands`, in the order that help lists them.
COMMANDS = (
    "search",
    "status",
    "best",
    "report",
    "plot",
    "merge",
    "census",
    "verify",
    "export",
    "import",
    "ancestors",
    "improve",
    "play",
    "view",
    "rank",
    "unrank",
    "records",
    "loops",
    "war",
    "eights",
    "bench",
    "info",
)

DESCRIPTION = """\
Search for the longest games of Camicia (Beggar-My-Neighbour).

examples:
  camicia search --for 10m                 hunt for ten minutes; the same command goes on
  camicia status sample-36-4-4-4-4.db      what the hunt has come to
  camicia best sample-36-4-4-4-4.db        the longest games it has found
"""

#: Exit codes: a failure, and being interrupted.
FAILURE = 1
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        The words after `camicia`; those of the process unless given.
    """
    # Workers import the main module too: all the rest is imported only where a command runs.
    import logging

    from camicia.errors import CamiciaError
    from search.commands.output import give_up, tell
    from search.errors import exit_code

    _open_missing()
    # What libraries have to say, such as a ledger that was recovered, goes to stderr as errors do.
    logging.basicConfig(format="camicia: %(message)s")
    try:
        return _run(list(sys.argv[1:] if argv is None else argv))
    except CamiciaError as error:
        tell(f"camicia: {error}")
        return exit_code(error)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has seen enough, as `head` does; nothing more may be written when Python ends.
        give_up(sys.stdout)
        return FAILURE
    except OSError as error:
        # Such as a full disk under stdout or beside a ledger. What cannot be printed is not tried again.
        give_up(sys.stdout)
        tell(f"camicia: {error.filename or 'output'}: {error.strerror}")
        return FAILURE
    except MemoryError as error:
        tell(f"camicia: {error or 'no memory left'}")
        return FAILURE


def _open_missing() -> None:
    """Stand in for standard streams that were closed before we began: what goes there is lost, no failure."""
    # They stay open as long as the process does.
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115


def make_parser() -> tuple[argparse.ArgumentParser, dict[str, ModuleType]]:
    """Make the parser of the whole command line, and tell which module runs which command."""
    from importlib import import_module

    from camicia.version import __version__
    from search.commands.arguments import Parser

    parser = Parser(prog="camicia", description=DESCRIPTION)
    parser.add_argument("--version", action="version", version=f"camicia {__version__}")
    subparsers = parser.add_subparsers(
        title="commands", dest="command", metavar="COMMAND", required=True, parser_class=Parser
    )
    modules = {}
    for name in COMMANDS:
        module = import_module(f"search.commands.{name}")
        module.add_parser(subparsers)
        modules[module.NAME] = module
    return parser, modules


def _run(argv: list[str]) -> int:
    from search.commands.arguments import shielded
    from search.commands.search import with_strategy

    parser, modules = make_parser()
    arguments = parser.parse_args(shielded(with_strategy(argv)))
    code: int = modules[arguments.command].run(arguments)
    sys.stdout.flush()
    return code
