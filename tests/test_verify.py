"""`camicia verify`: what it compares, and what it says it could not check."""

import json
import shutil

import pytest
from hunting import small_campaign
from tampering import CAMPAIGNS, Inline, forge, make_ledgers

from camicia import Deck
from search.campaign import Campaign
from search.cli import main
from search.ledger import Ledger
from search.ledger.cycles import packed
from search.strategies import CYCLE_SUMS
from search.workers import run_unit


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    return make_ledgers(tmp_path_factory.mktemp("sound"))


@pytest.fixture(autouse=True)
def here(monkeypatch):
    """Units are done in this process."""
    monkeypatch.setattr("search.commands.verify.LocalPool", Inline)


@pytest.fixture
def ledger(request, sound, tmp_path):
    """A copy of the ledger of the strategy that is asked for."""
    return shutil.copy(sound[request.param], tmp_path / "hunt.db")


def verified(path, *words, capsys):
    """Exit code and document of a check."""
    code = main(["verify", str(path), "--quiet", "--json", *words])
    return code, json.loads(capsys.readouterr().out)


def one_more(text):
    return str(int(text) + 1)


#: The smallest state of a cycle of the small deck that no unit met, or met less often.
CYCLE = "-------J/---Q-J-Q"

FORGERIES = {
    "a bin that is too large, another too small": [
        ("histogram", "tricks = 2", {"games": lambda games: games + 1}),
        ("histogram", "tricks = 3", {"games": lambda games: games - 2}),
        ("histogram", "tricks = 4", {"games": lambda games: games + 1}),
    ],
    "where a find was met first": [("finds", "unit = 0", {"unit": 1})],
    "when a game was won": [
        ("finds", "status = 'finished'", {"winner": lambda winner: "A" if winner == "B" else "B"})
    ],
    "the rank of a deal": [("finds", "status = 'finished'", {"rank": one_more})],
    # Those of cycles are compared with their table when the ledger is opened.
    "a counter": [
        (
            "totals",
            "name LIKE 'counter.%' AND name NOT LIKE '%microseconds' AND name NOT LIKE 'counter.processor%'"
            " AND name NOT LIKE '%cycle%' AND name <> 'counter.looping_deals'",
            {"value": one_more},
        )
    ],
    "an imported deal": [("imported", "status = 'finished'", {"cards": 13})],
}


@pytest.mark.parametrize("ledger", CAMPAIGNS, indirect=True)
def test_a_sound_ledger_agrees_on_kernels_that_have_played(ledger, capsys):
    code, document = verified(ledger, "--fraction", "1", capsys=capsys)
    assert (code, document["mismatches"], document["units"], document["units_held"]) == (0, [], 2, 2)
    with Ledger(ledger) as opened:
        (entry,) = opened.campaigns()
        again = {run_unit(entry.campaign, 0, kernel).kernel for kernel in document["kernels"]}
        hunted = {kernel for kernel, _, _ in opened.origins(entry)}
    assert again == set(document["kernels"])
    same = [text for text in document["not_checked"] if "on the kernel of the hunt" in text]
    assert bool(same) == (hunted == again)


@pytest.mark.parametrize("ledger", ["loops"], indirect=True)
def test_no_kernel_is_named_that_has_not_played(ledger, capsys):
    assert main(["verify", str(ledger), "--fraction", "1", "--quiet"]) == 0
    told = capsys.readouterr().out
    assert "2 units done again on walker, " in told and "avx" not in told
    assert "not checked: a fault of the kernel itself: 2 units" in told


@pytest.mark.parametrize("ledger", CAMPAIGNS, indirect=True)
@pytest.mark.parametrize("forgery", FORGERIES)
def test_forgeries_with_right_checksums_are_found(ledger, forgery, capsys):
    if not all(forge(ledger, table, where, **changes) for table, where, changes in FORGERIES[forgery]):
        pytest.skip("a hunt of this strategy has none of it")
    code, document = verified(ledger, "--fraction", "1", capsys=capsys)
    assert code == 3 and document["mismatches"]


def put_cycle(opened, name, number):
    """Add a cycle to a ledger, with the sums over them."""
    opened.insert("cycles", [1, packed(name), number])
    totals = opened.totals(opened.campaigns()[0]).counters
    deals = int(name.partition(" ")[0]) if " " in name else 0
    for total, more in zip(CYCLE_SUMS, (1, int(deals > 0), deals, number), strict=True):
        opened.insert("totals", [1, f"counter.{total}", str(totals.get(total, 0) + more)], verb="REPLACE")


@pytest.mark.parametrize("ledger", ["enumerate"], indirect=True)
def test_invented_ties_are_found(ledger, capsys):
    with Ledger(ledger, "write") as opened, opened.transaction():
        opened.insert("totals", [1, "counter.games of cards 314", "777"], verb="REPLACE")
    code, document = verified(ledger, "--fraction", "1", capsys=capsys)
    assert code == 3 and "games of cards 314" in document["mismatches"][0]


@pytest.mark.parametrize("ledger", ["loops"], indirect=True)
def test_an_invented_cycle_is_found(ledger, capsys):
    with Ledger(ledger, "write") as opened, opened.transaction():
        put_cycle(opened, f"777 {CYCLE}", 5)
    code, document = verified(ledger, "--fraction", "1", capsys=capsys)
    assert code == 3 and f"cycle 777 {CYCLE}" in document["mismatches"][0]


