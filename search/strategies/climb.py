"""Climb: sample at full speed, and walk all ancestors of every long game for longer ones."""

from __future__ import annotations

import time
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, NamedTuple

from camicia.ancestry.ancestors import MAX_STATES, Cycle
from camicia.cards import Deck
from camicia.deals.sampling import DealStream
from camicia.kinds import whole
from search.campaign import Campaign, Totals, UnitReport
from search.errors import CampaignError
from search.finds import Find, best_by_either, deal_of, smallest
from search.scan.account import Account
from search.scan.scan import scan_deals
from search.strategies.base import MEASURING_SECONDS, Strategy, planned_unit_size, report_of
from search.strategies.harvest import TREE_COUNTERS, Harvest
from search.strategies.request import Option, Request, finds_kept, flag_of, new_seed, whole_number
from search.strategies.sample import SHUFFLE_COUNTERS, Sample, error_of_mean, sampling_rate, shuffle_counters
from search.strategies.tail import Tail

#: Target share of the time for walking. A lower T meets more of the thousand deals of a long tree, but
#: each 20 tricks less double the walking. At 18 M deals/s the chance to meet the tree of a game of 657 tricks
#: in a given time is greatest at T = 270 to 290, where walking takes 4 to 8%, and a tenth less where it takes
#: 1 or 23%; the mean over 13 trees of at least 450 tricks is greatest at 11%.
SHARE = 0.08

#: Tricks between T and the root of a tree, in units of the tricks over which the games halve in number: 10 on
#: the standard deck. Nearer to T the root cuts off some of the long deals; further down, the tree only gains
#: short ones. Measured there: T - 1 loses 5% of the deals of at least 350 tricks, T - 10 none in a thousand.
ROOT_BELOW = 0.5

#: Games whose trees are walked to time the walking: a hundredth of a second on the standard deck.
TREES_MEASURED = 300

#: Fewest games played to measure, however slow they are.
LEAST_GAMES = 1000

#: Most states of a tree, as a multiple of the mean of the trees measured. The largest are about ten times the
#: mean, so this only prevents a deck with very large trees from spending a unit's whole time in one of them.
MOST_STATES = 1000

#: Deals between two checks of the candidates, so that a unit's memory stays small whatever T is.
SCAN_DEALS = 1 << 20


class Measured(NamedTuple):
    """The result of a short measurement of a deck.

    Parameters
    ----------
    rate : float
        Deals that one core plays per second.
    tail : Tail
        The long games among those played.
    games : int
        How many were played.
    tree_seconds : float
        Mean time to walk a tree.
    tree_states : int
        States of a tree, on average.
    """

    rate: float
    tail: Tail
    games: int
    tree_seconds: float
    tree_states: int

    @property
    def least_tricks(self) -> int:
        """T such that walking takes its share of the time."""
        trees_a_game = SHARE / (1 - SHARE) / self.tree_seconds / self.rate
        return max(2, self.tail.tricks_of(trees_a_game * self.games))

    @property
    def below(self) -> int:
        """How many tricks below T the root of a tree lies."""
        return max(1, round(ROOT_BELOW * self.tail.halving))

    @property
    def max_states(self) -> int:
        """The most states of a tree to walk, rounded to one figure."""
        return int(float(f"{MOST_STATES * max(100, self.tree_states):.1g}"))

    def climbing_rate(self, least_tricks: int) -> float:
        """Deals per second of one core that climbs from games of at least `least_tricks` tricks."""
        trees_a_game = self.tail.games_of(least_tricks) / self.games
        return 1 / (1 / self.rate + trees_a_game * self.tree_seconds)


def core_rates(deck: Deck) -> dict[str, float]:
    """Measure how many random deals of a deck one core plays a second, by strategy.

    Examples
    --------
    >>> from camicia import ITALIAN
    >>> rates = core_rates(ITALIAN)
    >>> list(rates), rates["climb"] < rates["sample"]
    (['sample', 'climb'], True)
    """
    rate = sampling_rate(deck)
    # T is chosen so that walking takes this share.
    return {"sample": rate, "climb": (1 - SHARE) * rate}


