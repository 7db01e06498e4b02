"""Whatever is read - deals, ranks, arrays, ledgers, command lines - is understood or refused in a line."""

import contextlib
import io
import shutil

import numpy as np
import pytest
from hunting import camicia, contents, reports_of, small_campaign
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from camicia import CamiciaError, Deal, Deck, simulate, simulate_game, simulate_many
from camicia.rules import play
from search.campaign import Campaign
from search.cli import main
from search.ledger import Ledger

#: Few by default: this machine may be busy. HYPOTHESIS_PROFILE and --hypothesis-seed do more.
FEW = settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))

#: Texts near what is understood, and texts of anything.
NEAR = st.text("-JQKA/ :0123456789_eE.+x\n\t", max_size=60) | st.text(max_size=30)
HANDS = st.lists(st.sampled_from("-JQKA"), max_size=30).map("".join)
DECKS = st.tuples(st.integers(0, 12), *[st.integers(0, 3)] * 4).filter(lambda counts: sum(counts) > 1)


def one_line(error):
    """Whether an error says what is wrong in one line."""
    text = str(error)
    return bool(text) and "\n" not in text and "Traceback" not in text


@FEW
@given(NEAR)
def test_any_text_is_a_deal_or_refused(text):
    try:
        deal = Deal.parse(text)
    except CamiciaError as error:
        assert one_line(error)
    else:
        assert Deal.parse(str(deal)) == deal


@FEW
@given(HANDS, HANDS)
def test_any_hands_are_played_alike_by_the_rules_and_fast(hand_a, hand_b):
    text = f"{hand_a}/{hand_b}"
    if not hand_a + hand_b:
        with pytest.raises(CamiciaError):
            simulate(text)
        return
    assert simulate(text) == play(Deal.parse(text))


@FEW
@given(NEAR)
def test_any_text_is_a_deck_or_refused(text):
    try:
        deck = Deck.parse(text)
    except CamiciaError as error:
        assert one_line(error)
    else:
        assert Deck.parse(str(deck)) == deck


@FEW
@given(DECKS, st.data())
def test_any_rank_is_that_of_its_deal(counts, data):
    deck = Deck(*counts)
    rank = data.draw(st.integers(-2, deck.deal_count + 2))
    try:
        deal = deck.unrank(rank)
    except CamiciaError as error:
        assert one_line(error) and not 0 <= rank < deck.deal_count
    else:
        assert deck.rank(deal) == rank and deal.deck == deck


FACES = st.lists(
    st.sampled_from(["2", "10", "J", "Q", "K", "A"]) | st.text(max_size=3) | st.integers(), max_size=8
)


@FEW
@given(FACES, FACES)
def test_any_lists_are_played_or_refused(player_a, player_b):
    try:
        result = simulate_game(player_a, player_b)
    except CamiciaError as error:
        assert one_line(error)
    else:
        assert result["status"] in ("finished", "loop")


DTYPES = st.sampled_from(["u1", "i1", "i8", "f8", "?", "U1", "O"])


@FEW
@given(st.integers(0, 3), st.integers(0, 6), st.integers(1, 3), DTYPES, st.data())
def test_any_array_is_played_or_refused(rows, columns, dimensions, dtype, data):
    shape = (rows, columns, 2)[:dimensions]
    values = data.draw(
        st.lists(st.integers(0, 6), min_size=int(np.prod(shape)), max_size=int(np.prod(shape)))
    )
    array = np.array(values, dtype="i8").astype(dtype).reshape(shape)
    try:
        results = simulate_many(array)
    except CamiciaError as error:
        assert one_line(error)
    else:
        assert len(results) == rows


@FEW
@given(st.text(max_size=60) | st.dictionaries(st.text(max_size=8), st.integers()).map(str))
def test_any_text_is_a_campaign_or_refused(text):
    try:
        campaign = Campaign.from_json(text)
    except CamiciaError as error:
        assert one_line(error)
    else:
        assert campaign.to_json() == text


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """A small sound ledger."""
    path = tmp_path_factory.mktemp("sound") / "hunt.db"
    with Ledger(path, "create") as ledger:
        entry = ledger.enter(small_campaign())
        ledger.commit(entry, reports_of(small_campaign(), range(8)))
    return path


@FEW
@given(
    flips=st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(1, 255)), min_size=1, max_size=4)
)
def test_a_ledger_with_bytes_changed_is_refused_or_holds_the_same(sound, tmp_path_factory, flips):
    before = contents(sound)
    path = tmp_path_factory.mktemp("flipped") / "hunt.db"
    shutil.copy(sound, path)
    data = bytearray(path.read_bytes())
    for place, change in flips:
        data[int(place * len(data))] ^= change
    path.write_bytes(data)
    try:
        after = contents(path)
    except CamiciaError as error:
        assert one_line(error)
    else:
        assert after == before


@FEW
@given(st.integers(0, 40_000), st.binary(max_size=200))
def test_a_ledger_cut_anywhere_with_anything_behind_is_refused_or_holds_the_same(
    sound, tmp_path_factory, length, tail
):
    path = tmp_path_factory.mktemp("cut") / "hunt.db"
    path.write_bytes(sound.read_bytes()[:length] + tail)
    try:
        after = contents(path)
    except CamiciaError as error:
        assert one_line(error)
    else:
        assert after == contents(sound)


#: Words of a command line, right and wrong. None begins a hunt, opens a browser or lasts.
COMMANDS = st.sampled_from(
    ["play", "rank", "unrank", "status", "best", "verify", "export", "merge", "war", "eights", "nonsense"]
)
WORDS = st.lists(
    NEAR.filter(lambda text: "\0" not in text)
    | st.sampled_from(
        ["--json", "--top", "--fraction", "0", "nan", "J--/-J-", "4:2:0:0:0", "missing.db", "-x"]
    ),
    max_size=4,
)


@FEW
@given(COMMANDS, WORDS)
def test_any_command_line_is_done_or_refused_in_a_line(tmp_path_factory, command, words):
    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(tmp_path_factory.mktemp("words")),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr("sys.stdin", io.StringIO("J/-\n"))
        try:
            code = main([command, *words])
        except SystemExit as end:
            code = end.code
    assert code in (0, 1, 2, None)
    assert "Traceback" not in err.getvalue()
    if code == 2:
        assert err.getvalue().strip()


def test_others_deals_are_all_kept_or_none(tmp_path):
    shutil.copy(make_small(tmp_path / "small.db"), tmp_path / "hunt.db")
    before = contents(tmp_path / "hunt.db")
    for text in (b"J/-\nK/?\n", b"\xff\xfe\n", b"J/-/-\n"):
        (tmp_path / "deals.txt").write_bytes(text)
        done = camicia("import", "hunt.db", "deals.txt", cwd=tmp_path)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert contents(tmp_path / "hunt.db") == before
    with Ledger(tmp_path / "hunt.db") as ledger:
        assert ledger.rows("SELECT count(*) FROM imported") == [(0,)]


def make_small(path):
    """Make a ledger of one unit."""
    with Ledger(path, "create") as ledger:
        ledger.commit(ledger.enter(small_campaign()), reports_of(small_campaign(), [0]))
    return path
