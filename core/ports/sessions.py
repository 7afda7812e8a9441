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

    async def inertia(self, conversation: ConversationKey, user_id: int, *, now: datetime) -> StanceInertia:
        """Return what is remembered at `now` of the stance towards a person in a conversation.

        It ends when the session would have ended with that person's last turn, however long others go on.
        """

    async def set_inertia(
        self, conversation: ConversationKey, user_id: int, inertia: StanceInertia, *, now: datetime
    ) -> None:
        """Remember it for as long as the session that is open at `now` lasts; nothing where none is open."""

    async def delete_expired(self, now: datetime) -> int:
        """Delete sessions that expired before `now`; return how many."""
