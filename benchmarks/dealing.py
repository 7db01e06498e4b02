"""How many deals per second does a program deal and play on one core, compared with a hunt?

Deals arrays of random deals, plays random deals from Python, independent ones and those of shared shuffles,
and runs the inner loop of a hunt over as many. Prints medians of interleaved runs by processor time, with the
lowest and highest; the ratio is to the hunt of the same run.

    python benchmarks/dealing.py --repeats 9
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

from camicia import play_random, random_deals
from camicia.deals.sampling import DealStream
from camicia.decks import deck_named
from search.scan.account import Account
from search.scan.scan import scan_deals


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--deals", type=int, default=1_000_000, help="deals of a run (default: %(default)s)")
    parser.add_argument("--deck", type=deck_named, default="standard")
    arguments = parser.parse_args()
    deck, deals = arguments.deck, arguments.deals
    work: dict[str, Callable[[], object]] = {
        "hunt": lambda: scan_deals(Account(deck.size, 100, 100), DealStream(deck, 1, 0), 0, deals),
        "random_deals": lambda: random_deals(deck, deals, 1),
        "play_random": lambda: play_random(deck, deals, 1),
        "play_random, shared shuffles": lambda: play_random(deck, deals, 1, independent=False),
    }
    rates: dict[str, list[float]] = {what: [] for what in work}
    for _ in range(arguments.repeats):
        for what, call in work.items():
            start = time.process_time()
            call()
            rates[what].append(deals / (time.process_time() - start))
    print(f"{'million deals a second':<32}{'median':>8}{'low':>8}{'high':>8}{'ratio':>8}")
    for what, measured in rates.items():
        ratio = statistics.median(rate / hunt for rate, hunt in zip(measured, rates["hunt"], strict=True))
        print(
            f"{what:<32}{statistics.median(measured) / 1e6:8.2f}{min(measured) / 1e6:8.2f}"
            f"{max(measured) / 1e6:8.2f}{ratio:8.2f}"
        )


if __name__ == "__main__":
    main()
