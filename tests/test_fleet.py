"""A fleet of volunteers: what ledgers that lie come to when they are checked and merged."""

import json
from dataclasses import replace

import pytest
from hunting import reports_of, small_campaign, write
from tampering import Inline, forge

from camicia import STANDARD
from camicia.kernels.dispatch import available_kernels
from search.cli import main
from search.ledger import Ledger
from search.shards import Shard
from search.workers import run_unit

CAMPAIGN = small_campaign(deck=STANDARD, seed=2026, unit_size=3744)

#: What is handed out: eight units in two shards.
SHARDS = [Shard(number, 2).units(8) for number in (1, 2)]


@pytest.fixture(autouse=True)
def here(monkeypatch, tmp_path):
    """Units are done in this process, and ledgers lie in this folder."""
    monkeypatch.setattr("search.commands.verify.LocalPool", Inline)
    (tmp_path / "incoming").mkdir()
    monkeypatch.chdir(tmp_path)


def sent_in(name, reports):
    """A ledger that a volunteer sends in."""
    return write(f"incoming/{name}.db", CAMPAIGN, reports)


def verified(path, *words, capsys):
    """Exit code and differences of a check."""
    code = main(["verify", path, *words, "--quiet", "--json"])
    return code, "\n".join(json.loads(capsys.readouterr().out)["mismatches"])


def checksum(path):
    with Ledger(path) as ledger:
        return ledger.totals(ledger.campaigns()[0]).checksum


def test_who_plays_honestly_is_confirmed_and_merged(capsys):
    paths = [sent_in(number, reports_of(CAMPAIGN, units)) for number, units in enumerate(SHARDS)]
    for path in paths:
        assert verified(path, "--fraction", "0.3", capsys=capsys) == (0, "")
    assert main(["merge", "--update", "whole.db", "incoming", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["units"] == 8
    everything = sum(report.checksum for report in reports_of(CAMPAIGN, range(8))) % 2**64
    assert document["checksum"] == f"{everything:016x}"


def test_two_who_play_one_shard_agree_whatever_they_play_on():
    kernels = list(available_kernels())
    sums = {
        checksum(sent_in(kernel, [run_unit(CAMPAIGN, unit, kernel) for unit in SHARDS[0]]))
        for kernel in (kernels[1], kernels[-1])
    }
    assert len(sums) == 1


def test_a_game_that_is_said_to_be_longer_is_found_out(capsys):
    path = sent_in("longer", reports_of(CAMPAIGN, SHARDS[0]))
    assert forge(path, "finds", "status = 'finished'", cards=lambda cards: cards + 100)
    code, differences = verified(path, "--unit", "0", capsys=capsys)
    assert code == 3 and "by the rules it is finished" in differences


def test_units_that_nobody_played_are_found_out(capsys):
    (true,) = reports_of(CAMPAIGN, [0])
    invented = [replace(true, unit=unit, finds=(), loop_finds=()) for unit in SHARDS[0]]
    path = sent_in("invented", invented)
    code, differences = verified(path, "--unit", "4", capsys=capsys)
    assert code == 3 and "unit 4" in differences and "checksum is" in differences


def test_a_game_that_is_kept_secret_is_missed_where_its_unit_is_played_again(capsys):
    reports = reports_of(CAMPAIGN, SHARDS[0])
    best = max((find for report in reports for find in report.finds), key=lambda find: find.cards)
    (secret,) = (report.unit for report in reports if best in report.finds)
    kept = [replace(each, finds=tuple(find for find in each.finds if find != best)) for each in reports]
    path = sent_in("secret", kept)
    code, differences = verified(path, "--unit", str(secret), capsys=capsys)
    assert code == 3 and f"meets a game of {best.cards} cards" in differences
    # No other unit shows it.
    others = [word for unit in SHARDS[0] if unit != secret for word in ("--unit", str(unit))]
    assert verified(path, *others, capsys=capsys) == (0, "")


def test_a_shard_that_is_sent_in_twice_is_refused_by_name(capsys):
    reports = reports_of(CAMPAIGN, SHARDS[0])
    sent_in("monday", reports)
    assert main(["merge", "--update", "whole.db", "incoming", "--quiet"]) == 0
    before = checksum("whole.db")
    # Half of it is new.
    sent_in("tuesday", [*reports[2:], *reports_of(CAMPAIGN, SHARDS[1])])
    capsys.readouterr()
    assert main(["merge", "--update", "whole.db", "incoming", "--quiet"]) == 2
    told = capsys.readouterr().err
    assert "incoming/tuesday.db" in told and "holds deals that are there already" in told
    assert checksum("whole.db") == before
