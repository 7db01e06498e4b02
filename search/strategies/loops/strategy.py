"""Loops: walk from loop to loop by small edits, and list all deals that fall into the cycles found."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

from camicia.ancestry.ancestors import Cycle, State
from camicia.cards import Deck
from camicia.kinds import Kind, one_of, remark, shown, whole
from search.campaign import CHECKSUM_MODULUS, Campaign, Totals, UnitReport
from search.errors import CampaignError
from search.finds import Find, smallest
from search.strategies.base import CYCLE, CYCLE_SUMS, UNITS_PER_WORKER, Strategy, is_cycle_name
from search.strategies.loops.starts import MOST_STARTS, START, distinct, known_loops, small_loops, written
from search.strategies.loops.wander import Wander
from search.strategies.request import Option, Request, finds_kept, flag_of, new_seed, whole_number

#: Edits in one walk, about half a minute. By then most walks from the published loop of the standard deck
#: have found what there is to find near it.
WALK_EDITS = 10_000_000

#: The same for a walk from small loops, a minute or two: it has a long way to go to the full deck.
LONG_WALK_EDITS = 20_000_000

#: Fewest edits in a walk, however short the run: with fewer it hardly leaves the loops it starts from.
LEAST_EDITS = 100_000

#: Walks per worker that a first run of limited time is cut into, so that some finish in time even where other
#: programs keep the processors busy. A run of ten minutes still has walks of the usual length.
WALKS_PER_WORKER_IN_TIME = 16

#: Rough number of edits that one core tests per second; used only to cut a short run into walks.
EDITS_PER_SECOND = 300_000

#: Most states of a basin to count. The largest seen has about ten thousand.
BASIN_STATES = 3_000_000

#: Most deals listed: far more than any cycle found so far has.
DEALS_LISTED = 10_000


class Bound(NamedTuple):
    """What bounds or steers a walk: its name, what it means, its least value, and its defaults.

    Walks from small loops have their own defaults: with those for known loops, they came no nearer to the
    standard deck than 22 cards in 4 million edits. docs/loops.md has the measurements.
    """

    name: str
    text: str
    least: int
    near_known: int
    from_small: int
    most: int = (1 << 31) - 1

    @property
    def help(self) -> str:
        """What it means, and its default."""
        small = f", from small loops {self.from_small}" if self.from_small != self.near_known else ""
        return f"{self.text} (default: {self.near_known}{small})"


#: In the order in which `Wander` takes them.
BOUNDS = (
    Bound("surplus", "cards that a loop may have beyond those of the deck", 0, 2, 4),
    Bound("longest_cycle", "the most states of a cycle", 1, 300, 300),
    Bound("uneven", "in every other walk, hands must come within N cards of each other in size", 0, 12, 12),
    Bound("recency", "the most recent of N random loops is a candidate for the next step", 1, 2, 4),
    Bound("nearness", "of N candidates, the one nearest to the deck is taken", 1, 2, 8),
    Bound("payment_weight", "a payment card counts for N number cards in that comparison", 1, 1, 2),
    Bound("alike", "1: of loops that differ only in which payment card stands where, keep one", 0, 0, 1, 1),
)


class Met(NamedTuple):
    """A cycle met by a campaign: how many balanced deals fall into it, and the state that names it."""

    deals: int
    name: str


class Loops(Strategy):
    """Walks among loops: each unit is one walk with its own random stream, all from the same loops."""

    name = "loops"
    plays = "edited"
    summary = "walk from loop to loop by small edits, for deals that never end"
    description = """\
Looks for deals that never end. A walk takes a state on the cycle of a loop, puts a card in, takes one out,
changes one or swaps two, plays on, and goes on from every new cycle it meets, with any number of cards up to
the deck's. Of each cycle of exactly the deck all deals that fall into it are listed. A deal here is an
edited state that was played.

