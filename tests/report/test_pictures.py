"""Pictures of a game: its course, its curve, and the game as an animation."""

import io
import random
import sys

import pytest
from known_deals import random_deal

from camicia import Deal, simulate
from search.cli import main
from search.errors import CampaignError
from search.report.player import title_of
from search.report.traces import trace

Image = pytest.importorskip("PIL.Image", reason="the extra report is not installed")
pytest.importorskip("matplotlib", reason="the extra report is not installed")

from search.report.pictures import animation, curve  # noqa: E402

LOOP = Deal.parse("---K---Q-KQAJ-----AAJ--J--/----------Q----KQ-J-----KA")
RECORD = Deal.parse("---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---")


def test_the_course_of_a_game_has_every_card_and_every_trick():
    generator = random.Random(3)
    for deal in [*(random_deal(generator) for _ in range(200)), LOOP, Deal.parse("/J"), Deal.parse("J/")]:
        game, result = trace(deal), simulate(deal)
        assert len(game.hands) == result.cards + 1 and len(game.starts) == result.tricks + 1
        assert game.hands[0] == (len(deal.hand_a), len(deal.hand_b))
        assert game.starts[0] == 0 and game.starts[-1] == result.cards
        assert all(sum(game.hands[card]) == deal.size for card in game.starts[:-1])
        if result.winner:
            assert game.hands[-1] == ((deal.size, 0) if result.winner == "A" else (0, deal.size))


def test_a_closest_call_is_the_fewest_cards_from_which_a_hand_grew_again():
    game = trace(RECORD)
    assert [call.held for call in game.calls] == [1, 1]
    for player, call in enumerate(game.calls):
        held = [hands[player] for hands in game.hands]
        # The loser has fewer at the very end only.
        assert held[call.cards] == call.held and min(held[: call.cards]) > call.held
        assert max(held[call.cards :]) > call.held
    # B never collects anything.
    assert trace(Deal.parse("A-/----")).calls[1] is None


@pytest.mark.parametrize("deal", [LOOP, RECORD, Deal.parse("J--/-JA"), Deal.parse("/J")], ids=str)
def test_the_curve_is_drawn_the_same_each_time(deal):
    picture = curve(deal, "svg")
    assert picture.startswith(b"<?xml") and picture == curve(deal, "svg")
    assert title_of(simulate(deal)).encode() in picture


def test_the_curve_is_drawn_in_pixels():
    with Image.open(io.BytesIO(curve(LOOP, "png"))) as picture:
        assert picture.format == "PNG" and picture.width == 1500


def test_an_animation_shows_every_card_of_the_first_tricks():
    with Image.open(io.BytesIO(animation(RECORD, 3))) as picture:
        # The deal, and the game after each card.
        assert picture.format == "GIF" and picture.n_frames == trace(RECORD).starts[3] + 1
        picture.seek(picture.n_frames - 1)
        assert picture.info["duration"] == 3000


def test_an_animation_of_a_whole_long_game_goes_in_leaps():
    deal = Deal.parse("-J--QA-K-Q-J/--K-J-A-Q---")
    with Image.open(io.BytesIO(animation(deal, None))) as picture:
        # The last trick is collected for want of a card.
        assert picture.n_frames == simulate(deal).cards + 2
    with Image.open(io.BytesIO(animation(RECORD, 200))) as picture:
        assert 200 < picture.n_frames <= 401 and picture.info["duration"] == 60


@pytest.mark.parametrize("ending", ["png", "svg", "gif", "GIF"])
def test_the_command_draws_in_the_format_of_the_name(ending, capsys, tmp_path):
    out = tmp_path / f"game.{ending}"
    assert main(["view", "J--/-JA", "--picture", str(out)]) == 0
    assert capsys.readouterr().out == f"{out}\n" and [each.name for each in tmp_path.iterdir()] == [out.name]
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "gif": b"GIF8"}
    assert out.read_bytes().startswith(starts[ending.lower()])


def test_picture_and_page_are_both_written_when_both_are_named(capsys, tmp_path):
    picture, page = tmp_path / "game.svg", tmp_path / "game.html"
    assert main(["view", "J--/-JA", "--picture", str(picture), "--out", str(page)]) == 0
    assert capsys.readouterr().out == f"{picture}\n{page}\n" and picture.exists() and page.exists()


def test_without_the_extra_the_remedy_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(CampaignError, match=r"animations need Pillow .* pip install 'camicia\[report\]'"):
        animation(LOOP)


def test_a_game_too_long_for_a_picture_is_refused(monkeypatch):
    monkeypatch.setattr("search.report.player.MOST_CARDS", 7)
    for draw in (animation, lambda deal: curve(deal, "svg")):
        with pytest.raises(CampaignError, match="expected at most 7 cards"):
            draw(Deal.parse("J--/-J-"))
