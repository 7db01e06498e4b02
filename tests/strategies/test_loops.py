"""The walk among loops: what it finds is true and complete, whoever does it; the catalogue replays."""

import random
import signal
import subprocess
import time

import pytest
from hunting import camicia, command, contents, documented, environment

from camicia import STANDARD, Deal, Deck, Status, rules
from camicia.ancestry.ancestors import Cycle, State
from camicia.errors import CamiciaError
from camicia.known_cycles import catalogue, check, describe, looping_deals
from search.campaign import Campaign
from search.errors import CampaignError
from search.ledger import Ledger, loops_in
from search.strategies import Request, strategy_named
from search.strategies.loops.starts import distinct, known_loops, small_decks, small_loops
from search.strategies.loops.strategy import BOUNDS, Loops, cycles_met
from search.strategies.loops.wander import Wander
from search.workers import run_unit

#: Decks that a complete search takes no time for, with their number of loops.
SMALL_DECKS = {"12:2:2:0:0": 18, "12:2:2:2:0": 15, "10:2:2:2:0": 13}

#: Those of which a short walk finds every loop.
ALL_FOUND = ("12:2:2:0:0", "12:2:2:2:0")


def campaign_of(deck, **changes):
    """A campaign of walks from small loops."""
    settings = {"start": "small", **changes.pop("settings", {})}
    return Loops().plan(
        Request(**{"deck": deck, "seed": 3, "unit_size": 30_000, "settings": settings} | changes)
    )


def walk(deck=STANDARD, seed=1, unit=0, edits=20_000, settings=(2, 100, 12, 2, 2, 1, 0)):
    wander = Wander(deck, seed, unit, *settings)
    for state in known_loops(deck):
        wander.start(state.leader, state.other)
    wander.run(edits, 0)
    return wander


@pytest.mark.parametrize("text", SMALL_DECKS)
def test_walking_finds_all_loops_of_small_decks(text) -> None:
    deck = Deck.parse(text)
    complete = run_unit(strategy_named("enumerate").plan(Request(deck=deck, unit_size=deck.deal_count)), 0)
    walked = run_unit(campaign_of(deck), 0)
    assert complete.loops == SMALL_DECKS[text]
    found = {find[:3] for find in walked.loop_finds}
    assert found <= {find[:3] for find in complete.loop_finds}
    assert sum(cycle.deals for cycle in cycles_met(walked.counters)) == len(found)
    if text in ALL_FOUND:
        assert len(found) == complete.loops


def test_every_deal_listed_loops_and_none_twice() -> None:
    report = run_unit(Loops().plan(Request(seed=1, unit_size=300_000)), 0)
    deals = [Deal(find.codes[:26], find.codes[26:]) for find in report.loop_finds]
    assert len(set(deals)) == len(deals) >= 30
    met = {cycle.name: cycle.deals for cycle in cycles_met(report.counters)}
    of_cycle = dict.fromkeys(met, 0)
    for deal, find in zip(deals, report.loop_finds, strict=True):
        result = rules.play(deal)
        assert (deal.deck, result.status) == (STANDARD, Status.LOOP)
        assert (result.cards, result.tricks) == (find.cards, find.tricks)
        of_cycle[Cycle.of(deal).name] += 1
    assert of_cycle == met


def test_tallies_are_those_of_the_games() -> None:
    # The games are not kept; their sums must hang together, and each part of the walk must differ.
    tally = walk().tallied()
    assert sum(tally["histogram"].values()) == tally["games"] - tally["loops"]
    assert sum(tricks * games for tricks, games in tally["histogram"].items()) == tally["tricks"]
    assert 0 < tally["loops"] < tally["games"]
    assert walk().tallied() == tally
    assert walk(unit=1).tallied()["checksum"] != tally["checksum"]
    assert walk(seed=2).tallied()["checksum"] != tally["checksum"]


def test_a_walk_in_parts_is_the_same_walk() -> None:
    whole, parts = walk(), walk(edits=7_000)
    parts.run(13_000, 7_000)
    assert parts.tallied() == whole.tallied()
    assert parts.cycles() == whole.cycles()


