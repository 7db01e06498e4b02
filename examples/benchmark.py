"""Is your simulator right, and how fast is it? Compare it with every kernel of Camicia.

    python examples/benchmark.py

Put your own function in place of `textbook`: it gets hand A and hand B, each a string with the top card
first, and returns cards and tricks. It is checked on random deals, and timed in turns with the kernels, since
the speed of a busy machine drifts; the medians are compared.
"""

import statistics
import time

from camicia import STANDARD, Deal, random_deals, simulate_many
from camicia.kernels.dispatch import available_kernels

ROUNDS = 5

#: Deals a round: some tenths of a second each.
DEALS = {"textbook": 500, "reference": 500}
MANY_DEALS = 100_000


def textbook(hand_a, hand_b):
    """The game as most people write it: lists, and a card at a time."""
    penalties = {"J": 1, "Q": 2, "K": 3, "A": 4}
    hands = [list(hand_a), list(hand_b)]
    player, cards, tricks = 0, 0, 0
    while hands[0] and hands[1]:
        pile, due = [], 0
        while hands[player]:
            card = hands[player].pop(0)
            pile.append(card)
            cards += 1
            if card in penalties:
                due = penalties[card]
                player = 1 - player
            elif due == 0:
                player = 1 - player
            else:
                due -= 1
                if due == 0:
                    break
        # Who could not or need not go on has lost the pile.
        player = 1 - player
        hands[player] += pile
        tricks += 1
    return cards, tricks


def seconds(play):
    """How long a function takes."""
    start = time.perf_counter()
    play()
    return time.perf_counter() - start


def main():
    deals = random_deals(STANDARD, MANY_DEALS, seed=1)
    texts = [str(Deal.from_array(deal)).split("/") for deal in deals[: DEALS["textbook"]]]

    expected = simulate_many(deals[: len(texts)])
    for hands, result in zip(texts, expected, strict=True):
        assert textbook(*hands) == (result["cards"], result["tricks"]), "/".join(hands)
    print(f"right on {len(texts)} random deals")

    players = {"textbook": lambda: [textbook(*hands) for hands in texts]}
    for kernel in available_kernels():
        rows = deals[: DEALS.get(kernel, MANY_DEALS)]
        players[kernel] = lambda rows=rows, kernel=kernel: simulate_many(rows, kernel=kernel)

    times = {name: [] for name in players}
    for _ in range(ROUNDS):
        for name, play in players.items():
            times[name].append(seconds(play))
    rates = {name: DEALS.get(name, MANY_DEALS) / statistics.median(taken) for name, taken in times.items()}
    print("kernel         deals a second   times textbook")
    for name, rate in rates.items():
        print(f"{name:12} {rate:16,.0f} {rate / rates['textbook']:16,.1f}")


if __name__ == "__main__":
    main()
