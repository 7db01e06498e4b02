"""How long do games last? Survival analysis of random deals with NumPy.

    python examples/survival.py [deals]

Plays random deals of the standard deck, estimates the share of games still running after n tricks with its
error, and the rate at which games end: constant, but for the first tricks, so that their number halves every
so many tricks. Which player wins, and does it help to lead?
"""

import sys

import numpy as np

from camicia import STANDARD, random_deals, simulate_many

#: Deals made of one shuffle depend on one another: errors are taken over batches of their own seeds.
BATCHES = 16


def tricks_and_winners(deals: int, seed: int):
    """Play random deals; return the tricks of those that end, and who wins them."""
    results = simulate_many(random_deals(STANDARD, deals, seed=seed))
    ended = results[results["status"] == 0]
    return ended["tricks"], ended["winner"]


def survival(tricks, longest):
    """The share of games still running after 0, 1, ... tricks."""
    games = np.bincount(tricks, minlength=longest + 1)[: longest + 1]
    return 1 - np.cumsum(games) / len(tricks)


def main():
    deals = int(sys.argv[1]) if len(sys.argv) > 1 else 1_600_000
    batches = [tricks_and_winners(deals // BATCHES, seed) for seed in range(BATCHES)]

    curves = np.array([survival(tricks, 200) for tricks, _ in batches])
    mean = curves.mean(axis=0)
    error = curves.std(axis=0, ddof=1) / np.sqrt(BATCHES)
    print("tricks  still running           ends in the next trick")
    for n in range(0, 200, 25):
        hazard = 1 - mean[n + 1] / mean[n]
        print(f"{n:6}  {mean[n]:.6f} ± {error[n]:.6f}   {hazard:.4f}")

    # On a logarithmic scale the curve is a straight line; its slope is the halving length.
    halvings = []
    for tricks, _ in batches:
        beyond = tricks[tricks > 80] - 80
        ends = 1 / beyond.mean()
        halvings.append(np.log(2) / -np.log1p(-ends))
    spread = np.std(halvings, ddof=1) / np.sqrt(BATCHES)
    print(f"\nbeyond 80 tricks, games halve every {np.mean(halvings):.2f} ± {spread:.2f} tricks")

    wins = np.array([(winner == 0).mean() for _, winner in batches])
    spread = wins.std(ddof=1) / np.sqrt(BATCHES)
    print(f"player A, who leads, wins {wins.mean():.4f} ± {spread:.4f} of the games")


if __name__ == "__main__":
    main()
