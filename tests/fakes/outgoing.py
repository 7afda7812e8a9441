"""What speaking first reaches the world through: a place that takes messages, and a schedule that can be edited."""

from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from core.errors import DeliveryError, ScheduleUnavailableError
from core.facts.schedule.timetable import Timetable
from core.ports import Delivered
from core.proactive.attempt import Step
from core.proactive.types import Recipient, RecipientKind, Slot
from core.values import Locale, Surface, SurfaceKind


@dataclass(frozen=True, slots=True)
class Sent:
    """One message as its recipient has it."""

    recipient: Recipient
    text: str
    nonce: str
    message_id: int


@dataclass
class Postbox:
    """`Messenger`: the same nonce is the same message. `faults` are raised in turn, before or after it arrived."""

    sent: list[Sent] = field(default_factory=list)
    faults: deque[DeliveryError] = field(default_factory=deque)
    arrives_all_the_same: bool = False
    requests: int = 0
    before: Callable[[], Awaitable[None]] | None = None

    async def send(self, recipient: Recipient, text: str, *, nonce: str, give_up_at: float) -> Delivered:
        self.requests += 1
        if self.before is not None:
            await self.before()
        fault = self.faults.popleft() if self.faults else None
        if fault is not None and not self.arrives_all_the_same:
            raise fault
        known = next((one for one in self.sent if one.nonce == nonce), None)
        if known is None:
            known = Sent(recipient, text, nonce, 9_000 + len(self.sent))
            self.sent.append(known)
        if fault is not None:
            raise fault
        kind = SurfaceKind.DM if recipient.kind is RecipientKind.USER else SurfaceKind.CHANNEL
        return Delivered(message_id=known.message_id, surface=Surface(kind=kind, channel_id=recipient.id))


@dataclass
class EditableSchedule:
    """`TimetableSource`: what it holds can be changed, and broken."""

    timetable: Timetable | None = None
    broken: bool = False

    async def current(self) -> Timetable | None:
        if self.broken:
            raise ScheduleUnavailableError("line 3 is not valid")
        return self.timetable


@dataclass
class Keepsakes:
    """`FirstWordsKeeper`."""

    kept: list[tuple[Recipient, int, str]] = field(default_factory=list)

    async def said_first(self, recipient: Recipient, delivered: Delivered, text: str, *, locale: Locale) -> None:
        self.kept.append((recipient, delivered.message_id, text))


@dataclass
class Interference:
    """`Witness`: does something when a step is reached, once; remembers all steps."""

    at: dict[Step, Callable[[], Awaitable[None]]] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)

    async def reached(self, step: Step, slot: Slot) -> None:
        self.steps.append(step)
        if (act := self.at.pop(step, None)) is not None:
            await act()
