"""A ledger after a long hunt: units in blocks, history in stretches, and all as it was before."""

import random
from contextlib import closing
from dataclasses import replace

import pytest
from hunting import camicia, documented, reports_of, small_campaign

from search.errors import LedgerError
from search.ledger import Ledger, Run
from search.ledger.folding import Block, folded_to, folds
from search.ledger.stretches import Stretch, folded, without


@pytest.fixture(autouse=True)
def few_blocks(monkeypatch):
    """Fold as soon as there are a few blocks of a size."""
    for module in ("adding", "folding"):
        monkeypatch.setattr(f"search.ledger.{module}.KEPT", 6)
    monkeypatch.setattr("search.ledger.adding.SPARE", 3)


@pytest.fixture(scope="module")
def many():
    """Reports of two hundred units."""
    return reports_of(small_campaign(), range(200))


def commit_all(path, reports, generator, most=5):
    """Commit reports in groups of random sizes, nearly in order; returns the file."""
    waiting = list(reports)
    with Ledger(path, "create") as ledger:
        entry = ledger.enter(small_campaign())
        run = ledger.begin_run(entry, 2, "here")
        while waiting:
            ahead = waiting[: generator.randrange(1, 2 * most)]
            group = generator.sample(ahead, min(len(ahead), generator.randrange(1, most)))
            waiting = [report for report in waiting if report not in group]
            ledger.commit(entry, group, run=Run(run, 1.0, 3))
    return path


