"""Every character on Discord in one process: connect, supervise, shut down in order."""

import asyncio
import random
from collections.abc import Sequence

from bot.discord.seats import DiscordOptions, Seat
from core.clock import Clock
from core.ports import Stores
from prompts.messages import Messages


class DiscordService:
    """Runs one connection per seat until told to stop.

    A character whose token or intents are refused is reported and left out; the others go on.
    """

    def __init__(
        self,
        *,
        seats: Sequence[Seat],
        stores: Stores,
        options: DiscordOptions,
        messages: Messages,
        clock: Clock,
        rng: random.Random,
    ) -> None:
        self._seats = seats
        self._stores = stores
        self._options = options
        self._messages = messages
        self._clock = clock
        self._rng = rng

    async def run(self, stop: asyncio.Event) -> None:
        """Run until `stop` is set, then finish or withdraw what is under way, close the companions and return.

        Raises:
            DiscordRefusedError: no character could be connected; its text says what to change (a `BotError`).
        """
        raise NotImplementedError
