"""People, and what they asked to have kept."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol

from core.values import ConversationKey, FactSource, KeptFact, Locale, Session, UserProfile


@dataclass(frozen=True, slots=True, kw_only=True)
class Encounter:
    """What is known of somebody at the moment they speak.

    `last_seen`: when they last spoke to the character; `session`: their talk, if it is still open; `kept`: what they
    asked to have kept, in the order of its numbers.
    """

    user: UserProfile
    last_seen: datetime | None = None
    session: Session | None = None
    kept: tuple[KeptFact, ...] = ()


class UserStore(Protocol):
    """People who talked to a character."""

    async def get(self, user_id: int) -> UserProfile:
        """Return what is known; a fresh profile for somebody new."""

    async def met(self, user_id: int, *, conversation: ConversationKey, now: datetime) -> Encounter:
        """Return all that a turn needs to know of whom it answers, as it is at one moment."""

    async def seen(self, user_id: int, *, character: str, now: datetime, locale: Locale | None) -> None:
        """Note that the user spoke to a character, and in which language; None leaves what was known of that."""

    async def last_seen(self, user_id: int, *, character: str) -> datetime | None:
        """Return when the user last spoke to that character; None where it knows of no time."""

    async def set_locale(self, user_id: int, locale: Locale | None) -> None:
        """Fix the language the user is answered in; None lets it follow the conversation again."""

    async def set_timezone(self, user_id: int, timezone: str | None) -> None:
        """Set the zone the user lives in, as in the IANA database; None forgets it.

        Every character that may speak to them first goes by it from now on; without one none does.
        """

    async def set_opted_out(self, user_id: int, opted_out: bool) -> None:
        """Opted out: no model call, nothing stored, no summary of their words and no consent of any kind left."""

    async def set_notice_shown(self, user_id: int) -> None:
        """Note that the user was told once that this is an AI and what is kept."""


@dataclass(frozen=True, slots=True)
class StoredSource:
    """How a message is stored: in how many places, whether without its text, and when it was edited last."""

    copies: int
    sensitive: bool
    edited_at: datetime | None


class KeptFactStore(Protocol):
    """What people told about themselves and asked to have kept."""

    async def of(self, user_id: int) -> list[KeptFact]:
        """Return a user's facts in the order of their numbers."""

    async def source(self, message_id: int) -> StoredSource | None:
        """Return how a message is stored by now; None if it isn't."""

    async def add(
        self,
        user_id: int,
        text: str,
        *,
        now: datetime,
        source: FactSource | None = None,
        stored: StoredSource | None = None,
    ) -> KeptFact | None:
        """Keep a fact told at `now`; it gets a number that none of the user's facts ever had.

        It goes when its message, the channel or the server of that is deleted (`MessageArchive`, `GuildStore`).
        `stored`: how the message was stored before it was read; nothing is kept, and None returned, if it was deleted
        or edited since.
        """

    async def correct(self, user_id: int, number: int, text: str, *, now: datetime) -> bool:
        """Replace a fact by what was told at `now` with a command; False if there is none of that number."""

    async def told_in(self, message_id: int) -> list[tuple[int, KeptFact]]:
        """Return the facts that were told in a message, each with its user's id."""

    async def retell(self, user_id: int, number: int, text: str) -> bool:
        """Give a fact the words its message was edited to; False if there is none of that number."""

    async def delete(self, user_id: int, number: int) -> bool:
        """Forget a fact; False if there is none of that number."""


class ConsentStore(Protocol):
    """Who lets characters form impressions of them."""

    async def given_at(self, user_id: int) -> datetime | None:
        """Return since when; None where there is no consent."""

    async def give(self, user_id: int, *, now: datetime) -> None:
        """Note the consent; an earlier one stays as it was. Somebody who opted out gives none."""

    async def withdraw(self, user_id: int) -> bool:
        """Forget the consent with all that rests on it, at once; False if there was none."""


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
