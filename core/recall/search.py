"""The search: literal first; only where that finds nothing for sure, by meaning, and there a model may only point.

Nothing leaves this module that the store doesn't hold readable at the end of the search, in this conversation.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Self

import numpy as np
import structlog

from core.analysis.japanese import JapaneseAnalyser
from core.ports import ArchiveEntry, CandidatePool, Embedder, RecallStore, TermHit, TermSearch
from core.recall.answers import doubtful_kinds, is_open, unit_wanted, wanted_kinds
from core.recall.closely import CloseReading, in_pieces
from core.recall.errors import NoSelectionError
from core.recall.filling import VectorFiller
from core.recall.literal import MOST_FINDS, Hit, Scored, Scoring, finds
from core.recall.preselection import Likeness, Notes, Wanted, preselect
from core.recall.question import Asking, RecallQuestion, read_question
from core.recall.recollection import Outcome, Recollection
from core.recall.selection import Fault, Offer, Pick, Select, check
from core.recall.spelling import Spellings
from core.recall.turning import turning_for
from core.recall.words import SoughtWord, sought_words
from core.values import ConversationKey

PLACES = 200

LISTS = 2
"""How many lists a model is shown at most: the next one where it points at nothing in the one before."""

_log = structlog.get_logger(__name__)
_MOST_HITS = 100
_LARGEST_POOL = 20_000
_WORDS_ALONE = 6  # words of a question that are looked for each by its own meaning, the most telling ones


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where is searched. `without`: the messages that ask, and what is about to be replaced.

    `in_view`: messages that stand in the prompt anyway; None where there is no prompt. `before`: what was said last, by
    id, which tells what a question is about that has no words of its own ("where did I say that?").
    """

    conversation: ConversationKey
    without: Collection[int] = ()
    in_view: Collection[int] | None = None
    before: Mapping[int, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Sought:
    text: str
    words: tuple[SoughtWord, ...]
    kinds: tuple[str, ...]
    doubtful: tuple[str, ...]
    is_open: bool


@dataclass(frozen=True, slots=True)
class _ByWords:
    """What the literal search came to, as ids, best first: all that shares words, and what can be what is asked for.

    `sure`: no model needs to be asked.
    """

    ranked: tuple[int, ...]
    found: tuple[int, ...]
    sure: bool

    @classmethod
    def of(cls, ranked: Sequence[Scored], found: Sequence[Scored]) -> Self:
        ids = tuple(one.hit.order for one in ranked), tuple(one.hit.order for one in found)
        return cls(*ids, sure=bool(found) and found[0].sure)


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """Searches the archive for what a question asks.

    `places`: how many messages a model may be shown at a time, 0: none is asked. `filler` works out ahead what messages
    mean.
    """

    store: RecallStore
    analyser: JapaneseAnalyser
    embedder: Embedder
    filler: VectorFiller
    places: int

    @classmethod
    def on(cls, store: RecallStore, *, analyser: JapaneseAnalyser, embedder: Embedder, places: int = PLACES) -> Self:
        """Return a search on a store; its filler is to be closed at the end."""
        filler = VectorFiller(store=store, embedder=embedder, beyond=places)
        return cls(store=store, analyser=analyser, embedder=embedder, filler=filler, places=places)

    def noted(self, conversation: ConversationKey) -> None:
        """Take in that something was archived; returns at once."""
        if self.places:
            self.filler.noted(conversation)

    async def search(self, question: RecallQuestion, scope: Scope, select: Select | None) -> Recollection:
        """Return what was found; `select` None: there is no model to ask.

        Raises:
            StorageError: the archive can't be read.
        """
        if not question.is_asked:
            return Recollection(question=question)
        sought = await asyncio.to_thread(self._sought, question.clause, wants_place=question.wants_place)
        if scope.before and not any(word.telling and not word.perhaps for word in sought.words):
            scope = replace(scope, without={*scope.without, *scope.before})
            text = "\n".join((*scope.before.values(), question.clause))
            sought = await asyncio.to_thread(self._sought, text, wants_place=question.wants_place)
        result = await self._with_its_words(sought, scope)
        ranked = await asyncio.to_thread(_ranked, result, sought, scope.without)
        found, pool = finds(ranked), None
        if not found and (unknown := _unknown(result, sought)):
            pool = await self._pool(scope)
            closely = await self._read_closely(pool, unknown, result, sought, scope)
            found, ranked = finds(closely), _joined(closely, ranked)
        words = _ByWords.of(ranked, found)
        if words.sure:
            return await self._by_words(Recollection(question=question), words, scope)
        return await self._by_meaning(question, sought, scope, words, select, pool)

    def _sought(self, text: str, *, wants_place: bool = False) -> _Sought:
        """Return what is looked for; `wants_place`: where it was said is told by any message that holds it."""
        open_ended = is_open(text) and not wants_place
        return _Sought(text, sought_words(self.analyser, text), wanted_kinds(text), doubtful_kinds(text), open_ended)

    async def _with_its_words(self, sought: _Sought, scope: Scope) -> TermSearch:
        """Return the messages that hold words of the question."""
        terms = [term for word in sought.words for term in word.terms]
        if not terms:
            return TermSearch(frequencies={}, size=0)
        return await self.store.search(scope.conversation, terms, limit=_MOST_HITS + len(scope.without))

    async def _pool(self, scope: Scope) -> CandidatePool:
        return await self.store.pool(scope.conversation, model=self.embedder.name, limit=_LARGEST_POOL)

    async def _read_closely(
        self,
        pool: CandidatePool,
        unknown: Sequence[SoughtWord],
        result: TermSearch,
        sought: _Sought,
        scope: Scope,
    ) -> list[Scored]:
        """Return the hits, best first, once words that the index doesn't hold are looked for text by text."""
        reading = CloseReading(
            analyser=self.analyser,
            pool=pool,
            spellings=Spellings.of(unknown, sought.text),
            terms={term for word in sought.words for term in word.terms},
            without=scope.without,
        )
        hits = await in_pieces(reading.hits, len(pool.texts))
        return await asyncio.to_thread(_ranked_hits, hits, sought, result) if hits else []

    async def _by_words(self, result: Recollection, words: _ByWords, scope: Scope) -> Recollection:
        return await self._found(replace(result, why="literal", literal=words.found), scope, words.found)

    async def _by_meaning(
        self,
        question: RecallQuestion,
        sought: _Sought,
        scope: Scope,
        words: _ByWords,
        select: Select | None,
        pool: CandidatePool | None,
    ) -> Recollection:
        if not self.places:
            outcome = Outcome.UNAVAILABLE if question.asking is Asking.OUTRIGHT else Outcome.NONE
            nothing = Recollection(question=question, outcome=outcome, complete=False, why="no model")
            return await self._by_words(Recollection(question=question), words, scope) if words.found else nothing
        lists, complete = await self._offered(sought, scope, words.ranked, pool)
        result = Recollection(question=question, complete=complete)
        if not lists:
            return replace(result, outcome=Outcome.NOT_FOUND, why="nothing to search")
        if question.asking is Asking.POINTED and complete and _all_in_view(lists, scope):
            return replace(result, outcome=Outcome.NONE, why="all in view", offered=tuple(lists[0]))
        return await self._pointed_at(result, sought, scope, words, lists, select)

    async def _pointed_at(
        self,
        result: Recollection,
        sought: _Sought,
        scope: Scope,
        words: _ByWords,
        lists: Sequence[Sequence[int]],
        select: Select | None,
    ) -> Recollection:
        """Show a model one list after the other until it points at something; return what came of it."""
        fault: Fault | None = None
        for number, message_ids in enumerate(lists):
            entries = await self.store.entries(scope.conversation, message_ids)
            if not entries:
                continue  # gone meanwhile
            result = replace(result, offered=(*result.offered, *(entry.message_id for entry in entries)))
            offer = Offer.of(sought.text, entries)
            try:
                checked = check(await _asked(select, offer), offer)
            except NoSelectionError as error:
                unavailable = replace(result, outcome=Outcome.UNAVAILABLE, why=error.why)
                # What words came near stood in the first list: a model that pointed at nothing there has settled that.
                by_words = words.found and number == 0
                return await self._by_words(result, words, scope) if by_words else unavailable
            if checked.message_ids:
                return await self._found(replace(result, why="selected"), scope, checked.message_ids)
            fault = fault or checked.fault
        if not result.offered:
            return replace(result, outcome=Outcome.UNAVAILABLE, why="gone meanwhile")
        if fault is None and result.complete:
            return replace(result, outcome=Outcome.NOT_FOUND, why="none selected")
        return replace(result, outcome=Outcome.UNAVAILABLE, why=fault or "none selected of a part")

    async def _offered(
        self, sought: _Sought, scope: Scope, literal: Sequence[int], pool: CandidatePool | None
    ) -> tuple[list[list[int]], bool]:
        """Return the lists of messages a model may be shown, likelier ones first, and whether they are all there are.

        Each holds the ids of its messages, oldest first. `pool`: what they are chosen from, where it was read already.
        """
        most = LISTS * self.places
        newest = await self.store.newest(scope.conversation, limit=most + 1 + len(scope.without))
        kept = [entry.message_id for entry in newest if entry.message_id not in scope.without]
        if len(kept) <= self.places:
            return [kept] if kept else [], True
        wanted = await self._wanted(sought)
        pool = pool or await self._pool(scope)
        likeness = await self._likeness(wanted, pool)
        lists = await asyncio.to_thread(_preselected, likeness, pool, literal, scope.without, self.places)
        return lists, {*kept}.issubset(chain.from_iterable(lists))

    async def _likeness(self, wanted: Wanted, pool: CandidatePool) -> Likeness:
        notes = Notes.joined(await in_pieces(lambda piece: [Notes.of(wanted, pool.texts[piece])], len(pool.texts)))
        likeness = await asyncio.to_thread(Likeness.of, wanted, pool, notes)
        if not wanted.wants_a_kind:
            return likeness
        near = await asyncio.to_thread(likeness.near)
        texts = [pool.texts[position] for position in near.tolist()]
        favour = await in_pieces(lambda piece: [wanted.favour(texts[piece])], len(texts))
        return likeness.favouring(near, np.concatenate([np.zeros(0, np.float32), *favour]))

    async def _wanted(self, sought: _Sought) -> Wanted:
        words = [word.written or word.term for word in sought.words if not word.perhaps]
        try:
            vector, together, *each = await self.embedder.embed([sought.text, " ".join(words), *words[:_WORDS_ALONE]])
        except Exception as error:  # noqa: BLE001 - what is shown to the model is then chosen without it
            _log.warning("recall.question_not_embedded", reason=type(error).__name__)
            vector, together, each = None, None, []
        return Wanted(
            text=sought.text,
            kinds=sought.kinds,
            doubtful=sought.doubtful,
            vector=vector,
            words_vector=together,
            word_vectors=[alone for alone in each if alone is not None],
            turning=await asyncio.to_thread(turning_for, self.embedder.name),
        )

    async def _found(self, result: Recollection, scope: Scope, message_ids: Sequence[int]) -> Recollection:
        """Return the result with its messages as they are stored now, and what stands directly beside them."""
        stored = {e.message_id: e for e in await self.store.entries(scope.conversation, message_ids)}
        cited = tuple(stored[message_id] for message_id in message_ids if message_id in stored)[:MOST_FINDS]
        if not cited:
            return replace(result, outcome=Outcome.UNAVAILABLE, why="gone meanwhile")
        known = {*scope.without, *(entry.message_id for entry in cited)}
        beside: dict[int, ArchiveEntry] = {}
        for entry in cited:
            for neighbour in await self.store.beside(scope.conversation, entry.message_id):
                if neighbour.message_id not in known:
                    beside[neighbour.message_id] = neighbour
        return replace(result, outcome=Outcome.FOUND, cited=cited, beside=tuple(beside.values()))


async def _asked(select: Select | None, offer: Offer) -> Sequence[Pick]:
    if select is None:
        raise NoSelectionError("no model")
    return await select(offer)


def _all_in_view(lists: Sequence[Sequence[int]], scope: Scope) -> bool:
    """Return whether there is nothing beyond what the prompt holds: then a search could only tell what is known."""
    return scope.in_view is not None and all(set(message_ids) <= set(scope.in_view) for message_ids in lists)


def _unknown(result: TermSearch, sought: _Sought) -> list[SoughtWord]:
    """Return the words that the index doesn't hold, if any of them could be what a question is about."""
    unknown = [word for word in sought.words if not any(result.frequencies.get(term) for term in word.terms)]
    return unknown if any(word.telling and word.written for word in unknown) else []


def _ranked(result: TermSearch, sought: _Sought, without: Collection[int]) -> list[Scored]:
    """Return the hits, best first. Whether one only asks, too, is looked at where it could be a find."""
    return _ranked_hits([_hit(hit) for hit in result.hits if hit.message.message_id not in without], sought, result)


def _ranked_hits(hits: Sequence[Hit], sought: _Sought, result: TermSearch) -> list[Scored]:
    scoring = Scoring(
        words=sought.words,
        kinds=sought.kinds,
        doubtful=sought.doubtful,
        unit=unit_wanted(sought.text),
        is_open=sought.is_open,
        frequencies=result.frequencies,
        size=result.size,
    )
    ranked = scoring.ranked(hits)
    finds = [replace(scored.hit, asks=_asks(scored.hit)) for scored in ranked if scored.enough]
    return scoring.ranked([*finds, *(scored.hit for scored in ranked if not scored.enough)])


def _joined(closely: Sequence[Scored], ranked: Sequence[Scored]) -> list[Scored]:
    """Return all hits, best first, each with the more it holds."""
    best = {scored.hit.order: scored for scored in (*ranked, *closely)}
    return sorted(best.values(), key=lambda scored: (-scored.score, -scored.hit.order))


def _hit(hit: TermHit) -> Hit:
    message = hit.message
    return Hit(order=message.message_id, text=message.text, terms=hit.terms, is_self=message.is_self)


def _asks(hit: Hit) -> bool:
    return read_question(hit.text).is_asked


def _preselected(
    likeness: Likeness,
    pool: CandidatePool,
    literal: Sequence[int],
    without: Collection[int],
    places: int,
) -> list[list[int]]:
    """Return the likeliest messages in lists of so many, each oldest first and none twice."""
    lists: list[list[int]] = []
    known = set(without)
    held = len(known.intersection(pool.message_ids.tolist()))  # what is left out may not be stored yet
    for number in range(1, LISTS + 1):
        chosen = preselect(likeness, pool, literal, places=number * places + held)
        new = [message_id for message_id in chosen if message_id not in known][-places:]
        known.update(new)
        lists.append(new)
    return [message_ids for message_ids in lists if message_ids]
