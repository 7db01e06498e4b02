"""Runs a hunt for a command: shows how it goes, announces records, and says how it ended."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from camicia.results import counted
from camicia.text import duration_text
from search.campaign import Campaign
from search.cli_support.output import tell
from search.cli_support.progress import Display
from search.driver import Ending
from search.errors import FAILURE, INTERRUPTED, CampaignError
from search.ledger import BACKUP_SECONDS, Entry, StoredFind
from search.report import LongestKnown, find_document, summary
from search.session import Outcome, Session, Wish
from search.workers import ABSENCE

#: Seconds that commands of the user's have left when the hunt is over.
PATIENCE = 10.0


class Records:
    """Announces the finds of a hunt that are longer than any known, and runs the user's command for each.

    Parameters
    ----------
    entry : Entry
        The campaign.
    announce : callable
        Shows a message.
    command : str, optional
        What to run in a shell.
    """

    def __init__(self, entry: Entry, announce: Callable[[str], None], command: str | None) -> None:
        self._entry = entry
        self._announce = announce
        self._command = command
        self._known = LongestKnown(entry.campaign.deck)
        self._running: list[subprocess.Popen[bytes]] = []

    def take(self, finds: list[StoredFind]) -> None:
        """Look through the finds of a commit."""
        known = str(self._known)
        for find in self._known.broken_by(finds):
            self._announce(_record_text(self._entry, find, known))
            if self._command:
                self._running.append(_started(self._command, self._entry, find))

    def end(self) -> None:
        """Wait until the commands are done, for a limited time."""
        for command in self._running:
            try:
                command.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                command.kill()
                command.wait()


def run_hunt(
    wish: Wish,
    again: Callable[[Campaign, int], str],
    *,
    quiet: bool = False,
    on_record: str | None = None,
    backup_seconds: float = BACKUP_SECONDS,
    dask: str | None = None,
    reconnect_seconds: float = ABSENCE,
    **how: Any,
) -> tuple[dict[str, Any], int]:
    """Hunt, and return the summary of the ledger with the run, and the exit code.

    Parameters
    ----------
    wish : Wish
        What is asked for.
    again : callable
        Given the campaign and how many the ledger holds, returns the command that resumes it.
    quiet : bool, optional
        Show no progress.
    on_record : str, optional
        Run this in a shell for each find longer than the longest known.
    backup_seconds : float, optional
        Time between two backups of the ledger.
    dask : str, optional
        Address of the scheduler of a Dask cluster, which then runs the units.
    reconnect_seconds : float, optional
        Seconds for which a scheduler that is lost is waited for.
    **how
        Further arguments of `Session.run`.
    """
    with Session(
        wish, backup_seconds=backup_seconds, dask=dask, reconnect_seconds=reconnect_seconds
    ) as session:
        campaign = session.entry.campaign
        with Display(f"{campaign.strategy} {campaign.deck}", quiet) as display:
            records = Records(session.entry, display.announce, on_record)
            try:
                outcome = session.run(
                    on_progress=display.update, on_finds=records.take, on_trouble=display.announce, **how
                )
            finally:
                records.end()
        document = summary(session.ledger) | {"run": outcome.run_document()}
    return document, _told(outcome, document, again)


def _told(outcome: Outcome, document: dict[str, Any], again: Callable[[Campaign, int], str]) -> int:
    """Say on stderr what a reader of the summary might miss; returns the exit code."""
    campaigns = document["campaigns"]
    if outcome.ending is Ending.INTERRUPTED:
        command = again(outcome.campaign, len(campaigns))
        tell(f"Interrupted; everything done is saved in {outcome.ledger}. To resume: {command}")
        return INTERRUPTED
    if outcome.ending is Ending.TIME and not outcome.deals:
        tell(
            f"No unit of {outcome.campaign.unit_size:,} deals was finished in "
            f"{duration_text(outcome.seconds)}: give it more time, or begin another ledger with a smaller "
            "--unit-size"
        )
    aside = [unit for campaign in campaigns for unit in campaign["set_aside"]]
    if aside and outcome.ending is Ending.COMPLETE:
        tell(
            f"Incomplete: {counted(len(aside), 'unit')} set aside after failing again and again "
            f"({', '.join(str(unit['unit']) for unit in aside[:5])}); the same command tries again"
        )
        return FAILURE
    return 0


def command_line(*words: object, **options: object) -> str:
    """A command of ours for a shell; options that are None or False are left out.

    Examples
    --------
    >>> command_line("search", "climb", ledger="my hunt.db", seed=None, deals="-x", quiet=True)
    "camicia search climb --ledger 'my hunt.db' --deals=-x --quiet"
    """
    command = ["camicia", *map(str, words)]
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            command.append(option)
        elif value is not None and value is not False:
            command += [f"{option}={value}"] if str(value).startswith("-") else [option, str(value)]
    return shlex.join(command)


def _record_text(entry: Entry, find: StoredFind, known: str) -> str:
    stars = "*" * 20
    return (
        f"{stars} LONGER THAN ANY KNOWN {stars}\n"
        f"{counted(find.result.cards, 'card')}, {counted(find.result.tricks, 'trick')}, "
        f"deck {entry.campaign.deck} (longest known: {known})\n{find.deal}"
    )


def _started(command: str, entry: Entry, find: StoredFind) -> subprocess.Popen[bytes]:
    """Run a command of the user's beside the hunt; what it prints goes to stderr."""
    environment = os.environ | {
        f"CAMICIA_{name.upper()}": str(find_document(entry, find)[name])
        for name in ("deal", "deck", "cards", "tricks")
    }
    try:
        return subprocess.Popen(
            command, shell=True, env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr
        )
    except OSError as error:
        raise CampaignError(f"--on-record {command!r}: cannot be run: {error.strerror}") from None
