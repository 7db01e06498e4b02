"""Complete searches: consecutive deals in the kernel's own form, and what playing all of them comes to."""

import random
from functools import cache

import numpy as np
import pytest
from accounts import counted, plainly
from hunting import camicia, contents, documented

from camicia import (
    ITALIAN,
    STANDARD,
    Deal,
    Deck,
    RankError,
    Status,
    simulate,
    simulate_many,
    unrank_many,
)
from camicia.ancestry.ancestors import Cycle
from camicia.deals.sampling import DealStream
from camicia.deals.stepping import DealRange
from camicia.kernels.dispatch import available_kernels
from camicia.kernels.rows import Prepared
from search.ledger import UnitSet
from search.scan.account import Account
from search.scan.scan import scan_ranks
from search.shards import Shard, units_to_do

#: Decks of every form of the lanes, with gaps too wide for a link, and decks that the lanes cannot hold.
DECKS = [
    Deck(0, 1, 0, 0, 1),
    Deck(3, 0, 0, 0, 0),
    Deck(8, 1, 1, 1, 1),
    Deck(12, 2, 2, 2, 0),
    Deck(18, 2, 2, 2, 2),
    Deck(0, 4, 4, 4, 4),
    Deck(30, 0, 0, 0, 2),
    Deck(61, 1, 0, 0, 1),
    Deck(88, 1, 1, 0, 0),
    Deck(41, 4, 4, 4, 4),
    Deck(35, 16, 0, 0, 0),
    Deck(60, 5, 5, 5, 5),
    ITALIAN,
    STANDARD,
]


def taken(deals, prepared, count):
    """The next deals, written over one another to the 100 places of `prepared`."""
    parts = []
    for start in range(0, count, 100):
        deals.prepare(prepared, min(100, count - start))
        parts.append(prepared.deals()[0])
    return np.concatenate(parts)


@pytest.mark.parametrize("deck", DECKS, ids=str)
def test_consecutive_deals_are_those_of_their_ranks(deck):
    chance = random.Random(str(deck))
    total = deck.deal_count
    for start in (0, max(0, total - 3000), chance.randrange(total), chance.randrange(total)):
        deals, prepared = DealRange(deck, start), Prepared(deck, 100)
        at, stop = start, min(start + 3000, total)
        while at < stop:
            count = min(stop - at, chance.choice([1, 2, 63, 99, 100, 101, 513]))
            assert np.array_equal(taken(deals, prepared, count), unrank_many(deck, range(at, at + count)))
            at += count


def test_consecutive_deals_of_many_decks():
    chance = random.Random(5)
    for _ in range(100):
        deck = Deck(chance.randrange(1, 42), chance.randrange(1, 5), *(chance.randrange(5) for _ in range(3)))
        start = chance.randrange(deck.deal_count)
        count = min(1000, deck.deal_count - start)
        deals = DealRange(deck, start).take(count)
        assert np.array_equal(deals, unrank_many(deck, range(start, start + count)))


@pytest.mark.parametrize("deck", [Deck(12, 2, 2, 2, 0), Deck(41, 4, 4, 4, 4), STANDARD], ids=str)
def test_going_to_any_rank_and_on_from_there(deck):
    chance = random.Random(str(deck))
    deals, prepared = DealRange(deck, 0), Prepared(deck, 100)
    for _ in range(50):
        start = chance.randrange(deck.deal_count - 250)
        deals.seek(start)
        count = chance.choice([1, 100, 250])
        assert np.array_equal(taken(deals, prepared, count), unrank_many(deck, range(start, start + count)))


def test_batches_that_others_wrote_to_are_written_anew():
    """What a range left in a batch is good only as long as nobody else has written there."""
    one, other = Prepared(STANDARD, 100), Prepared(STANDARD, 100)
    deals, random_ones = DealRange(STANDARD, 10**20), DealStream(STANDARD, 1, 0)
    at = 10**20
    for prepared in (one, other, one, one, other, one):
        random_ones.prepare(one, 100)
        one.put(one.deals()[0][::-1].copy(), 26)
        assert np.array_equal(taken(deals, prepared, 80), unrank_many(STANDARD, range(at, at + 80)))
        at += 80


def test_a_range_of_deals_starts_within_the_deck():
    with pytest.raises(RankError, match="rank 2: expected a whole number from 0 to 1"):
        DealRange(Deck(1, 1, 0, 0, 0), 2)


