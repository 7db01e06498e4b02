"""The figures that `camicia forecast` starts from: made anew from the ledger of a long hunt.

Prints the content of search/report/measured.csv: the histogram, the longest deals of the best trees, and by
how much the deals of one shuffle depend on one another.

    camicia search climb --seed 1164 --deals 1.2e10 --ledger price.db
    python benchmarks/price.py price.db > search/report/measured.csv
"""

from __future__ import annotations

import argparse
from pathlib import Path

from search.ledger import Ledger
from search.report import facts_text


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ledger", type=Path, help="the ledger of one campaign of `search climb`")
    with Ledger(parser.parse_args().ledger) as ledger:
        print(facts_text(ledger), end="")


if __name__ == "__main__":
    main()
