"""The survival curve as a drawing inside a page, in colours that the page's style gives."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from search.report.pages import Markup, filled
from search.report.survival import Halving

#: The size of the drawing, and the room for what is written at its edges.
WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 84, 14, 14, 54

#: Decades on the axis of a chart of no games.
LEAST_DECADES = 2


def survival_chart(shares: npt.NDArray[np.float64], halving: Halving | None) -> Markup:
    """Draw the share of games still running after n tricks, with the fitted law beside it.

    Parameters
    ----------
    shares : array of float64, shape (tricks,)
        As `search.report.survival.survival` gives them.
    halving : Halving or None
        The fitted law.

    Returns
    -------
    Markup
        An SVG element whose parts have the classes ``curve``, ``fitted`` and ``grid``.
    """
    running = shares[shares > 0]
    most = max(20, len(running))
    decades = max(LEAST_DECADES, math.ceil(-math.log10(running[-1]))) if len(running) else LEAST_DECADES
    frame = _Frame(most, decades)
    parts = [frame.axes()]
    if halving:
        parts.append(frame.fitted(halving))
    if len(running):
        # A step curve: the share stays until another trick is collected.
        steps = []
        for tricks, share in enumerate(running):
            steps.append(f"{frame.x(tricks):.1f} {frame.y(share):.1f}H{frame.x(tricks + 1):.1f}")
        parts.append(Markup(f'<path class="curve" d="M{"L".join(steps)}"/>'))
    label = "Share of games still running after so many tricks, on a logarithmic scale."
    return filled(
        '<svg class="chart" role="img" viewBox="0 0 {{width}} {{height}}">'
        "<title>{{label}}</title>{{parts}}</svg>",
        {"width": WIDTH, "height": HEIGHT, "label": label, "parts": Markup("".join(parts))},
    )


class _Frame:
    """Where tricks and shares lie in the drawing."""

    def __init__(self, most: int, decades: int) -> None:
        self.most = most
        self.decades = decades

    def x(self, tricks: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * tricks / self.most

    def y(self, share: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * -math.log10(share) / self.decades

    def fitted(self, halving: Halving) -> Markup:
        """The law as a straight line, from the start of the tail to the edge of the drawing."""
        end = min(self.most, halving.tricks_of(10.0**-self.decades) - 1)
        share = halving.share_of(end + 1)
        return filled(
            '<path class="fitted" d="M{{x1}} {{y1}}L{{x2}} {{y2}}"/>',
            {
                "x1": f"{self.x(halving.start):.1f}",
                "y1": f"{self.y(halving.share):.1f}",
                "x2": f"{self.x(end):.1f}",
                "y2": f"{self.y(share):.1f}",
            },
        )

    def axes(self) -> Markup:
        parts = []
        for decade in range(0, self.decades + 1, -(-self.decades // 6)):
            y = self.y(10.0**-decade)
            parts.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>')
            parts.append(
                f'<text x="{LEFT - 8}" y="{y + 5:.1f}" text-anchor="end">{_share_text(decade)}</text>'
            )
        step = _round_step(self.most)
        for tricks in range(0, self.most + 1, step):
            x = self.x(tricks)
            parts.append(f'<path class="grid" d="M{x:.1f} {TOP}V{HEIGHT - BOTTOM}"/>')
            parts.append(
                f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 23}" text-anchor="middle">{tricks:,}</text>'
            )
        parts.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 8}" text-anchor="end">tricks</text>')
        return Markup("".join(parts))


def _share_text(decade: int) -> str:
    if decade == 0:
        return "all"
    return f"1/{10**decade}" if decade < 4 else f'10<tspan dy="-5" font-size="75%">-{decade}</tspan>'


def _round_step(most: int) -> int:
    """A round number of which some five fit."""
    scale = int(10 ** math.floor(math.log10(most / 5)))
    return next(factor * scale for factor in (1, 2, 5, 10) if factor * scale * 6 >= most)
