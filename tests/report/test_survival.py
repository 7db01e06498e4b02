"""The survival curve, the fitted law, the rate, and what is foretold from them."""

import math

import numpy as np
import pytest

from camicia import STANDARD, random_deals, simulate_many
from camicia.text import large_number, long_time
from search.ledger import Stretch
from search.report.forecast import forecasts, gain_of_climbing
from search.report.history import binned
from search.report.survival import Halving, dependence_of, fit_halving, survival

DEALS = STANDARD.deal_count


def geometric(halving, games, seed):
    """The histogram of games whose tricks are geometrically distributed."""
    generator = np.random.default_rng(seed)
    tricks, counts = np.unique(generator.geometric(1 - 2 ** (-1 / halving), games), return_counts=True)
    return dict(zip(tricks.tolist(), counts.tolist(), strict=True))


def test_the_curve_counts_games_still_running():
    generator = np.random.default_rng(1)
    tricks = generator.integers(0, 40, 1000)
    histogram = {int(n): int((tricks == n).sum()) for n in np.unique(tricks)}
    curve = survival(histogram)
    assert curve.tolist() == [(tricks > n).mean() for n in range(tricks.max() + 1)]
    assert len(survival({})) == 0


def test_the_fit_is_right_within_its_error():
    pulls = []
    for seed in range(200):
        halving = fit_halving(geometric(20, 20_000, seed))
        pulls.append((halving.tricks - 20) / halving.error)
    # The mean of 200 unit normals is known to 0.07, their spread to 0.05.
    assert abs(np.mean(pulls)) < 0.3
    assert np.std(pulls) == pytest.approx(1, abs=0.25)


def test_random_deals_obey_the_known_law():
    rows = simulate_many(random_deals(STANDARD, 200_000, seed=4))
    tricks, counts = np.unique(rows["tricks"], return_counts=True)
    halving = fit_halving(dict(zip(tricks.tolist(), counts.tolist(), strict=True)), dependence=5)
    assert halving.error < 1 and abs(halving.tricks - 20) < 2 * halving.error


@pytest.mark.parametrize("histogram", [{}, {5: 10}, {1: 10_000}, dict.fromkeys(range(1, 20), 2)])
def test_too_few_long_games_fit_nothing(histogram):
    assert fit_halving(histogram) is None


def test_the_law_and_its_inverse():
    halving = fit_halving(geometric(20, 100_000, 5))
    assert halving.share_of(halving.start + 1) == halving.share
    assert halving.share_of(halving.start + 1 + halving.tricks) == pytest.approx(halving.share / 2)
    assert halving.tricks_of(halving.share_of(500)) == pytest.approx(500)


def test_errors_grow_with_the_dependence_of_deals():
    histogram = geometric(20, 10_000, 6)
    alone, together = fit_halving(histogram), fit_halving(histogram, 3.0)
    assert together == alone._replace(error=pytest.approx(3 * alone.error))
    spread = math.sqrt(sum((n - 29.36) ** 2 * k for n, k in histogram.items()) / 10_000)
    assert dependence_of(histogram, 5 * spread / 100) == pytest.approx(5, rel=0.01)
    assert dependence_of(histogram, 0.0) == 1.0 == dependence_of({}, 1.0)


def test_milestones_lie_ahead_and_double_with_each_halving():
    law = Halving(20.0, 0.01, start=80, share=1 / 16, games=1_000_000)
    found = forecasts(law, 1e6, 400, 1164, DEALS)
    assert [item.tricks for item in found] == [450, 500, 550, 600, 1165]
    assert found[0].deals == pytest.approx(16 * 2 ** (369 / 20))
    assert found[1].deals / found[0].deals == pytest.approx(2**2.5)
    assert found[0].seconds == pytest.approx(found[0].deals / 1e6)
    assert 1 < found[0].factor < found[-1].factor
    assert all(item.exists for item in found)
    # A deck of 1000 deals has none that is dealt once in a million times.
    assert not any(item.exists for item in forecasts(law, 1e6, 400, 1164, 1000))


def test_what_no_law_can_reach_is_said_and_not_an_error():
    law = Halving(1.0, 0.5, start=2, share=1 / 16, games=40)
    (item,) = (item for item in forecasts(law, 1.0, 10, 100_000, DEALS) if item.name)
    assert item.deals == math.inf and long_time(item.seconds).startswith("more than can be said")
    assert not item.exists


def test_climbing_gains_what_its_trees_hold_beyond_chance():
    class Stored:
        def __init__(self, tricks, tree):
            self.tree = tree
            self.result = type("Result", (), {"tricks": tricks})

    law = Halving(20.0, 0.1, start=80, share=1 / 16, games=1000)
    # Of 16 * 2^10 games one has 281 tricks; here ten trees have.
    finds = [Stored(281 + n % 3, 1 + n % 10) for n in range(30)] + [Stored(500, 0)]
    gain = gain_of_climbing(finds, law, 16 << 10)
    assert gain.trees == 10 and gain.tricks >= 281
    assert gain.times == pytest.approx(10 * 2 ** ((gain.tricks - 281) / 20))
    assert forecasts(law, 1.0, 400, None, DEALS, gain)[0].deals * gain.times == pytest.approx(
        forecasts(law, 1.0, 400, None, DEALS)[0].deals
    )
    assert gain_of_climbing(finds[-1:], law, 100) is None


def test_stretches_hold_every_deal_of_their_runs_once():
    work = [Stretch(start + place, 1, 3, 10 + place, 0, 0) for start in (100, 500) for place in range(30)]
    # One before both runs, in part, and one committed as the second ended.
    work += [Stretch(96, 16, 1, 1000, 0, 0), Stretch(530, 1, 1, 7, 0, 0)]
    bins = binned(work, [(100, 130), (500, 530)], most=7)
    assert len(bins) == 8
    assert sum(part.deals for part in bins) == sum(stretch.deals for stretch in work)
    assert sum(part.seconds for part in bins) == 60
    assert bins[-1].deals >= sum(10 + place for place in range(23, 30)) + 7
    assert binned([], []) == []


def test_numbers_and_times_in_words():
    assert [large_number(n) for n in (0.5, 99.94, 999_600, 1e6, 1.5e14)] == [
        "0.5", "99.9", "1 million", "1 million", "150 trillion"
    ]  # fmt: skip
    assert [long_time(s) for s in (1, 59.99, 61, 86_400, 3.2e7)] == [
        "1 second", "1 minute", "1.02 minutes", "1 day", "1.01 years"
    ]  # fmt: skip
