"""The errors of the hunt, each with the exit code that the command line gives it."""

from camicia.errors import CamiciaError


class CampaignError(CamiciaError, ValueError):
    """A campaign that cannot be, or is not the one that the ledger holds."""


class LedgerError(CamiciaError, RuntimeError):
    """A file that is not a ledger, is damaged, too new, read-only or in use."""


class HuntError(CamiciaError, RuntimeError):
    """A hunt that could not go on: a full disk, workers that will not live."""

    exit_code = 1


class VerificationError(CamiciaError, RuntimeError):
    """A result that another kernel does not confirm."""

    exit_code = 3


#: Exit code of an error that names none: usage or bad input.
USAGE = 2


def exit_code(error: CamiciaError) -> int:
    """The exit code of the command that ends with this error.

    Examples
    --------
    >>> exit_code(HuntError("ledger 'hunt.db': the disk is full")), exit_code(LedgerError("…"))
    (1, 2)
    """
    return int(getattr(error, "exit_code", USAGE))
