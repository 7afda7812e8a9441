"""People who talk with the character all the time, whatever happens to the processes behind it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from tests.acceptance.sharding.fleet import Fleet
from tests.discord_server.actors import Person
from tests.discord_server.model import Channel

_PAUSE = 0.4


@dataclass(slots=True)
class Talk:
    """So many questions were asked, and met by an answer or a notice. Whoever meets a notice goes on with the next."""

    fleet: Fleet
    asked: int = 0
    _over: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    @asynccontextmanager
    async def going_on(cls, fleet: Fleet, *places: tuple[Person, Channel]) -> AsyncIterator["Talk"]:
        """Let each of these people ask something again as soon as they have read the last answer."""
        talk = cls(fleet)
        async with asyncio.TaskGroup() as group:
            for person, channel in places:
                group.create_task(talk._ask(person, channel))
            try:
                yield talk
            finally:
                talk._over.set()

    async def _ask(self, person: Person, channel: Channel) -> None:
        while not self._over.is_set():
            self.asked += 1
            message = await self.fleet.ask(person, channel, f"and number {self.asked}?")
            await self.fleet.met(message)
            await asyncio.sleep(_PAUSE)
