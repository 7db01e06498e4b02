from camicia.cards import Deck
from camicia.deals.source import DealSource
from search.scan.account import Account

def scan_deals(
    account: Account, source: DealSource, first_number: int, count: int, kernel: str | None = None
) -> str: ...
def scan_ranks(account: Account, deck: Deck, start: int, stop: int, kernel: str | None = None) -> str: ...
