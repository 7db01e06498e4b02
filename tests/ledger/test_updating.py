"""A merged ledger that grows: only what is new is read, and nothing is counted twice or half done."""

import os
import random
import shutil
import signal
import subprocess
import time

import pytest
from hunting import camicia, command, contents, documented, environment, reports_of, small_campaign, write

from search.errors import LedgerError
from search.ledger import Ledger, Run, merge, update


def grow(path, campaign, units):
    """Add units to a ledger in single commits of one run."""
    with Ledger(path, "create") as ledger:
        entry = ledger.enter(campaign)
        run = ledger.begin_run(entry, 2, "here")
        for report in reports_of(campaign, units):
            ledger.commit(entry, [report], run=Run(run, 1.0))
    # The time of the last change tells whether a file has changed.
    os.utime(path, ns=(time.time_ns(), time.time_ns() + os.stat(path).st_size))
    return path


def held(path):
    """What a merged ledger holds, however its units lie in blocks."""
    with Ledger(path, thorough=True) as ledger:
        return sorted(
            (
                entry.campaign.identity,
                list(ledger.done(entry)),
                {
                    name: number
                    for name, number in vars(ledger.totals(entry, with_cycles=True)).items()
                    if name not in ("milliseconds", "counters")
                },
                {
                    name: number
                    for name, number in ledger.totals(entry, with_cycles=True).counters.items()
                    if "microseconds" not in name
                },
                ledger.histogram(entry),
                [find._replace(committed=0) for find in ledger.finds(entry)],
                sum(stretch.deals for stretch in ledger.history(entry)),
            )
            for entry in ledger.campaigns()
        )


@pytest.fixture
def shards(tmp_path):
    """Three ledgers of one campaign, and one of another, in a folder."""
    folder = tmp_path / "results"
    folder.mkdir()
    for number in range(3):
        grow(folder / f"shard-{number}.db", small_campaign(), range(number, 60, 3))
    grow(folder / "other.db", small_campaign(seed=8), range(5))
    return folder


def test_a_whole_grows_by_what_is_new(tmp_path, shards):
    whole, sources = tmp_path / "whole.db", sorted(shards.glob("*.db"))
    assert update(whole, sources[:2]) == 2
    assert update(whole, sources) == 2
    assert update(whole, sources) == 0
    merge(tmp_path / "anew.db", sources)
    assert held(whole) == held(tmp_path / "anew.db")
    # One has gone on, far enough for its units to be folded otherwise; and there is a new one.
    grow(sources[2], small_campaign(), range(61, 400, 3))
    sources.append(grow(shards / "new.db", small_campaign(seed=9), range(7)))
    assert update(whole, sources) == 2
    merge(tmp_path / "again.db", sources)
    assert held(whole) == held(tmp_path / "again.db")


