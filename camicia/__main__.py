"""Lets `python -m camicia` be the command `camicia`."""

import sys
from importlib.metadata import distribution


def main() -> int:
    """Run the command that this package was installed with; returns its exit code."""
    # The game knows nothing of the command line: the installed metadata names the command's function.
    (command,) = distribution("camicia").entry_points.select(group="console_scripts", name="camicia")
    code: int = command.load()()
    return code


if __name__ == "__main__":
    sys.exit(main())
