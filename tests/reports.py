"""Ledgers young, empty and large, and the pages about them."""

import numpy as np
from hunting import small_campaign

from camicia import STANDARD, Deal, Status
from camicia.known_cycles import catalogue
from camicia.records import records
from camicia.rules import play
from search.campaign import Campaign, UnitReport
from search.finds import Find
from search.ledger import Ledger, Run
from search.report import report_page
from search.workers import run_unit

RECORD = Deal.parse("---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---")
LOOP = Deal.parse("---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA")


def find_of(deal, tree=0):
    result = play(deal)
    return Find(deal.hand_a + deal.hand_b, result.cards, result.tricks, tree)


def empty_ledger(path):
    with Ledger(path, "create"):
        pass
    return path


def young_ledger(path):
    """Three small units of a small deck, with loops."""
    campaign = small_campaign()
    with Ledger(path, "create") as ledger:
        entry = ledger.enter(campaign)
        ledger.commit(entry, [run_unit(campaign, unit) for unit in range(3)])
    return path


def large_ledger(path, deals=10**10):
    """Ten thousand million deals: the law itself as histogram, the records and a loop as finds."""
    shares = 2.0 ** (-np.arange(0, 660) / 20)
    running = np.round(deals * shares).astype(np.int64)
    histogram = {n: int(k) for n, k in enumerate(running[:-1] - running[1:], start=1) if k}
    campaign = Campaign("climb", STANDARD, seed=7, unit_size=sum(histogram.values()) + 1, settings={
        "least_tricks": 350, "from_end": 340, "max_states": 10**6
    })  # fmt: skip
    with Ledger(path, "create") as ledger:
        entry = ledger.enter(campaign)
        finds = tuple(
            find_of(record.deal, 1 + tree)
            for tree, record in enumerate(records())
            if record.deal.deck == STANDARD and record.result.status is Status.FINISHED
        )
        run = ledger.begin_run(entry, 4, "mill")
        games, tricks = sum(histogram.values()), sum(n * k for n, k in histogram.items())
        report = UnitReport(
            0, games + 1, 1, 255 * games, tricks, histogram, checksum=5,
            finds=finds, loop_finds=(find_of(LOOP),),
            seconds=4000.0, kernel="avx2", host="mill",
        )  # fmt: skip
        ledger.commit(entry, [report], run=Run(run, 1000.0))
    return path


#: The published cycle of the standard deck, one that only the catalogue has, and a name that it has not.
PUBLISHED, OURS, NEW = (
    next(cycle for cycle in catalogue(STANDARD) if cycle.deals and not cycle.new),
    next(cycle for cycle in catalogue(STANDARD) if cycle.deals and cycle.new),
    f"JJJJQQQQKKKKAAAA{10 * '-'}/{26 * '-'}",
)


def loops_ledger(path, deck=STANDARD, met=((30, PUBLISHED.name), (34, OURS.name), (0, NEW))):
    """A walk among loops that met some cycles; of those of the standard deck it lists a deal each."""
    campaign = Campaign(
        "loops", deck, seed=7, unit_size=10**6, loops_kept=100, settings={"starts": "J--/-J-"}
    )
    deals = [Deal.parse(cycle.deal) for cycle in (PUBLISHED, OURS)] if deck == STANDARD else []
    with Ledger(path, "create") as ledger:
        entry = ledger.enter(campaign)
        report = UnitReport(
            0, 10**6, 10**4, 10**8, 9_900_000, {10: 10**6 - 10**4}, checksum=5,
            loop_finds=tuple(find_of(deal) for deal in deals),
            counters={f"cycle {number} {name}": 1 for number, name in met} | {"stepping_stones": 99},
            seconds=4.0, kernel="walker", host="mill",
        )  # fmt: skip
        ledger.commit(entry, [report])
    return path


LEDGERS = {"empty": empty_ledger, "young": young_ledger, "loops": loops_ledger, "large": large_ledger}


def page_of(path):
    with Ledger(path) as ledger:
        return report_page(ledger)


def report_of(path):
    """What the page says of the ledger: without the player, which has texts and deals of its own."""
    return page_of(path).split("<main>")[1].split('<div id="player"')[0]
