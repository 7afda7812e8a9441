"""A process's hold on its shards: taken at the start, renewed while it runs, and given up as soon as it may be lost.

Once it may be lost nothing more is sent, before the database is asked or anything is logged: whoever has the shards
now answers.
"""

from collections.abc import Sequence
from typing import Protocol

import structlog

from core.clock import Clock
from core.errors import CoreError, StorageError
from core.language_model.deadline import within
from core.ports.leases import Held, LeaseStore
from core.sharding.shards import Shards

LEADER = "*"
"""The name of the lease whose holder does what is to be done once for all processes; no character is called so."""

_KEPT_BACK = 0.1  # of a lease: what is on its way when it ends gets there before somebody else begins
_log = structlog.get_logger(__name__)


class ShardsHeldError(CoreError):
    """Somebody else has the shards."""

    exit_code = 75

    def __init__(self, name: str, wanted: Shards, held: Held) -> None:
        another = "" if held.shards.count == wanted.count else " A new number of shards needs all processes stopped."
        super().__init__(
            f"The shards {wanted} of {name} can't be had: {held.holder} has {held.shards}, for {held.seconds:.0f} more"
            f" seconds unless it goes on. Stop it first, or start with --wait to take its place.{another}"
        )


class ShardsLostError(CoreError):
    """The shards are, or may be, somebody else's: the process has to end, and may be started again."""

    exit_code = 75

    def __init__(self, shards: Shards) -> None:
        super().__init__(
            f"The hold on the shards {shards} was lost (the process stood still, or the database was out of reach)."
            " Nothing more was sent; start again to take them back."
        )


class Tenure(Protocol):
    """Whether a process may act for its shards."""

    @property
    def may_act(self) -> bool:
        """Whether the shards are still this process's. Cheap, and asked before everything that is sent."""

    @property
    def leads(self) -> bool:
        """Whether this process does what is to be done once for all."""

    async def lost(self) -> None:
        """Return when the shards were lost; never where they can't be."""

    async def may_identify(self, name: str, bucket: int, *, seconds: float) -> float:
        """See `LeaseStore.may_identify`."""


class LeasedShards:
    """`Tenure` of processes that share a database, by a lease for each character and one for the leader."""

    def __init__(
        self,
        *,
        store: LeaseStore,
        clock: Clock,
        shards: Shards,
        names: Sequence[str],
        token: str,
        holder: str,
        seconds: float,
    ) -> None:
        """Take the names of the characters that this process runs, and for how many seconds a lease is asked for."""
        self._store = store
        self._clock = clock
        self._shards = shards
        self._names = tuple(names)
        self._token = token
        self._holder = holder
        self._seconds = seconds
        self._good_until = self._leads_until = clock.monotonic()
        self._is_lost = False

    @property
    def may_act(self) -> bool:
        """Whether the leases hold by this machine's own clock, whatever the database would say."""
        if self._clock.monotonic() >= self._good_until:
            self._is_lost = True
        return not self._is_lost

    @property
    def leads(self) -> bool:
        """Whether this process is the leader."""
        return self.may_act and self._clock.monotonic() < self._leads_until

    async def begin(self, *, wait: bool = False) -> None:
        """Take the leases; `wait`: until they can be had.

        Raises:
            ShardsHeldError: Somebody else has them.
            StorageError: The database can't be used.
        """
        told = False
        while (refused := await self._take()) is not None:
            if not wait:
                raise ShardsHeldError(refused[0], self._shards, refused[1])
            if not told:
                _log.info("shards.waiting", shards=str(self._shards), holder=refused[1].holder)
                told = True
            await self._clock.sleep(min(1.0, self._seconds / 5))
        _log.info("shards.taken", shards=str(self._shards), leads=self.leads)

    async def lost(self) -> None:
        """Renew the leases again and again; return when they are lost."""
        pause = self._seconds / 3
        while True:
            await self._clock.sleep(min(pause, max(0.0, self._good_until - self._clock.monotonic())))
            if not self.may_act:
                break
            try:
                renewed = await within(self._clock, self._good_until - self._clock.monotonic(), self._renew())
            except (StorageError, TimeoutError) as error:
                _log.warning("shards.not_renewed", shards=str(self._shards), error=type(error).__name__)
                pause = self._seconds / 15
                continue
            self._is_lost |= not renewed
            pause = self._seconds / 3
        _log.error("shards.lost", shards=str(self._shards))

    async def end(self) -> None:
        """Give the leases up, unless they were lost."""
        if not self.may_act:
            return
        self._is_lost = True
        try:
            for name in self._names:
                await self._store.release(name, self._shards, token=self._token)
            await self._store.release(LEADER, Shards(), token=self._token)
        except StorageError as error:
            _log.warning("shards.not_released", error=type(error).__name__)

    async def may_identify(self, name: str, bucket: int, *, seconds: float) -> float:
        """Take one of Discord's turns to begin a session."""
        return await self._store.may_identify(name, bucket, seconds=seconds)

    async def _take(self) -> tuple[str, Held] | None:
        """Take all leases, or none; return which name was refused."""
        asked = self._clock.monotonic()
        taken: list[str] = []
        for name in self._names:
            held = await self._store.take(
                name, self._shards, token=self._token, holder=self._holder, seconds=self._seconds
            )
            if held is not None:
                for other in taken:
                    await self._store.release(other, self._shards, token=self._token)
                return name, held
            taken.append(name)
        self._good_until, self._is_lost = self._end_of(asked), False
        await self._lead()
        return None

    async def _renew(self) -> bool:
        asked = self._clock.monotonic()
        for name in self._names:
            if not await self._store.renew(name, self._shards, token=self._token, seconds=self._seconds):
                return False
        self._good_until = self._end_of(asked)
        await self._lead()
        return True

    async def _lead(self) -> None:
        asked = self._clock.monotonic()
        if await self._store.renew(LEADER, Shards(), token=self._token, seconds=self._seconds):
            self._leads_until = self._end_of(asked)
            return
        held = await self._store.take(LEADER, Shards(), token=self._token, holder=self._holder, seconds=self._seconds)
        self._leads_until = self._end_of(asked) if held is None else asked

    def _end_of(self, asked: float) -> float:
        return asked + self._seconds * (1 - _KEPT_BACK)


class AllShards:
    """`Tenure` of the only process there is."""

    may_act = True
    leads = True

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._free_at: dict[tuple[str, int], float] = {}

    async def lost(self) -> None:
        """Never return."""
        while True:
            await self._clock.sleep(86_400.0)

    async def may_identify(self, name: str, bucket: int, *, seconds: float) -> float:
        """Take one of Discord's turns to begin a session."""
        now = self._clock.monotonic()
        left = self._free_at.get((name, bucket), now) - now
        if left <= 0:
            self._free_at[name, bucket] = now + seconds
        return max(0.0, left)
