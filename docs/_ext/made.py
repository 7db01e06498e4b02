"""Pages and pictures that the program makes of itself: commands, records, a hunt, the replay of a game."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

from camicia import Deal
from camicia.records import records
from search.cli import make_parser
from search.ledger import Ledger
from search.report import drawn, report_page, view_page
from search.strategies import strategy_named
from search.strategies.request import Request
from search.workers import run_unit

#: The hunt of the pictures: enough deals for a straight curve, few enough for some seconds.
SEED, UNIT_SIZE, UNITS = 2022, 499_200, 4

#: Pages that stand in the index by name; all others are listed after them.
NAMED = (
    "index",
    "rules",
    "player",
    "tutorial",
    "how-it-works",
    "commands",
    "api",
    "lengths",
    "ancestors",
    "hunting",
    "counting",
    "records",
    "formats",
    "glossary",
    "war",
    "crazy-eights",
)

RECORD = "---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---"


def setup(app):
    """Make everything before the sources are read."""
    app.connect("builder-inited", make_all)
    app.connect("source-read", list_others)
    app.connect("autodoc-process-signature", short_signature)
    return {"parallel_read_safe": True}


def make_all(app):
    """Write the generated pages and pictures."""
    folder = Path(app.srcdir) / "generated"
    folder.mkdir(exist_ok=True)
    (folder / "commands.txt").write_text(commands_text(), encoding="utf-8")
    (folder / "records.txt").write_text(records_text(), encoding="utf-8")
    (folder / "price.txt").write_text(price_text(), encoding="utf-8")
    extra = folder / "extra"
    extra.mkdir(exist_ok=True)
    app.config.html_extra_path = [str(extra)]
    # Not player.html: that is the page about it.
    (extra / "replay.html").write_text(view_page(), encoding="utf-8")
    (extra / "record.html").write_text(view_page(Deal.parse(RECORD)), encoding="utf-8")
    loop = next(record for record in records() if record.result.status == "loop")
    (extra / "loop.html").write_text(view_page(loop.deal), encoding="utf-8")
    hunt(folder / "hunt.db", folder)


def hunt(path, folder):
    """Hunt, unless it is done already, and draw what was found."""
    with Ledger(path, "create") as ledger:
        plan = strategy_named("climb").plan(Request(seed=SEED, unit_size=UNIT_SIZE, settings={
            "least_tricks": 250, "from_end": 240, "max_states": 1_000_000
        }))  # fmt: skip
        entry = next((entry for entry in ledger.campaigns() if entry.campaign == plan), None)
        entry = entry or ledger.enter(plan)
        for unit in ledger.done(entry).missing(range(UNITS)):
            ledger.commit(entry, [run_unit(entry.campaign, unit)])
        for kind in ("survival", "finds"):
            (folder / f"{kind}.svg").write_bytes(drawn(ledger, kind, "svg"))
        page = report_page(ledger).replace(str(path), path.name)
    (folder / "extra" / "report.html").write_text(page, encoding="utf-8")


def commands_text():
    """The command reference: what `camicia --help` prints, then the help of each command."""
    os.environ["COLUMNS"] = "88"
    overview = subprocess.run(
        [sys.executable, "-m", "search", "--help"],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return "\n".join([f"```text\n{overview.stdout}```\n", *sections(make_parser(), 2)])


def price_text():
    """What `camicia forecast` prints for a given rate."""
    words = ["forecast", "--rate", "20M"]
    done = subprocess.run(
        [sys.executable, "-m", "search", *words],
        cwd=Path(__file__).parents[2],
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    # No line breaks are in a pipe; a page needs some.
    lines = [textwrap.fill(line, 100) if len(line) > 130 else line for line in done.stdout.splitlines()]
    return "\n".join(["```text", f"$ camicia {' '.join(words)}", *lines, "```", ""])


def sections(parser, level):
    """The help of each of a parser's subcommands, each followed by those of its own."""
    for action in parser._actions:
        for child in (action.choices or {}).values() if action.nargs == "A..." else ():
            yield f"{'#' * level} {child.prog}\n"
            yield f"```text\n{child.format_help()}```\n"
            yield from sections(child, level + 1)


def records_text():
    """The table of the known records, a line each, and their sources below it."""
    lines = ["| year | finder | deal | cards | tricks |", "| --- | --- | --- | ---: | ---: |"]
    sources = list(dict.fromkeys(record.source for record in records()))
    for record in records():
        result = record.result
        lengths = f"{result.cards:,} | {result.tricks:,}"
        if result.status == "loop":
            lengths = f"cycle {result.cycle_cards:,} | cycle {result.cycle_tricks:,}"
        note = sources.index(record.source) + 1
        link = f'<a href="replay.html#deal={record.deal}" style="white-space: nowrap">`{record.deal}`</a>'
        finder = f"{record.finder}<sup>{note}</sup>"
        lines.append(f"| {record.year or ''} | {finder} | {link} | {lengths} |")
    notes = [f"{number}. {source}" for number, source in enumerate(sources, 1)]
    return "\n".join([*lines, "", "Sources:", "", *notes]) + "\n"


def short_signature(app, what, name, obj, options, signature, returned):
    """Show a default that is a function as dots."""
    return signature and signature.replace("<function <lambda>>", "..."), returned


def list_others(app, name, source):
    """Put the pages that the index does not name where it says so."""
    if name == "index":
        others = sorted(path.stem for path in Path(app.srcdir).glob("*.md") if path.stem not in NAMED)
        source[0] = source[0].replace("@others@", "\n".join(others))
