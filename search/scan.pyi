from camicia.sampling import DealStream
from search.account import Account

DEFAULT_KERNEL: str

def scan_kernel(kernel: str | None = None) -> str: ...
def scan_random(
    account: Account, stream: DealStream, first_number: int, count: int, kernel: str | None = None
) -> str: ...
