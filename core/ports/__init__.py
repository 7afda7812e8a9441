"""What core needs from the outside, as Protocols. `data` and `bot` implement them; tests use fakes."""

from core.ports.archive import ArchiveEntry, HistorySource, IndexTerms, MessageArchive, SummaryStore
from core.ports.bookkeeping import (
    AlikeTurns,
    Cap,
    Reserved,
    TraceStore,
    TurnKind,
    UsageKey,
    UsageRecord,
    UsageStore,
    UsageSum,
    UsageTotals,
)
from core.ports.leases import Held, LeaseStore
from core.ports.models import ChatModel, Embedder
from core.ports.overseer import CapWarning, Overseer, Unseen
from core.ports.people import ConsentStore, Encounter, KeptFactStore, PrivacyStore, StoredSource, UserStore
from core.ports.places import AllowListStore, CharacterStateStore, GuildStore
from core.ports.proactive import (
    Delivered,
    DraftStore,
    FirstWordsKeeper,
    Messenger,
    SlotStore,
    SubscriptionStore,
    TimetableSource,
)
from core.ports.recall import Candidate, CandidatePool, RecallStore, TermHit, TermSearch, Unembedded
from core.ports.replies import ReplyChannel, ReplySink
from core.ports.sessions import SessionStore
from core.ports.social import (
    EmbeddingStore,
    Outdated,
    PostSource,
    PostStore,
    PostSummaryStore,
    SocialActions,
    SocialStore,
)
from core.ports.stores import Stores

__all__ = [
    "AlikeTurns",
    "AllowListStore",
    "ArchiveEntry",
    "Candidate",
    "CandidatePool",
    "Cap",
    "CapWarning",
    "CharacterStateStore",
    "ChatModel",
    "ConsentStore",
    "Delivered",
    "DraftStore",
    "Embedder",
    "EmbeddingStore",
    "Encounter",
    "FirstWordsKeeper",
    "GuildStore",
    "Held",
    "HistorySource",
    "IndexTerms",
    "KeptFactStore",
    "LeaseStore",
    "MessageArchive",
    "Messenger",
    "Outdated",
    "Overseer",
    "PostSource",
    "PostStore",
    "PostSummaryStore",
    "PrivacyStore",
    "RecallStore",
    "ReplyChannel",
    "ReplySink",
    "Reserved",
    "SessionStore",
    "SlotStore",
    "SocialActions",
    "SocialStore",
    "StoredSource",
    "Stores",
    "SubscriptionStore",
    "SummaryStore",
    "TermHit",
    "TermSearch",
    "TimetableSource",
    "TraceStore",
    "TurnKind",
    "Unembedded",
    "Unseen",
    "UsageKey",
    "UsageRecord",
    "UsageStore",
    "UsageSum",
    "UsageTotals",
    "UserStore",
]
