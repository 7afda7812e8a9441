"""All stores of one database."""

from typing import Protocol

from core.ports.archive import MessageArchive, SummaryStore
from core.ports.bookkeeping import TraceStore, UsageStore
from core.ports.leases import LeaseStore
from core.ports.people import ConsentStore, KeptFactStore, PrivacyStore, UserStore
from core.ports.places import AllowListStore, CharacterStateStore, GuildStore
from core.ports.proactive import DraftStore, SlotStore, SubscriptionStore
from core.ports.recall import RecallStore
from core.ports.sessions import SessionStore
from core.ports.social import EmbeddingStore, PostStore, PostSummaryStore, SocialStore


class Stores(Protocol):
    """All stores of one database."""

    @property
    def archive(self) -> MessageArchive:
        """The text of past conversations."""

    @property
    def summaries(self) -> SummaryStore:
        """What was said before conversations' windows."""

    @property
    def recall(self) -> RecallStore:
        """The archive as recall sees it."""

    @property
    def sessions(self) -> SessionStore:
        """Sessions."""

    @property
    def users(self) -> UserStore:
        """People."""

    @property
    def kept_facts(self) -> KeptFactStore:
        """What people asked to have kept."""

    @property
    def consents(self) -> ConsentStore:
        """Who lets characters form impressions of them."""

    @property
    def guilds(self) -> GuildStore:
        """Servers."""

    @property
    def allow_lists(self) -> AllowListStore:
        """Phrases over which a server's operators let replies pass."""

    @property
    def characters(self) -> CharacterStateStore:
        """The characters' states."""

    @property
    def usage(self) -> UsageStore:
        """What was used."""

    @property
    def traces(self) -> TraceStore:
        """What turns did."""

    @property
    def subscriptions(self) -> SubscriptionStore:
        """Who wants to be spoken to first."""

    @property
    def slots(self) -> SlotStore:
        """What was decided on occasions to speak first."""

    @property
    def drafts(self) -> DraftStore:
        """Candidates a model drafted."""

    @property
    def posts(self) -> PostStore:
        """Posts of allowed channels."""

    @property
    def post_summaries(self) -> PostSummaryStore:
        """What posts are about."""

    @property
    def social(self) -> SocialStore:
        """What characters make of posts and people."""

    @property
    def embeddings(self) -> EmbeddingStore:
        """Which embedding model the vectors are of."""

    @property
    def leases(self) -> LeaseStore:
        """Who looks after which shards."""

    @property
    def privacy(self) -> PrivacyStore:
        """Everything about one person."""
