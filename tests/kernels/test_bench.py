"""The bench: what it times, how, and the signature, which never changes."""

import itertools
import json
import re

import numpy as np
import pytest

from camicia import CamiciaError, Deal, bench, rules
from camicia.kernels import yardstick
from camicia.kernels.dispatch import available_kernels
from search.cli import main


@pytest.fixture(autouse=True)
def short_units(monkeypatch):
    """Hunts of a few deals: how fast they are is not what is tested."""
    monkeypatch.setattr("search.commands.bench.FEW_DEALS", 1248)
    monkeypatch.setattr("search.commands.bench.UNIT_SECONDS", 0.001)


def run(capsys, *words):
    """Run the command line; return its exit code, stdout and stderr."""
    code = main(words)
    printed = capsys.readouterr()
    return code, printed.out, printed.err


def test_bench_times_three_things_on_every_kernel_and_has_one_signature(capsys):
    code, out, _ = run(capsys, "bench", "--rounds", "1", "--json")
    document = json.loads(out)
    assert code == 0
    timed = [(timing["what"], timing["kernel"]) for timing in document["timings"]]
    assert timed == [
        *(("kernel alone", name) for name in available_kernels()),
        *(("simulate_many", name) for name in available_kernels()),
        *(("hunt", name) for name in available_kernels() if name != "reference"),
    ]
    for timing in [*document["timings"], document["yardstick"]]:
        assert all(number > 0 for name, number in timing.items() if name.startswith("deals_per_"))
    # Of one round the ratio is exactly that of the two rates by processor time.
    for timing in document["timings"]:
        ratio = timing["deals_per_cpu_s"] / document["yardstick"]["deals_per_cpu_s"]
        assert timing["ratio"] == pytest.approx(ratio)
    assert {bench.signature(name) for name in available_kernels()} == {document["signature"]}


def test_bench_prints_a_line_for_each_timing(capsys):
    code, out, _ = run(capsys, "bench", "--rounds", "1")
    lines = out.splitlines()
    assert code == 0 and len(lines) == 3 * len(available_kernels()) + 2
    assert lines[1].startswith("yardstick") and lines[-1] == f"signature: {bench.signature('ring')}"
    assert all(
        re.search(r"\d( [kM])?/s +[\d.,]+( [kM])?/s +[\d.e-]+ +\d+%$", line) for line in lines[1:-1]
    ), out


def test_work_is_timed_by_the_clock_and_by_processor_time_of_all_its_threads(monkeypatch):
    # Of clocks that go on by so much at each look; what runs in other threads is in the time of the process.
    clock, processor = itertools.count(0, 10), itertools.count(0, 4)
    monkeypatch.setattr(bench, "perf_counter", lambda: next(clock))
    monkeypatch.setattr(bench, "process_time", lambda: next(processor))
    (timing,), yardstick = bench.measure(3, [bench.Work("some", "ring", 100, lambda: None)])
    assert timing == ("some", "ring", 10, 25, 100 / 2048, 0)
    assert yardstick[:2] == ("yardstick", "") and yardstick.deals_per_cpu_s == 2048 / 4


@pytest.mark.parametrize("rounds", [0, -1, True, 1.0, "5", 1001, 10**30])
def test_a_number_of_rounds_that_is_impossible_is_refused(rounds):
    with pytest.raises(CamiciaError, match=re.escape(f"rounds {rounds!r}: expected")):
        bench.measure(rounds)


def test_the_signature_is_the_one_it_has_always_been():
    assert bench.signature("reference") == "f7f35dbeb13bf8be"


def test_a_kernel_that_differs_is_a_mismatch(capsys, monkeypatch):
    right = bench.signature
    monkeypatch.setattr(bench, "signature", lambda name: right(name) if name == "reference" else "0" * 16)
    code, _, err = run(capsys, "bench", "--rounds", "1")
    assert code == 3 and "ring" in err


def test_the_yardstick_counts_right():
    deals = bench.frozen_deals()[:200]
    cards, tricks = np.zeros((2, 200), np.int64)
    yardstick.play_rows(np.ascontiguousarray(deals), cards, tricks)
    results = [rules.play(Deal.from_array(row)) for row in deals]
    assert [(result.cards, result.tricks) for result in results] == list(zip(cards, tricks, strict=True))
