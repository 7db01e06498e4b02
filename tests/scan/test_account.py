"""The account of a unit's games, against the same in plain Python."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from accounts import counted, plainly
from hunting import SMALL, small_campaign

from camicia import ITALIAN, STANDARD, Deck, simulate_many
from camicia.deals.sampling import DealStream
from camicia.kernels.dispatch import available_kernels
from search.campaign import Totals
from search.finds import Find
from search.scan.account import Account
from search.scan.scan import scan_deals
from search.strategies.sample import error_of_mean
from search.workers import run_unit

DECKS = [
    STANDARD,
    ITALIAN,
    SMALL,
    Deck(4, 2, 0, 0, 0),
    Deck(61, 1, 0, 0, 1),
    Deck(90, 5, 4, 3, 2),
    Deck(1, 0, 0, 0, 0),
]


@pytest.mark.parametrize("deck", DECKS, ids=str)
@pytest.mark.parametrize("kernel", available_kernels())
def test_a_scan_counts_what_plain_python_counts(deck, kernel):
    first, games = 2**64 - 100, 600 if kernel == "reference" else 3000
    account = Account(deck.size, 20, 7)
    assert scan_deals(account, DealStream(deck, 3, 5), first, games, kernel) == kernel
    deals = DealStream(deck, 3, 5).take(games)
    assert counted(account) == plainly(deals, simulate_many(deals), first, finds_kept=20, loops_kept=7)


def in_parts(account, deck, cuts, first=5):
    """Scan the deals of one stream, in parts that end at the cuts."""
    stream = DealStream(deck, 3, 5)
    for start, stop in pairwise([0, *cuts]):
        scan_deals(account, stream, first + start, stop - start)
    return account


def test_parts_of_any_size_make_no_difference():
    whole = in_parts(Account(16, 20, 7, group=32), SMALL, [2000])
    parts = in_parts(Account(16, 20, 7, group=32), SMALL, [0, 1, 50, 107, 109, 700, 2000])
    assert counted(whole) == counted(parts) and whole.squares() == parts.squares()


def test_squares_are_those_of_the_sums_of_whole_groups():
    account = in_parts(Account(16, 20, 7, group=300), SMALL, [1000])
    results = simulate_many(DealStream(SMALL, 3, 5).take(1000))
    sums = [
        [int(results[i : i + 300][results["status"][i : i + 300] == 0][name].sum()) for i in (0, 300, 600)]
        for name in ("cards", "tricks")
    ]
    assert account.squares() == tuple(sum(number**2 for number in part) for part in sums)


def test_very_long_games_get_bins_and_exact_squares():
    """Games of more tricks than there are bins for at first, and of more cards than a packed result holds."""
    deck = Deck(400, 20, 20, 20, 20)
    account = in_parts(Account(480, 2, 2, group=1), deck, [60], first=0)
    results = simulate_many(DealStream(deck, 3, 5).take(60))
    finished = results[results["status"] == 0]
    assert finished["tricks"].max() > 2048 and finished["cards"].max() > 65_535
    assert account.histogram() == dict(Counter(finished["tricks"].tolist()))
    assert account.squares()[0] == sum(cards**2 for cards in finished["cards"].tolist())


def test_candidates_are_the_games_of_enough_tricks_in_order():
    deals = DealStream(STANDARD, 3, 5).take(5000)
    results = simulate_many(deals)
    account = Account(52, 1, 1, least_tricks=60)
    stream = DealStream(STANDARD, 3, 5)
    scan_deals(account, stream, 0, 3000)
    first = account.take_candidates()
    scan_deals(account, stream, 3000, 2000)
    found = first + account.take_candidates()
    wanted = [
        Find(deal.tobytes(), int(row["cards"]), int(row["tricks"]))
        for deal, row in zip(deals, results, strict=True)
        if row["tricks"] >= 60
    ]
    assert len(wanted) > 300 and found == wanted and account.take_candidates() == []


def test_no_finds_may_be_wanted():
    report = run_unit(small_campaign(finds_kept=0, loops_kept=0), 0)
    assert report.finds == report.loop_finds == () and report.loops > 0


@pytest.mark.slow
def test_random_deals_have_the_known_means():
    """150 million deals of others gave 254.69 cards and 35.247 tricks; ours are within their own error."""
    totals = Totals()
    totals.add(run_unit(small_campaign(deck=STANDARD, unit_size=1248 * 1600), 0))
    for length, mean, error in (("cards", 254.69, 0.02), ("tricks", 35.247, 0.003)):
        own = error_of_mean(totals, length)
        assert own < 1.5
        assert abs(totals.mean(length) - mean) < 4 * (own**2 + error**2) ** 0.5


def test_the_error_of_the_mean_is_that_over_shuffles():
    """Shuffles of one deck differ as their error says: the means of many units spread by it."""
    reports = [run_unit(small_campaign(unit_size=32_000), unit) for unit in range(40)]
    means = [report.cards / (report.games - report.loops) for report in reports]
    one = Totals()
    one.add(reports[0])
    assert error_of_mean(one, "cards") == pytest.approx(np.std(means, ddof=1), rel=0.5)