@cache
def of_rows(deck, ranks):
    """The account of a range in plain Python, dealt as rows of card codes and played by the ring."""
    deals = unrank_many(deck, ranks)
    return plainly(deals, simulate_many(deals, kernel="ring"), ranks.start, finds_kept=50, loops_kept=50)


@pytest.mark.parametrize("kernel", [name for name in available_kernels() if name != "reference"])
@pytest.mark.parametrize("deck", [*DECKS, Deck(1, 0, 0, 0, 0)], ids=str)
def test_a_range_counts_as_its_rows_do(deck, kernel):
    start = random.Random(str(deck)).randrange(deck.deal_count)
    ranks = range(start, min(start + 20_000, deck.deal_count))
    account = Account(deck.size, 50, 50)
    assert scan_ranks(account, deck, ranks.start, ranks.stop, kernel) == kernel
    assert counted(account) == of_rows(deck, ranks)


@pytest.mark.parametrize("kernel", available_kernels())
def test_every_deal_of_a_small_deck(kernel):
    deck = Deck(8, 1, 1, 1, 1)
    account = Account(deck.size, 100, 100)
    scan_ranks(account, deck, 0, deck.deal_count, kernel)
    assert (account.games, account.loops) == (11_880, 0)
    assert (account.cards, account.tricks) == (174_846, 30_590)
    assert (account.most_cards, max(account.histogram())) == (64, 12)


@pytest.mark.parametrize("kernel", [name for name in available_kernels() if name != "reference"])
def test_every_deal_of_a_deck_with_loops(kernel):
    deck = Deck(12, 2, 2, 2, 0)
    account = Account(deck.size, 100, 100)
    scan_ranks(account, deck, 0, deck.deal_count, kernel)
    assert (account.games, account.loops) == (1_670_760, 15)
    assert (account.most_cards, max(account.histogram())) == (362, 63)


#: A complete search in 84 units, which takes a second or so.
DECK = Deck(12, 2, 2, 2, 0)
SEARCH = ("search", "enumerate", "--deck", str(DECK), "--unit-size", "20000", "--workers", "1", "--quiet")


