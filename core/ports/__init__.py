"""What core needs from the outside, as Protocols. `data` and `bot` implement them; tests use fakes."""

from core.ports.archive import ArchiveEntry, HistorySource, IndexTerms, MessageArchive
from core.ports.bookkeeping import TraceStore, UsageRecord, UsageStore, UsageTotals
from core.ports.models import ChatModel, Embedder
from core.ports.people import KeptFactStore, PrivacyStore, UserStore
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
from core.ports.replies import ReplyChannel, ReplySink
from core.ports.sessions import SessionStore
from core.ports.stores import Stores

__all__ = [
    "AllowListStore",
    "ArchiveEntry",
    "CharacterStateStore",
    "ChatModel",
    "Delivered",
    "DraftStore",
    "Embedder",
    "FirstWordsKeeper",
    "GuildStore",
    "HistorySource",
    "IndexTerms",
    "KeptFactStore",
    "MessageArchive",
    "Messenger",
    "PrivacyStore",
    "ReplyChannel",
    "ReplySink",
    "SessionStore",
    "SlotStore",
    "Stores",
    "SubscriptionStore",
    "TimetableSource",
    "TraceStore",
    "UsageRecord",
    "UsageStore",
    "UsageTotals",
    "UserStore",
]
