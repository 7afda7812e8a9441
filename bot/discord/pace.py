"""How often a message that is being written is edited."""

from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)
class Pace:
    """Seconds between two edits. An edit that takes long was held back by a rate limit, and so edits become rarer."""

    usual: float = 1.2
    longest: float = 6.0
    seconds: float = 0.0

    def __post_init__(self) -> None:
        self.seconds = max(self.seconds, self.usual)

    def took(self, duration: float) -> None:
        """Learn from how long an edit took."""
        if duration > self.usual:
            self.seconds = min(self.longest, max(duration, self.seconds * 1.5))
        else:
            self.seconds = max(self.usual, self.seconds * 0.8)
