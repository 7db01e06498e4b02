"""Small ledgers, whole and with a backup, for the tests of their files."""

import pytest
from hunting import reports_of, small_campaign, write

from search.ledger import Ledger


@pytest.fixture(scope="module")
def reports():
    return reports_of(small_campaign(), range(12))


@pytest.fixture
def path(tmp_path, reports):
    """A small sound ledger."""
    return write(tmp_path / "hunt.db", small_campaign(), reports)


@pytest.fixture
def backed_up(path):
    """The same with a backup that lacks its last units."""
    with Ledger(path, "write", backup_seconds=0) as ledger:
        ledger.back_up_if_due()
        ledger.commit(ledger.campaigns()[0], reports_of(small_campaign(), [12, 13]))
    return path
