"""A place to talk to a companion in: messages in, replies out, nothing of Discord."""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from core.clock import SimulatedClock
from core.errors import AllModelsFailedError, DeliveryError, ModelUnavailableError
from core.facts.schedule.timetable import Timetable
from core.ports import ChatModel, ReplySink
from core.recall.search import Recall
from core.stance.policy import StancePolicy
from core.turn.checks.base import Check
from core.turn.checks.registry import all_checks
from core.turn.companion import Companion
from core.turn.factory import make_companion
from core.turn.policy import TurnPolicy
from core.turn.reply import Reply
from core.turn.trace import TurnOutcome
from core.values import (
    Address,
    Attachment,
    Character,
    InboundMessage,
    Locale,
    Speaker,
    Surface,
    SurfaceKind,
    Tier,
    Utterance,
)
from prompts.loader import PromptLibrary
from prompts.messages import Messages
from tests.fakes.stores import InMemoryStores

DOWN = AllModelsFailedError("basic", (ModelUnavailableError("connection refused"),))
START = datetime(2026, 11, 30, 7, 8, tzinfo=UTC)
DM = Surface(kind=SurfaceKind.DM, channel_id=100)
GENERAL = Surface(kind=SurfaceKind.CHANNEL, channel_id=200, guild_id=20)
ALICE = Speaker(id=1, name="Alice")
BOB = Speaker(id=2, name="Bob")
ROBOT = Speaker(id=3, name="Robot", is_bot=True)

CHARACTER = Character(
    name="mio",
    display_name={Locale.JA: "みお", Locale.EN: "Mio"},
    call_names=("みお", "Mio"),
    locale=Locale.JA,
    timezone="Asia/Tokyo",
    tier=Tier.BASIC,
    introduction={Locale.JA: "本が好きなAIです。", Locale.EN: "An AI who likes books."},
    personality={
        Locale.JA: "古本屋で働く、のんびりした人。約束は必ず守り、早起きだけは苦手にしている。",
        Locale.EN: "An easygoing person who works in a second-hand bookshop and never breaks a promise to a friend.",
    },
)


@dataclass
class RecordingSink:
    """Keeps what it was given; every text that was ever visible stays in `seen`."""

    turn_id: str
    log: "RecordingChannel"
    visible: str | None = None
    reply: Reply | None = None
    ids: tuple[int, ...] = ()

    @asynccontextmanager
    async def typing(self) -> AsyncIterator[None]:
        self.log.typing += 1
        yield

    async def show(self, text: str) -> None:
        self.visible = text
        self.log.note(text)

    async def finish(self, reply: Reply) -> tuple[int, ...]:
        self.log.sending.set()
        await self.log.gate.wait()
        if self.log.undeliverable:
            raise DeliveryError("no permission to write there")
        self.visible, self.reply = reply.text, reply
        self.ids = (self.log.next_id(),)
        self.log.finished.append(self)
        self.log.note(reply.text)
        return self.ids

    async def withdraw(self) -> None:
        self.visible = None
        self.log.withdrawn += 1


@dataclass
class RecordingChannel:
    """Opens recording sinks and remembers all of them; a reply that goes out sets `sending` and waits for `gate`."""

    sinks: list[RecordingSink] = field(default_factory=list)
    finished: list[RecordingSink] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    typing: int = 0
    withdrawn: int = 0
    undeliverable: bool = False
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    sending: asyncio.Event = field(default_factory=asyncio.Event)
    gate: asyncio.Event = field(default_factory=asyncio.Event)
    last_id: int = 10_000

    def __post_init__(self) -> None:
        self.gate.set()

    def open(self, turn_id: str) -> ReplySink:
        sink = RecordingSink(turn_id, self)
        self.sinks.append(sink)
        return sink

    def next_id(self) -> int:
        self.last_id += 10
        return self.last_id

    def note(self, text: str) -> None:
        self.seen.append(text)
        self.changed.set()

    @property
    def texts(self) -> list[str]:
        """The replies that went out, in order."""
        return [sink.reply.text for sink in self.finished if sink.reply is not None]

    @property
    def replies(self) -> list[Reply]:
        """The replies that went out, with their kind and footnote."""
        return [sink.reply for sink in self.finished if sink.reply is not None]


class RememberedHistory:
    """`HistorySource` over a list."""

    def __init__(self) -> None:
        self.earlier: list[Utterance] = []
        self.reads = 0

    async def history(self, surface: Surface, *, before: int | None, limit: int) -> list[Utterance]:
        self.reads += 1
        return [u for u in self.earlier if before is None or u.id < before][-limit:]


class Room:
    """A companion on fakes, and a way to talk to it."""

    def __init__(
        self,
        model: ChatModel,
        *,
        policy: TurnPolicy | None = None,
        checks: tuple[Check, ...] | None = None,
        stores: InMemoryStores | None = None,
        timetable: Timetable | None = None,
        stance: StancePolicy | None = None,
        character: Character = CHARACTER,
        recall: Recall | None = None,
        seed: int = 1,
    ) -> None:
        self.clock = SimulatedClock(START)
        self.stores = stores or InMemoryStores()
        self.history = RememberedHistory()
        self.replies = RecordingChannel()
        self.policy = policy or TurnPolicy(debounce=0.0)
        self.messages = Messages.load()
        stance = stance or StancePolicy.off()
        self.companion: Companion = make_companion(
            character=character,
            timetable=timetable,
            model=model,
            stores=self.stores,
            history=self.history,
            stance=stance,
            recall=recall,
            checks=all_checks(stance) if checks is None else checks,
            prompts=PromptLibrary.load(),
            messages=self.messages,
            policy=self.policy,
            clock=self.clock,
            rng=random.Random(seed),
        )

    def message(
        self,
        text: str,
        *,
        by: Speaker = ALICE,
        at: Surface = DM,
        address: Address | None = None,
        reply_chain: Sequence[Utterance] = (),
        attachments: Sequence[Attachment] = (),
        age: float = 0.0,
    ) -> InboundMessage:
        return InboundMessage(
            id=self.replies.next_id(),
            author=by,
            surface=at,
            text=text,
            sent_at=self.clock.now() - timedelta(seconds=age),
            address=address or (Address.DM if at.is_private else Address.MENTION),
            reply_chain=tuple(reply_chain),
            attachments=tuple(attachments),
        )

    async def send(self, message: InboundMessage) -> InboundMessage:
        """Hand a message in without waiting for the answer."""
        await self.companion.receive(message, self.replies)
        return message

    @property
    def outcomes(self) -> list[TurnOutcome]:
        """How the turns ended that left a trace, in their order."""
        return [record.outcome for record in self.stores.traces.records]

    async def say(self, text: str, *, by: Speaker = ALICE, at: Surface = DM, address: Address | None = None) -> str:
        """Say something and wait until all is answered; return the last reply, '' if there was none new."""
        before = len(self.replies.texts)
        await self.send(self.message(text, by=by, at=at, address=address))
        await self.companion.idle()
        return self.replies.texts[-1] if len(self.replies.texts) > before else ""
