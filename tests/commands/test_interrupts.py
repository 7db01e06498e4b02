"""Ctrl-C ends long compiled work at once: each piece of work here would take hours, or forever."""

import subprocess
import sys

from camicia.kernels.dispatch import available_kernels

#: What is interrupted. A walk takes a tenth of a second, so there are a million of them in one call.
WORK = [
    *(f"simulate_many(records, kernel='{kernel}')" for kernel in available_kernels()),
    "simulate_many(records, threads=3)",
    "simulate_many(records, threads=3, kernel='ring')",
    "simulate_many(np.broadcast_to(large.to_array(), (10**5, large.size)))",
    "prepared.play('ring')",
    "unrank_many(STANDARD, range(2 * 10**7))",
    "unrank_many(STANDARD, np.broadcast_to(np.int64(2**62), 10**7))",
    "random_deals(STANDARD, 2 * 10**7, 1)",
    "random_deals(STANDARD, 2 * 10**7, 1, threads=3)",
    "random_deals(STANDARD, 2 * 10**7, 1, threads=3, independent=False)",
    "play_random(STANDARD, 10**8, 1)",
    "play_random(STANDARD, 10**8, 1, threads=3)",
    "play_random(STANDARD, 10**8, 1, threads=3, independent=False)",
    "State.from_deal('J--/-J-').after(2**62)",
    "walk_back([(late.leader, late.other, 2, 1, 0)] * 10**6, 2500, 2**62, 10**5, 0)",
    "scan_deals(Account(52, 1, 1), DealStream(STANDARD, 1, 0), 0, 2**62)",
    "scan_ranks(Account(52, 1, 1), STANDARD, 0, 2**62)",
    "wander.run(2**62, 0)",
]

#: A timer of processor time, not of the clock, sends the signals: the work is under way then, however busy
#: the machine is.
SCRIPT = f"""
import signal
import numpy as np
from camicia import *
from camicia.ancestry.ancestors import State
from camicia.kernels.rows import Prepared
from camicia.deals.sampling import DealStream
from camicia.ancestry.trees import walk_back
from search.scan.account import Account
from search.scan.scan import scan_deals, scan_ranks
from search.strategies.loops.wander import Wander

def any_deal(*counts):
    return Deal.from_array(random_deals(Deck(*counts), 1, 1)[0])

record = Deal.parse("---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---").to_array()
records = np.broadcast_to(record, (10**7, 52))
large = any_deal(61_535, 1000, 1000, 1000, 1000)
late = State.from_end(any_deal(4000, 500, 500, 0, 0), 1)
prepared = Prepared(STANDARD, 50_000)
prepared.put(np.tile(record, (50_000, 1)), 26)
wander = Wander(STANDARD, 2, 1, 2, 100, 12, 2, 2, 1, 0)
wander.start(b"\\1\\0\\0", b"\\0\\1\\0")

signal.signal(signal.SIGPROF, signal.default_int_handler)
for work in {WORK!r}:
    work = compile(work, work, "eval")
    try:
        signal.setitimer(signal.ITIMER_PROF, 0.15)
        eval(work)
    except KeyboardInterrupt:
        print(work.co_filename, flush=True)
"""


def test_a_signal_ends_long_work():
    # The limit only ends the test where something cannot be interrupted.
    told = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=100)
    assert told.stdout.splitlines() == WORK, told.stderr
