"""Runs the command line for tests: in this process, or on a terminal of its own."""

import os
import pty
import re
import select
import subprocess
import time

from hunting import command, environment

from search.cli import main


def run(capsys, *words):
    """Run the command line; return its exit code, stdout and stderr."""
    try:
        code = main(words)
    except SystemExit as end:
        code = end.code
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def on_a_terminal(*words, cwd, **variables):
    """Run the command with a terminal as its stdout; return the process and the terminal's other end."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        command(*words), stdin=slave, stdout=slave, cwd=cwd, env=environment() | {"TERM": "xterm"} | variables
    )
    os.close(slave)
    return process, master


def read_until(master, pattern, seconds=60):
    """What the terminal shows, until it shows the pattern or ends."""
    shown, until = "", time.monotonic() + seconds
    while not re.search(pattern, shown) and time.monotonic() < until:
        if select.select([master], [], [], 0.2)[0]:
            try:
                data = os.read(master, 1 << 16)
            except OSError:
                break
            shown += data.decode()
    return shown
