"""The `camicia` command: finds the command's module, and turns errors into one line and an exit code."""

from __future__ import annotations

import errno
import os
import signal
import sys

#: As in `typing`, which is not imported: nothing is that takes time before Ctrl-C is seen to.
TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from types import FrameType, ModuleType
    from typing import NoReturn

#: The commands in the order of help; each is a module of `search.commands`, imported when it is asked for.
GROUPS = {
    "play": {
        "play": "play deals exactly",
        "view": "write a page that replays games",
        "records": "list the known records",
        "convert": "write deals in another notation",
    },
    "hunt": {
        "search": "hunt for long games",
        "improve": "climb from given deals to longer ones",
        "ancestors": "list the deals whose games share a state with a given one",
        "verify": "check what a ledger holds",
        "merge": "join ledgers",
        "import": "keep other people's deals in a ledger",
        "restore": "go back to the backup of a ledger",
    },
    "look": {
        "status": "summarise a ledger",
        "best": "list the longest games of a ledger",
        "forecast": "compute what a record costs",
        "report": "write a page about a ledger",
        "plot": "draw a picture of a ledger",
        "export": "write a ledger as CSV or JSON",
    },
    "small decks": {
        "census": "play every deal of a small deck",
        "rank": "print the rank of a deal",
        "unrank": "print the deal of a rank",
    },
    "loops": {
        "loops": "list the known deals that never end",
    },
    "other games": {
        "war": "play the card game War",
        "eights": "play Crazy Eights against the dealer",
    },
    "about": {
        "bench": "measure the deals per second of every kernel",
        "info": "print version, machine and kernels",
    },
}

#: What each command does, by its name.
COMMANDS = {name: text for commands in GROUPS.values() for name, text in commands.items()}

DESCRIPTION = """\
Search for the longest games of Camicia (Beggar-My-Neighbour).

examples:
  camicia play J--/-J-                  play a deal
  camicia search --for 10m              hunt for ten minutes, or resume a hunt
  camicia status climb-36-4-4-4-4.db    summarise the hunt
  camicia best climb-36-4-4-4-4.db      list the longest games it has found
"""

#: What a write fails with that names no file: a full disk or quota, too large a file, a broken device.
FAILED_WRITES = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)

#: Exit codes as in `search.errors`, which cannot be imported before Ctrl-C is seen to.
FAILURE = 1
INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code.

    Parameters
    ----------
    argv : sequence of str, optional
        The words after `camicia` (default: those of the process).
    """
    # An interrupt that is raised within an import may be lost or come out as another error. So until there is
    # something to bring to an end, Ctrl-C ends the process at once, and again when all is done. Where it is
    # ignored, as under nohup, it stays so.
    is_process = argv is None
    is_interruptible = is_process and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_interruptible:
        signal.signal(signal.SIGINT, _leave)
    code = _main(sys.argv[1:] if argv is None else list(argv), is_process)
    if is_interruptible:
        signal.signal(signal.SIGINT, _leave)
    return code


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    os._exit(INTERRUPTED)


def _main(argv: list[str], is_process: bool) -> int:
    """Run the command line, and turn what it raises into one line and an exit code."""
    # Workers import the main module too: all the rest is imported only where a command runs.
    _open_missing()
    try:
        import logging

        from search.cli_support.output import give_up, prepare_streams, settled
    except (ImportError, MemoryError) as error:
        sys.stderr.write(f"{_not_loaded(error)}\n")
        return FAILURE
    prepare_streams()
    # What libraries have to say, such as a ledger that was recovered, goes to stderr as errors do.
    logging.basicConfig(format="camicia: %(message)s")
    try:
        return _reported(argv)
    except KeyboardInterrupt:
        if is_process:
            # Pressed again, Ctrl-C ends even a write to a reader that is busy.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
        settled(sys.stdout)
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has seen enough, as `head` does; nothing more may be written when Python ends.
        give_up(sys.stdout)
        return _ended_by(signal.SIGPIPE) if is_process else 128 + signal.SIGPIPE


def _reported(argv: list[str]) -> int:
    """Run the command line; errors become a line on stderr and an exit code."""
    from camicia.errors import CamiciaError
    from search.cli_support.output import ReaderGone, has_no_reader, settled, tell
    from search.errors import exit_code

    try:
        return _run(argv)
    except CamiciaError as error:
        # In this order, so that what was printed before stands before it on a terminal too.
        settled(sys.stdout)
        tell(f"camicia: {error}")
        return exit_code(error)
    except OSError as error:
        if isinstance(error, ReaderGone) or (
            isinstance(error, BrokenPipeError) and has_no_reader(sys.stdout)
        ):
            raise
        # Such as a full disk under stdout.
        is_output = not settled(sys.stdout) or (error.filename is None and error.errno in FAILED_WRITES)
        where = "output" if is_output else error.filename
        reason = error.strerror or error or type(error).__name__
        tell(f"camicia: {where}: {reason}" if where else f"camicia: {reason}")
        return FAILURE
    except ImportError as error:
        tell(_not_loaded(error))
        return FAILURE
    except MemoryError as error:
        # Python's own has no text.
        what = f"out of memory ({error})" if str(error) else "out of memory"
        tell(f"camicia: {what}; fewer --workers or a smaller input would need less")
        return FAILURE


def _not_loaded(error: ImportError | MemoryError) -> str:
    """Say in one line that a library cannot be loaded, such as one of NumPy's where memory is limited."""
    reason = (str(error).strip() or type(error).__name__).splitlines()[-1]
    return f"camicia: cannot be loaded: {reason}; does `ulimit -v` leave enough memory?"


