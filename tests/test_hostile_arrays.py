"""Arrays that are not what they say, or that somebody changes meanwhile: refused or played, never a crash."""

import subprocess
import sys

import numpy as np
import pytest

from camicia import STANDARD, Deal, DealError, Deck, RankError, random_deals, simulate_many, unrank_many
from camicia.kernels.dispatch import available_kernels
from camicia.kernels.rows import Prepared

#: Codes that no card has: just past an ace, and such as lead far astray where they are taken for cards.
WRONG = (5, 24, 48, 127, 128, 255)

KERNELS = available_kernels()


def run(code):
    """Run a script apart, for it may crash."""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert told.returncode == 0, told.stderr[-2000:]
    return told.stdout


def test_what_hides_codes_is_looked_through():
    """Masks, and subclasses that answer as they like."""
    run(f"""
import numpy as np
from camicia import DealError, simulate_many

class Liar(np.ndarray):
    def max(self, *_, **__):
        return 0
    def min(self, *_, **__):
        return 0
    def __array_finalize__(self, _):
        pass
    def __array_ufunc__(self, *_, **__):
        return np.False_
    def __array_function__(self, *_, **__):
        return self

for kernel in {KERNELS}:
    for code in {WRONG}:
        for size in (2, 16, 17, 52):
            deals = np.full((70, size), code, np.uint8)
            masked = np.ma.array(deals, mask=True)
            bare = np.ma.array(deals)
            for array in (deals, masked, bare, deals.view(Liar), deals[:, ::-1].view(Liar)):
                try:
                    simulate_many(array, kernel=kernel)
                except DealError as error:
                    assert "mask" in str(error) or f"row 0 holds {{code}} at place 0" in str(error), error
                else:
                    raise AssertionError((kernel, code, type(array)))
""")


@pytest.mark.parametrize("kernel", KERNELS)
def test_the_first_wrong_code_is_named(kernel):
    deals = random_deals(STANDARD, 300, 1)
    deals[211, 17], deals[211, 40], deals[250, 0] = 9, 77, 200
    for threads in (1, 3):
        with pytest.raises(DealError, match="row 211 holds 9 at place 17: card codes are 0 to 4"):
            simulate_many(deals, kernel=kernel, threads=threads)


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_wrong_code_in_a_row_of_another_deck_is_named(kernel):
    deals = np.zeros((200, 30), np.uint8)
    deals[::3] = random_deals(Deck(10, 5, 5, 5, 5), 67, 1)
    deals[100:, :] = 1
    deals[150, 29] = 130
    with pytest.raises(DealError, match="row 150 holds 130 at place 29"):
        simulate_many(deals, kernel=kernel)


def test_masked_arrays_without_a_masked_entry_are_played():
    deals = random_deals(STANDARD, 20, 1)
    assert (simulate_many(np.ma.array(deals)) == simulate_many(deals)).all()
    mask = np.zeros((20, 52), bool)
    mask[3, 4] = True
    with pytest.raises(DealError, match="masked"):
        simulate_many(np.ma.array(deals, mask=mask))
    with pytest.raises(DealError, match="masked"):
        Deal.from_array(np.ma.array(deals[0], mask=mask[3]))
    with pytest.raises(RankError, match="masked"):
        unrank_many(STANDARD, np.ma.array([1, 2], mask=[0, 1]))


def test_an_array_that_another_thread_writes_to():
    """Whatever is read is what is checked: a result or an error, whenever the codes change."""
    run(f"""
import threading
import numpy as np
from camicia import STANDARD, DealError, random_deals, simulate_many

good = random_deals(STANDARD, 3000, 1)
deals = good.copy()
done = threading.Event()

def scribble():
    generator = np.random.default_rng(1)
    while not done.is_set():
        code = generator.choice({WRONG})
        rows = generator.integers(0, 3000, 500)
        deals[rows, generator.integers(0, 52, 500)] = code
        deals[rows] = 1
        deals[rows] = good[rows]

thread = threading.Thread(target=scribble)
thread.start()
try:
    for kernel in {KERNELS[1:]}:
        for _ in range(60):
            try:
                assert simulate_many(deals, kernel=kernel)["status"].max() <= 1
            except DealError:
                pass
finally:
    done.set()
    thread.join()
assert (simulate_many(good) == simulate_many(good.copy())).all()
""")


class Ranks(np.ndarray):
    """Ranks that say they are small."""

    def max(self, *_, **__):
        return 0

    def min(self, *_, **__):
        return 0


def test_ranks_that_hide_their_size_are_refused():
    ranks = np.array([5, 10**15], np.int64).view(Ranks)
    with pytest.raises(RankError, match="1000000000000000"):
        unrank_many(Deck(8, 1, 1, 1, 1), ranks)
    with pytest.raises(RankError, match="-3"):
        unrank_many(Deck(8, 1, 1, 1, 1), np.array([-3]).view(Ranks))


def test_prepared_deals_are_of_the_deck():
    prepared = Prepared(STANDARD, 10)
    deals = random_deals(STANDARD, 3, 1)
    for code in (*WRONG, 1):
        wrong = deals.copy()
        wrong[2, np.flatnonzero(wrong[2] == 0)[0]] = code
        with pytest.raises(ValueError, match="row 2"):
            prepared.put(wrong, 26)
    prepared.play("ring")
    assert len(prepared.rows()) == 0


def test_hands_given_as_arrays_are_read_item_by_item():
    """An array of wide integers holds codes, not the bytes of its memory."""
    deal = Deal(np.array([1, 0, 0]), np.array([0, 1, 0], np.int16))
    assert str(deal) == "J--/-J-"
    with pytest.raises(DealError, match="0 to 4"):
        Deal(np.array([1.0]), b"\0")
