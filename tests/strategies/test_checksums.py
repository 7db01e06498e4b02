"""Units whose checksums are known for good: no change of the code, machine or kernel may move them."""

import pytest

from camicia import STANDARD, Deck
from search.campaign import Campaign
from search.strategies.loops import BOUNDS
from search.workers import run_unit

LOOPY = Deck(12, 2, 2, 2, 0)
CLIMBING = {"least_tricks": 110, "from_end": 100, "max_states": 10**6}
WALKING = {bound.name: bound.from_small for bound in BOUNDS} | {"starts": "J--/-J- --J-/J-"}

#: A campaign, the number of a unit, and what comes of it: games, loops, cards, tricks and checksum.
UNITS = [
    (Campaign("sample", STANDARD, 7, 4992), 3, (4992, 0, 1219559, 169105, 18124635226241478280)),
    (Campaign("sample", LOOPY, 7, 9000), 10**9, (9000, 0, 336703, 59225, 15046577408746006944)),
    (
        Campaign("climb", STANDARD, 7, 4992, settings=CLIMBING),
        3,
        (4992, 0, 1219559, 169105, 4336728973901523966),
    ),
    (
        Campaign("enumerate", LOOPY, 0, 200_000, settings={"from": "0", "to": "1670760"}),
        5,
        (200000, 4, 7683955, 1364175, 15590673146708635828),
    ),
    (
        Campaign("loops", LOOPY, 7, 20_000, settings=WALKING),
        1,
        (20000, 483, 583243, 95707, 8716391077691227471),
    ),
]


@pytest.mark.parametrize(("campaign", "unit", "known"), UNITS)
def test_units_come_to_what_they_always_came_to(campaign, unit, known):
    report = run_unit(campaign, unit)
    assert (report.games, report.loops, report.cards, report.tricks, report.checksum) == known
