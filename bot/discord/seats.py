"""What the composition root hands to the Discord transport."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from bot.discord.file_limits import FileLimits
from core.ports import HistorySource, Messenger, PostSource, SocialActions
from core.proactive.repertoire import Repertoire
from core.social.cycle import CycleReport
from core.turn.companion import Companion
from core.values import Character, Locale, Tier
from prompts.messages import Messages

if TYPE_CHECKING:
    from bot.sandbox.order import Order
    from core.sandbox.draft import Draft
    from core.sandbox.records import Comparison
    from core.sandbox.running import Advance


class Voice(Protocol):
    """Lets a character speak first while it is connected."""

    def begin(self, companion: Companion, messenger: Messenger) -> None:
        """Let it speak from now on; what it said is kept with the companion."""

    async def let_go(self, user_id: int) -> None:
        """Stop what is under way for a person; when this returns, nothing more is said or kept of it."""

    async def end(self) -> None:
        """Let it speak no more, and stop what is under way; nothing if it never began."""


class Community(Protocol):
    """Lets a character take part in the community while it is connected."""

    @property
    def most_calls(self) -> int:
        """How often a cycle asks a model at most."""

    @property
    def minutes(self) -> float:
        """How long it is from one round to the next."""

    def join(self, source: PostSource, actions: SocialActions) -> None:
        """Let it take part from now on, with these ways to read and to act."""

    def leave(self) -> None:
        """Let it take part no more."""

    async def run(self, *, rehearsal: bool) -> CycleReport | None:
        """Go through a cycle when it is its turn; None if it takes no part."""


class SandboxRoom(Protocol):
    """Where operators compare prompts; there is one in staging only."""

    @property
    def currency(self) -> str:
        """What money is counted in."""

    @property
    def drafts(self) -> Sequence[str]:
        """The names of the drafts that come with the program."""

    def draft(self, name: str) -> "Draft":
        """Return one of these. Raises `StartError` where there is none of that name."""

    def parse(self, content: bytes, name: str) -> "Draft":
        """Return the draft in a file. Raises `DraftError`."""

    def adjusted(self, draft: "Draft", order: "Order") -> "Draft":
        """Return a draft with an order's model and repetitions. Raises `StartError` for a model there isn't."""

    async def run(self, draft: "Draft", *, stop: asyncio.Event, advance: "Advance") -> "Comparison":
        """Run a draft; when `stop` is set, return what is finished. Raises `CoreError` and `StartError`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """One character's place on Discord: its token, and how its companion is built once there is a connection.

    `token_variable` names the environment variable the token came from, for messages to the operator.
    `accepts_images` says whether the first model of the character's tier does. `voice` is what makes it speak first,
    `repertoire` what it may say then. `companion` takes the texts with commands
    named as this connection names them. `sandbox` is None everywhere but in staging, `community` where that is off.
    `report` makes the page about the whole bot for those who run it.
    `model_names` are those of every tier, since operators may choose another than the pack's.
    """

    character: Character
    token: str = field(repr=False)
    token_variable: str
    model_name: str
    accepts_images: bool
    companion: Callable[[HistorySource, Messages], Companion]
    voice: Voice
    repertoire: Repertoire
    report: Callable[[Locale], Awaitable[str]]
    sandbox: SandboxRoom | None = None
    community: Community | None = None
    model_names: Mapping[Tier, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class DiscordOptions:
    """What the operator chose. `None` for an address means Discord's own.

    `command_cache` is the file that remembers which command definitions Discord has already been given.
    `catch_up_window`: how old a missed message may be and still be answered; zero switches catching up off.
    `budget_timezone`: the zone in which days are counted for limits; `currency` is that of the models' prices.
    `watch_seconds`: for how long a connection may be silent or not ready before it is made anew; `exit_seconds`: for
    how long nobody may be connected before the service gives up, zero for no end. `welcome`: whether new servers are
    greeted. `files`: what is fetched of files that people send.
    """

    command_cache: Path
    api_base: str | None = None
    gateway: str | None = None
    message_content: bool = True
    owner_ids: frozenset[int] = frozenset()
    files: FileLimits = field(default_factory=FileLimits)
    catch_up_window: timedelta = timedelta(minutes=5)
    retention_days: int = 30
    budget_timezone: str = "UTC"
    currency: str = "USD"
    watch_seconds: float = 300.0
    exit_seconds: float = 0.0
    welcome: bool = True
