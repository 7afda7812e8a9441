"""What the contract suite asks of a bundle of stores, and the values it stores in them."""

from datetime import UTC, date, datetime, timedelta
from typing import Protocol

from core.ports import (
    AllowListStore,
    ArchiveEntry,
    CharacterStateStore,
    ConsentStore,
    DraftStore,
    EmbeddingStore,
    GuildStore,
    KeptFactStore,
    LeaseStore,
    MessageArchive,
    PostStore,
    PostSummaryStore,
    PrivacyStore,
    RecallStore,
    SessionStore,
    SlotStore,
    SocialStore,
    SubscriptionStore,
    SummaryStore,
    TraceStore,
    UsageRecord,
    UsageStore,
    UserStore,
)
from core.turn.trace import TraceRecord, TraceStep, TurnOutcome
from core.values import ConversationKey, ConversationSummary, Surface, SurfaceKind

NOON = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
TODAY = date(2026, 3, 1)
HINATA = 900
AKI = 1
BEN = 2
GUILD = 70
CHANNEL = Surface(kind=SurfaceKind.CHANNEL, channel_id=10, guild_id=GUILD)
THREAD = Surface(kind=SurfaceKind.THREAD, channel_id=11, guild_id=GUILD, parent_id=10)
OTHER_GUILD = Surface(kind=SurfaceKind.CHANNEL, channel_id=20, guild_id=71)
AKI_DM = Surface(kind=SurfaceKind.DM, channel_id=30)
BEN_DM = Surface(kind=SurfaceKind.DM, channel_id=31)


class AnyStores(Protocol):
    """A bundle of stores on one state."""

    @property
    def archive(self) -> MessageArchive: ...
    @property
    def summaries(self) -> SummaryStore: ...
    @property
    def recall(self) -> RecallStore: ...
    @property
    def sessions(self) -> SessionStore: ...
    @property
    def users(self) -> UserStore: ...
    @property
    def kept_facts(self) -> KeptFactStore: ...
    @property
    def consents(self) -> ConsentStore: ...
    @property
    def guilds(self) -> GuildStore: ...
    @property
    def allow_lists(self) -> AllowListStore: ...
    @property
    def characters(self) -> CharacterStateStore: ...
    @property
    def usage(self) -> UsageStore: ...
    @property
    def traces(self) -> TraceStore: ...
    @property
    def subscriptions(self) -> SubscriptionStore: ...
    @property
    def slots(self) -> SlotStore: ...
    @property
    def leases(self) -> LeaseStore: ...
    @property
    def drafts(self) -> DraftStore: ...
    @property
    def posts(self) -> PostStore: ...
    @property
    def post_summaries(self) -> PostSummaryStore: ...
    @property
    def social(self) -> SocialStore: ...
    @property
    def embeddings(self) -> EmbeddingStore: ...
    @property
    def privacy(self) -> PrivacyStore: ...


def after(seconds: float) -> datetime:
    """A moment so many seconds after noon."""
    return NOON + timedelta(seconds=seconds)


def key(surface: Surface, character: str = "hinata") -> ConversationKey:
    return ConversationKey(character, surface.channel_id)


def message(
    message_id: int,
    text: str | None,
    *,
    surface: Surface = CHANNEL,
    author: int = AKI,
    sent_at: datetime | None = None,
    sensitive: bool = False,
    character: str = "hinata",
) -> ArchiveEntry:
    return ArchiveEntry(
        conversation=key(surface, character),
        surface=surface,
        message_id=message_id,
        author_id=author,
        author_name=f"name-{author}",
        is_self=author == HINATA,
        text=text,
        sent_at=after(message_id) if sent_at is None else sent_at,
        sensitive=sensitive,
    )


def call(*, user: int = AKI, guild: int | None = GUILD, day: date = TODAY, tokens: int = 10) -> UsageRecord:
    return UsageRecord(
        at=NOON,
        day=day,
        character="hinata",
        user_id=user,
        guild_id=guild,
        feature="chat",
        model="stub",
        input_tokens=tokens,
        output_tokens=1,
        cost_micros=5,
        outcome="answered",
    )


def trace(
    turn_id: str,
    *,
    surface: Surface = CHANNEL,
    user: int = AKI,
    at: datetime = NOON,
    outcome: TurnOutcome = TurnOutcome.ANSWERED,
    messages: tuple[int, ...] = (1,),
) -> TraceRecord:
    return TraceRecord(
        turn_id=turn_id,
        at=at,
        conversation=key(surface),
        guild_id=surface.guild_id,
        user_id=user,
        message_ids=messages,
        reply_ids=(101, 102),
        outcome=outcome,
        model="stub",
        steps=(
            TraceStep("verification", "found", rules=("time.claim", "stance.praise"), milliseconds=1.5, detail="2"),
            TraceStep("delivery", "passed"),
        ),
    )


def summary(
    *covers: int, text: str = "They talked about the harbour.", made_at: datetime = NOON
) -> ConversationSummary:
    return ConversationSummary(
        text=text, first=min(covers), last=max(covers), until=NOON, model="stub", made_at=made_at
    )


async def summarise(stores: AnyStores, conversation: ConversationKey, *covers: int) -> None:
    """Store a summary of messages that are in the archive."""
    read = [one for one in await stores.archive.recent(conversation, limit=99) if one.id in covers]
    assert len(read) == len(covers)
    assert await stores.summaries.put(conversation, summary(*covers), read=read, replaces=None)
