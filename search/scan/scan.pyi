from camicia.cards import Deck
from camicia.deals.sampling import DealStream
from search.scan.account import Account

def scan_random(
    account: Account, stream: DealStream, first_number: int, count: int, kernel: str | None = None
) -> str: ...
def scan_ranks(account: Account, deck: Deck, start: int, stop: int, kernel: str | None = None) -> str: ...
