"""People, and what they asked to have kept."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Protocol

from core.values import KeptFact, Locale, UserProfile


class UserStore(Protocol):
    """People who talked to a character."""

    async def get(self, user_id: int) -> UserProfile:
        """Return what is known; a fresh profile for somebody new."""

    async def seen(self, user_id: int, *, character: str, now: datetime, locale: Locale | None) -> None:
        """Note that the user spoke to a character, and in which language; None leaves what was known of that."""

    async def last_seen(self, user_id: int, *, character: str) -> datetime | None:
        """Return when the user last spoke to that character; None where it knows of no time."""

    async def set_locale(self, user_id: int, locale: Locale | None) -> None:
        """Fix the language the user is answered in; None lets it follow the conversation again."""

    async def set_timezone(self, user_id: int, timezone: str | None) -> None:
        """Set the zone the user lives in, as in the IANA database; None forgets it."""

    async def set_opted_out(self, user_id: int, opted_out: bool) -> None:
        """Opted out: no model call, nothing stored."""

    async def set_notice_shown(self, user_id: int) -> None:
        """Note that the user was told once that this is an AI and what is kept."""


class KeptFactStore(Protocol):
    """What people told about themselves and asked to have kept."""

    async def of(self, user_id: int) -> list[KeptFact]:
        """Return a user's facts in the order of their numbers."""

    async def add(self, user_id: int, text: str, *, now: datetime) -> KeptFact:
        """Keep a fact; it gets a number that none of the user's facts ever had."""

    async def delete(self, user_id: int, number: int) -> bool:
        """Forget a fact; False if there is none of that number."""


class PrivacyStore(Protocol):
    """Everything about one person, across all tables."""

    async def counts(self, user_id: int) -> Mapping[str, int]:
        """Return how many rows of each table are about the user."""

    async def forget(self, user_id: int) -> Mapping[str, int]:
        """Delete every row about the user in one transaction; return how many of each table went.

        An opt-out survives as the bare fact, since forgetting it would begin storing again.
        """

    async def export(self, user_id: int) -> Mapping[str, Any]:
        """Return everything kept about the user as plain JSON values."""
