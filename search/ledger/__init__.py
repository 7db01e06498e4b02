"""The ledger: one SQLite file that holds the results of campaigns."""

from search.ledger.backups import BACKUP_SECONDS
from search.ledger.choosing import chosen_campaign, ledgers_in
from search.ledger.columns import RESULT_FIELDS
from search.ledger.contents import Entry, shared_units
from search.ledger.covering import coverage
from search.ledger.imports import import_deals, imported
from search.ledger.ledger import Ledger, Run, chosen
from search.ledger.locks import has_writer
from search.ledger.loops import loops_in
from search.ledger.merging import merge, update
from search.ledger.opening import check_new
from search.ledger.recovery import restore
from search.ledger.stored import StoredFind
from search.ledger.stretches import Stretch, joined
from search.ledger.unit_sets import UnitSet

__all__ = [
    "BACKUP_SECONDS",
    "RESULT_FIELDS",
    "Entry",
    "Ledger",
    "Run",
    "StoredFind",
    "Stretch",
    "UnitSet",
    "check_new",
    "chosen",
    "chosen_campaign",
    "coverage",
    "has_writer",
    "import_deals",
    "imported",
    "joined",
    "ledgers_in",
    "loops_in",
    "merge",
    "restore",
    "shared_units",
    "update",
]
