"""A hunt from end to end, which the commands and every other program share."""

from search.session.calls import hunt, open_ledger
from search.session.session import Outcome, Session
from search.session.wish import Wish

__all__ = ["Outcome", "Session", "Wish", "hunt", "open_ledger"]
