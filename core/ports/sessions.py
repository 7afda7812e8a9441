"""Sessions: when talk in a conversation began and was last active."""

from datetime import datetime
from typing import Protocol

from core.stance.types import StanceInertia
from core.values import ConversationKey, Session


class SessionStore(Protocol):
    """Sessions: when talk in a conversation began and was last active."""

    async def current(self, conversation: ConversationKey, *, now: datetime) -> Session | None:
        """Return the session that is still open at `now`, or None."""

    async def touch(self, conversation: ConversationKey, *, now: datetime, expires_at: datetime) -> Session:
        """Count a turn in the open session, or begin one; return it."""

    async def inertia(self, conversation: ConversationKey, *, now: datetime) -> StanceInertia:
        """Return what the session that is open at `now` remembers of its stance; nothing where none is open."""

    async def set_inertia(self, conversation: ConversationKey, inertia: StanceInertia, *, now: datetime) -> None:
        """Keep it with the session that is open at `now`; does nothing where none is open."""

    async def delete_expired(self, now: datetime) -> int:
        """Delete sessions that expired before `now`; return how many."""
