"""Step 6, post-turn update: archive, session, people, trace. The reply is out already; nothing here may undo it."""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta

import structlog

from core.clock import Clock
from core.errors import CoreError, StorageError
from core.ports import ArchiveEntry, MessageArchive, Overseer, SessionStore, TraceStore, Unseen, UserStore
from core.recall.search import Recall
from core.stance.policy import StancePolicy, StanceReading
from core.stance.types import StanceInertia
from core.turn.history import ConversationHistory, Histories, said_between
from core.turn.policy import TurnPolicy
from core.turn.trace import TraceRecord, TraceStep, TurnOutcome
from core.turn.types import Turn
from core.values import InboundMessage, Speaker, Utterance

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class PostTurn:
    """Keeps the books of a turn."""

    archive: MessageArchive
    sessions: SessionStore
    users: UserStore
    traces: TraceStore
    histories: Histories
    stance: StancePolicy
    recall: Recall | None
    """What works out what messages mean for a model that can look for them; None where there is none."""
    policy: TurnPolicy
    clock: Clock
    overseer: Overseer = field(default_factory=Unseen)

    async def answered(
        self,
        turn: Turn,
        asked: Sequence[InboundMessage],
        text: str,
        reply_ids: Sequence[int],
        *,
        stance: StanceReading | None = None,
        broken: Sequence[str] = (),
    ) -> None:
        """Take an answer into the history, the archive and the session.

        `asked` are the turn's messages as they are by now: one may have been edited or deleted since it began.
        Of a sensitive turn the archive learns only who and when; the history in memory has it all the same.
        `broken` holds the rules that drafts of the answer broke.
        """
        reply = self._as_utterances(turn, text, reply_ids)
        history = self.histories.of(turn.conversation, turn.surface)
        sensitive = await self._is_sensitive(turn, asked, history, stance)
        history.delete(set(turn.replaces))
        history.add(*reply)
        inertia = self.stance.after(stance, broken) if stance is not None else None
        await asyncio.gather(  # none needs another, and what is written at once costs little more than one of them
            self._keep(turn, "session", self._touch(turn, inertia)),
            self._keep(turn, "user", self._note_user(turn)),
            self._keep(turn, "archive", self._archive(turn, asked, reply, sensitive=sensitive)),  # the others are short
        )

    async def follow(self, turn: Turn, asked: Sequence[InboundMessage], standing: Sequence[InboundMessage]) -> None:
        """Let the archive follow what became of the messages while they were written to it.

        Whoever told of a deletion or an edit then found nothing yet that could be deleted or edited.
        """
        texts = {message.id: message.text for message in standing}
        gone = [message.id for message in asked if message.id not in texts]
        edited = [message.id for message in asked if texts.get(message.id, message.text) != message.text]
        if (gone or edited) and self.policy.archive:
            await self._keep(turn, "archive", self._put_right(gone, {one: texts[one] for one in edited}))

    async def _put_right(self, gone: Sequence[int], edited: Mapping[int, str]) -> None:
        if gone:
            await self.archive.delete(gone)
        for message_id, text in edited.items():
            kept = None if await self.stance.is_sensitive(text) else text
            await self.archive.edit(message_id, kept, self.clock.now())

    async def trace(
        self,
        turn: Turn,
        outcome: TurnOutcome,
        steps: Sequence[TraceStep],
        *,
        model: str | None = None,
        reply_ids: Sequence[int] = (),
    ) -> None:
        """Store what the turn did."""
        record = TraceRecord(
            turn_id=turn.id,
            at=turn.snapshot.observed_at,
            conversation=turn.conversation,
            guild_id=turn.surface.guild_id,
            user_id=turn.newest.author.id,
            message_ids=turn.message_ids,
            reply_ids=tuple(reply_ids),
            outcome=outcome,
            model=model,
            steps=tuple(steps),
        )
        await self._keep(turn, "trace", self.traces.add(record))
        self.overseer.turn_ended(record)

    def _as_utterances(self, turn: Turn, text: str, reply_ids: Sequence[int]) -> list[Utterance]:
        """Return the reply as one utterance under its first id: where it was split is of no interest later."""
        name = turn.character.display_name[turn.locale]
        author = Speaker(id=0, name=name, is_bot=True)
        at = self.clock.now()
        return [Utterance(id=i, author=author, text=text, sent_at=at, is_self=True) for i in reply_ids[:1]]

    async def _is_sensitive(
        self,
        turn: Turn,
        asked: Sequence[InboundMessage],
        history: ConversationHistory,
        stance: StanceReading | None,
    ) -> bool:
        """Return whether nothing of the turn may be stored with its text. Where that can't be told, it may not."""
        if not self.policy.archive:
            return False
        try:
            if stance is not None:
                return stance.is_sensitive or await self._became_sensitive(turn, asked)
            before = history.window(
                before=turn.newest.id, without={*turn.message_ids, *turn.replaces}, tokens=self.policy.history_tokens
            )
            said = said_between(turn.newest.author.id, before)
            return await self.stance.is_sensitive("\n".join(message.text for message in asked), said)
        except CoreError as error:
            _log.error("post_turn.not_read", turn_id=turn.id, reason=str(error))
            return True

    async def _became_sensitive(self, turn: Turn, asked: Sequence[InboundMessage]) -> bool:
        """Return whether a message was edited, while it was being answered, into one that may not be stored."""
        read = {message.id: message.text for message in turn.messages}
        edited = [message.text for message in asked if message.text != read.get(message.id)]
        return any([await self.stance.is_sensitive(text) for text in edited])

    async def _archive(
        self, turn: Turn, asked: Sequence[InboundMessage], reply: Sequence[Utterance], *, sensitive: bool
    ) -> None:
        if turn.replaces:
            await self.archive.delete(turn.replaces)
        if not self.policy.archive:
            return
        said = [*(message.as_utterance() for message in asked), *reply]
        await self.archive.add([_entry(turn, utterance, sensitive=sensitive) for utterance in said])
        if self.recall is not None:
            self.recall.noted(turn.conversation)

    async def _touch(self, turn: Turn, inertia: StanceInertia | None) -> None:
        now = self.clock.now()
        expires_at = now + timedelta(seconds=self.policy.session_idle)
        await self.sessions.touch(turn.conversation, now=now, expires_at=expires_at)
        if inertia is not None:
            await self.sessions.set_inertia(turn.conversation, turn.newest.author.id, inertia, now=now)

    async def _note_user(self, turn: Turn) -> None:
        user = turn.snapshot.user
        snapshot = turn.snapshot
        await self.users.seen(
            user.id, character=turn.character.name, now=snapshot.observed_at, locale=snapshot.seen_locale
        )
        if not user.notice_shown:
            await self.users.set_notice_shown(user.id)

    async def _keep(self, turn: Turn, what: str, writing: Awaitable[None]) -> None:
        """Write; what fails costs the bookkeeping of this turn and is said to the operator."""
        try:
            await writing
        except StorageError as error:
            _log.error("post_turn.not_kept", what=what, turn_id=turn.id, reason=str(error))
        except Exception as error:  # noqa: BLE001 - a fault of ours must not put an error over a reply that is out
            _log.error("post_turn.not_kept", what=what, turn_id=turn.id, reason=type(error).__name__)


def _entry(turn: Turn, utterance: Utterance, *, sensitive: bool) -> ArchiveEntry:
    return ArchiveEntry(
        conversation=turn.conversation,
        surface=turn.surface,
        message_id=utterance.id,
        author_id=utterance.author.id,
        author_name=utterance.author.name,
        is_self=utterance.is_self,
        text=None if sensitive else utterance.text,
        sent_at=utterance.sent_at,
        sensitive=sensitive,
    )