@pytest.mark.parametrize("step", [1, 3, 17])
def test_folded_units_are_as_good_as_others(tmp_path, many, step):
    generator = random.Random(step)
    reports = [replace(report, unit=step * report.unit + step // 2) for report in many]
    path = commit_all(tmp_path / "hunt.db", reports, generator)
    with Ledger(path, thorough=True) as ledger:
        (entry,) = ledger.campaigns()
        blocks = list(ledger.blocks(entry))
        assert len(blocks) < 45 and max(block["units"] for block in blocks) >= 64
        assert {block["step"] for block in blocks if block["units"] > 1} == {step}
        assert ledger.done(entry) == {report.unit for report in reports}
        totals = ledger.totals(entry)
        for name in ("games", "loops", "cards", "tricks"):
            whole = sum(getattr(report, name) for report in reports)
            assert sum(block[name] for block in blocks) == getattr(totals, name) == whole
        assert sum(block["checksum"] for block in blocks) % 2**64 == totals.checksum
        assert {block["kernel"] for block in blocks} == {many[0].kernel}
        assert sum(stretch.deals for stretch in ledger.history(entry)) == totals.games
        (run,) = ledger.runs(entry)
        assert (run["units"], run["deals"], run["workers"]) == (200, totals.games, 3)
    with Ledger(path, "write") as ledger, pytest.raises(LedgerError, match="is done already"):
        ledger.commit(entry, [reports[5]])


def test_a_hunt_goes_on_after_its_units_were_folded(tmp_path, many):
    path = commit_all(tmp_path / "hunt.db", [*many[:100], *many[101:]], random.Random(4))
    with Ledger(path) as ledger:
        (entry,) = ledger.campaigns()
        assert list(ledger.done(entry).missing(range(0, 202))) == [100, 200, 201]
    deals = 202 * small_campaign().unit_size
    done = camicia("search", "sample", "--ledger", path, "--deals", deals, "--quiet", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    with Ledger(path, thorough=True) as ledger:
        assert ledger.done(entry) == set(range(202))


def test_verify_repeats_folded_units_and_names_them(tmp_path, many):
    path = commit_all(tmp_path / "hunt.db", many, random.Random(5))
    document = documented("verify", path, "--fraction", "1", "--quiet", cwd=tmp_path)
    assert (document["units"], document["units_held"], document["mismatches"]) == (200, 200, [])
    with Ledger(path, "write") as ledger, ledger.transaction():
        (entry,) = ledger.campaigns()
        folded = next(block for block in ledger.blocks(entry) if block["units"] == 64)
        ((*row,),) = ledger.rows("SELECT * FROM blocks WHERE unit = ?", folded["unit"])
        row[8] += 1
        ledger.insert("blocks", row[:-1], verb="REPLACE")
        totals = ledger.totals(entry)
        ledger.insert("totals", [1, "checksum", str((totals.checksum + 1) % 2**64)], verb="REPLACE")
    number = folded["unit"] + 30
    done = camicia("verify", path, "--unit", number, "--quiet", cwd=tmp_path)
    assert (
        done.returncode == 3 and f"units {folded['unit']} to {folded['unit'] + 63} of campaign" in done.stdout
    )
    document = documented("verify", path, "--unit", "199", "--quiet", cwd=tmp_path)
    assert document["mismatches"] == []


def test_the_part_that_is_repeated_at_random_is_about_as_large_as_asked(tmp_path, many):
    path = commit_all(tmp_path / "hunt.db", many, random.Random(6))
    document = documented("verify", path, "--fraction", "0.1", "--quiet", cwd=tmp_path)
    assert 20 <= document["units"] < 20 + 64


def test_blocks_fold_only_when_all_of_their_units_are_done():
    units = [unit for unit in range(64) if unit != 13]
    single = [Block(unit, 1, 1, 10, 1, 90, 9, unit, 5, 1000 + unit, 1) for unit in units]
    made = list(folds(single, 1000))
    assert [fold.new.unit for fold in made] == [0, 16, 24, 32, 40, 48, 56]
    assert [fold.new.checksum for fold in made][:2] == [sum(range(8)), sum(range(16, 24))]
    assert list(folds(single, 7)) == made[:1]
    left = folded_to(single, 0)
    assert sorted(block.units for block in left) == [1] * 7 + [8] * 7
    # Sums that no row can hold are left apart.
    large = [block._replace(cards=1 << 61) for block in single]
    assert list(folds(large, 1000)) == []


def test_origins_that_differ_are_not_named():
    single = [Block(unit, 1, 1, 10, 1, 90, 9, 0, 5, 1000, 1 + unit // 7) for unit in range(16)]
    assert [fold.new.origin for fold in folds(single, 100)] == [None, None]
    assert [fold.new.origin for fold in folds([block._replace(origin=4) for block in single], 100)] == [4, 4]


def test_a_history_stays_small_and_exact():
    generator = random.Random(8)
    present, now, deals, most = {}, 10**9, 0, 0
    for _ in range(3000):
        now += generator.choice((1, 1, 2, 40, 5000))
        stretch = Stretch(now, 1, 2, 100 + now % 7, 500 + generator.randrange(50), 60)
        deals, most = deals + stretch.deals, max(most, stretch.cards)
        present[stretch.start, 1] = present[now, 1].joined(stretch) if (now, 1) in present else stretch
        old, new = folded(present.values())
        for stretch in old:
            del present[stretch.start, stretch.seconds]
        present |= new
    assert len(present) < 1500
    assert sum(stretch.deals for stretch in present.values()) == deals
    assert max(stretch.cards for stretch in present.values()) == most
    assert all(stretch.start % stretch.seconds == 0 for stretch in present.values())
    assert sum(1 for stretch in present.values() if stretch.seconds == 1) >= 100
    taken = random.Random(9).sample(sorted(present.values()), 50)
    left = {(stretch.start, stretch.seconds): stretch for stretch in without(present.values(), taken)}
    assert all(left[stretch.start, stretch.seconds].deals == 0 for stretch in taken)


def test_the_rows_of_every_opening_are_few(tmp_path, many):
    path = commit_all(tmp_path / "hunt.db", many, random.Random(10))
    with closing(Ledger(path)) as ledger:
        rows = {
            table: ledger.rows(f"SELECT count(*) FROM {table}")[0][0]
            for table in ("blocks", "history", "totals", "origins", "runs")
        }
    assert rows["blocks"] < 45 and rows["history"] < 20 and rows["runs"] == rows["origins"] == 1
