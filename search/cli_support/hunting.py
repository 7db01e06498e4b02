"""Runs a hunt for a command: shows how it goes, announces records, and says how it ended."""

from __future__ import annotations

import math
import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
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

#: Seconds of a run in which a new best of the ledger is no news: at first nearly every unit has one.
SETTLING = 30.0

#: Seconds that commands of the user's have left when the hunt is over.
PATIENCE = 10.0


class Records:
    """Announces the finds of a hunt that are longer than any known, or any of its ledger before.

    Parameters
    ----------
    entry : Entry
        The campaign.
    announce : callable
        Shows a message.
    on_record : str, optional
        What to run in a shell for each find longer than any known.
    on_best : str, optional
        The same for each find longer than any of the ledger before.
    finds : list of StoredFind, optional
        The finds of the ledger before the run.
    quiet : bool, optional
        Say nothing of a new best of the ledger for which nothing is run.
    """

    def __init__(
        self,
        entry: Entry,
        announce: Callable[[str], None],
        on_record: str | None = None,
        on_best: str | None = None,
        finds: Iterable[StoredFind] = (),
        *,
        quiet: bool = False,
    ) -> None:
        self._quiet_until = math.inf if quiet else time.monotonic() + SETTLING
        self._entry = entry
        self._announce = announce
        self._on_record = on_record
        self._on_best = on_best
        self._known = LongestKnown(entry.campaign.deck)
        self._best = LongestKnown.of_finds(entry.campaign.deck, finds)
        self._running: list[subprocess.Popen[bytes]] = []

    def take(self, finds: list[StoredFind]) -> None:
        """Look through the finds of a commit."""
        known = str(self._known)
        for find in self._known.broken_by(finds):
            self._announce(_record_text(self._entry, find, known))
            if self._on_record:
                self._running.append(_started(self._on_record, self._entry, find))
        # Of several in one commit only the longest is news.
        if better := self._best.broken_by(finds)[-1:]:
            find = better[0]
            cards, tricks = counted(find.result.cards, "card"), counted(find.result.tricks, "trick")
            if self._on_best or time.monotonic() >= self._quiet_until:
                self._announce(f"New best of this ledger: {cards}, {tricks}: {find.deal}")
            if self._on_best:
                self._running.append(_started(self._on_best, self._entry, find))

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
    on_best: str | None = None,
    backup_seconds: float = BACKUP_SECONDS,
    dask: str | None = None,
    reconnect_seconds: float = ABSENCE,
    **how: Any,
) -> tuple[dict[str, Any], int, str]:
    """Hunt; return the summary of the ledger with the run, the exit code, and the command that resumes it.

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
    on_best : str, optional
        Run this in a shell for each find longer than any of the ledger before.
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
            finds = [find for entry in session.ledger.campaigns() for find in session.ledger.finds(entry)]
            records = Records(session.entry, display.announce, on_record, on_best, finds, quiet=quiet)
            try:
                outcome = session.run(
                    on_progress=display.update, on_finds=records.take, on_trouble=display.announce, **how
                )
            finally:
                records.end()
        document = summary(session.ledger) | {"run": outcome.run_document()}
    command = again(outcome.campaign, len(document["campaigns"]))
    return document, _told(outcome, document, command), command


def _told(outcome: Outcome, document: dict[str, Any], command: str) -> int:
    """Say on stderr what a reader of the summary might miss; returns the exit code."""
    campaigns = document["campaigns"]
    if outcome.ending is Ending.INTERRUPTED:
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
