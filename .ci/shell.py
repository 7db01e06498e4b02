"""Writes completions for bash, zsh and fish and the man page of `camicia`, from its parser, into a folder."""

import sys
from pathlib import Path

import shtab
from argparse_manpage.manpage import Manpage

from search.cli import make_parser

#: Where each shell looks, below the prefix that Python is installed in.
COMPLETIONS = {
    "bash": "share/bash-completion/completions/camicia",
    "zsh": "share/zsh/site-functions/_camicia",
    "fish": "share/fish/vendor_completions.d/camicia.fish",
}
MAN_PAGE = "share/man/man1/camicia.1"


def main(prefix: Path) -> None:
    """Write all of them below a folder."""
    texts = {path: shtab.complete(make_parser(), shell=shell) for shell, path in COMPLETIONS.items()}
    parser = make_parser()
    parser.man_short_description = "search for the longest games of Camicia (Beggar-My-Neighbour)"
    page = str(Manpage(parser, format="single-commands-section"))
    texts[MAN_PAGE] = page.replace('"Generated Python Manual"', '"Camicia"', 1)
    for path, text in texts.items():
        (prefix / path).parent.mkdir(parents=True, exist_ok=True)
        (prefix / path).write_text(text if text.endswith("\n") else text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
