from typing import Any, Self

from camicia.cards import Deck

class Wander:
    def __new__(
        cls,
        deck: Deck,
        seed: int,
        unit: int,
        surplus: int,
        longest_cycle: int,
        uneven: int,
        recency: int,
        nearness: int,
        payment_weight: int,
        alike: int,
    ) -> Self: ...
    def start(self, leader: bytes, other: bytes) -> bool: ...
    def run(self, edits: int, first_number: int) -> None: ...
    def tallied(self) -> dict[str, Any]: ...
    @property
    def gone_on_from(self) -> int: ...
    def cycles(self) -> list[tuple[bytes, bytes]]: ...
