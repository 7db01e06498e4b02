"""Use Matplotlib where it is installed: make a figure, and save it as bytes."""

from __future__ import annotations

import io
from typing import Any

from search.errors import CampaignError

#: Dots per inch of a PNG.
DOTS = 150


def figure_type() -> Any:
    """Return matplotlib's class of figures.

    Raises
    ------
    CampaignError
        If matplotlib is not installed.
    """
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise CampaignError(
            f"plots need matplotlib ({error}); install it with: pip install 'camicia[report]'"
        ) from None
    except ValueError as error:
        # Such as a backend of no known name in MPLBACKEND.
        raise CampaignError(f"matplotlib cannot be loaded: {error}") from None
    matplotlib.rcParams["svg.hashsalt"] = "camicia"
    return Figure


def saved(figure: Any, form: str) -> bytes:
    """Return a figure as the content of a file in a format."""
    # Without a date, and with fixed internal names, equal figures make equal files.
    metadata: dict[str, Any] = {"Date": None} if form == "svg" else {}
    file = io.BytesIO()
    figure.savefig(file, format=form, dpi=DOTS, metadata=metadata)
    return file.getvalue()
