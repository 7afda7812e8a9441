"""Who looks after which shards, for how long, so that no two processes look after the same."""

from dataclasses import dataclass
from typing import Protocol

from core.sharding.shards import Shards


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """A lease that somebody else has: which shards, who, and for how many more seconds unless they renew it."""

    shards: Shards
    holder: str
    seconds: float


class LeaseStore(Protocol):
    """Leases by name and range. All times are the database's own: processes may stand on several machines.

    A `token` is one process's, from its start to its end. While a name has any lease, claims of slots under that name
    are made and taken over only with the token of a lease that covers them.
    """

    async def take(self, name: str, shards: Shards, *, token: str, holder: str, seconds: float) -> Held | None:
        """Take a range for so long; None if that was done, else who has it, a part of it, or another division.

        Whatever is over is cleared away, so that its holder is refused from then on. `holder` is for messages.
        """

    async def renew(self, name: str, shards: Shards, *, token: str, seconds: float) -> bool:
        """Hold a lease for so long from now; False if it is over, or somebody else's."""

    async def release(self, name: str, shards: Shards, *, token: str) -> None:
        """Give a lease up; nothing if it is somebody else's."""

    async def may_identify(self, name: str, bucket: int, *, seconds: float) -> float:
        """Take the next of Discord's turns to begin a session, one in so many seconds for each bucket.

        Returns 0 if it was taken, else for how many seconds to wait before asking again.
        """
