from collections.abc import Sequence
from typing import Self

from search.finds import Find

class Account:
    size: int
    games: int
    loops: int
    cards: int
    tricks: int
    checksum: int
    most_cards: int
    most_cards_games: int
    def __new__(
        cls,
        size: int,
        finds_kept: int,
        loops_kept: int,
        group: int = 0,
        least_tricks: int | None = None,
    ) -> Self: ...
    def check(self) -> None: ...
    def histogram(self) -> dict[int, int]: ...
    def finds(self) -> tuple[Find, ...]: ...
    def loop_finds(self) -> tuple[Find, ...]: ...
    def squares(self) -> tuple[int, int]: ...
    def take_candidates(self) -> Sequence[Find]: ...
