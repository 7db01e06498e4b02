"""Runs command lines, each in a process of its own that is forked from one in which all is imported already.

Reads a list of cases as JSON from standard input and prints what came of each. A case has `words` (bytes as
latin-1), and may say what becomes of its standard output (`stdout`: "closed pipe", "full", else a file), how
its streams encode (`encoding`), and when Ctrl-C is pressed (`interrupt`: "run" or "print").
"""

import importlib
import io
import json
import os
import signal
import sys

from search.cli import COMMANDS, main


def standard_output(kind):
    """The descriptor of a standard output."""
    if kind == "closed pipe":
        reader, writer = os.pipe()
        os.close(reader)
        return writer
    if kind == "full":
        return os.open("/dev/full", os.O_WRONLY)
    return os.open("stdout", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)


def begins(when, frame, event, argument):
    """Whether this call is the moment to press Ctrl-C."""
    if when == "run":
        code = frame.f_code
        return event == "call" and code.co_name == "run" and "commands" in code.co_filename
    if event != "c_call":
        return False
    stream = getattr(argument, "__self__", None)
    return argument is print or (
        getattr(argument, "__name__", "") == "write"
        and isinstance(stream, io.TextIOWrapper | io.BufferedWriter | io.FileIO)
        and os.path.sameopenfile(stream.fileno(), 1)
    )


def press_ctrl_c(when):
    """Send SIGINT at a moment."""

    def look(frame, event, argument):
        if begins(when, frame, event, argument):
            sys.setprofile(None)
            signal.raise_signal(signal.SIGINT)

    sys.setprofile(look)


def prepare(case):
    """Make a forked process what the case says."""
    os.chdir(os.fsdecode(case["cwd"].encode("latin-1")))
    os.dup2(os.open("stdin", os.O_RDONLY), 0)
    os.dup2(standard_output(case.get("stdout")), 1)
    os.dup2(os.open("stderr", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
    # Python has read all of the cases: it is a new stream.
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    if encoding := case.get("encoding"):
        for stream in (sys.stdin, sys.stdout):
            stream.reconfigure(encoding=encoding, errors="strict")
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if when := case.get("interrupt"):
        press_ctrl_c(when)
    sys.argv = ["camicia", *(os.fsdecode(word.encode("latin-1")) for word in case["words"])]


def outcome(case, process):
    """What has become of a process."""
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    folder = os.fsdecode(case["cwd"].encode("latin-1"))
    printed = []
    for name in ("stdout", "stderr"):
        path = os.path.join(folder, name)
        with open(path, "rb") as file:
            printed.append(file.read().decode("latin-1"))
    return [status, *printed]


if __name__ == "__main__":
    for name in COMMANDS:
        importlib.import_module(f"search.commands.{name}")
    cases = json.load(sys.stdin)
    if any("plot" in case["words"] for case in cases):
        importlib.import_module("matplotlib.backends.backend_agg")
        importlib.import_module("matplotlib.backends.backend_svg")
    outcomes = []
    for case in cases:
        process = os.fork()
        if not process:
            prepare(case)
            sys.exit(main())
        outcomes.append(outcome(case, process))
    print(json.dumps(outcomes))
