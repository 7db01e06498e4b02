"""The errors of the hunt, each with the exit code that the command line gives it."""

from camicia.errors import CamiciaError

#: A unit that fails this many times is set aside: the first failures may be the machine's, not the unit's.
ATTEMPTS = 3


class CampaignError(CamiciaError, ValueError):
    """An impossible campaign, or one that is not the ledger's."""


class LedgerError(CamiciaError, RuntimeError):
    """A file that is not a ledger, is damaged, too new, read-only or in use."""


class DamagedLedgerError(LedgerError):
    """A ledger whose file no longer holds what was written."""


class LedgerTroubleError(LedgerError):
    """A ledger that cannot be used now, though it may be sound: too few file descriptors, a full disk."""

    exit_code = 1


class HuntError(CamiciaError, RuntimeError):
    """A hunt that could not continue: a full disk, workers that do not start."""

    exit_code = 1


class VerificationError(CamiciaError, RuntimeError):
    """A result that another kernel does not confirm."""

    exit_code = 3


class WorkerLost(Exception):
    """The outcome of a call whose worker died, hung or ran out of memory; the call may be repeated.

    Parameters
    ----------
    text : str
        What happened.
    times : int, optional
        How many times it happened.
    """

    def __init__(self, text: str, times: int = 1) -> None:
        super().__init__(text, times)
        self.text = text
        self.times = times

    def __str__(self) -> str:
        return self.text


#: Default exit code of an error: usage or bad input.
USAGE = 2

#: Exit codes of a command that ended without an error: with work left undone, or interrupted.
FAILURE = 1
INTERRUPTED = 130


def exit_code(error: CamiciaError) -> int:
    """The exit code of the command that ends with this error.

    Examples
    --------
    >>> exit_code(HuntError("ledger 'hunt.db': the disk is full")), exit_code(LedgerError("…"))
    (1, 2)
    """
    return int(getattr(error, "exit_code", USAGE))
