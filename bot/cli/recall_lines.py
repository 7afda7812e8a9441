"""The lines of `yorisoi inspect recall`: the search of a turn, over an archive that a line brings along."""

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from datetime import UTC, datetime, timedelta
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bot.cli.jsonl import Line, LineError, answer_lines
from core.errors import CoreError
from core.ports import ArchiveEntry, MessageArchive
from core.recall.errors import NoSelectionError
from core.recall.question import read_question
from core.recall.recollection import Recollection
from core.recall.search import Recall, Scope
from core.recall.selection import Offer, Pick, Select
from core.values import ConversationKey, Surface, SurfaceKind

_MOST_MESSAGES = 20_000
_CHARACTER = "inspected"
_CHARACTERS_NAMES = frozenset({"bot", "assistant", "character", "yorisoi"})
_BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)


class ArchivedMessage(BaseModel):
    """A message of the archive a line brings along; they stand in the order of time."""

    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")

    mid: str | int
    author: str
    text: str


class RecallLine(Line):
    """An archive, a question, and what a model answered: `selected` is left as it came, to be checked."""

    archive: Annotated[list[ArchivedMessage], Field(max_length=_MOST_MESSAGES)]
    question: str
    selected: Any = None


class RecallInspector:
    """Answers lines, each with an archive of its own that is gone afterwards."""

    def __init__(self, *, archive: MessageArchive, recall: Recall) -> None:
        self._archive = archive
        self._recall = recall
        self._lines = 0

    async def answer(self, line: RecallLine) -> dict[str, Any]:
        """Return what the search finds.

        Raises:
            LineError: two messages have the same id.
        """
        self._lines += 1
        surface = Surface(kind=SurfaceKind.DM, channel_id=self._lines)
        try:
            return await self._answered(line, surface)
        except CoreError as error:
            raise LineError(str(error)) from error
        finally:
            await self._archive.delete_channel(surface.channel_id)

    async def _answered(self, line: RecallLine, surface: Surface) -> dict[str, Any]:
        mids = [message.mid for message in line.archive]
        if len(set(mids)) < len(mids):
            raise LineError("'archive': two messages have the same mid")
        conversation = ConversationKey(_CHARACTER, surface.channel_id)
        question = read_question(line.question)
        if question.is_asked:
            await self._archive.add(_entries(line.archive, conversation, surface))
            self._recall.noted(conversation)
            await self._recall.filler.idle()
        found = await self._recall.search(question, Scope(conversation=conversation), _select(line, mids))
        return {"id": line.id, **_shown(found, mids)}


def _entries(
    messages: Sequence[ArchivedMessage], conversation: ConversationKey, surface: Surface
) -> list[ArchiveEntry]:
    people = {name: number for number, name in enumerate(dict.fromkeys(m.author for m in messages), 1)}
    return [
        ArchiveEntry(
            conversation=conversation,
            surface=surface,
            message_id=number,
            author_id=people[message.author],
            author_name=message.author,
            is_self=message.author.casefold() in _CHARACTERS_NAMES,
            text=message.text,
            sent_at=_BEGINNING + timedelta(minutes=number),
        )
        for number, message in enumerate(messages, 1)
    ]


def _select(line: RecallLine, mids: Sequence[str | int]) -> Select | None:
    """Return a model that answers as the line says; None where it has no answer, as where there is no model."""
    if line.selected is None:
        return None

    async def select(offer: Offer) -> Sequence[Pick]:
        aliases = {mids[entry.message_id - 1]: alias for alias, entry in offer.messages.items()}
        return [_pick(given, aliases) for given in _as_list(line.selected)]

    return select


def _as_list(selected: object) -> Sequence[object]:
    if not isinstance(selected, list):
        raise NoSelectionError("unreadable answer")
    return selected


def _pick(given: object, aliases: Mapping[str | int, str]) -> Pick:
    """Return a pick under its alias, checked as a model's answer is; a mid that wasn't offered stays unknown."""
    if not isinstance(given, dict) or isinstance(given.get("mid"), bool):
        raise NoSelectionError("unreadable answer")
    mid = given.get("mid")
    if not isinstance(mid, str | int):
        raise NoSelectionError("unreadable answer")
    try:
        return Pick.model_validate({"id": aliases.get(mid, f"?{mid}"), "confidence": given.get("confidence")})
    except ValidationError as error:
        raise NoSelectionError("unreadable answer") from error


def _shown(found: Recollection, mids: Sequence[str | int]) -> dict[str, Any]:
    def mids_of(message_ids: Sequence[int]) -> list[str | int]:
        return [mids[message_id - 1] for message_id in message_ids]

    evidence = [entry.message_id for entry in (*found.cited, *found.beside)]
    return {
        "recall_question": found.question.is_asked,
        "literal": mids_of(found.literal),
        "offered": mids_of(found.offered),
        "complete": found.complete,
        "outcome": str(found.outcome),
        "evidence": mids_of(evidence),
    }


def answer_all(open_recall: AbstractAsyncContextManager[tuple[MessageArchive, Recall]]) -> None:
    """Answer standard input line by line, with everything opened once."""
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        archive, recall = runner.run(stack.enter_async_context(open_recall))
        inspector = RecallInspector(archive=archive, recall=recall)
        try:
            answer_lines(RecallLine, lambda line: runner.run(inspector.answer(line)))
        finally:
            runner.run(stack.aclose())
