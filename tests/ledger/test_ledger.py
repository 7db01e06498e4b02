"""The ledger: what it holds whatever the order, and files that are none or are not sound."""

import random
import sqlite3

import pytest
from hunting import SMALL, contents, reports_of, small_campaign, write

from camicia import CamiciaError, Deck, Status
from search.errors import HuntError, LedgerError, VerificationError
from search.finds import Find
from search.ledger import Ledger, merge
from search.ledger.schema import SCHEMA_VERSION


def test_it_gives_back_what_was_put_in(path, reports):
    with Ledger(path) as ledger:
        (entry,) = ledger.campaigns()
        assert entry.campaign == small_campaign()
        assert ledger.done(entry) == set(range(12))
        totals = ledger.totals(entry)
        assert totals.games == 12 * 3200
        assert totals.loops == sum(report.loops for report in reports) > 0
        assert totals.checksum == sum(report.checksum for report in reports) % 2**64
        assert sum(ledger.histogram(entry).values()) == totals.finished
        units = list(ledger.blocks(entry))
        assert [unit["checksum"] for unit in units] == [report.checksum for report in reports]
        assert {unit["kernel"] for unit in units} == {report.kernel for report in reports}
        (best,) = ledger.finds(entry)[:1]
        assert best.result.cards == max(find.cards for report in reports for find in report.finds)
        assert SMALL.unrank(best.rank) == SMALL.unrank(SMALL.rank(best.deal))
        loops = ledger.finds(entry, Status.LOOP)
        assert len(loops) == 5 and all(find.result.cycle_tricks for find in loops)


def test_the_order_of_commits_makes_no_difference(tmp_path, reports):
    one = write(tmp_path / "one.db", small_campaign(), reports)
    shuffled = random.Random(5).sample(reports, len(reports))
    other = write(tmp_path / "other.db", small_campaign(), *([report] for report in shuffled))
    assert contents(one) == contents(other)


def test_a_unit_is_done_once(path, reports):
    before = contents(path)
    with pytest.raises(LedgerError, match="unit 3 is done already"):
        write(path, small_campaign(), [reports[3]])
    assert contents(path) == before


def test_nothing_of_a_commit_stays_if_a_find_does_not_replay(path):
    before = contents(path)
    good, bad = reports_of(small_campaign(), (20, 21))
    find = max(bad.finds)
    vars(bad)["finds"] = (Find(find.codes, find.cards + 1000, find.tricks), *bad.finds[1:])
    with pytest.raises(VerificationError, match=r"by the rules"):
        write(path, small_campaign(), [good, bad])
    assert contents(path) == before


def test_trees_and_checksums_of_64_bits_come_back(tmp_path, reports):
    find = max(reports[0].finds)._replace(tree=2**64 - 1)
    report = reports_of(small_campaign(), [0])[0]
    vars(report).update(finds=(find,), checksum=2**64 - 2, counters={"shuffles": 2**70})
    path = write(tmp_path / "hunt.db", small_campaign(), [report])
    with Ledger(path) as ledger:
        (entry,) = ledger.campaigns()
        assert ledger.finds(entry)[0].find == find
        assert ledger.totals(entry).checksum == 2**64 - 2
        assert ledger.totals(entry).counters["shuffles"] == 2**70


def test_a_unit_costs_tens_of_bytes(tmp_path):
    report = reports_of(small_campaign(), [0])[0]
    path = write(tmp_path / "hunt.db", small_campaign())
    sizes = []
    for first in (0, 1000, 3000):
        batch = []
        for unit in range(first, first + (1000 if first == 0 else 2000)):
            one = reports_of(small_campaign(), [])
            one = type(report)(**vars(report) | {"unit": unit})
            batch.append(one)
        write(path, small_campaign(), batch)
        sizes.append(path.stat().st_size)
    assert (sizes[2] - sizes[1]) / 2000 < 100