def test_the_command_takes_folders_and_leaves_the_whole_out(tmp_path, shards):
    whole = shards / "whole.db"
    for read in (4, 0):
        done = camicia("merge", "--update", whole, shards, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert f"read {read} of 4 ledgers" in done.stderr
    assert documented("status", whole, cwd=tmp_path)["units"] == 65
    done = camicia("merge", whole, shards, cwd=tmp_path)
    assert done.returncode == 2 and "exists, expected the name of a new one; --update adds" in done.stderr
    (tmp_path / "empty").mkdir()
    done = camicia("merge", "all.db", "empty", cwd=tmp_path)
    assert done.returncode == 2 and "folder 'empty': has no ledger" in done.stderr


def test_an_unchanged_ledger_is_not_even_opened(tmp_path, shards, monkeypatch):
    whole, sources = tmp_path / "whole.db", sorted(shards.glob("*.db"))
    update(whole, sources)
    opened = []
    monkeypatch.setattr(
        "search.ledger.merging.Ledger", lambda path, *mode: opened.append(path) or Ledger(path, *mode)
    )
    update(whole, sources)
    assert opened == [whole]


def test_a_ledger_under_two_names_is_refused_by_name(tmp_path, shards):
    whole, source = tmp_path / "whole.db", shards / "other.db"
    copy = tmp_path / "copy.db"
    shutil.copy(source, copy)
    for sources in ([source, copy], [source, source]):
        with pytest.raises(LedgerError, match=r"holds deals that are there already, from .*other\.db"):
            merge(tmp_path / "all.db", sources)
    update(whole, [source])
    before = held(whole)
    with pytest.raises(LedgerError, match=r"copy\.db.*holds deals that are there already"):
        update(whole, [source, copy])
    assert held(whole) == before


def test_a_whole_that_cannot_be_begun_leaves_nothing(tmp_path, shards):
    with pytest.raises(LedgerError, match="there already"):
        update(tmp_path / "whole.db", [shards / "other.db", shards / "other.db"])
    with pytest.raises(LedgerError, match="no such file"):
        update(tmp_path / "whole.db", [shards / "other.db", tmp_path / "none.db"])
    assert [item.name for item in tmp_path.iterdir()] == ["results"]


def test_a_ledger_that_is_no_longer_the_same_is_refused(tmp_path, shards):
    whole, source = tmp_path / "whole.db", shards / "other.db"
    update(whole, [source])
    source.unlink()
    grow(source, small_campaign(seed=77), range(3))
    with pytest.raises(LedgerError, match="is not the ledger of that name that was merged before"):
        update(whole, [source])


def test_a_whole_that_was_hunted_in_is_kept_whole(tmp_path, shards, monkeypatch):
    for module in ("adding", "folding"):
        monkeypatch.setattr(f"search.ledger.{module}.KEPT", 4)
    monkeypatch.setattr("search.ledger.adding.SPARE", 2)
    whole, sources = tmp_path / "whole.db", [shards / f"shard-{number}.db" for number in range(3)]
    update(whole, sources)
    grow(whole, small_campaign(), range(60, 200))
    grow(sources[0], small_campaign(), range(300, 330, 3))
    before = held(whole)
    with pytest.raises(LedgerError, match="are no longer kept apart"):
        update(whole, sources)
    assert held(whole) == before


def test_killed_in_the_middle_it_is_as_before(tmp_path, shards):
    whole = tmp_path / "whole.db"
    update(whole, [shards / "other.db"])
    before = contents(whole)
    program = (
        "import os, signal, sys; from pathlib import Path; from search.ledger import update;"
        "update(Path(sys.argv[1]), [Path(name) for name in sys.argv[2:]],"
        " on_progress=lambda done, total: done == 3 and os.kill(os.getpid(), signal.SIGKILL))"
    )
    words = [command()[0], "-c", program, whole, *sorted(shards.glob("*.db"))]
    done = subprocess.run(words, env=environment(), check=False)
    assert done.returncode == -signal.SIGKILL
    assert contents(whole) == before
    assert update(whole, sorted(shards.glob("*.db"))) == 3


def test_the_folder_of_a_killed_merge_is_removed_by_the_next(tmp_path, shards):
    left = tmp_path / "all.db.merging-abcd"
    left.mkdir()
    write(left / "merged.db", small_campaign(), reports_of(small_campaign(), [0]))
    merge(tmp_path / "all.db", [shards / "other.db"])
    # It might just have been begun.
    assert left.exists()
    (tmp_path / "all.db").unlink()
    os.utime(left, (time.time() - 100, time.time() - 100))
    merge(tmp_path / "all.db", [shards / "other.db"])
    assert sorted(item.name for item in tmp_path.iterdir()) == ["all.db", "results"]


@pytest.mark.parametrize("order", range(4))
def test_the_order_of_ledgers_makes_no_difference(tmp_path, shards, order):
    sources = sorted(shards.glob("*.db"))
    merge(tmp_path / "sorted.db", sources)
    merge(tmp_path / "other.db", random.Random(order).sample(sources, len(sources)))
    assert held(tmp_path / "sorted.db") == held(tmp_path / "other.db")
