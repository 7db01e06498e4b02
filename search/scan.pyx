# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The inner loop of a hunt: deal a batch, play it, account for it; no Python object inside."""

from libc.stdint cimport UINT64_MAX, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free, malloc

from camicia.ring cimport Outcome, Workspace, close_workspace, open_workspace, play
from camicia.sampling cimport DealStream
from search.account cimport Account

from camicia.kernels import chosen_kernel
from camicia.simulate import simulate_many

#: Bytes of deals in a batch: with their results they stay in the second-level cache, and a batch is long
#: enough for the start of each stage not to count.
cdef enum:
    BATCH_BYTES = 1 << 16

#: The kernel that a hunt runs on where none is asked for.
DEFAULT_KERNEL = "ring"


def scan_kernel(kernel=None):
    """Return the name of the kernel that `scan_random` plays on.

    Parameters
    ----------
    kernel : str, optional
        What is asked for; else what ``CAMICIA_KERNEL`` says, else the fastest.

    Raises
    ------
    KernelError
        If the kernel is unknown or cannot run here.
    """
    return chosen_kernel(kernel) or DEFAULT_KERNEL


cdef void play_batch(
    Workspace *workspace, const uint8_t *codes, size_t cut, size_t size, uint8_t *status, int64_t *cards,
    int64_t *tricks, Py_ssize_t count,
) noexcept nogil:
    """Play every deal of a batch, each result at its deal's index."""
    cdef Outcome outcome
    cdef Py_ssize_t i
    for i in range(count):
        play(workspace, codes, cut, codes + cut, size - cut, 1, &outcome)
        status[i] = outcome.status
        cards[i] = outcome.cards
        tricks[i] = outcome.tricks
        codes += size


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
        The kernel to play on, as in `scan_kernel`.

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
    cdef str name = scan_kernel(kernel)
    if name == "reference":
        _scan_by_rows(account, stream, first_number, count, name)
        return name
    cdef size_t size = stream.size
    cdef size_t cut = size // 2
    cdef uint64_t number = first_number & UINT64_MAX
    cdef Py_ssize_t left = count
    cdef Py_ssize_t batch = max(1, BATCH_BYTES // size)
    cdef Py_ssize_t part
    cdef Workspace *workspace = open_workspace(size)
    cdef uint8_t *codes = <uint8_t *> malloc(batch * size)
    cdef uint8_t *status = <uint8_t *> malloc(batch)
    cdef int64_t *cards = <int64_t *> malloc(batch * sizeof(int64_t))
    cdef int64_t *tricks = <int64_t *> malloc(batch * sizeof(int64_t))
    try:
        if workspace is NULL or codes is NULL or status is NULL or cards is NULL or tricks is NULL:
            raise MemoryError(f"no memory for a batch of {batch:,} deals")
        with nogil:
            while left > 0:
                part = min(left, batch)
                stream.fill(codes, part)
                play_batch(workspace, codes, cut, size, status, cards, tricks, part)
                account.add_batch(codes, status, cards, tricks, number, part)
                number += <uint64_t> part
                left -= part
    finally:
        free(codes)
        free(status)
        free(cards)
        free(tricks)
        if workspace is not NULL:
            close_workspace(workspace)
    account.check()
    return name


def _scan_by_rows(account, stream, first_number, count, kernel):
    """The same through `simulate_many`, for kernels that have no loop here."""
    batch = max(1, BATCH_BYTES // stream.size)
    for start in range(0, count, batch):
        deals = stream.take(min(batch, count - start))
        account.add(deals, simulate_many(deals, kernel=kernel), first_number + start)