def test_merging_disjoint_units_is_the_same_as_one_ledger(tmp_path, reports):
    whole = write(tmp_path / "whole.db", small_campaign(), reports)
    parts = [write(tmp_path / f"{i}.db", small_campaign(), reports[i::3]) for i in range(3)]
    merge(tmp_path / "merged.db", parts)
    assert contents(tmp_path / "merged.db") == contents(whole)
    # A merged ledger can be merged again and continued.
    merge(tmp_path / "again.db", [tmp_path / "merged.db"])
    assert contents(tmp_path / "again.db") == contents(whole)
    more = reports_of(small_campaign(), [12])
    assert contents(write(tmp_path / "again.db", small_campaign(), more)) == contents(
        write(whole, small_campaign(), more)
    )


def test_merging_other_seeds_keeps_both(tmp_path, reports):
    other = small_campaign(seed=8)
    one = write(tmp_path / "one.db", small_campaign(), reports)
    two = write(tmp_path / "two.db", other, reports_of(other, range(4)))
    merge(tmp_path / "merged.db", [one, two])
    assert contents(tmp_path / "merged.db") == contents(one) + contents(two)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({}, r"unit 0 of seed 7 .*already, from '.*one\.db' \(2 such units\)"),
        ({"deck": Deck(6, 1, 1, 0, 0)}, "deck 6:1:1:0:0"),
    ],
)
def test_merging_what_does_not_fit_is_refused_and_leaves_nothing(tmp_path, reports, changes, message):
    other = small_campaign(**changes)
    one = write(tmp_path / "one.db", small_campaign(), reports[:2])
    two = write(tmp_path / "two.db", other, reports_of(other, range(4)))
    with pytest.raises(LedgerError, match=message):
        merge(tmp_path / "merged.db", [one, two])
    assert sorted(item.name for item in tmp_path.iterdir()) == ["one.db", "two.db"]


@pytest.mark.parametrize("mode", ["read", "write", "create"])
@pytest.mark.parametrize("content", [b"hello", b"", b"SQLite format 3\0", b"SQLite format 3\0" + bytes(5000)])
def test_a_file_that_is_no_ledger_is_refused_untouched(tmp_path, mode, content):
    path = tmp_path / "note.db"
    path.write_bytes(content)
    with pytest.raises(LedgerError, match=r"note\.db': (not a ledger|damaged)"):
        Ledger(path, mode)
    assert path.read_bytes() == content
    assert [item.name for item in tmp_path.iterdir()] == ["note.db"]


def test_an_empty_file_is_no_new_ledger(tmp_path):
    path = tmp_path / "hunt.db"
    path.touch()
    with pytest.raises(LedgerError, match=r"an empty file, .*; remove it to begin a new hunt"):
        Ledger(path, "create")
    assert path.read_bytes() == b"" and [item.name for item in tmp_path.iterdir()] == ["hunt.db"]


def test_another_sqlite_file_is_refused_untouched(tmp_path):
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE mine (x)")
    database.close()
    before = path.read_bytes()
    for mode in ("read", "write", "create"):
        with pytest.raises(LedgerError, match="another SQLite file"):
            Ledger(path, mode)
    assert path.read_bytes() == before


def test_missing_files_and_folders_are_named(tmp_path):
    for mode in ("read", "write"):
        with pytest.raises(LedgerError, match=r"no\.db': there is no such file"):
            Ledger(tmp_path / "no.db", mode)
    with pytest.raises(LedgerError, match="its folder does not exist"):
        Ledger(tmp_path / "no" / "hunt.db", "create")
    with pytest.raises(LedgerError, match="cannot be read: Is a directory"):
        Ledger(tmp_path, "create")
    assert list(tmp_path.iterdir()) == []


def alter(path, statement):
    database = sqlite3.connect(path)
    with database:
        database.execute(statement)
    database.close()


