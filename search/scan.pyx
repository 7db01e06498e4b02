# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The inner loops of a hunt: deal a batch in the kernel's own form, play it, account for it.

No Python object is touched inside them. Random deals and consecutive ones differ only in where they come
from.
"""

from libc.stdint cimport UINT64_MAX, uint16_t, uint64_t

from camicia.batch cimport Batch, close_batch, open_batch
from camicia.kernels cimport Kernel, kernel_named, play_batch
from camicia.sampling cimport DealStream
from camicia.stepping cimport DealRange
from camicia.watch cimport Watch, watch_for
from search.account cimport Account

from camicia.kernels import default_kernel

#: Deals of a batch: in lanes its rows and results stay in a second-level cache, and it is long enough for the
#: lanes to run dry seldom.
cdef enum:
    BATCH = 16_384

#: Bytes of deals in a batch of a deck that the lanes cannot hold.
cdef enum:
    BATCH_BYTES = 1 << 20


def scan_random(Account account, DealStream stream, first_number, count, kernel=None):
    """Play the next deals of a random stream and account for them, without the GIL.

    Parameters
    ----------
    account : Account
        Where the games are counted.
    stream : DealStream
        Where the deals come from.
    first_number : int
        Number in the campaign of the first deal; checksums take it modulo 2**64.
    count : int
        How many to play.
    kernel : str, optional
        The kernel to play on; what ``CAMICIA_KERNEL`` says, or else the fastest, unless given.

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
    >>> from camicia.sampling import DealStream
    >>> from search.account import Account
    >>> account = Account(STANDARD.size, 10, 10)
    >>> scan_random(account, DealStream(STANDARD, 1, 0), 0, 100, kernel="ring")
    'ring'
    >>> account.games
    100
    """
    cdef str name = default_kernel(kernel)
    cdef const Kernel *chosen = kernel_named(name)
    cdef Watch watch = watch_for(None)
    cdef uint64_t number = first_number & UINT64_MAX
    cdef size_t left = count
    cdef size_t capacity = batch_capacity(stream.size, left)
    cdef uint16_t counts[5]
    cdef Batch *batch
    cdef size_t part
    count_deck(stream, counts)
    batch = open_batch(counts, capacity)
    if batch is NULL:
        raise MemoryError(f"no memory for a batch of {capacity:,} deals")
    try:
        with nogil:
            while left > 0:
                part = min(left, capacity)
                stream.fill_batch(batch, part)
                play_batch(chosen, batch, part, &watch)
                account.add_played(batch, 0, number, part)
                number += part
                left -= part
    finally:
        close_batch(batch)
    account.check()
    return name


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
        The kernel to play on, as for `scan_random`.

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
    >>> from search.account import Account
    >>> account = Account(4, 10, 10)
    >>> scan_ranks(account, Deck(2, 1, 0, 0, 1), 0, 12, kernel="ring")
    'ring'
    >>> account.games, account.cards
    (12, 44)
    """
    cdef str name = default_kernel(kernel)
    cdef const Kernel *chosen = kernel_named(name)
    cdef Watch watch = watch_for(None)
    cdef uint64_t number = start & UINT64_MAX
    cdef size_t left = stop - start
    cdef size_t capacity = batch_capacity(deck.size, left)
    cdef DealRange deals
    cdef size_t part
    if left == 0:
        return name
    deals = _kept.pop((deck, capacity), None) or DealRange(deck, start, capacity)
    deals.seek(start)
    with nogil:
        while left > 0:
            part = min(left, capacity)
            deals.fill(part)
            play_batch(chosen, deals.batch, part, &watch)
            account.add_played(deals.batch, 0, number, part)
            number += part
            left -= part
    _kept.clear()
    _kept[deck, capacity] = deals
    account.check()
    return name


#: What the last call of `scan_ranks` dealt with: the next unit of a search need not arrange all endings again.
_kept = {}


cdef size_t batch_capacity(size_t size, size_t count) noexcept nogil:
    """The deals of a batch, for so many deals of so many cards."""
    return max(1, min(min(count, <size_t> BATCH), BATCH_BYTES // size))


cdef void count_deck(DealStream stream, uint16_t *counts) noexcept nogil:
    """The cards of each code that a stream deals."""
    cdef Py_ssize_t i
    for i in range(5):
        counts[i] = 0
    for i in range(stream.size):
        counts[stream.circle[i]] += 1