examples:
  camicia search loops --for 10m
  camicia search loops --deck italian --start small --for 10m
  camicia search loops --from loops-36-4-4-4-4.db --ledger more.db --for 1h"""
    settings = dict.fromkeys(("starts",), Kind("states of loops", lambda value: isinstance(value, str)))
    # Ledgers made before there was a bound have none of it.
    further_settings = {bound.name: whole(bound.least, bound.most) for bound in BOUNDS} | {
        "start": one_of(*START),
        "from_ledger": remark(),
    }
    options = (
        Option(
            "start",
            "begin with the published loops of the deck, or with loops of up to 22 cards that random play "
            "meets (default: the published ones, where there are any)",
            choices=START,
        ),
        Option(
            "from_ledger",
            "begin with the loops of an earlier campaign",
            metavar="LEDGER",
            flag="--from",
            alternative_to="start",
        ),
        *(Option(bound.name, bound.help, metavar="N", read=whole_number) for bound in BOUNDS),
    )
    counters = ("stepping_stones", *CYCLE_SUMS)

    def check(self, campaign: Campaign) -> None:
        """Check that the bounds are possible and that a walk has loops to start from."""
        super().check(campaign)
        starts = str(campaign.settings["starts"]).split()
        if not 1 <= len(starts) <= MOST_STARTS:
            raise CampaignError(f"setting starts: has {len(starts):,} states, expected 1 to {MOST_STARTS}")
        for text in starts:
            if len(text) > campaign.deck.size + 1 or not re.fullmatch("[-JQKA]+/[-JQKA]+", text):
                expected = f"a state of at most {campaign.deck.size} cards, as in J--/-J-"
                raise CampaignError(f"setting starts {shown(text)}: expected {expected}")

    def source(self, campaign: Campaign) -> Hashable:
        """The random stream, and everything that steers a walk."""
        bounds = tuple(campaign.settings.get(bound.name, bound.near_known) for bound in BOUNDS)
        return super().source(campaign), campaign.settings["starts"], bounds

    def cycles(self, totals: Totals) -> dict[str, int]:
        """The cycles met, by the state that names each, with the number of balanced deals that fall in."""
        met = sorted(cycles_met(totals.counters), key=lambda cycle: (-cycle.deals, cycle.name))
        return {cycle.name: cycle.deals for cycle in met}

    def is_counter(self, name: str, deck: Deck) -> bool:
        """The cycles met, with the number of deals that fall into each."""
        if not name.startswith(CYCLE):
            return name in self.counters
        deals, _, cycle = name.removeprefix(CYCLE).partition(" ")
        return bool(re.fullmatch(r"0|[1-9]\d{0,11}", deals, re.ASCII)) and is_cycle_name(cycle, deck)

    def plan(self, request: Request) -> Campaign:
        """Fix the starting set."""
        deck, seed = request.deck, new_seed(request)
        settings = checked_settings(request.settings)
        if "from_ledger" in settings:
            starts = distinct(State.from_deal(deal) for deal in request.earlier_loops())
        else:
            known = known_loops(deck)
            settings.setdefault("start", "known" if known else "small")
            starts = known if settings["start"] == "known" else small_loops(deck, seed)
        from_small = settings.get("start") == "small"
        for bound in BOUNDS:
            settings.setdefault(bound.name, bound.from_small if from_small else bound.near_known)
        if not starts:
            none = "random play met no loop" if from_small else "no loop to begin with is known"
            remedy = "another --seed, or --from a ledger that holds loops" if from_small else "--start small"
            raise CampaignError(f"deck {deck}: {none}, expected {remedy}")
        return Campaign(
            self.name,
            deck,
            seed,
            planned_edits(request, LONG_WALK_EDITS if from_small else WALK_EDITS),
            finds_kept(request),
            loops_kept=DEALS_LISTED,
            settings=settings | {"starts": written(starts)},
        )

    def run_unit(self, campaign: Campaign, unit: int, kernel: str | None = None) -> UnitReport:
        """Walk, then list the basin of every cycle of the deck."""
        # Ledgers made before there was a bound have none of it.
        bounds = {bound.name: int(campaign.settings.get(bound.name, bound.near_known)) for bound in BOUNDS}
        # Uneven cycles have no balanced deals but lead to many more cycles: every other walk may visit them.
        if unit % 2:
            bounds["uneven"] = campaign.deck.size
        wander = Wander(campaign.deck, campaign.seed, unit, **bounds)
        states = [State.from_deal(text) for text in str(campaign.settings["starts"]).split()]
        if not sum(wander.start(state.leader, state.other) for state in states):
            raise CampaignError(
                f"campaign {campaign.identity}: none of its starts is a loop within its bounds, "
                "expected at least one"
            )
        wander.run(campaign.unit_size, unit * campaign.unit_size % CHECKSUM_MODULUS)
        walked = wander.tallied()
        counters: dict[str, int] = {}
        finds: list[Find] = []
        checksum = walked["checksum"]
        for leader, other in wander.cycles():
            cycle = Cycle.of(State(leader, other))
            found = deals_of(cycle)
            finds += found
            counters[f"{CYCLE}{len(found)} {cycle.name}"] = 1
            checksum += cycle_hash(cycle, found)
        return UnitReport(
            unit=unit,
            games=walked["games"],
            loops=walked["loops"],
            cards=walked["cards"],
            tricks=walked["tricks"],
            histogram=walked["histogram"],
            checksum=checksum % CHECKSUM_MODULUS,
            loop_finds=tuple(smallest(finds, campaign.loops_kept)),
            counters=counters | {"stepping_stones": walked["met"]},
            # Walks always use the walker of the ancestors, whatever kernel is asked for.
            kernel="walker",
        )

    def details(self, campaign: Campaign, totals: Totals) -> dict[str, Any]:
        """The number of cycles met, of those that balanced deals fall into, and of these deals."""
        counted = totals.counters
        return {
            "cycles": counted.get("cycles", 0),
            "cycles_with_deals": counted.get("cycles_with_deals", 0),
            "looping_deals": str(counted.get("looping_deals", 0)),
            "stepping_stones": counted.get("stepping_stones", 0),
        }

    def lines(self, campaign: Mapping[str, Any]) -> list[tuple[str, str]]:
        """The cycles, in words."""
        return [("cycles", found_text(campaign))]

    def progress(self, campaign: Campaign, totals: Totals) -> str:
        """What a run reports while it is on."""
        return found_text(self.details(campaign, totals))


def found_text(figures: Mapping[str, Any]) -> str:
    """Summarise the finds in one line.

    Examples
    --------
    >>> found_text({"cycles": 85, "cycles_with_deals": 2, "looping_deals": "64"})
    '85 cycles, 2 of them with 64 deals'
    """
    return (
        f"{figures['cycles']:,} cycles, {figures['cycles_with_deals']:,} of them with "
        f"{int(figures['looping_deals']):,} deals"
    )


def cycles_met(counters: Mapping[str, int]) -> Iterator[Met]:
    """Return the cycles that a campaign has met, from its counters.

    Examples
    --------
    >>> list(cycles_met({"cycle 1 --J-/J-": 3, "stepping_stones": 9}))
    [Met(deals=1, name='--J-/J-')]
    """
    for name in counters:
        if name.startswith(CYCLE):
            deals, state = name.removeprefix(CYCLE).split()
            yield Met(int(deals), state)


def deals_of(cycle: Cycle) -> list[Find]:
    """Return all balanced deals that fall into a cycle, as finds of one tree.

    Examples
    --------
    >>> [find.codes for find in deals_of(Cycle.of("J--/-J-"))]
    [b'\\x01\\x00\\x00\\x00\\x01\\x00']
    """
    basin = cycle.basin(max_states=BASIN_STATES)
    tree = cycle_tree(cycle)
    return [
        Find(found.deal.hand_a + found.deal.hand_b, found.cards, found.tricks, tree)
        for found in basin.by_cards
    ]


def cycle_tree(cycle: Cycle) -> int:
    """Name a cycle by a number of 64 bits: BLAKE2b of its name. 0 stands for none."""
    return int.from_bytes(blake2b(cycle.name.encode(), digest_size=8).digest(), "little") or 1


def cycle_hash(cycle: Cycle, finds: list[Find]) -> int:
    """Hash a cycle with its lengths and its deals: BLAKE2b of its name and these numbers.

    Examples
    --------
    >>> cycle = Cycle.of("J--/-J-")
    >>> cycle_hash(cycle, []) == cycle_hash(cycle, deals_of(cycle))
    False
    """
    text = f"{cycle.name} {cycle.cards} {cycle.tricks} {len(finds)} {sum(find.cards for find in finds)}"
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def planned_edits(request: Request, usual: int) -> int:
    """Choose the number of edits in a walk: fewer than usual if the first run is short."""
    if request.unit_size is not None:
        return request.unit_size
    edits = usual
    if request.deals is not None:
        edits = min(edits, request.deals // (UNITS_PER_WORKER * request.workers))
    if request.seconds is not None:
        edits = min(edits, round(request.seconds / WALKS_PER_WORKER_IN_TIME * EDITS_PER_SECOND))
    return max(LEAST_EDITS, edits)


def checked_settings(given: Mapping[str, int | str]) -> dict[str, int | str]:
    """Return the settings given.

    Raises
    ------
    CampaignError
        If one is impossible.
    """
    for bound in BOUNDS:
        value = given.get(bound.name, bound.least)
        if not isinstance(value, int) or not bound.least <= value <= bound.most:
            expected = f"expected a whole number from {bound.least} to {bound.most:,}"
            raise CampaignError(f"{flag_of(bound.name)} {value!r}: {expected}")
    return dict(given)
