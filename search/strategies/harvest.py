"""The trees above a unit's long games: walk each once, keep the longest deals, hash everything."""

from __future__ import annotations

import time
from collections.abc import Iterable
from hashlib import blake2b

from camicia.ancestry.ancestors import MAX_DEPTH
from camicia.ancestry.trees import Climber
from camicia.cards import Deck
from search.campaign import CHECKSUM_MODULUS
from search.finds import FINDS_PER_TREE, Find, best_by_either

#: Counters of trees: how many, their states and balanced deals, those cut off, games whose tree was already
#: walked, and the time.
TREE_COUNTERS = (
    "trees", "tree_states", "tree_balanced", "trees_truncated", "trees_repeated", "walk_microseconds",
)  # fmt: skip


class Harvest:
    """The harvest from the trees of one unit.

    Parameters
    ----------
    deck : Deck
        The deck to deal from.
    least_tricks, from_end, max_states : int
        The campaign's settings.
    keep : int
        Finds to keep.

    Attributes
    ----------
    finds : list of Find
        The longest deals of the trees, at most three per tree by each length.
    checksum : int
        Sum of the hashes of the walks, modulo 2**64.
    counters : dict
        By the names of `TREE_COUNTERS`.
    """

    def __init__(self, deck: Deck, least_tricks: int, from_end: int, max_states: int, keep: int) -> None:
        self.finds: list[Find] = []
        self.checksum = 0
        self.counters = dict.fromkeys(TREE_COUNTERS, 0)
        self._least_tricks = least_tricks
        self._keep = keep
        self._climber = Climber(deck, from_end, max_states, MAX_DEPTH, FINDS_PER_TREE)

    def climb(self, games: Iterable[Find]) -> None:
        """Walk the tree above each game, unless an earlier game had the same tree."""
        started = time.perf_counter()
        counters = self.counters
        for game in games:
            walked = self._climber.climb(game.codes, game.cards, game.tricks)
            if walked is None:
                counters["trees_repeated"] += 1
                continue
            root, states, balanced, truncated, by_cards, by_tricks = walked
            counters["trees"] += 1
            counters["tree_states"] += states
            counters["tree_balanced"] += balanced
            counters["trees_truncated"] += truncated
            tree = tree_name(root)
            found = [Find(codes, cards, tricks, tree) for cards, tricks, codes in by_cards + by_tricks]
            # A walk that was cut off may have missed the very game it started from.
            found.append(game._replace(tree=tree))
            self.finds.extend(find for find in found if find.tricks >= self._least_tricks)
            walked_hash = walk_hash(root, states, balanced, by_cards, by_tricks)
            self.checksum = (self.checksum + walked_hash) % CHECKSUM_MODULUS
        self.finds = best_by_either(self.finds, self._keep)
        counters["walk_microseconds"] += round(1e6 * (time.perf_counter() - started))


def tree_name(root: bytes) -> int:
    """Name a tree by a 64-bit number: BLAKE2b of its root.

    Parameters
    ----------
    root : bytes
        The root as `Climber` gives it.

    Examples
    --------
    >>> f"{tree_name(bytes([1, 0, 1, 0])):016x}"
    '69efaa65819d6886'
    """
    # 0 stands for no tree.
    return int.from_bytes(blake2b(root, digest_size=8).digest(), "little") or 1


def walk_hash(
    root: bytes,
    states: int,
    balanced: int,
    by_cards: list[tuple[int, int, bytes]],
    by_tricks: list[tuple[int, int, bytes]],
) -> int:
    """Hash the result of a walk: BLAKE2b of its root, states, balanced deals, most cards and most tricks.

    Examples
    --------
    >>> walk_hash(b"\\1\\0\\1\\0", 2, 0, [], []) == walk_hash(b"\\1\\0\\1\\0", 3, 0, [], [])
    False
    """
    cards = by_cards[0][0] if by_cards else 0
    tricks = by_tricks[0][1] if by_tricks else 0
    text = root + f" {states} {balanced} {cards} {tricks}".encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest(), "little")
