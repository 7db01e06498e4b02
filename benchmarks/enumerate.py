"""How close does enumerating come to the speed of the kernel alone on the same consecutive deals?

    python benchmarks/enumerate.py [--deck D ...] [--kernel NAME] [--places N] [--rounds N]

At places spread evenly over a deck's ranks, a stretch of consecutive deals is played twice in turn: by the
inner loop of a complete search (writing the deals, playing, histogram, checksum, finds), and by the kernel
alone, on batches of the same deals that were prepared before. Medians of the rounds, summed over the places.
"""

import argparse
import statistics
import time

from camicia import Deck
from camicia.deals.ranking import unrank_many
from camicia.kernels import dispatch
from camicia.kernels.rows import Prepared
from search.scan.account import Account
from search.scan.scan import scan_ranks

DECKS = ("12:2:2:2:0", "18:2:2:2:2", "28:4:4:4:0", "36:4:4:4:4")

#: Deals of a batch, as in `search.scan`.
BATCH = 16_384

#: Batches in a stretch, so that the fixed cost of a unit counts as little as in a unit of a few seconds.
BATCHES = 64


def stretches(deck: Deck, places: int) -> list[range]:
    """Ranges of ranks, each in the middle of one of so many equal parts of all ranks."""
    length = min(BATCH * BATCHES, deck.deal_count)
    room = deck.deal_count - length
    starts = sorted({room * (2 * place + 1) // (2 * places) for place in range(places)})
    return [range(start, start + length) for start in starts]


def seconds(work) -> float:
    """Return the processor time of this thread, so that other load on the machine counts little."""
    started = time.thread_time()
    work()
    return time.thread_time() - started


def prepared(deck: Deck, ranks: range) -> Prepared:
    """A batch of consecutive deals in the kernel's own form."""
    batch = Prepared(deck, BATCH)
    batch.put(unrank_many(deck, ranks), deck.cut)
    return batch


def measure(deck: Deck, kernel: str, places: int, rounds: int) -> dict[str, float]:
    """Deals per second of both, over all places."""
    whole = alone = deals = 0.0
    ratios = []
    for ranks in stretches(deck, places):
        parts = [ranks[i : i + BATCH] for i in range(0, len(ranks), BATCH)]
        batches = [prepared(deck, part) for part in parts]

        def play(batches=batches):
            for batch in batches:
                batch.play(kernel)

        def search(ranks=ranks):
            scan_ranks(Account(deck.size, 100, 100), deck, ranks.start, ranks.stop, kernel)

        pairs = [(seconds(search), seconds(play)) for _ in range(rounds)]
        whole += statistics.median(pair[0] for pair in pairs)
        alone += statistics.median(pair[1] for pair in pairs)
        ratios.append(statistics.median(pair[1] / pair[0] for pair in pairs))
        deals += len(ranks)
    return {
        "search": deals / whole,
        "alone": deals / alone,
        "share": alone / whole,
        "least": min(ratios),
        "most": max(ratios),
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--deck", nargs="+", type=Deck.parse, default=[Deck.parse(deck) for deck in DECKS])
    parser.add_argument("--kernel", choices=dispatch.available_kernels(), default=dispatch.default_kernel())
    parser.add_argument("--places", type=int, default=9)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    print(f"kernel {arguments.kernel}; million deals per second")
    print(f"{'deck':<14}{'search':>9}{'alone':>9}{'share':>8}   share by place")
    for deck in arguments.deck:
        found = measure(deck, arguments.kernel, arguments.places, arguments.rounds)
        print(
            f"{deck!s:<14}{found['search'] / 1e6:>9.2f}{found['alone'] / 1e6:>9.2f}{found['share']:>8.1%}"
            f"   {found['least']:.1%} to {found['most']:.1%}"
        )


if __name__ == "__main__":
    main()
