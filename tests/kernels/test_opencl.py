"""The kernel for graphics cards, on whatever OpenCL device there is: it plays as all others do."""

import os
import random
import subprocess
import sys

import pytest
from hunting import camicia, environment, small_campaign
from known_deals import random_deal

from camicia import CamiciaError, Deck, random_deals, simulate_many
from camicia.kernels import opencl
from camicia.kernels.dispatch import available_kernels, default_kernel, runs
from search.workers import run_unit

needs_device = pytest.mark.skipif(not runs("opencl"), reason="there is no OpenCL device")

#: Decks of every number of links, with narrow and wide gaps.
DECKS = ("36:4:4:4:4", "28:4:4:4:0", "60:4:4:4:4", "20:9:0:0:0", "3:1:1:1:1", "89:2:2:2:2")

#: Random deals for each comparison; raise it for a thorough run by hand.
RANDOM_DEALS = int(os.environ.get("CAMICIA_TEST_DEALS", "5000"))


def test_it_is_there_where_it_must_be():
    assert runs("opencl") or not os.environ.get("CAMICIA_NEED_OPENCL")


def test_it_is_never_chosen_by_itself():
    assert "opencl" not in available_kernels() and default_kernel() != "opencl"
    program = "import sys, camicia; camicia.simulate_many(['J--/-J-']); print('pyopencl' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(), capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


@needs_device
@pytest.mark.parametrize(
    "deck", ["36:4:4:4:4", "28:4:4:4:0", "60:4:4:4:4", "20:9:0:0:0", "3:1:1:1:1", "89:2:2:2:2"]
)
def test_random_deals_of_many_forms(deck):
    deals = random_deals(deck, RANDOM_DEALS, seed=16)
    assert (simulate_many(deals, kernel="opencl") == simulate_many(deals, kernel="ring")).all()


@needs_device
def test_random_decks_and_cuts():
    generator = random.Random(1604)
    deals = [random_deal(generator) for _ in range(RANDOM_DEALS)]
    assert (simulate_many(deals, kernel="opencl") == simulate_many(deals, kernel="ring")).all()


@needs_device
@pytest.mark.parametrize(
    "campaign",
    [
        small_campaign(),
        small_campaign(strategy="climb", settings={"least_tricks": 30, "from_end": 25, "max_states": 2000}),
        small_campaign(strategy="enumerate", seed=0, settings={"from": "0", "to": "10000"}),
    ],
    ids=lambda campaign: campaign.strategy,
)
def test_a_unit_is_the_same_as_on_a_processor(campaign):
    on_device, on_processor = run_unit(campaign, 1, "opencl"), run_unit(campaign, 1, "ring")
    assert (on_device.kernel, on_processor.kernel) == ("opencl", "ring")
    measured = ("seconds", "processor_seconds", "kernel", "host", "counters")
    for name in vars(on_device).keys() - set(measured):
        assert getattr(on_device, name) == getattr(on_processor, name), name
    for name in on_device.counters.keys() - {"walk_microseconds"}:
        assert on_device.counters[name] == on_processor.counters[name], name


@needs_device
def test_a_hunt_on_a_device_is_verified_on_a_processor(tmp_path):
    words = ("search", "sample", "--deck", "12:2:2:0:0", "--unit-size", "3200", "--deals", "20000", "--quiet")
    done = camicia(*words, "--kernel", "opencl", "--ledger", "hunt.db", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = camicia("verify", "hunt.db", "--fraction", "1", cwd=tmp_path)
    assert done.returncode == 0 and "all agree" in done.stdout and "opencl" not in done.stdout


@needs_device
@pytest.mark.parametrize("wrong", [1, 1 << 16, 1 << 31])
def test_a_device_that_answers_wrongly_is_noticed(wrong):
    program = f"""
from camicia import CamiciaError, random_deals, simulate_many
from camicia.kernels import opencl
play = opencl.Player.play
def lie(self, rows, results, *rest):
    play(self, rows, results, *rest)
    results[5] = results[5] ^ {wrong}
opencl.Player.play = lie
try:
    simulate_many(random_deals("36:4:4:4:4", 1000, seed=1), kernel="opencl")
except CamiciaError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment(), capture_output=True, text=True, check=True
    )
    assert "the device answered wrongly (deal 5 of a batch" in done.stdout


def test_without_a_device_the_remedy_is_named(monkeypatch):
    monkeypatch.setattr(opencl, "find_devices", lambda: [])
    with pytest.raises(CamiciaError, match=r"no OpenCL device was found; .*camicia\[gpu\]"):
        simulate_many(["J--/-J-"], kernel="opencl")


def test_a_small_deck_in_full():
    if not runs("opencl"):
        pytest.skip("there is no OpenCL device")
    deck = Deck(5, 1, 1, 1, 0)
    deals = [deck.unrank(rank) for rank in range(deck.deal_count)]
    assert (simulate_many(deals, kernel="opencl") == simulate_many(deals, kernel="reference")).all()