class Climb(Strategy):
    """Random deals as in `Sample`; above each long game the tree is walked, and its best deals are kept."""

    name = "climb"
    plays = "random"
    summary = "play random deals, and walk back from each long game to all deals that lead into it"
    description = """\
Plays uniform random deals as `sample` does. For every game of at least T tricks it goes to the state with R
tricks to go, and walks back through all ancestors of that state: a thousand deals whose lengths are then
known. A long game is found as soon as any of those is dealt. Of one tree at most three deals are kept. If
a game never ends, all deals that fall into its cycle are listed.

examples:
  camicia search climb --for 10m
  camicia search climb --deck italian --least-tricks 200 --from-end 190 --for 1h"""
    settings = dict.fromkeys(("least_tricks", "from_end", "max_states"), whole(1, (1 << 62) - 1))
    options = (
        Option(
            "least_tricks",
            "climb from games of at least T tricks",
            metavar="T",
            read=whole_number,
            may_differ=True,
        ),
        Option(
            "from_end",
            "tricks still to go where a tree begins; at most T",
            metavar="R",
            read=whole_number,
            may_differ=True,
        ),
        Option("max_states", "the most states of a tree", metavar="N", read=whole_number, may_differ=True),
    )
    options_note = "fixed when the ledger is made (default: measured)"
    counters = (*SHUFFLE_COUNTERS, *TREE_COUNTERS)
    measured_counters = ("walk_microseconds",)

    def check(self, campaign: Campaign) -> None:
        """Check that T, R and the budget are there, and that no tree begins above T."""
        super().check(campaign)
        checked_settings(campaign.settings)

    def source(self, campaign: Campaign) -> Hashable:
        """The random stream: that of `Sample`, whatever T and R are."""
        return Sample.name, campaign.deck, campaign.seed, campaign.stream

    def plan(self, request: Request) -> Campaign:
        """Choose T, R and the budget from a short measurement, unless they are given."""
        seed = new_seed(request)
        group = self.group(request.deck)
        given = checked_settings(request.settings)
        if request.unit_size is not None and set(given) >= set(self.settings):
            settings, rate = given, 0.0
        else:
            measured = measure(request.deck)
            settings = chosen_settings(given, measured)
            rate = measured.climbing_rate(settings["least_tricks"])
        unit_size = planned_unit_size(request, rate, group)
        return Campaign(
            self.name, request.deck, seed, unit_size, finds_kept(request), settings=dict(settings)
        )

    def group(self, deck: Deck) -> int:
        """The deals of a shuffle."""
        return DealStream(deck, 0, 0).deals_per_shuffle

    def run_unit(self, campaign: Campaign, unit: int, kernel: str | None = None) -> UnitReport:
        """Play the unit's own stretch of the random stream, and climb from its long games."""
        deck, size = campaign.deck, campaign.unit_size
        least_tricks, from_end, max_states = (
            int(campaign.settings[name]) for name in ("least_tricks", "from_end", "max_states")
        )
        stream = DealStream(deck, campaign.seed, unit)
        account = Account(
            deck.size,
            campaign.finds_kept,
            campaign.loops_kept,
            group=stream.deals_per_shuffle,
            least_tricks=least_tricks,
        )
        harvest = Harvest(deck, least_tricks, from_end, max_states, campaign.finds_kept)
        for start in range(0, size, SCAN_DEALS):
            deals = min(SCAN_DEALS, size - start)
            kernel = scan_deals(account, stream, unit * size + start, deals, kernel)
            harvest.climb(account.take_candidates())
        loop_finds = smallest(basins(account.loop_finds(), deck, max_states), campaign.loops_kept)
        # For a game of T tricks or more the tree and its name are known; shorter ones were only sampled.
        sampled = [find for find in account.finds() if find.tricks < least_tricks]
        return report_of(
            account,
            unit,
            kernel=str(kernel),
            finds=best_by_either([*harvest.finds, *sampled], campaign.finds_kept),
            loop_finds=loop_finds,
            counters=shuffle_counters(account, stream, size) | harvest.counters,
            further_checksum=harvest.checksum,
        )

    def details(self, campaign: Campaign, totals: Totals) -> dict[str, Any]:
        """The standard errors of both means, the trees walked, and the share of time spent on them."""
        counters = totals.counters
        seconds = counters.get("walk_microseconds", 0) / 1e6
        return {f"mean_{length}_error": error_of_mean(totals, length) for length in ("cards", "tricks")} | {
            "trees": counters.get("trees", 0),
            "tree_states": counters.get("tree_states", 0),
            "tree_balanced": counters.get("tree_balanced", 0),
            "trees_truncated": counters.get("trees_truncated", 0),
            "walking_share": 1000 * seconds / totals.milliseconds if totals.milliseconds else None,
        }

    def lines(self, campaign: Mapping[str, Any]) -> list[tuple[str, str]]:
        """The trees, in words; says so if there are none yet."""
        settings = campaign["settings"]
        text = f"from games of {settings['least_tricks']:,} tricks or more, {settings['from_end']:,} to go"
        if not campaign["trees"]:
            return [("climbing", f"{text}: no game was that long yet")]
        share = campaign["walking_share"]
        cut_off = f", {campaign['trees_truncated']:,} cut off" if campaign["trees_truncated"] else ""
        return [
            ("climbing", text),
            (
                "trees",
                f"{campaign['trees']:,} of {campaign['tree_states']:,} states with "
                f"{campaign['tree_balanced']:,} deals{cut_off}"
                + (f"; {100 * share:.1f}% of the time" if share is not None else ""),
            ),
        ]