@pytest.mark.parametrize("changed", [(5, 3), (6, 1)])
def test_what_steers_changes_the_way_not_the_truth(changed) -> None:
    usual = (2, 100, 52, 2, 2, 1, 0)
    place, value = changed
    other = (*usual[:place], value, *usual[place + 1 :])
    straight, steered = walk(edits=100_000, settings=usual), walk(edits=100_000, settings=other)
    assert straight.tallied()["checksum"] != steered.tallied()["checksum"]
    for leader, follower in steered.cycles():
        cycle = Cycle.of(State(leader, follower))
        assert cycle.states[0] == State(leader, follower)
        assert all(state.to_deal().deck == STANDARD for state in cycle.states)


def test_alike_loops_are_met_but_not_gone_on_from() -> None:
    # Near the published cycle most loops differ in nothing but which payment card stands where.
    every, one = (walk(edits=200_000, settings=(2, 300, 52, 2, 2, 1, alike)) for alike in (0, 1))
    assert one.tallied()["met"] > 100
    assert one.gone_on_from < one.tallied()["met"]
    assert every.gone_on_from == every.tallied()["met"]


@pytest.mark.slow
def test_small_loops_lead_to_the_full_deck() -> None:
    # No loop of more than 22 cards is given.
    settings = {bound.name: bound.from_small for bound in BOUNDS} | {"uneven": STANDARD.size}
    wander = Wander(STANDARD, 2, 1, **settings)
    for state in small_loops(STANDARD, 2):
        wander.start(state.leader, state.other)
    wander.run(5_000_000, 0)
    assert wander.cycles()
    for leader, other in wander.cycles():
        deal = State(leader, other).to_deal()
        assert deal.deck == STANDARD and rules.play(deal).status is Status.LOOP


def test_cycles_are_told_apart() -> None:
    # Every state of a cycle gives its name; a walk enters it once whichever it is given.
    (start,) = known_loops(STANDARD)
    cycle = Cycle.of(start)
    wander = Wander(STANDARD, 1, 0, 2, 100, 12, 2, 2, 1, 0)
    taken = [wander.start(state.leader, state.other) for state in cycle.states]
    assert taken == [True] + [False] * (len(cycle.states) - 1)
    names = [Cycle.of(State(*hands)).name for hands in walk(edits=300_000).cycles()]
    assert len(set(names)) == len(names)


def test_names_are_smallest_states() -> None:
    for leader, other in walk(edits=300_000).cycles():
        assert Cycle.of(State(leader, other)).states[0] == State(leader, other)


def test_finite_states_and_strange_decks_do_not_start() -> None:
    wander = Wander(STANDARD, 1, 0, 2, 100, 12, 2, 2, 1, 0)
    assert not wander.start(b"\1\0", b"\0\1")
    # Five aces more than the deck has are more than the surplus.
    assert not wander.start(b"\4" * 7, b"\0" * 3)
    with pytest.raises(ValueError, match="no loop"):
        wander.run(1, 0)
    with pytest.raises(ValueError, match="60 cards"):
        wander.start(b"\0" * 30, b"\0" * 30)


def test_small_loops_are_small_and_of_the_deck() -> None:
    deck = Deck(28, 4, 4, 4, 0)
    loops = small_loops(deck, 7)
    assert len(loops) > 10
    for state in loops:
        cards = state.to_deal().deck
        assert all(have <= there for have, there in zip(cards.counts, deck.counts, strict=True))
    assert all(small.size <= 22 for small in small_decks(STANDARD))