def _ended_by(number: int) -> int:
    """End this process as the signal does by itself, so that a shell can tell it from a failure."""
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    # Reached only where the signal is blocked.
    return 128 + number


def _open_missing() -> None:
    """Stand in for standard streams that were closed before we began: what goes there is lost, no failure."""
    # They stay open as long as the process does.
    sys.stdin = sys.stdin or open(os.devnull)  # noqa: SIM115
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115


def make_parser() -> argparse.ArgumentParser:
    """Make the parser of the whole command line, with every command: what completions and tests need."""
    from search.cli_support.arguments import Parser

    parser = Parser(prog="camicia", description=DESCRIPTION)
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser)
    for name, text in COMMANDS.items():
        module = _module(name)
        module.add_arguments(subparsers.add_parser(name, help=text, description=module.DESCRIPTION))
    return parser


def _module(name: str) -> ModuleType:
    from importlib import import_module

    return import_module(f"search.commands.{name}")


def _help() -> str:
    """The help of `camicia` itself, which needs no command to be imported."""
    from search.cli_support.tables import hanging, screen_width

    name_width, width = max(map(len, COMMANDS)), screen_width()
    lines = ["usage: camicia COMMAND ...", ""]
    for line in DESCRIPTION.split("\n"):
        # What an example is for stands some spaces behind it.
        example, gap, text = line.rpartition("   ")
        lines += hanging(example + gap, text, width, 6 if gap else 0)
    for title, commands in GROUPS.items():
        lines.append(f"{title}:")
        for name, text in commands.items():
            lines += hanging(f"  {name:<{name_width}}  ", text, width)
        lines.append("")
    last = "`camicia COMMAND --help` explains a command; `camicia --version` prints the version."
    return "\n".join([*lines, *hanging("", last, width), ""])


def _run(argv: list[str]) -> int:
    from search.cli_support.arguments import Parser, misspelled, shielded

    if argv[:1] in (["-h"], ["--help"]):
        sys.stdout.write(_help())
        sys.stdout.flush()
        return 0
    if argv[:1] == ["--version"]:
        from camicia.version import __version__

        print(f"camicia {__version__}", flush=True)
        return 0
    top = Parser(prog="camicia")
    if not argv:
        top.error("expected a command")
    name, words = argv[0], argv[1:]
    if name not in COMMANDS:
        top.error(f"unknown command {name!r}{misspelled(name, COMMANDS)}")
    module = _module(name)
    parser = Parser(prog=f"camicia {name}", description=module.DESCRIPTION)
    module.add_arguments(parser)
    if name == "search":
        words = module.with_strategy(words)
    try:
        arguments = parser.parse_args(shielded(words))
    except SystemExit:
        # After --help: what cannot be printed is an error like any other.
        sys.stdout.flush()
        raise
    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    code: int = module.run(arguments)
    sys.stdout.flush()
    return code