@pytest.mark.parametrize("ledger", ["loops", "enumerate"], indirect=True)
def test_sums_over_the_cycles_are_those_of_their_table(ledger, capsys):
    assert forge(ledger, "totals", "name = 'counter.looping_deals'", value=one_more)
    assert main(["status", str(ledger)]) == 0
    capsys.readouterr()
    assert main(["verify", str(ledger)]) == 2
    assert "the counter 'looping_deals' is" in capsys.readouterr().err


@pytest.mark.parametrize("ledger", ["enumerate"], indirect=True)
def test_a_cycle_moved_to_another_name_is_found_and_one_that_is_added_is_damage(ledger, capsys):
    path = ledger
    with Ledger(path, "write") as opened, opened.transaction():
        (name, number), *_ = opened.cycles(opened.campaigns()[0])
        opened.rows("DELETE FROM cycles WHERE cycle = ?", packed(name))
        opened.insert("cycles", [1, packed(CYCLE), number])
    code, document = verified(path, "--fraction", "1", capsys=capsys)
    assert code == 3 and f"'cycle {CYCLE}' is {number} in the ledger" in " ".join(document["mismatches"])
    with Ledger(path, "write") as opened, opened.transaction():
        put_cycle(opened, name, 777)
    assert main(["status", str(path)]) == 2
    assert "damaged: table totals: loops of all cycles are" in capsys.readouterr().err


@pytest.mark.parametrize("ledger", CAMPAIGNS, indirect=True)
def test_a_find_that_is_left_out_is_missed(ledger, capsys):
    with Ledger(ledger, "write") as opened, opened.transaction():
        kept = "loop" if "loops" in str(opened.campaigns()[0].campaign.strategy) else "finished"
        (deal, *_), *_ = opened.rows("SELECT deal FROM finds WHERE status = ? ORDER BY cards DESC", kept)
        opened.rows("DELETE FROM finds WHERE deal = ?", deal)
    code, document = verified(ledger, "--fraction", "1", capsys=capsys)
    assert code == 3 and any("lacks a game of" in text for text in document["mismatches"])


@pytest.mark.parametrize("ledger", ["sample"], indirect=True)
def test_part_of_the_units_shows_sums_that_are_too_small_and_says_what_is_left(ledger, capsys):
    code, document = verified(ledger, "--unit", "1", capsys=capsys)
    assert (code, document["units"]) == (0, 1)
    assert document["not_checked"][0].startswith("the other 1 unit, and so totals")
    forge(ledger, "totals", "name = 'counter.shuffles'", value="3")
    code, document = verified(ledger, "--unit", "1", capsys=capsys)
    assert code == 3 and "'shuffles' is 3 in the ledger" in document["mismatches"][0]


@pytest.mark.parametrize("ledger", ["climb"], indirect=True)
def test_units_are_named_several_times_or_are_not_there(ledger, capsys):
    code, document = verified(ledger, "--unit", "1", "--unit", "0", "--unit", "1", capsys=capsys)
    assert (code, document["units"]) == (0, 2)
    assert main(["verify", str(ledger), "--unit", "1", "--unit", "7"]) == 2
    assert capsys.readouterr().err.startswith("camicia: unit 7: not in ledger")
    for words in (["--unit", "-1"], ["--unit", "1" * 5000], ["--unit", "1", "--fraction", "1"]):
        with pytest.raises(SystemExit, match="2"):
            main(["verify", str(ledger), *words])


def test_deals_that_are_counted_twice_are_a_mismatch(tmp_path, capsys):
    # As earlier versions merged them: what is kept differs, what is dealt does not.
    with Ledger(tmp_path / "hunt.db", "create") as ledger:
        for keep in (10, 11):
            campaign = small_campaign(finds_kept=keep)
            ledger.commit(ledger.enter(campaign), [run_unit(campaign, 3)])
    code, document = verified(tmp_path / "hunt.db", "--fraction", "1", capsys=capsys)
    assert code == 3 and "1 unit of the same deals, such as unit 3" in document["mismatches"][0]


def test_an_imported_deal_said_to_be_short_does_not_keep_it_busy(tmp_path, sound, capsys):
    path = shutil.copy(sound["sample"], tmp_path / "hunt.db")
    forge(path, "imported", "status = 'loop'", cards=2, tricks=2, transient_cards=1, transient_tricks=1,
          cycle_cards=1, cycle_tricks=1)  # fmt: skip
    code, document = verified(path, "--unit", "0", capsys=capsys)
    assert code == 3 and "longer than 2 cards" in document["mismatches"][0]
    forge(path, "imported", "status = 'loop'", cards=10**12, cycle_cards=10**12 - 1, tricks=2)
    code, document = verified(path, "--unit", "0", capsys=capsys)
    assert code == 0 and any(
        "1 imported deal: games of more than" in text for text in document["not_checked"]
    )


@pytest.mark.slow
def test_the_longest_finite_game_of_the_italian_deck_is_in_the_tree_of_unit_436():
    """Met by `camicia search climb --deck italian --seed 40757` after 27 thousand million deals."""
    settings = {"least_tricks": 249, "from_end": 241, "max_states": 2_000_000}
    campaign = Campaign("climb", Deck(28, 4, 4, 4, 0), 40757, 62_400_000, settings=settings)
    report = run_unit(campaign, 436)
    longest = max(report.finds, key=lambda find: find.cards)
    assert (longest.cards, longest.tricks, report.checksum) == (4663, 757, 13379594571632515794)
