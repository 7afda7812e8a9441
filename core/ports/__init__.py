"""What core needs from the outside, as Protocols. `data` and `bot` implement them; tests use fakes."""

from core.ports.archive import ArchiveEntry, HistorySource, IndexTerms, MessageArchive, SummaryStore
from core.ports.bookkeeping import TraceStore, UsageRecord, UsageStore, UsageTotals
from core.ports.models import ChatModel, Embedder
from core.ports.people import ConsentStore, KeptFactStore, PrivacyStore, UserStore
from core.ports.places import AllowListStore, CharacterStateStore, GuildStore
from core.ports.replies import ReplyChannel, ReplySink
from core.ports.sessions import SessionStore
from core.ports.stores import Stores

__all__ = [
    "AllowListStore",
    "ArchiveEntry",
    "CharacterStateStore",
    "ChatModel",
    "ConsentStore",
    "Embedder",
    "GuildStore",
    "HistorySource",
    "IndexTerms",
    "KeptFactStore",
    "MessageArchive",
    "PrivacyStore",
    "ReplyChannel",
    "ReplySink",
    "SessionStore",
    "Stores",
    "SummaryStore",
    "TraceStore",
    "UsageRecord",
    "UsageStore",
    "UsageTotals",
    "UserStore",
]
