"""The figures that `camicia forecast` starts from, from a hunt of a fixed seed on all CPUs.

Prints the content of search/report/measured.csv: the histogram, the longest deals of the best trees, and by
how much the deals of one shuffle depend on one another.

    python benchmarks/price.py --deals 12e9 > search/report/measured.csv
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from search import hunt
from search.ledger import Ledger
from search.report import facts_text


def main() -> None:
    """Hunt, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=float, default=1e9, help="deals to play (default: 1e9)")
    parser.add_argument("--seed", type=int, default=1164, help="seed of the hunt (default: 1164)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "price.db")
        hunt("climb", seed=arguments.seed, deals=round(arguments.deals), ledger=path)
        with Ledger(path) as ledger:
            print(facts_text(ledger), end="")


if __name__ == "__main__":
    main()
