"""What deleting takes beyond DELETE, so that nothing deleted can be read any more."""

from datetime import date
from typing import Protocol


class Eraser(Protocol):
    """Removes the remains of what was deleted; shared by the stores that delete text.

    A failure is logged and not raised: the rows are deleted all the same, and the next round tries again.
    """

    async def erase_log(self) -> None:
        """Remove after a deletion what can be removed at once."""

    async def erase(self) -> None:
        """Remove after a deletion all remains, if that is quickly done."""

    async def erase_daily(self, today: date) -> None:
        """Remove all remains, if this wasn't done yet today or is quickly done."""

    async def purge(self) -> None:
        """Remove all remains, however long it takes."""
