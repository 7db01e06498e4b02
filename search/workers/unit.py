"""The functions that executors run: the work of one unit, and of several."""

from __future__ import annotations

import platform
import time
from collections.abc import Sequence
from dataclasses import replace

from camicia.deals.sampling import STREAM_VERSION
from search.campaign import Campaign, UnitReport
from search.errors import CampaignError
from search.strategies import strategy_named


def run_units(campaign: Campaign, units: Sequence[int], kernel: str | None = None) -> list[UnitReport]:
    """Do several units of a campaign, one after the other; as `run_unit`.

    Examples
    --------
    >>> from camicia import STANDARD
    >>> [report.unit for report in run_units(Campaign("sample", STANDARD, seed=7, unit_size=1248), [3, 4])]
    [3, 4]
    """
    return [run_unit(campaign, unit, kernel) for unit in units]


def run_unit(campaign: Campaign, unit: int, kernel: str | None = None) -> UnitReport:
    """Do one unit of a campaign.

    Parameters
    ----------
    campaign : Campaign
        The campaign.
    unit : int
        Number of the unit, from 0.
    kernel : str, optional
        The kernel to play on (default: ``CAMICIA_KERNEL``, else the fastest).

    Returns
    -------
    UnitReport
        A pure function of campaign and unit, apart from the times it took, the kernel and the host.

    Raises
    ------
    CampaignError
        If this version does not know the strategy, or has another random stream.
    KernelError
        If the kernel cannot run on this machine.

    Examples
    --------
    >>> from camicia import STANDARD
    >>> run_unit(Campaign("sample", STANDARD, seed=7, unit_size=1248), 0).games
    1248
    """
    if campaign.stream != STREAM_VERSION:
        raise CampaignError(
            f"random stream {campaign.stream} of the campaign: this version makes stream {STREAM_VERSION}, "
            "expected the version of Camicia that began the campaign"
        )
    started = time.perf_counter()
    # Of this thread alone: a cluster worker may have several threads, each with its own unit.
    processor_started = time.thread_time()
    report = strategy_named(campaign.strategy).run_unit(campaign, unit, kernel)
    return replace(
        report,
        seconds=time.perf_counter() - started,
        processor_seconds=time.thread_time() - processor_started,
        host=platform.node(),
    )
