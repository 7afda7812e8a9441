"""What core needs from the outside, as Protocols. `data` and `bot` implement them; tests use fakes."""

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Protocol

from core.language_model.types import ChatEvent, ChatRequest, Completion, TokenUsage
from core.stance.types import StanceInertia
from core.turn.reply import Reply
from core.turn.trace import TraceRecord
from core.values import (
    ConversationKey,
    GuildSettings,
    KeptFact,
    Locale,
    Session,
    Surface,
    UserProfile,
    Utterance,
)


class ChatModel(Protocol):
    """One chat model behind one endpoint. Raises the `ModelError`s of `core.errors`, nothing else."""

    @property
    def name(self) -> str:
        """The model's name as it stands in usage and traces."""

    @property
    def accepts_images(self) -> bool:
        """Whether images may be put into a request."""

    def cost_micros(self, usage: TokenUsage) -> int:
        """Return what a call costs, in millionths of the currency; of a chain, what its first model would."""

    def stream(self, request: ChatRequest) -> AsyncIterator[ChatEvent]:
        """Yield text as it is written, then exactly one `Finished`."""

    async def complete(self, request: ChatRequest) -> Completion:
        """Return the whole answer at once; used where structure is asked for."""


class Embedder(Protocol):
    """The one embedding model of the system."""

    @property
    def name(self) -> str:
        """Recorded in the database; vectors of another model can't be compared with these."""

    async def embed(self, texts: Sequence[str]) -> list[list[float] | None]:
        """Return one vector per text, None for an empty text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveEntry:
    """One stored message. `text` is None when it was sensitive: then only who and when is kept."""

    conversation: ConversationKey
    surface: Surface
    message_id: int
    author_id: int
    author_name: str
    is_self: bool
    text: str | None
    sent_at: datetime
    sensitive: bool = False
    edited_at: datetime | None = None


class MessageArchive(Protocol):
    """The text of past conversations, for as long as it may be kept."""

    async def add(self, entries: Sequence[ArchiveEntry]) -> None:
        """Store messages; one that is already there is left as it is."""

    async def edit(self, message_id: int, text: str | None, edited_at: datetime) -> bool:
        """Replace the text everywhere the message is stored; False if it is nowhere. A sensitive one stays empty.

        `text` None: the message has become sensitive, and is kept without its text from now on.
        """

    async def delete(self, message_ids: Sequence[int]) -> int:
        """Delete messages and their index entries; return how many rows went."""

    async def delete_channel(self, channel_id: int) -> int:
        """Delete everything of a channel that is gone; return how many rows went."""

    async def delete_guild(self, guild_id: int, *, character: str) -> int:
        """Delete everything a character had of a server it was removed from; return how many rows went."""

    async def recent(self, conversation: ConversationKey, *, limit: int) -> list[Utterance]:
        """Return the newest messages that have text, oldest first."""

    async def search(self, conversation: ConversationKey, terms: Sequence[str], *, limit: int) -> list[ArchiveEntry]:
        """Return messages of this conversation that hold all the normalised terms, newest first."""

    async def delete_older_than(self, moment: datetime) -> int:
        """Delete what was sent before `moment`; return how many rows went."""


class IndexTerms(Protocol):
    """Turns a text into the normalised terms it is indexed and searched under."""

    def __call__(self, text: str) -> list[str]:
        """Return the terms in order, repeated ones repeated; [] for a text without words."""


class HistorySource(Protocol):
    """Where a conversation's history is read again after a restart (Discord itself, or the archive)."""

    async def history(self, surface: Surface, *, before: int | None, limit: int) -> list[Utterance]:
        """Return the newest messages before that id, oldest first; [] where they can't be read."""


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


class UserStore(Protocol):
    """People who talked to a character."""

    async def get(self, user_id: int) -> UserProfile:
        """Return what is known; a fresh profile for somebody new."""

    async def seen(self, user_id: int, *, now: datetime, locale: Locale | None) -> None:
        """Note that the user spoke, and in which language; None leaves what was known of that."""

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
        """Keep a fact; it gets the next free number."""

    async def delete(self, user_id: int, number: int) -> bool:
        """Forget a fact; False if there is none of that number."""


