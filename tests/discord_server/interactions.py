"""Interactions: a command, a click, a submitted form; and everything the bot answered."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum

from tests.discord_server.message import Message
from tests.discord_server.model import App, Channel, Json, User
from tests.discord_server.signal import Signal


class Kind(IntEnum):
    """Types of interactions."""

    COMMAND = 2
    COMPONENT = 3
    AUTOCOMPLETE = 4
    MODAL = 5


class Callback(IntEnum):
    """Types of first answers."""

    MESSAGE = 4
    DEFERRED = 5
    DEFERRED_UPDATE = 6
    UPDATE = 7
    CHOICES = 8
    MODAL = 9


@dataclass(slots=True, eq=False, kw_only=True)
class Interaction:
    """One interaction. `message` is the one whose component was used; `original` the bot's first answer."""

    id: int
    token: str
    kind: Kind
    app: App
    user: User
    channel: Channel
    data: Json
    locale: str
    opened_at: datetime
    signal: Signal = field(repr=False)
    message: Message | None = None
    callback: Callback | None = None
    original: Message | None = None
    followups: list[Message] = field(default_factory=list)
    choices: list[Json] = field(default_factory=list)
    modal: Json | None = None

    @property
    def deferred(self) -> bool:
        """Whether the bot answered first that it needs time."""
        return self.callback in {Callback.DEFERRED, Callback.DEFERRED_UPDATE}

    @property
    def ephemeral(self) -> bool:
        """Whether only the person sees the answer."""
        return self.original is not None and self.original.is_ephemeral

    @property
    def response(self) -> Message | None:
        """The bot's answer; None while there is none, or only the thinking state."""
        return None if self.original is None or self.original.is_loading else self.original

    async def answer(self, *, within: float = 10.0) -> Message:
        """Return the bot's answer once it is more than a thinking state."""
        return await self.signal.until(lambda: self.response, what="an answer to the interaction", within=within)

    async def follow_up(self, index: int = 0, *, within: float = 10.0) -> Message:
        """Return the bot's follow-up number `index`, from 0."""
        return await self.signal.until(
            lambda: self.followups[index] if len(self.followups) > index else None,
            what=f"follow-up {index}",
            within=within,
        )
