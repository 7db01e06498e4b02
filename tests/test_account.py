"""The account of a unit's games, against the same in plain Python."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest
from hunting import SMALL, small_campaign

from camicia import ITALIAN, STANDARD, CamiciaError, Deck, simulate_many
from camicia.kernels import available_kernels
from camicia.sampling import DealStream
from search.account import Account
from search.campaign import Totals
from search.finds import Find, best, smallest
from search.scan import scan_random
from search.strategies.sample import error_of_mean
from search.worker import run_unit

WORD = 1 << 64

DECKS = [
    STANDARD,
    ITALIAN,
    SMALL,
    Deck(4, 2, 0, 0, 0),
    Deck(61, 1, 0, 0, 1),
    Deck(90, 5, 4, 3, 2),
    Deck(1, 0, 0, 0, 0),
]


def mixed(number, status, cards, tricks):
    """The hash of one game, by the letter of docs/checksum.md."""
    word = (
        number * 0x9E3779B97F4A7C15
        + cards * 0xBB67AE8584CAA73B
        + tricks * 0x3C6EF372FE94F82B
        + status * 0xA54FF53A5F1D36F1
    ) % WORD
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % WORD
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % WORD
    return word ^ (word >> 31)


def plainly(deals, results, first_number):
    """All that an account counts, in plain Python."""
    finds = [
        (int(row["status"]), Find(deal.tobytes(), int(row["cards"]), int(row["tricks"])))
        for deal, row in zip(deals, results, strict=True)
    ]
    finished = [find for status, find in finds if not status]
    return {
        "games": len(finds),
        "loops": sum(status for status, _ in finds),
        "cards": sum(find.cards for find in finished),
        "tricks": sum(find.tricks for find in finished),
        "checksum": sum(
            mixed(number, status, find.cards, find.tricks)
            for number, (status, find) in enumerate(finds, first_number)
        )
        % WORD,
        "histogram": dict(Counter(find.tricks for find in finished)),
        "finds": set(best(finished, "cards", 20)) | set(best(finished, "tricks", 20)),
        "loop_finds": smallest([find for status, find in finds if status], 7),
    }


def counted(account):
    return {name: getattr(account, name) for name in ("games", "loops", "cards", "tricks", "checksum")} | {
        "histogram": account.histogram(),
        "finds": set(account.finds()),
        "loop_finds": list(account.loop_finds()),
    }


@pytest.mark.parametrize("deck", DECKS, ids=str)
@pytest.mark.parametrize("kernel", available_kernels())
def test_a_scan_counts_what_plain_python_counts(deck, kernel):
    first, games = 2**64 - 100, 600 if kernel == "reference" else 3000
    account = Account(deck.size, 20, 7)
    assert scan_random(account, DealStream(deck, 3, 5), first, games, kernel) == kernel
    deals = DealStream(deck, 3, 5).take(games)
    assert counted(account) == plainly(deals, simulate_many(deals), first)


def test_batches_of_any_size_make_no_difference():
    deals = DealStream(SMALL, 3, 5).take(2000)
    results = simulate_many(deals)
    whole, parts = Account(16, 20, 7, group=32), Account(16, 20, 7, group=32)
    whole.add(deals, results, 5)
    cuts = [0, 0, 1, 50, 107, 109, 700, 2000]
    for start, stop in pairwise(cuts):
        parts.add(deals[start:stop], results[start:stop], 5 + start)
    assert counted(whole) == counted(parts) and whole.squares() == parts.squares()


def test_squares_are_those_of_the_sums_of_whole_groups():
    deals = DealStream(SMALL, 3, 5).take(1000)
    results = simulate_many(deals)
    account = Account(16, 20, 7, group=300)
    account.add(deals, results)
    sums = [
        [int(results[i : i + 300][results["status"][i : i + 300] == 0][name].sum()) for i in (0, 300, 600)]
        for name in ("cards", "tricks")
    ]
    assert account.squares() == tuple(sum(number**2 for number in part) for part in sums)


def rows(*lengths):
    """Results of finished games."""
    results = simulate_many(np.zeros((len(lengths), 2), np.uint8))
    for row, (cards, tricks) in zip(results, lengths, strict=True):
        row["cards"], row["tricks"] = cards, tricks
    return results


def test_very_long_games_get_bins_and_exact_squares():
    account = Account(2, 2, 2, group=1)
    account.add(np.zeros((3, 2), np.uint8), rows((2**40, 2048), (5, 100_000), (2**40, 3)))
    assert account.histogram() == {3: 1, 2048: 1, 100_000: 1}
    assert account.squares()[0] == 2 * 2**80 + 25


def test_candidates_are_the_games_of_enough_tricks_in_order():
    deals = DealStream(STANDARD, 3, 5).take(5000)
    results = simulate_many(deals)
    account = Account(52, 1, 1, least_tricks=60)
    account.add(deals[:3000], results[:3000])
    first = account.take_candidates()
    account.add(deals[3000:], results[3000:])
    found = first + account.take_candidates()
    wanted = [
        Find(deal.tobytes(), int(row["cards"]), int(row["tricks"]))
        for deal, row in zip(deals, results, strict=True)
        if row["tricks"] >= 60
    ]
    assert len(wanted) > 300 and found == wanted and account.take_candidates() == []


def test_shapes_that_do_not_agree_are_refused():
    account = Account(52, 1, 1)
    with pytest.raises(CamiciaError, match="52 cards"):
        account.add(np.zeros((1, 51), np.uint8), rows((1, 1)))
    with pytest.raises(CamiciaError, match="a result for each"):
        account.add(np.zeros((2, 52), np.uint8), rows((1, 1)))


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
