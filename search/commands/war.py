"""`camicia war`: the card game War, one deal, many, or random deals by the million."""

from __future__ import annotations

import argparse
import math
import secrets
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from camicia.errors import CamiciaError, DealError
from camicia.guests import war_rules
from camicia.guests.war import play_deal
from camicia.guests.war_cards import WarDeal, hand_text
from camicia.guests.war_random import WarTally, play_random
from camicia.guests.war_rules import AS_LAID, COLLECT, WarResult, play_by_play
from camicia.results import counted
from camicia.text import with_error
from search.cli_support import arguments as kinds
from search.cli_support.output import tell
from search.cli_support.progress import Display
from search.cli_support.tables import bar_room
from search.cli_support.terminal import print_paged
from search.driver import Progress
from search.errors import INTERRUPTED, VerificationError
from search.workers import StopSignals, usable_cpus

NAME = "war"

#: Rows of the histogram at most, and characters of its longest bar.
ROWS, BAR = 16, 40

DESCRIPTION = """\
Plays War: hand A, a slash, hand B, each top card first, T for a ten. The higher card takes the trick: a Jack
is worth 1, a Queen 2, a King 3, an Ace 4, every other card its number. A lone - reads deals from standard
input, one a line. With --random, plays random deals of the standard 52 cards and prints how many finish, how
many never end, and the longest.

examples:
  camicia war 2T/3J
  camicia war 34/5 --table
  camicia war --random 1e5 --seed 1
  camicia war --random 1e5 --collect winner-first --json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("deals", nargs="*", metavar="DEAL", help="a deal, or - to read deals, one a line")
    parser.add_argument(
        "--collect",
        choices=COLLECT,
        default=AS_LAID,
        help="how a trick goes under the winner's hand: in the order laid, or the winner's own cards first "
        f"(default: {AS_LAID})",
    )
    parser.add_argument(
        "--table", action="store_true", help="print the game trick by trick, in pages on a terminal"
    )
    parser.add_argument("--random", type=kinds.count, metavar="N", help="play N random deals instead")
    parser.add_argument(
        "--seed", type=kinds.seed, metavar="S", help="seed of the random deals (default: random, and printed)"
    )
    parser.add_argument(
        "--threads",
        type=kinds.count,
        metavar="N",
        help="threads for random deals (default: one per usable CPU)",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress on stderr")
    kinds.add_json(parser)


def run(arguments: argparse.Namespace) -> int:
    """Play and print."""
    if arguments.random is None:
        if not arguments.deals:
            raise CamiciaError("no deal to play: give one, such as 2T/3J, or --random N")
        for option in ("seed", "threads"):
            if getattr(arguments, option) is not None:
                raise CamiciaError(f"--{option}: only random deals have one; add --random N")
        return _play_given(arguments)
    if arguments.deals:
        raise CamiciaError(f"deal {arguments.deals[0]!r} and --random: give one or the other")
    if arguments.table:
        raise CamiciaError("--table and --random: there is a table of given deals only")
    return _play_random(arguments)


def _play_given(arguments: argparse.Namespace) -> int:
    collect = arguments.collect
    played = [(deal, play_deal(deal, collect)) for deal in _read(arguments.deals)]
    if arguments.json:
        documents = [_document(deal, result, collect, arguments.table) for deal, result in played]
        # One deal on the command line is one result; otherwise there is a list, be it of one.
        single = len(arguments.deals) == 1 and arguments.deals[0].strip() != "-"
        kinds.write_json(documents[0] if single else {"games": documents})
    elif arguments.table:
        print_paged(line for deal, result in played for line in (*table_lines(deal, collect), result.reason))
    else:
        for deal, result in played:
            print(f"{deal}  " if len(played) > 1 else "", result.reason, sep="")
    return 0


def _read(words: Sequence[str]) -> Iterator[WarDeal]:
    """Yield the deals that the words of a command line name; ``-`` stands for the lines of standard input."""
    for word in words:
        if word.strip() != "-":
            yield WarDeal.parse(word)
            continue
        try:
            for number, line in enumerate(sys.stdin, start=1):
                try:
                    if line.strip():
                        yield WarDeal.parse(line)
                except DealError as error:
                    raise DealError(f"standard input, line {number}: {error}") from None
        except UnicodeDecodeError as error:
            raise DealError(f"standard input: expected deals, a line each, as UTF-8 text ({error})") from None


def table_lines(deal: WarDeal, collect: str = AS_LAID) -> Iterator[str]:
    """Yield the lines of a game's table, a line a trick: the hands before it, what was laid, and who took it.

    Examples
    --------
    >>> print(*table_lines(WarDeal.parse("34/5")), sep="\\n")
    trick  hand A  hand B  table  taken by
        1  34      5       35     B
        2  4       35      43     A
        3  43      5       45     B
        4  3       45      34     B
    """
    size = len(deal.hand_a) + len(deal.hand_b)
    widths = [5, max(size, 6), max(size, 6), max(size, 5)]
    for cells in [("trick", "hand A", "hand B", "table", "taken by"), *_rows(deal, collect)]:
        first, *rest = [cell.ljust(width) for cell, width in zip(cells, [*widths, 0], strict=True)]
        yield "  ".join([first.strip().rjust(5), *rest])


def _rows(deal: WarDeal, collect: str) -> Iterator[tuple[str, ...]]:
    for trick in play_by_play(deal, collect):
        hands = hand_text(trick.hand_a), hand_text(trick.hand_b)
        yield (str(trick.number), *hands, hand_text(trick.table), trick.winner)


def _document(deal: WarDeal, result: WarResult, collect: str, with_table: bool) -> dict[str, Any]:
    document = {"deal": str(deal), "collect": collect, **result.as_dict()}
    if with_table:
        names = ("trick", "hand_a", "hand_b", "table", "taken_by")
        rows = [dict(zip(names, row, strict=True)) for row in _rows(deal, collect)]
        document["table"] = [row | {"trick": number} for number, row in enumerate(rows, start=1)]
    return document


def _play_random(arguments: argparse.Namespace) -> int:
    seed = secrets.randbits(64) if arguments.seed is None else arguments.seed
    threads = arguments.threads or usable_cpus()
    tally = WarTally()
    started = time.monotonic()
    with StopSignals() as signals, Display("war", arguments.quiet) as display:
        blocks = play_random(arguments.random, seed, collect=arguments.collect, threads=threads)
        for block in blocks:
            tally.merge(block)
            display.update(_progress(tally, arguments.random, time.monotonic() - started))
            if signals.requested() and tally.games < arguments.random:
                break
    is_whole = tally.games == arguments.random
    document = random_document(tally, seed, arguments.collect)
    if arguments.json:
        kinds.write_json(document | {"interrupted": not is_whole})
    else:
        for line in random_lines(document):
            print(line)
    if not is_whole:
        tell(f"camicia: interrupted after {tally.games:,} of {counted(arguments.random, 'game')}")
        return INTERRUPTED
    return 0


def _progress(tally: WarTally, goal: int, elapsed: float) -> Progress:
    rate = tally.games / max(elapsed, 1e-9)
    return Progress(
        deals=tally.games,
        goal=goal,
        run_deals=tally.games,
        rate=rate,
        cards=0,
        tricks=0,
        loops=tally.loops,
        elapsed=elapsed,
        left=(goal - tally.games) / rate,
        note=f"longest {counted(max(0, tally.longest_tricks), 'trick')}",
    )


def random_document(tally: WarTally, seed: int, collect: str) -> dict[str, Any]:
    """What random games came to, under the field names of JSON.

    Raises
    ------
    VerificationError
        If the longest game is another when it is played by the rules in plain Python.
    """
    share = tally.loops / tally.games
    mean, error = mean_with_error(tally.tricks)
    longest = None
    if tally.longest is not None:
        result = war_rules.play(tally.longest, collect)
        if result.tricks != tally.longest_tricks:
            raise VerificationError(
                f"deal '{tally.longest}': played as {counted(tally.longest_tricks, 'trick')}, "
                f"but by the rules it has {result.tricks:,}"
            )
        longest = _document(tally.longest, result, collect, False)
    return {
        "games": str(tally.games),
        "seed": str(seed),
        "collect": collect,
        "finished": str(tally.finished),
        "won_by_a": str(tally.wins[0]),
        "won_by_b": str(tally.wins[1]),
        "loops": str(tally.loops),
        "loop_share": share,
        "loop_share_error": math.sqrt(share * (1 - share) / tally.games),
        "mean_tricks": mean,
        "mean_tricks_error": error,
        "mean_transient_tricks": mean_with_error(tally.transients)[0],
        "mean_cycle_tricks": mean_with_error(tally.cycles)[0],
        "longest": longest,
        "histogram": {str(tricks): str(games) for tricks, games in sorted(tally.tricks.items())},
    }


def mean_with_error(counts: Counter[int]) -> tuple[float | None, float | None]:
    """The mean of counted numbers and its standard error; None where too few are counted.

    Examples
    --------
    >>> mean_with_error(Counter({1: 2, 3: 2}))
    (2.0, 0.5)
    """
    many = sum(counts.values())
    if not many:
        return None, None
    mean = sum(number * count for number, count in counts.items()) / many
    variance = sum((number - mean) ** 2 * count for number, count in counts.items()) / many
    return mean, math.sqrt(variance / many)


def random_lines(document: dict[str, Any]) -> Iterator[str]:
    """Yield the lines that tell people what random games came to, with a histogram."""
    games, loops, finished = (int(document[name]) for name in ("games", "loops", "finished"))
    collected = document["collect"].replace("-", " ")
    yield f"{counted(games, 'game')} of 52 cards, seed {document['seed']}, collected {collected}"
    won = f"A won {int(document['won_by_a']):,}, B won {int(document['won_by_b']):,}"
    yield f"finished   {finished:,}: {won}"
    yield f"loops      {loops:,}: {_share_text(document)}"
    if loops:
        transient, cycle = document["mean_transient_tricks"], document["mean_cycle_tricks"]
        yield f"           on average {transient:.1f} tricks before the cycle, {cycle:.1f} in it"
    if finished:
        longest = document["longest"]
        mean = with_error(document["mean_tricks"], document["mean_tricks_error"])
        yield f"tricks     on average {mean} in a finished game"
        yield f"longest    {counted(longest['tricks'], 'trick')}, won by {longest['winner']}"
        yield f"           {longest['deal']}"
        yield ""
        yield "Finished games by number of tricks"
        histogram = {int(tricks): int(count) for tricks, count in document["histogram"].items()}
        yield from histogram_lines(histogram)


def _share_text(document: dict[str, Any]) -> str:
    if document["loops"] == "0":
        # The rule of three: with no loop among n games, their share is below 3/n with 95% confidence.
        return f"fewer than 1 in {max(1, int(document['games']) // 3):,} games, with 95% confidence"
    return f"{with_error(100 * document['loop_share'], 100 * document['loop_share_error'])}% of all games"


def histogram_lines(histogram: dict[int, int]) -> Iterator[str]:
    """Yield the lines of a histogram: a range of tricks, a bar, and the number of games.

    Examples
    --------
    >>> print(*histogram_lines({1: 20, 2: 5, 31: 1}), sep="\\n")
     0 to  1  ########################################  20
     2 to  3  ##########                                5
    30 to 31  ##                                        1
    """
    width = _bin_width(max(histogram) + 1)
    bins: Counter[int] = Counter()
    for tricks, games in histogram.items():
        bins[tricks // width] += games
    digits = len(f"{(max(bins) + 1) * width - 1:,}")
    most = max(bins.values())
    room = bar_room(BAR, beside=2 * digits + len(f" to     {most:,}"))
    for number, games in sorted(bins.items()):
        span = f"{number * width:>{digits},} to {(number + 1) * width - 1:>{digits},}"
        # Rounded up, so that no game goes unseen.
        bar = "#" * -(-games * room // most)
        yield f"{span}  {bar:<{room}}  {games:,}"


def _bin_width(span: int) -> int:
    """The least of 1, 2, 5, 10, 20, 50, … that makes at most `ROWS` bins of `span` numbers."""
    width = 1
    while width * ROWS < span:
        width = width * 5 // 2 if str(width)[0] == "2" else width * 2
    return width
