"""The steps of a turn up to its answer, put together in one place for everybody who runs them.

The pipeline goes on from there to sending and to the books. The sandbox stops there; it gets the very same steps.
"""

from dataclasses import dataclass
from typing import Protocol

from core.clock import Clock
from core.facts.schedule.timetable import Timetable
from core.ports import (
    AllowListStore,
    ChatModel,
    GuildStore,
    SessionStore,
    SummaryStore,
    UserStore,
)
from core.recall.search import Recall
from core.stance.policy import StancePolicy
from core.turn.assembly import Assembly
from core.turn.checks.base import Check
from core.turn.counting import CallBook
from core.turn.delivery import Delivery
from core.turn.earlier import Earlier
from core.turn.enrichment import Enrichment
from core.turn.fact_notes import FactNotes
from core.turn.history import Histories
from core.turn.intake import Intake
from core.turn.policy import TurnPolicy
from core.turn.recalling import Recalling
from core.turn.responding import Responder
from core.turn.verification import Verification
from core.turn.writing import Writer
from core.values import Character
from prompts.loader import PromptLibrary
from prompts.messages import Messages


class TurnStores(Protocol):
    """The stores that answering a turn reads."""

    @property
    def users(self) -> UserStore:
        """People."""

    @property
    def guilds(self) -> GuildStore:
        """Servers."""

    @property
    def sessions(self) -> SessionStore:
        """Sessions."""

    @property
    def allow_lists(self) -> AllowListStore:
        """Phrases over which a server's operators let replies pass."""

    @property
    def summaries(self) -> SummaryStore:
        """What was said before conversations' windows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSteps:
    """From a burst to an answer; nothing of it sends or stores anything."""

    intake: Intake
    enrichment: Enrichment
    assembly: Assembly
    responder: Responder
    delivery: Delivery


def make_steps(
    *,
    character: Character,
    timetable: Timetable | None,
    model: ChatModel,
    stores: TurnStores,
    histories: Histories,
    stance: StancePolicy,
    recall: Recall | None,
    checks: tuple[Check, ...],
    book: CallBook,
    prompts: PromptLibrary,
    messages: Messages,
    policy: TurnPolicy,
    facts: FactNotes,
    clock: Clock,
) -> TurnSteps:
    """Return the steps of one character's turns, answering with `model`; its calls are counted in `book`."""
    assembly = Assembly(prompts=prompts, stance=stance, policy=policy, images_shown=model.accepts_images, facts=facts)
    delivery = Delivery(messages=messages, stance=stance, retention_days=policy.retention_days)
    return TurnSteps(
        intake=Intake(
            character=character,
            timetable=timetable,
            users=stores.users,
            guilds=stores.guilds,
            clock=clock,
        ),
        enrichment=Enrichment(
            histories=histories,
            users=stores.users,
            sessions=stores.sessions,
            allow_lists=stores.allow_lists,
            stance=stance,
            recalling=Recalling(recall=recall, model=model, book=book, prompts=prompts, policy=policy, clock=clock),
            earlier=Earlier(summaries=stores.summaries, policy=policy),
            policy=policy,
            clock=clock,
        ),
        assembly=assembly,
        responder=Responder(
            assembly=assembly,
            writer=Writer(model=model, book=book, policy=policy),
            verification=Verification(checks=checks, clock=clock),
            delivery=delivery,
        ),
        delivery=delivery,
    )
