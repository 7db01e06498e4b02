"""What people look at: summaries of a ledger, the page about it, plots, the page that replays a game."""

from search.report.page import TOP, report_page

__all__ = ["TOP", "report_page"]
