"""A turn at each of its stages. A step takes one stage and returns the next; nothing is changed in place."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from core.facts.capsule.types import FactCapsule
from core.language_model.types import ChatMessage
from core.ports import ArchiveEntry
from core.recall.recollection import NOTHING_ASKED, Recollection
from core.stance.policy import StanceReading
from core.turn.pickup import PickupDecision
from core.turn.trace import TraceStep
from core.values import (
    Character,
    ConversationKey,
    GuildSettings,
    InboundMessage,
    Locale,
    Session,
    Speaker,
    Surface,
    UserProfile,
    Utterance,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSnapshot:
    """What was so when the turn began; every later fact comes from here.

    `timezone` is the conversation's: the user's in private if known, else the server's, else the character's.
    `locale` is answered in; `seen_locale` is what the user writes in, None while they wrote nothing that tells.
    """

    observed_at: datetime
    timezone: str
    locale: Locale
    seen_locale: Locale | None
    user: UserProfile
    guild: GuildSettings | None
    session: Session | None
    capsule: FactCapsule


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """After step 1. `messages` is a burst of one user, oldest first, answered once."""

    id: str
    character: Character
    conversation: ConversationKey
    messages: tuple[InboundMessage, ...]
    pickup: PickupDecision
    snapshot: TurnSnapshot
    trace: tuple[TraceStep, ...]
    replaces: tuple[int, ...] = ()

    @property
    def newest(self) -> InboundMessage:
        """The message that is answered."""
        return self.messages[-1]

    @property
    def surface(self) -> Surface:
        """Where the turn takes place."""
        return self.newest.surface

    @property
    def locale(self) -> Locale:
        """The language it is answered in."""
        return self.snapshot.locale

    @property
    def message_ids(self) -> tuple[int, ...]:
        """The ids of the messages that are answered."""
        return tuple(message.id for message in self.messages)


@dataclass(frozen=True, slots=True)
class Ingredient:
    """A text that was gathered for a prompt, with where it comes from."""

    origin: Surface
    utterance: Utterance


@dataclass(frozen=True, slots=True, kw_only=True)
class EnrichedTurn:
    """After step 2: what is known for this turn. `history` and `quoted` hold only what may be shown here.

    `stance` is None where turns are not read; `stream`: its reply may be shown while it is being written.
    `recollection` is what was looked up, `earlier` a summary of what was said before `history`.
    """

    turn: Turn
    history: tuple[Ingredient, ...]
    quoted: tuple[Ingredient, ...]
    trace: tuple[TraceStep, ...]
    stream: bool = True
    stance: StanceReading | None = None
    recollection: Recollection = NOTHING_ASKED
    earlier: Ingredient | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AssembledTurn:
    """After the first half of step 3: the prompt, and what in it must never be repeated (`confidential`)."""

    enriched: EnrichedTurn
    prompt: tuple[ChatMessage, ...]
    confidential: tuple[str, ...] = field(repr=False)

    @property
    def turn(self) -> Turn:
        """The turn itself."""
        return self.enriched.turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a model wrote. `cut_off`: it ran into its length limit."""

    text: str
    model: str
    cut_off: bool = False


def all_ingredients(enriched: EnrichedTurn) -> Sequence[Ingredient]:
    """Return everything that was gathered for the prompt besides the user's own new messages."""
    found = (Ingredient(entry.surface, _utterance(entry)) for entry in enriched.recollection.evidence)
    earlier = () if enriched.earlier is None else (enriched.earlier,)
    return (*earlier, *enriched.history, *enriched.quoted, *found)


def _utterance(entry: ArchiveEntry) -> Utterance:
    author = Speaker(id=entry.author_id, name=entry.author_name, is_bot=entry.is_self)
    text = entry.text or ""
    return Utterance(id=entry.message_id, author=author, text=text, sent_at=entry.sent_at, is_self=entry.is_self)
