"""Fixtures of several tests: each known deal, and a browser."""

from __future__ import annotations

import pytest
from browser import Browser, chromium
from known_deals import KnownDeal, read_known_deals

from search.report.player import view_page


@pytest.fixture(params=read_known_deals(), ids=lambda known: known.name)
def known(request) -> KnownDeal:
    """Each known deal in turn."""
    return request.param


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """One browser for all tests."""
    assert chromium(), "CAMICIA_NEED_BROWSER is set, and there is no chromium"
    browser = Browser(tmp_path_factory.mktemp("browser"))
    yield browser
    browser.close()


@pytest.fixture
def opened(browser, tmp_path):
    """Opens the player with a deal, or with none, in a browser in which nothing may go wrong."""
    browser.window(1280, 900)

    def open_page(deal=None, fragment=""):
        path = tmp_path / "game <b>&.html"
        path.write_text(view_page(deal), encoding="utf-8")
        browser.open(path, fragment)
        return browser

    yield open_page
    assert browser.problems == []