class GuildStore(Protocol):
    """What a server's operators chose."""

    async def get(self, guild_id: int) -> GuildSettings:
        """Return the server's settings; the defaults for a new one."""

    async def put(self, settings: GuildSettings) -> None:
        """Store the server's settings, replacing what was there."""

    async def delete(self, guild_id: int) -> None:
        """Forget a server."""


class CharacterStateStore(Protocol):
    """What operators decided about a character while it runs."""

    async def is_frozen(self, character: str) -> bool:
        """Return whether the character is switched off for all activity."""

    async def set_frozen(self, character: str, frozen: bool) -> None:
        """Freeze or unfreeze."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UsageRecord:
    """One model call, whether or not anything was said in the end. `cost` in millionths of the currency."""

    at: datetime
    day: date
    character: str
    user_id: int
    guild_id: int | None
    feature: str
    model: str
    input_tokens: int
    output_tokens: int
    cost_micros: int
    outcome: str


@dataclass(frozen=True, slots=True)
class UsageTotals:
    """Sums of a day."""

    tokens: int = 0
    cost_micros: int = 0
    calls: int = 0


class UsageStore(Protocol):
    """What was used, by day (in the operator's zone), user, server and feature."""

    async def add(self, record: UsageRecord) -> None:
        """Count one call."""

    async def totals(self, day: date, *, user_id: int | None = None, guild_id: int | None = None) -> UsageTotals:
        """Return the sums of a day, of all or only of one user or one server."""


class TraceStore(Protocol):
    """What each turn did, as ids, rule ids and counts; never text."""

    async def add(self, record: TraceRecord) -> None:
        """Store one turn's trace."""

    async def get(self, turn_id: str) -> TraceRecord | None:
        """Return one turn's trace."""

    async def recent(self, *, limit: int, conversation: ConversationKey | None = None) -> list[TraceRecord]:
        """Return the newest traces, newest first."""

    async def answered_since(self, conversation: ConversationKey, moment: datetime) -> set[int]:
        """Return the ids of messages whose turn ended since `moment`: answered, refused, stopped or silent on purpose.

        A turn that was superseded or could not be delivered leaves its messages unanswered.
        """

    async def recent_conversations(self, character: str, *, since: datetime, limit: int) -> list[ConversationKey]:
        """Return the conversations a character had a turn in since then, the one with the newest turn first."""

    async def delete_older_than(self, moment: datetime) -> int:
        """Delete traces of turns that began before `moment`; return how many."""


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


class Stores(Protocol):
    """All stores of one database."""

    @property
    def archive(self) -> MessageArchive:
        """The text of past conversations."""

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
    def guilds(self) -> GuildStore:
        """Servers."""

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
    def privacy(self) -> PrivacyStore:
        """Everything about one person."""


class ReplySink(Protocol):
    """One reply on its way out, made by the transport for one turn.

    The nonce of whatever it sends is derived from the turn's id, so that a retry is the same message.
    """

    def typing(self) -> AbstractAsyncContextManager[None]:
        """Show that the character is writing while the context is open. Failing to show it is no error."""

    async def show(self, text: str) -> None:
        """Show the beginning of a reply (all of it so far); may skip some when they come too fast."""

    async def finish(self, reply: Reply) -> tuple[int, ...]:
        """Send or complete the reply; return the ids of the messages it became, in order. Raises `DeliveryError`."""

    async def withdraw(self) -> None:
        """Remove what `show` showed; nothing if nothing was shown. Never raises."""


class ReplyChannel(Protocol):
    """Where replies to one inbound message go; handed in with the message by the transport."""

    def open(self, turn_id: str) -> ReplySink:
        """Return the sink for one turn. `turn_id` is 20 characters of [0-9a-z]."""