def test_a_newer_schema_is_refused(path):
    alter(path, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    for mode in ("read", "write", "create"):
        with pytest.raises(LedgerError, match=f"of schema {SCHEMA_VERSION + 1}.*update Camicia"):
            Ledger(path, mode)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE blocks SET cards = cards + 1 WHERE unit = 3",
        "UPDATE blocks SET checksum = checksum + 1 WHERE unit = 3",
        "DELETE FROM blocks WHERE unit = 3",
        "UPDATE totals SET value = value + 1 WHERE name = 'games'",
        "UPDATE totals SET value = value + 1 WHERE name = 'checksum'",
        "UPDATE histogram SET games = games + 1 WHERE tricks = 5",
        "DELETE FROM histogram WHERE tricks = 5",
        "UPDATE finds SET cards = cards + 1",
        "UPDATE finds SET rank = rank + 1",
        "UPDATE runs SET seconds = 1000",
        "UPDATE origins SET kernel = 'other'",
        "UPDATE blocks SET origin = 99",
        "UPDATE campaigns SET identity = '{}'",
    ],
)
def test_a_row_that_was_changed_is_noticed(path, statement):
    alter(path, statement)
    with pytest.raises(LedgerError, match="damaged"), Ledger(path) as ledger:
        ledger.campaigns()


@pytest.mark.slow
def test_no_damage_to_the_file_goes_unnoticed(path):
    """Whatever bytes are overwritten or cut off: the ledger is refused, or holds the very same."""
    before, sound = contents(path), path.read_bytes()
    generator = random.Random(3)
    refused = 0
    for _ in range(150):
        damaged = bytearray(sound)
        place = generator.randrange(len(sound))
        match generator.randrange(3):
            case 0:
                damaged[place] ^= 1 << generator.randrange(8)
            case 1:
                damaged[place : place + 64] = generator.randbytes(64)
            case 2:
                del damaged[place:]
        path.write_bytes(damaged)
        try:
            assert contents(path) == before
        except LedgerError:
            refused += 1
    assert refused > 50


def test_a_read_only_file_can_be_read_but_not_written(path):
    before = contents(path)
    path.chmod(0o444)
    assert contents(path) == before
    for mode in ("write", "create"):
        with pytest.raises(LedgerError, match="read-only, expected"):
            Ledger(path, mode)


def test_there_is_one_writer_and_any_number_of_readers(path, reports):
    before = contents(path)
    with Ledger(path, "write") as first:
        with pytest.raises(LedgerError, match=r"another hunt writes it \(process \d+ on .*another --ledger"):
            Ledger(path, "write")
        assert contents(path) == before
        first.commit(first.campaigns()[0], reports_of(small_campaign(), [12]))
        assert contents(path) != before
    with Ledger(path, "write"):
        pass
    assert [item.name for item in path.parent.iterdir()] == ["hunt.db"]


def test_a_reader_sees_one_moment(path):
    with Ledger(path, "write") as writer, Ledger(path) as reader:
        (entry,) = reader.campaigns()
        before = reader.totals(entry)
        writer.commit(entry, reports_of(small_campaign(), [12]))
        assert reader.totals(entry) == before
        assert writer.totals(entry).units == 13


def test_a_full_database_is_a_failure_that_loses_nothing(path):
    before = contents(path)
    with (
        pytest.raises(HuntError, match=r"the disk is full: .*what was committed stays"),
        Ledger(path, "write") as ledger,
    ):
        ((pages,),) = ledger.rows("PRAGMA page_count")
        ledger.rows(f"PRAGMA max_page_count = {pages}")
        report = reports_of(small_campaign(), [12])[0]
        for unit in range(12, 2000):
            ledger.commit(ledger.campaigns()[0], [type(report)(**vars(report) | {"unit": unit})])
    after = contents(path)
    assert after[0][1]["units"] > before[0][1]["units"]


def test_every_fault_of_a_ledger_is_an_error_of_ours():
    assert issubclass(LedgerError, CamiciaError) and issubclass(HuntError, CamiciaError)
