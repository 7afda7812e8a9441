"""Counts out of totals, and between which bounds the true share lies."""

import math
from dataclasses import dataclass

_Z = 1.959963984540054  # 95 % of a normal distribution lie within so many deviations


@dataclass(frozen=True, slots=True)
class Rate:
    """A count out of a total."""

    count: int
    total: int

    @property
    def share(self) -> float:
        """The share, 0 where there is nothing to count."""
        return self.count / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % Wilson interval of the share; everything is possible where nothing was counted."""
        if not self.total:
            return 0.0, 1.0
        share, n = self.share, self.total
        spread = _Z * math.sqrt(share * (1 - share) / n + _Z**2 / (4 * n**2))
        centre, scale = share + _Z**2 / (2 * n), 1 + _Z**2 / n
        return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)

    def minus(self, other: "Rate") -> tuple[float, float]:
        """Return the 95 % interval of this share less the other's (Newcombe's, of the two Wilson intervals)."""
        (low, high), (other_low, other_high) = self.interval, other.interval
        difference = self.share - other.share
        below = math.hypot(self.share - low, other_high - other.share)
        above = math.hypot(high - self.share, other.share - other_low)
        return max(-1.0, difference - below), min(1.0, difference + above)