def test_same_for_any_workers_and_after_a_kill(tmp_path) -> None:
    words = ("search", "loops", "--deck", "12:2:2:2:0", "--start", "small", "--seed", 3)
    words += ("--unit-size", 20_000, "--deals", 400_000, "--quiet")
    for workers in (1, 2):
        done = camicia(*words, "--workers", workers, "--ledger", f"{workers}.db", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    killed = subprocess.Popen(
        command(*words, "--workers", 1, "--ledger", "killed.db"),
        cwd=tmp_path,
        env=environment(),
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    )
    ledger = tmp_path / "killed.db"
    while killed.poll() is None:
        if ledger.exists():
            try:
                with Ledger(ledger) as open_ledger:
                    if any(open_ledger.done(entry) for entry in open_ledger.campaigns()):
                        break
            except CamiciaError:
                pass
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert camicia(*words, "--workers", 1, "--ledger", "killed.db", cwd=tmp_path).returncode == 0
    assert contents(tmp_path / "1.db") == contents(tmp_path / "2.db") == contents(ledger)


def test_going_on_from_a_ledger(tmp_path) -> None:
    first = (
        "search",
        "loops",
        "--deck",
        "12:2:2:2:0",
        "--start",
        "small",
        "--seed",
        3,
        "--unit-size",
        30_000,
    )
    document = documented(*first, "--deals", 30_000, "--ledger", "first.db", cwd=tmp_path)
    (campaign,) = document["campaigns"]
    assert (campaign["cycles"], campaign["looping_deals"]) == (campaign["cycles_with_deals"], "15")
    assert (
        len(distinct(map(State.from_deal, loops_in(tmp_path / "first.db", Deck(12, 2, 2, 2, 0)))))
        == campaign["cycles"]
    )
    second = (
        "search",
        "loops",
        "--deck",
        "12:2:2:2:0",
        "--from",
        "first.db",
        "--seed",
        4,
        "--unit-size",
        1000,
    )
    document = documented(*second, "--deals", 1000, "--ledger", "second.db", cwd=tmp_path)
    assert document["campaigns"][0]["looping_deals"] == "15"
    # It goes on with what is written in it, whatever has become of the first ledger.
    (tmp_path / "first.db").unlink()
    document = documented(*second[:-2], "--deals", 2000, "--ledger", "second.db", cwd=tmp_path)
    assert document["deals"] == "2000"


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"surplus": -1}, "--surplus -1"),
        ({"nearness": 0}, "--nearness 0"),
        ({"longest_cycle": 0}, "--longest-cycle 0"),
        ({"payment_weight": 0}, "--payment-weight 0"),
        ({"alike": 2}, "--alike 2: expected a whole number from 0 to 1"),
    ],
)
def test_impossible_settings_are_refused(settings, told) -> None:
    with pytest.raises(CampaignError, match=told):
        campaign_of(STANDARD, settings=settings)


def test_decks_without_known_loops_are_told_the_remedy() -> None:
    with pytest.raises(CampaignError, match="--start small"):
        campaign_of(Deck(20, 1, 1, 1, 1), settings={"start": "known"})


def test_identity_survives_json() -> None:
    campaign = campaign_of(Deck(12, 2, 2, 2, 0))
    assert Campaign.from_json(campaign.to_json()) == campaign


def test_the_catalogue_replays() -> None:
    # Each entry of the standard deck with deals, and some of the rest; `camicia loops --check` does all.
    cycles = catalogue()
    assert len({cycle.name for cycle in cycles}) == len(cycles)
    chosen = {cycle for cycle in cycles if cycle.deals}
    chosen |= set(random.Random(7).sample(cycles, 20))
    assert [check(cycle) for cycle in chosen if check(cycle)] == []


def test_the_catalogue_holds_what_is_published() -> None:
    italian = Deck(28, 4, 4, 4, 0)
    published = [cycle.deals for cycle in catalogue(italian) if not cycle.new]
    assert sorted(published, reverse=True) == [90, 28, 26, 4, 4, 4, 2, 2, 2]
    # That deck has been searched through: no other cycle may have a deal.
    assert not any(cycle.deals for cycle in catalogue(italian) if cycle.new)
    assert [cycle.deals for cycle in catalogue(STANDARD) if not cycle.new] == [30]
    assert all(cycle.deck in (STANDARD, italian) for cycle in catalogue())


def test_a_wrong_catalogue_is_seen() -> None:
    cycle = describe(Cycle.of("J--/-J-"))
    assert check(cycle) is None
    for change in ({"cards": 8}, {"basin": 4}, {"deals": 0}, {"deal": "J-/--J-"}, {"name": "J--/-J-"}):
        assert check(cycle._replace(**change)) is not None
    assert [str(deal) for deal in looping_deals(cycle)] == ["J--/-J-"]


def test_command_lists_and_checks(tmp_path) -> None:
    document = documented("loops", "--deck", "standard", "--deals", cwd=tmp_path)
    for cycle in document["cycles"]:
        assert len(cycle["looping_deals"]) == cycle["deals"]
    lines = camicia("loops", "--deals", "--deck", "italian", cwd=tmp_path).stdout.splitlines()
    assert len(lines) == len(set(lines)) == 162
    done = camicia("loops", "--check", "--deck", "italian", cwd=tmp_path)
    assert done.returncode == 0 and "162 deals replayed, 0 mismatched" in done.stdout