def told(document):
    """What a document tells of the deals, and not of who played them when."""
    names = (
        *("strategy", "deck", "units", "deals", "loops", "mean_cards", "mean_tricks", "checksum"),
        *(
            "histogram",
            "deal_count",
            "from",
            "to",
            "complete",
            "gaps",
            "cycles",
            "sum_cards",
            "sum_tricks",
            "cycle_list",
        ),
        *(f"longest_{by}{what}" for by in ("cards", "tricks") for what in ("", "_count", "_deals")),
    )
    return {name: document[name] for name in names}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The document of the search that nothing happened to, and its ledger."""
    path = tmp_path_factory.mktemp("whole") / "whole.db"
    return documented(*SEARCH, "--ledger", path, cwd=path.parent), path


def test_a_complete_search_tells_all(whole):
    document, _ = whole
    assert document["complete"] is True and document["gaps"] == []
    assert (document["deals"], document["loops"], document["cycles"]) == ("1670760", "15", 1)
    assert (document["longest_cards"], document["longest_tricks"]) == (362, 63)
    assert (document["sum_cards"], document["sum_tricks"]) == (62_733_849, 11_101_800)
    assert sum(int(games) for games in document["histogram"].values()) == 1_670_745
    for by in ("cards", "tricks"):
        deals = document[f"longest_{by}_deals"]
        assert len(deals) == int(document[f"longest_{by}_count"])
        for deal in deals:
            result = simulate(deal["deal"], kernel="reference")
            assert (result.cards, result.tricks) == (deal["cards"], deal["tricks"])
            assert DECK.unrank(int(deal["rank"])) == Deal.parse(deal["deal"])
    (cycle,) = document["cycle_list"]
    assert len(cycle["deals"]) == 15
    # The walk back from the cycle finds the very same deals.
    basin = Cycle.of(cycle["cycle"]).basin()
    assert {deal["deal"] for deal in cycle["deals"]} == {str(found.deal) for found in basin.by_tricks}


def test_the_order_of_deals_and_any_kernel_give_the_same_numbers(whole):
    document, _ = whole
    deals = unrank_many(DECK, range(DECK.deal_count))
    rows = simulate_many(deals)
    finished = rows["status"] == 0
    assert document["sum_cards"] == rows["cards"][finished].sum()
    assert document["sum_tricks"] == rows["tricks"][finished].sum()
    assert int(document["longest_tricks_count"]) == (rows["tricks"][finished] == 63).sum()


def test_shards_of_a_complete_search_are_adjacent():
    parts = [list(units_to_do(UnitSet(), 64, Shard(number, 7), 64)) for number in range(1, 8)]
    assert [unit for part in parts for unit in part] == list(range(64))
    assert {len(part) for part in parts} == {9, 10}
    assert [Shard(number, 7).size(64, 64) for number in range(1, 8)] == [len(part) for part in parts]
    # A campaign that was asked for fewer deals does the first units of each shard's part.
    assert [list(units_to_do(UnitSet(), 12, Shard(number, 7), 64)) for number in (1, 2, 3)] == [
        list(range(9)),
        [9, 10, 11],
        [],
    ]


def test_seven_shards_are_the_same_as_one_search(tmp_path, whole):
    paths = [tmp_path / f"shard-{number}.db" for number in range(1, 8)]
    for number, path in enumerate(paths, start=1):
        documented(*SEARCH, "--shard", f"{number}/7", "--ledger", path, cwd=tmp_path)
    document = documented("merge", tmp_path / "merged.db", *paths, cwd=tmp_path)
    assert told(document) == told(whole[0])
    assert contents(tmp_path / "merged.db") == contents(whole[1])


def test_gaps_are_named_and_overlaps_refused(tmp_path, whole):
    parts = {}
    for name, bounds in {
        "one": ("--to", "300000"),
        "two": ("--from", "3e5", "--to", "700_000"),
        "late": ("--from", "1e6", "--to", "1670760"),
        "overlapping": ("--from", "699999", "--to", "800000"),
    }.items():
        parts[name] = tmp_path / f"{name}.db"
        document = documented(*SEARCH, *bounds, "--ledger", parts[name], cwd=tmp_path)
        assert document["complete"] is True
    # Adjacent ranges are one.
    document = documented("merge", tmp_path / "both.db", parts["two"], parts["one"], cwd=tmp_path)
    assert document["complete"] is True and document["deals"] == "700000"
    assert (document["from"], document["to"]) == ("0", "700000")
    # A gap is named, for people too.
    words = ("merge", tmp_path / "gap.db", parts["one"], parts["two"], parts["late"])
    document = documented(*words, cwd=tmp_path)
    assert document["complete"] is False
    assert document["gaps"] == [{"from": "700000", "to": "1000000"}]
    status = camicia("status", tmp_path / "gap.db", cwd=tmp_path)
    assert "700000 to 1000000" in status.stdout and "incomplete" in status.stdout
    # An overlap is refused, and nothing is left behind.
    done = camicia(
        "merge", tmp_path / "bad.db", parts["one"], parts["two"], parts["overlapping"], cwd=tmp_path
    )
    assert done.returncode == 2 and "ranks 699999 to 700000" in done.stderr
    assert done.stderr.count("\n") == 1 and not list(tmp_path.glob("bad*"))
    # The ranges of one deck are the whole search, whatever the cuts.
    documented(*SEARCH, "--from", "700000", "--to", "1000000", "--ledger", tmp_path / "rest.db", cwd=tmp_path)
    document = documented(
        "merge", tmp_path / "all.db", tmp_path / "rest.db", tmp_path / "gap.db", cwd=tmp_path
    )
    assert told(document) | {"units": None} == told(whole[0]) | {"units": None}


def test_shards_missing_from_a_merge_are_named(tmp_path):
    words = ("search", "enumerate", "--deck", "8:1:1:1:1", "--quiet", "--workers", "1")
    for number in (1, 3):
        documented(*words, "--shard", f"{number}/3", "--ledger", f"{number}.db", cwd=tmp_path)
    document = documented("merge", "two.db", "1.db", "3.db", cwd=tmp_path)
    assert document["complete"] is False
    assert document["gaps"] == [{"from": str(21 * 186), "to": str(42 * 186)}]
    # The ledger can be gone on with, to its end.
    document = documented(*words, "--ledger", "two.db", cwd=tmp_path)
    assert document["complete"] is True and document["deals"] == "11880"
    assert (document["sum_cards"], document["sum_tricks"]) == (174_846, 30_590)


def test_census_is_the_search_and_its_table(tmp_path):
    document = documented("census", "8:1:1:1:1", "--quiet", cwd=tmp_path)
    assert (document["deals"], document["loops"], document["cycles"]) == ("11880", "0", 0)
    assert (document["longest_cards"], document["longest_tricks"]) == (64, 12)
    assert (document["sum_cards"], document["sum_tricks"]) == (174_846, 30_590)
    table = camicia("census", "8:1:1:1:1", "--histogram", cwd=tmp_path)
    assert table.returncode == 0 and "AJ----/--K-Q-" in table.stdout and "11,880" in table.stdout


def test_a_deck_of_ties_and_one_of_loops_are_counted_exactly(tmp_path):
    # All games of number cards are alike: more ties than finds are kept.
    document = documented("census", "5:1:1:1:1", "--quiet", cwd=tmp_path)
    rows = simulate_many(list(Deck(5, 1, 1, 1, 1).deals()), kernel="reference")
    for by in ("cards", "tricks"):
        finished = rows[rows["status"] == 0][by]
        assert document[f"longest_{by}"] == finished.max()
        assert int(document[f"longest_{by}_count"]) == (finished == finished.max()).sum()
    document = documented("census", "2:0:0:0:0", "--quiet", cwd=tmp_path)
    assert (document["longest_cards"], document["longest_cards_count"]) == (2, "1")
    document = documented("census", "4:2:0:0:0", "--quiet", cwd=tmp_path)
    deals = [deal for deal in Deck(4, 2, 0, 0, 0).deals() if simulate(deal).status is Status.LOOP]
    assert int(document["loops"]) == len(deals) > 0
    names = {Cycle.of(deal).name for deal in deals}
    assert {cycle["cycle"] for cycle in document["cycle_list"]} == names and document["cycles"] == len(names)
    assert sorted(deal["deal"] for cycle in document["cycle_list"] for deal in cycle["deals"]) == sorted(
        str(deal) for deal in deals
    )


def test_a_dry_run_tells_the_time_and_leaves_nothing(tmp_path):
    words = ("search", "enumerate", "--deck", "28:4:4:4:0", "--from", "1e12", "--to", "1001e9", "--dry-run")
    document = documented(*words, "--workers", "2", cwd=tmp_path)
    assert document["deals"] == "1000000000" and document["workers"] == 2
    core_seconds = 1e9 / document["deals_per_core_second"]
    assert document["seconds"] == pytest.approx(core_seconds / 2)
    assert document["seconds_on_1000_cores"] == pytest.approx(core_seconds / 1000)
    text = camicia(*words, cwd=tmp_path).stdout
    assert "1,000,000,000 deals" in text and "1,000 such cores" in text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--from", "5", "--to", "4"), "ranks from 5 to 4: expected whole numbers in order from 0 to 11880"),
        (("--from", "11880"), "ranks 11880 to 11880: expected at least one deal"),
        (("--to", "11881"), "ranks from 0 to 11881: expected whole numbers in order from 0 to 11880"),
        (("--from", "-1"), "rank '-1': expected a whole number from 0 up"),
        (("--from", "x"), "rank 'x': expected a whole number from 0 up"),
        (("--shard", "8/7"), "shard '8/7': expected I/N"),
        (("--shard", "0/7"), "shard '0/7': expected I/N"),
    ],
)
def test_bad_ranges(tmp_path, words, message):
    done = camicia("search", "enumerate", "--deck", "8:1:1:1:1", *words, cwd=tmp_path)
    assert done.returncode == 2 and message in done.stderr and done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_another_range_in_the_same_ledger_is_refused(tmp_path):
    words = ("search", "enumerate", "--deck", "8:1:1:1:1", "--quiet", "--ledger", "one.db")
    documented(*words, "--to", "1000", cwd=tmp_path)
    done = camicia(*words, "--to", "2000", cwd=tmp_path)
    assert done.returncode == 2 and "to 1000, not 2000" in done.stderr and "--ledger" in done.stderr


def test_ranks_of_more_than_64_bits_are_searched(tmp_path):
    start = 10**20
    words = ("search", "enumerate", "--from", str(start), "--to", str(start + 3000), "--quiet")
    document = documented(*words, cwd=tmp_path)
    rows = simulate_many(unrank_many(STANDARD, range(start, start + 3000)))
    assert document["deals"] == "3000" and document["complete"] is True
    assert document["sum_cards"] == rows["cards"].sum()
    assert document["from"] == str(start)
    best = document["longest_cards_deals"][0]
    assert STANDARD.rank(best["deal"]) == int(best["rank"])
