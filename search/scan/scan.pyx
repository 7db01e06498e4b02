"""The inner loop of a hunt: deal a batch in the kernel's own form, play it, account for it.

No Python object is touched inside it. Random deals and consecutive ones differ only in their source.
"""

from libc.stdint cimport UINT64_MAX, uint64_t

from camicia.kernels.batch cimport BATCH_DEALS, Batch, close_batch, open_batch
from camicia.kernels.dispatch cimport Kernel, kernel_named, play_batch
from camicia.deals.source cimport DealSource
from camicia.deals.stepping cimport DealRange
from camicia.watch cimport Watch, watch_for
from search.scan.account cimport Account

from camicia.kernels.dispatch import default_kernel

#: Bytes of deals in a batch of a deck that the lanes cannot hold.
cdef enum:
    BATCH_BYTES = 1 << 20


def scan_deals(Account account, DealSource source, first_number, count, kernel=None):
    """Play the next deals of a source and account for them, without the GIL.

    Parameters
    ----------
    account : Account
        Where the games are counted.
    source : DealSource
        Where the deals come from, such as a `DealStream` of random ones or `GivenDeals`.
    first_number : int
        Number in the campaign of the first deal; checksums take it modulo 2**64.
    count : int
        How many to play.
    kernel : str, optional
        The kernel to play on (default: ``CAMICIA_KERNEL``, else the fastest).

    Returns
    -------
    str
        The kernel that played.

    Raises
    ------
    KernelError
        If the kernel is unknown or cannot run here.
    MemoryError
        If there is no room for the batch or the account.

    Examples
    --------
    >>> from camicia import STANDARD
    >>> from camicia.deals.sampling import DealStream
    >>> from search.scan.account import Account
    >>> account = Account(STANDARD.size, 10, 10)
    >>> scan_deals(account, DealStream(STANDARD, 1, 0), 0, 100, kernel="ring")
    'ring'
    >>> account.games
    100
    """
    return scan(account, source, first_number, count, kernel)


def scan_ranks(Account account, deck, start, stop, kernel=None):
    """Play every deal of a range of ranks and account for it, without the GIL.

    Parameters
    ----------
    account : Account
        Where the games are counted. The number of a game is its rank; checksums take it modulo 2**64.
    deck : Deck
        The deck.
    start, stop : int
        First rank, and the rank to stop before, not more than 2**62 on.
    kernel : str, optional
        The kernel to play on, as for `scan_deals`.

    Returns
    -------
    str
        The kernel that played.

    Raises
    ------
    KernelError
        If the kernel is unknown or cannot run here.
    RankError
        If the deck has no such ranks.
    MemoryError
        If there is no room for the batch or the account.

    Examples
    --------
    >>> from camicia import Deck
    >>> from search.scan.account import Account
    >>> account = Account(4, 10, 10)
    >>> scan_ranks(account, Deck(2, 1, 0, 0, 1), 0, 12, kernel="ring")
    'ring'
    >>> account.games, account.cards
    (12, 44)
    """
    cdef DealRange deals = _kept.pop(deck, None) or DealRange(deck, 0)
    if start < stop:
        deals.seek(start)
    name = scan(account, deals, start, stop - start, kernel)
    _kept.clear()
    _kept[deck] = deals
    return name


#: What the last call of `scan_ranks` dealt with: the next unit of a search need not arrange all endings again.
_kept = {}


cdef str scan(Account account, DealSource source, first_number, size_t left, kernel):
    """Deal, play and count the next deals of a source, batch by batch; returns the kernel that played."""
    cdef str name = default_kernel(kernel)
    cdef const Kernel *chosen = kernel_named(name)
    cdef uint64_t number = first_number & UINT64_MAX
    cdef Watch watch = watch_for(None)
    cdef size_t capacity = max(1, min(min(left, <size_t> BATCH_DEALS), BATCH_BYTES // <size_t> source.size))
    cdef Batch *batch = open_batch(source.counts, capacity)
    cdef size_t part
    if batch is NULL:
        raise MemoryError(f"no memory for a batch of {capacity:,} deals")
    try:
        with nogil:
            while left > 0:
                part = min(left, capacity)
                source.fill(batch, part)
                play_batch(chosen, batch, part, &watch)
                account.add_played(batch, number, part)
                number += part
                left -= part
    finally:
        close_batch(batch)
    account.check()
    return name
