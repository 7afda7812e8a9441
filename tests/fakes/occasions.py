"""A character that speaks first, with everything around it under the test's control."""

from dataclasses import dataclass, field, replace
from datetime import datetime

from core.characters.pack import Candidate, CharacterPack, ProactivePolicy, Schedule
from core.clock import Clock, SimulatedClock
from core.facts.schedule.timetable import Timetable
from core.ports import ChatModel, Stores
from core.proactive.attempt import Witness
from core.proactive.factory import Outlets, make_occasions, make_selection
from core.proactive.occasions import Occasions
from core.proactive.scheduling import next_due
from core.proactive.types import Recipient, SlotRecord, Subscription, Wishes
from core.stance.policy import StancePolicy
from core.turn.checks.base import Check
from core.turn.checks.registry import all_checks
from core.turn.counting import CallBook
from core.turn.policy import TurnPolicy
from core.turn.quota import Quota
from core.values import Locale
from prompts.loader import PromptLibrary
from scheduler.proactive import ProactiveTick
from tests.fakes.outgoing import EditableSchedule, Interference, Keepsakes, Postbox
from tests.fakes.stores import InMemoryStores
from tests.fakes.surface import CHARACTER

MOSS = Candidate(id="moss", text="苔には根がないんだって。", cooldown_days=21)
BREAD = Candidate(id="bread", text="パンの耳、好き？", cooldown_days=21)


@dataclass
class Theatre:
    """One process of a character; several may share `stores`, `postbox` and `clock`."""

    policy: ProactivePolicy
    start: datetime
    candidates: tuple[Candidate, ...] = (MOSS, BREAD)
    timetable: Timetable | None = None
    model: ChatModel | None = None
    stance: StancePolicy = field(default_factory=StancePolicy.off)
    checks: tuple[Check, ...] | None = None
    turn_policy: TurnPolicy = field(default_factory=TurnPolicy)
    worker: str = "w1"
    stores: Stores = field(default_factory=InMemoryStores)
    postbox: Postbox = field(default_factory=Postbox)
    keepsakes: Keepsakes = field(default_factory=Keepsakes)
    witness: Witness = field(default_factory=Interference)
    schedule: EditableSchedule = field(default_factory=EditableSchedule)
    clock: SimulatedClock = field(init=False)
    occasions: Occasions = field(init=False)
    tick: ProactiveTick = field(init=False)

    def __post_init__(self) -> None:
        self.clock = SimulatedClock(self.start)
        self.schedule.timetable = self.schedule.timetable or self.timetable
        self.open()

    @property
    def pack(self) -> CharacterPack:
        """The character's pack."""
        return CharacterPack(
            character=CHARACTER,
            schedule=Schedule(),
            candidates={Locale.JA: self.candidates, Locale.EN: self.candidates},
            proactive=self.policy,
        )

    def open(self) -> None:
        """Start the process, or start it again."""
        self.occasions, self.tick = self._process(self.worker, self.clock)

    def another(self, worker: str) -> ProactiveTick:
        """Return the tick of a second process on the same database."""
        return self._process(worker, self.clock)[1]

    async def subscribe(self, recipient: Recipient, **chosen: object) -> Subscription:
        """Let a recipient be spoken to, due at the first slot from now on."""
        wanted = Subscription(
            recipient=recipient,
            enabled=True,
            wishes=Wishes(timezone="Asia/Tokyo"),
            guild_id=20 if recipient.kind.value == "channel" else None,
        )
        wanted = replace(wanted, **chosen)  # type: ignore[arg-type]
        due_at = next_due(self.policy, wanted, after=self.clock.now())
        return await self.stores.subscriptions.put(replace(wanted, due_at=due_at))

    async def wait_until(self, moment: datetime) -> None:
        """Let time pass without a tick, as for a program that is off."""
        await self.clock.advance((moment - self.clock.now()).total_seconds())

    async def run(self) -> None:
        """Do one tick to its end."""
        await self.tick.tick(self.clock.now())
        await self.tick.idle()

    async def run_until_due(self, subscription: Subscription) -> None:
        """Wait until a recipient is due, and tick."""
        assert subscription.due_at is not None
        await self.wait_until(subscription.due_at)
        await self.run()

    async def only_slot(self, recipient: Recipient) -> SlotRecord:
        """Return the one slot that was decided."""
        (record,) = await self.stores.slots.recent(recipient, limit=9)
        return record

    def _process(self, worker: str, clock: Clock) -> tuple[Occasions, ProactiveTick]:
        selection = make_selection(
            pack=self.pack,
            model=self.model,
            prompts=PromptLibrary.load(),
            book=CallBook(usage=self.stores.usage, quota=Quota(self.turn_policy), clock=clock),
            clock=clock,
        )
        occasions = make_occasions(
            pack=self.pack,
            stores=self.stores,
            outlets=Outlets(messenger=self.postbox, keeper=self.keepsakes, timetables=self.schedule),
            selection=selection,
            stance=self.stance,
            checks=all_checks(self.stance) if self.checks is None else self.checks,
            clock=clock,
            worker=worker,
            witness=self.witness,
        )
        tick = ProactiveTick(
            character=CHARACTER.name,
            occasions=occasions,
            subscriptions=self.stores.subscriptions,
            slots=self.stores.slots,
        )
        return occasions, tick