def basins(loops: Iterable[Find], deck: Deck, max_states: int) -> list[Find]:
    """Return all deals that fall into the cycles of some loops, and the loops themselves."""
    found = {}
    names = set()
    for loop in loops:
        found[loop.codes] = loop
        cycle = Cycle.of(deal_of(loop.codes, deck))
        if cycle.name not in names:
            names.add(cycle.name)
            for deal, cards, tricks in cycle.basin(max_states=max_states).by_cards:
                codes = deal.hand_a + deal.hand_b
                found[codes] = Find(codes, cards, tricks)
    return list(found.values())


def checked_settings(given: Mapping[str, int | str]) -> dict[str, int]:
    """Return the settings given, as numbers.

    Raises
    ------
    CampaignError
        If one is impossible, or a tree would begin above T.
    """
    numbers = {}
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value < 1 << 62:
            raise CampaignError(f"{flag_of(name)} {value!r}: expected a whole number from 1 up")
        numbers[name] = value
    least_tricks, from_end = numbers.get("least_tricks"), numbers.get("from_end")
    if least_tricks and from_end and from_end > least_tricks:
        raise CampaignError(f"--from-end {from_end}: expected at most the {least_tricks} of --least-tricks")
    return numbers


def chosen_settings(given: Mapping[str, int], measured: Measured) -> dict[str, int]:
    """Return the campaign's settings: those given, and measured values for the rest.

    Examples
    --------
    >>> measured = Measured(1e7, Tail({tricks: 10 for tricks in range(400)}), 4000, 5e-5, 3400)
    >>> chosen_settings({"least_tricks": 300, "from_end": 290}, measured)
    {'least_tricks': 300, 'from_end': 290, 'max_states': 3000000}
    """
    least_tricks = given.get("least_tricks")
    if least_tricks is None:
        least_tricks = max(measured.least_tricks, given.get("from_end", 0) + measured.below)
    return {
        "least_tricks": least_tricks,
        "from_end": given.get("from_end", max(1, least_tricks - measured.below)),
        "max_states": given.get("max_states", measured.max_states),
    }


def measure(deck: Deck) -> Measured:
    """Measure how fast a deck is played, how long games are, and how fast their trees are walked."""
    games = max(LEAST_GAMES, round(MEASURING_SECONDS * sampling_rate(deck)))
    account = Account(deck.size, 1, 1)
    # Processor time: T should not depend on other load on the machine.
    started = time.process_time()
    scan_deals(account, DealStream(deck, 0, 0), 0, games)
    rate = games / max(1e-6, time.process_time() - started)
    tail = Tail(account.histogram())
    measured = Measured(rate, tail, games, 1.0, 0)
    least = max(2, tail.tricks_of(TREES_MEASURED))
    # The same deals again, now that it is known which of them are long.
    account = Account(deck.size, 1, 1, least_tricks=least)
    scan_deals(account, DealStream(deck, 0, 0), 0, games)
    harvest = Harvest(deck, least, max(1, least - measured.below), MAX_STATES, 1)
    candidates = account.take_candidates()[:TREES_MEASURED]
    started = time.process_time()
    harvest.climb(candidates)
    seconds = time.process_time() - started
    trees = max(1, harvest.counters["trees"])
    return measured._replace(
        tree_seconds=max(1e-6, seconds / trees),
        tree_states=harvest.counters["tree_states"] // trees,
    )
