"""Reports for people: summaries of a ledger, its page, plots, and the page that replays a game.

Each name is imported on first use: replaying a game needs no ledger, and a summary no plots.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from search.report.census import census_lines
    from search.report.charts import CHARTS
    from search.report.document import find_document, summary
    from search.report.milestones import LongestKnown
    from search.report.page import TOP, report_page
    from search.report.pictures import FORMATS, TRICKS, animation, curve
    from search.report.player import longest_record, view_page
    from search.report.plots import drawn
    from search.report.present import Pace, Present, hunt_now
    from search.report.price import (
        MACHINES,
        Facts,
        Price,
        facts_of,
        facts_text,
        goal,
        prices,
        shipped_facts,
    )
    from search.report.view import LedgerView

#: Public names, by the module that defines them.
_NAMES = {
    "census": ("census_lines",),
    "charts": ("CHARTS",),
    "document": ("find_document", "summary"),
    "milestones": ("LongestKnown",),
    "page": ("TOP", "report_page"),
    "pictures": ("FORMATS", "TRICKS", "animation", "curve"),
    "player": ("longest_record", "view_page"),
    "plots": ("drawn",),
    "present": ("Pace", "Present", "hunt_now"),
    "price": (
        "MACHINES",
        "Facts",
        "Price",
        "facts_of",
        "facts_text",
        "goal",
        "prices",
        "shipped_facts",
    ),
    "view": ("LedgerView",),
}

__all__ = [
    "CHARTS",
    "FORMATS",
    "MACHINES",
    "TOP",
    "TRICKS",
    "Facts",
    "LedgerView",
    "LongestKnown",
    "Pace",
    "Present",
    "Price",
    "animation",
    "census_lines",
    "curve",
    "drawn",
    "facts_of",
    "facts_text",
    "find_document",
    "goal",
    "hunt_now",
    "longest_record",
    "prices",
    "report_page",
    "shipped_facts",
    "summary",
    "view_page",
]


def __getattr__(name: str) -> Any:
    for module, names in _NAMES.items():
        if name in names:
            return getattr(import_module(f"search.report.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
