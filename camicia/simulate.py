"""Play one deal, many deals at once, or two lists of faces."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard

import numpy as np

from camicia import rules
from camicia.cards import Deal
from camicia.checks import checked_cut, checked_whole, items_of, shortened
from camicia.codes import ACE, MAX_CARDS, checked_codes
from camicia.errors import DealError
from camicia.kernels import dispatch, ring
from camicia.kernels.rows import ROW, play_rows
from camicia.results import Result, Status
from camicia.threads import in_threads
from camicia.watch import Stop

if TYPE_CHECKING:
    import numpy.typing as npt

#: What is accepted as one deal: lists of faces, and rows of card codes, are sequences too.
DealLike = Deal | str | Sequence[Any] | np.ndarray[Any, Any] | memoryview

_STATUS = (Status.FINISHED, Status.LOOP)
_WINNER = {0: "A", 1: "B", 255: None}
_CODE_OF_WINNER = {name: code for code, name in _WINNER.items()}


def simulate(deal: DealLike, *, cut: int | None = None, kernel: str | None = None) -> Result:
    """Play one deal exactly.

    Parameters
    ----------
    deal : Deal, str, pair of lists of faces, or row of card codes
        The deal: a `Deal`, the notation of the field, two lists such as ``["2", "A"], ["10", "K"]``, or the
        codes 0 to 4 of all cards, hand A followed by hand B, as in a row of an array of deals.
    cut : int, optional
        For a row of card codes: number of cards in hand A (default: half, rounded down).
    kernel : str, optional
        The kernel to play it on (default: ``CAMICIA_KERNEL``, else ``ring``).

    Returns
    -------
    Result
        Status, winner, and both lengths in cards and tricks; for a loop its transient and cycle too.

    Raises
    ------
    DealError
        If it is not a deal.
    KernelError
        If the kernel is unknown or cannot run here.

    Examples
    --------
    >>> from camicia import simulate
    >>> result = simulate("---AJ--Q---------QAKQJJ-QK/-----A----KJ-K--------A---")
    >>> result.winner, result.cards, result.tricks
    ('B', 8344, 1164)
    >>> simulate([0, 0, 1, 0])
    Result(status='finished', winner='B', cards=3, tricks=1)
    """
    played = as_deal(deal, cut)
    name = dispatch.chosen_kernel(kernel) or "ring"
    if name == "reference":
        return rules.play(played)
    if name != "ring":
        row = _play_sequence([played], 1, name)[0]
        if not row["status"]:
            _, winner, cards, tricks = row.item()
            return Result(Status.FINISHED, _WINNER[winner], cards, tricks, kernel=name)
        # The ring detects loops for every kernel; its result has the lengths of transient and cycle.
    status, winner, cards, tricks, *loop = ring.play_one(played.hand_a, played.hand_b)
    if status:
        return Result(Status.LOOP, None, cards, tricks, loop[0], loop[1], loop[2], loop[3], name)
    return Result(Status.FINISHED, _WINNER[winner], cards, tricks, kernel=name)


def simulate_game(player_a: Iterable[str], player_b: Iterable[str]) -> dict[str, str | int]:
    """Play two lists of faces, by the convention of the Exercism exercise "Camicia".

    Parameters
    ----------
    player_a, player_b : list of str
        Faces ``"2"`` to ``"10"``, ``"J"``, ``"Q"``, ``"K"``, ``"A"``, top card first; A leads.

    Returns
    -------
    dict
        ``{"status": "finished" or "loop", "cards": int, "tricks": int}``.

    Raises
    ------
    DealError
        If a face is unknown or both lists are empty.

    Examples
    --------
    >>> from camicia import simulate_game
    >>> simulate_game(["2"], ["3"])
    {'status': 'finished', 'cards': 2, 'tricks': 1}
    """
    result = simulate(Deal.from_cards(player_a, player_b))
    return {"status": str(result.status), "cards": result.cards, "tricks": result.tricks}


def simulate_many(
    deals: npt.NDArray[Any] | Iterable[DealLike],
    *,
    cut: int | None = None,
    threads: int = 1,
    kernel: str | None = None,
) -> npt.NDArray[np.void]:
    """Play many deals exactly, without the GIL.

    Parameters
    ----------
    deals : integer array of shape (n, cards), or sequence of deals
        A deal per row: card codes 0 to 4, hand A followed by hand B, of any integer type and any strides, or
        a `memoryview` of that; uint8 is played without a copy. Or anything that `simulate` takes, including
        lists of card codes, of mixed sizes. No entry of a masked array may be masked.
    cut : int, optional
        For card codes: number of cards in hand A (default: half, rounded down).
    threads : int, optional
        Threads to play on; at most 1,024 are started.
    kernel : str, optional
        The kernel to play on (default: ``CAMICIA_KERNEL``, else the fastest).

    Returns
    -------
    structured array, shape (n,)
        ``status`` (uint8: 0 finished, 1 loop), ``winner`` (uint8: 0 A, 1 B, 255 none), ``cards`` and
        ``tricks`` (int64; for a loop those played when the first repeated state is reached).

    Raises
    ------
    DealError
        If the array has the wrong shape or type, a code is not 0 to 4, an entry is masked, or an item is
        not a deal; the message names the row or item.
    KernelError
        If the kernel is unknown or cannot run here.

    Notes
    -----
    Ctrl-C ends the call within a fraction of a second, whatever the number of deals. Do not write to the
    array during the call: it does no harm, but then it is unknown which games were played.

    Examples
    --------
    >>> from camicia import simulate_many
    >>> simulate_many(["J--/-J-", "-/-"])[["status", "cards"]].tolist()
    [(1, 8), (0, 2)]
    """
    name = dispatch.default_kernel(kernel)
    threads = checked_whole("threads", threads, 1)
    array = _as_array(deals)
    if array is not None:
        return play_array(array, checked_cut(cut, array.shape[1]), threads, name)
    return _play_sequence(_as_deals(deals, cut), threads, name)


def as_deal(deal: DealLike, cut: int | None = None) -> Deal:
    """Return a deal that is given as a `Deal`, as notation, as two lists of faces or as card codes.

    Card codes are cut, in the middle unless `cut` is given.

    Raises
    ------
    DealError
        If it is none of these.

    Examples
    --------
    >>> str(as_deal((["2"], ["A"]))), str(as_deal([1, 0, 0], cut=2))
    ('-/A', 'J-/-')
    """
    if _is_row(deal):
        return Deal.from_array(deal, cut)
    if cut is not None:
        raise DealError(f"cut {shortened(cut)}: only card codes can be cut, this deal has its hands")
    if isinstance(deal, Deal):
        return deal
    if isinstance(deal, str):
        return Deal.parse(deal)
    hands = items_of(deal, 2)
    if hands is None or len(hands) != 2:
        raise DealError(
            f"deal {shortened(deal)}: expected a Deal, a string such as 'J--/-J-', two lists of faces, "
            "or a row of card codes"
        )
    return Deal.from_cards(*hands)


def _is_row(deal: Any) -> TypeGuard[npt.ArrayLike]:
    """Return whether this is a row of card codes, valid or not, rather than a deal in another form."""
    if isinstance(deal, np.ndarray):
        return deal.ndim == 1 and deal.dtype.kind not in "OSU"
    if isinstance(deal, (str, Deal)) or not hasattr(deal, "__len__"):
        return False
    first = items_of(deal, 0)
    return first is not None and len(first) == 1 and isinstance(first[0], (int, float, np.number))


def _as_array(deals: Any) -> npt.NDArray[np.uint8] | None:
    """Convert an array or memoryview of deals to an array of uint8; None for anything else."""
    if _is_row(deals):
        raise DealError(
            f"deals {shortened(deals)}: one row of cards, expected shape (n, cards); simulate() plays one"
        )
    if isinstance(deals, memoryview):
        deals = np.asarray(deals)
    if not isinstance(deals, np.ndarray) or (deals.ndim == 1 and deals.dtype.kind in "OU"):
        return None
    array = checked_codes(deals, 2)
    if not 1 <= array.shape[1] <= MAX_CARDS:
        raise DealError(f"array of shape {array.shape}: expected 1 to {MAX_CARDS:,} cards a deal")
    return array


def play_array(deals: npt.NDArray[np.uint8], cut: int, threads: int, name: str) -> npt.NDArray[np.void]:
    """Play the rows of a checked array on a kernel; returns rows as `simulate_many` does."""
    rows = np.empty(len(deals), ROW)
    if name == "reference":
        for place, cards in enumerate(deals):
            rows[place] = _play_reference(place, cards.tobytes(), cut)
        return rows

    def play(start: int, end: int, stop: Stop | None) -> None:
        play_rows(deals[start:end], cut, rows[start:end], name, first=start, stop=stop)

    in_threads(play, len(deals), threads)
    return rows


def _play_reference(row: int, codes: bytes, cut: int) -> tuple[int, int | None, int, int]:
    """Play a row of an array by the rules; returns the values of its result row."""
    if max(codes) > ACE:
        place = next(place for place, code in enumerate(codes) if code > ACE)
        raise DealError(f"row {row} holds {codes[place]} at place {place}: card codes are 0 to {ACE}")
    result = rules.play(Deal(codes[:cut], codes[cut:]))
    return _STATUS.index(result.status), _CODE_OF_WINNER[result.winner], result.cards, result.tricks


def _as_deals(deals: Iterable[DealLike], cut: int | None) -> list[Deal]:
    if isinstance(deals, str):
        raise DealError(f"deals {shortened(deals)}: expected a sequence of deals; simulate() plays one")
    items = items_of(deals)
    if items is None:
        raise DealError(f"deals {shortened(deals)}: expected an array of card codes or a sequence of deals")
    checked = []
    for number, item in enumerate(items):
        try:
            checked.append(as_deal(item, cut))
        except DealError as error:
            raise DealError(_of_item(number, str(error))) from None
    return checked


def _of_item(number: int, fault: str) -> str:
    """Say what is wrong with an item; a row of card codes is called a row, as in an array."""
    if fault.startswith("deal holds "):
        return f"row {number} {fault.removeprefix('deal ')}"
    return f"item {number}: {fault}"


def _play_sequence(deals: list[Deal], threads: int, name: str) -> npt.NDArray[np.void]:
    """Play deals of mixed hand sizes: those of the same sizes together."""
    rows = np.empty(len(deals), ROW)
    places: dict[tuple[int, int], list[int]] = {}
    for place, deal in enumerate(deals):
        places.setdefault((len(deal.hand_a), len(deal.hand_b)), []).append(place)
    for (count_a, count_b), alike in places.items():
        codes = b"".join(deals[place].hand_a + deals[place].hand_b for place in alike)
        array = np.frombuffer(codes, np.uint8).reshape(len(alike), count_a + count_b)
        rows[alike] = play_array(array, count_a, threads, name)
    return rows
