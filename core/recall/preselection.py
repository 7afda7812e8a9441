"""Which messages a model gets to see when there are more than it can be shown: those most likely to be meant.

By meaning: likeness of the vectors to the question and its content words, turned to where answers lie, and to the
nearest of the words alone, once what all texts of a language have in common is taken out. Messages in the question's
language, by people rather than by the character, that are no questions or requests, say more than a word or two, and
hold the kind of answer wanted come first. A message counts by itself and as a part of its talk, for an answer often
leaves out what it is about; the two orders are joined by their ranks. Some places are for the newest, and the first
for what the literal search found, if too little.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.ports import CandidatePool
from core.recall.answers import can_answer
from core.recall.form import is_japanese, worth_by_form
from core.recall.turning import Turning
from core.social.vectors import decode_roughly

Numbers = NDArray[np.float32]

_CHUNK = 512  # vectors at a time: all of them decoded would take eight times the room, and longer
_ENOUGH_TO_CENTRE = 50

# In cosines.
_CONTENT_WORDS = 0.5
_SAME_LANGUAGE = 2.0
_BY_A_PERSON = 0.2
_NEAREST_WORD = 0.5
_HOLDS_AN_ANSWER = 0.08
_MAY_HOLD_AN_ANSWER = 0.15

# How many of the likeliest in either order are looked at for the kind of answer wanted: that takes the most time.
_LOOKED_AT = 2_000

# What a message next to another, and one further off, counts for the talk around it.
_NEIGHBOURS = (0.6, 0.36)
_FURTHEST = len(_NEIGHBOURS)

# Shares of the places.
_LITERAL = 0.1
_NEWEST = 0.05

# A rank counts 1 / (_RANK + rank): the larger, the less the first ranks of one order outweigh those of the other.
_RANK = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A question: its text, the kinds of answer wanted, and its vectors, (512,) each.

    `words_vector` is that of its words, `word_vectors` are those of each. `doubtful` kinds can't be told for certain.
    `turning`: from questions to their answers, for vectors of this encoder.
    """

    text: str
    kinds: Sequence[str]
    doubtful: Sequence[str] = ()
    vector: Sequence[float] | None
    words_vector: Sequence[float] | None
    word_vectors: Sequence[Sequence[float]] = ()
    turning: Turning | None = None

    def favour(self, texts: Sequence[str]) -> Numbers:
        """Return what is in favour of texts for the kinds of answer they hold, in cosines; work for a thread, too."""
        favour = np.zeros(len(texts), np.float32)
        for kinds, worth in ((self.kinds, _HOLDS_AN_ANSWER), (self.doubtful, _MAY_HOLD_AN_ANSWER)):
            if kinds:
                favour += np.array([worth if can_answer(text, kinds) else 0.0 for text in texts], np.float32)
        return favour

    @property
    def wants_a_kind(self) -> bool:
        """Whether there is anything to look for in texts."""
        return bool(self.kinds or self.doubtful)


@dataclass(frozen=True, slots=True)
class Notes:
    """What the texts of a pool say by themselves: what is in their favour, in cosines, and whether it is Japanese."""

    priors: Numbers
    japanese: NDArray[np.bool_]

    @classmethod
    def of(cls, wanted: Wanted, texts: Sequence[str]) -> "Notes":
        """Return the notes on some texts. This is work for one thread alone, so it is to be done in pieces."""
        japanese = np.array([is_japanese(text) for text in texts], np.bool_)
        priors = np.zeros(len(texts), np.float32)
        priors += np.where(japanese == is_japanese(wanted.text), _SAME_LANGUAGE, 0.0)
        priors += np.array(
            [worth_by_form(text, japanese=ja) for text, ja in zip(texts, japanese.tolist(), strict=True)]
        )
        return cls(priors, japanese)

    @classmethod
    def joined(cls, pieces: Sequence["Notes"]) -> "Notes":
        """Return the notes on all the texts of several pieces."""
        priors = [np.zeros(0, np.float32), *(piece.priors for piece in pieces)]
        return cls(np.concatenate(priors), np.concatenate([np.zeros(0, np.bool_), *(one.japanese for one in pieces)]))


@dataclass(frozen=True, slots=True)
class Likeness:
    """How likely each message of a pool is meant, by itself and as a part of its talk; higher is likelier."""

    by_itself: Numbers
    in_its_talk: Numbers

    @classmethod
    def of(cls, wanted: Wanted, pool: CandidatePool, notes: Notes) -> "Likeness":
        """Return the likeness of what the messages mean, with what their texts say by themselves."""
        return cls(*_likeness(wanted, pool, notes))

    def near(self) -> NDArray[np.int64]:
        """Return the positions of those that may be among the likeliest."""
        return np.union1d(_best(self.by_itself)[:_LOOKED_AT], _best(self.in_its_talk)[:_LOOKED_AT])

    def favouring(self, positions: NDArray[np.int64], favour: Numbers) -> "Likeness":
        """Return the same with some messages favoured."""
        more = np.zeros_like(self.by_itself)
        more[positions] = favour
        return Likeness(self.by_itself + more, self.in_its_talk + more)

    def likeliest(self) -> list[int]:
        """Return the positions of the likeliest by both orders together, of equals the newest first."""
        ranks = 1 / (_RANK + _ranks(self.by_itself)) + 1 / (_RANK + _ranks(self.in_its_talk))
        positions: list[int] = _best(ranks).tolist()
        return positions


def preselect(likeness: Likeness, pool: CandidatePool, literal: Sequence[int], *, places: int) -> list[int]:
    """Return the ids of at most `places` messages of the pool, in the order of time.

    `literal`: ids of messages that share words with the question, best first.
    """
    ids: list[int] = pool.message_ids.tolist()
    known = set(ids)
    ranked = (
        ([message_id for message_id in literal if message_id in known], int(places * _LITERAL)),
        (reversed(ids), max(1, int(places * _NEWEST))),
        ((ids[position] for position in likeness.likeliest()), places),
    )
    chosen: set[int] = set()
    for candidates, share in ranked:
        chosen.update(_first_new(candidates, chosen, min(share, places - len(chosen))))
    return [message_id for message_id in ids if message_id in chosen]


def _ranks(likeness: Numbers) -> NDArray[np.int64]:
    ranks = np.empty(len(likeness), np.int64)
    ranks[_best(likeness)] = np.arange(len(likeness))
    return ranks


def _best(numbers: NDArray[np.floating[Any]]) -> NDArray[np.int64]:
    """Return the positions of the largest, of equals the last first."""
    return len(numbers) - 1 - np.argsort(-numbers[::-1], kind="stable")


def _first_new(candidates: Sequence[int] | Iterator[int], chosen: set[int], count: int) -> list[int]:
    new: list[int] = []
    for candidate in candidates:
        if len(new) >= count:
            break
        if candidate not in chosen:
            new.append(candidate)
    return new


def _likeness(wanted: Wanted, pool: CandidatePool, notes: Notes) -> tuple[Numbers, Numbers]:
    """Return how likely each message is meant, by itself and as a part of its talk; higher is likelier."""
    prior = notes.priors + np.where(pool.by_self, np.float32(0.0), np.float32(_BY_A_PERSON))
    if wanted.vector is None:
        return prior, prior
    common = _common(pool.vectors, notes.japanese)
    sought = _Directions.of(wanted, common[is_japanese(wanted.text)])
    by_itself, in_its_talk = np.empty_like(prior), np.empty_like(prior)
    for piece in _pieces(len(prior)):
        around = slice(max(0, piece.start - _FURTHEST), min(len(prior), piece.stop + _FURTHEST))
        rows = _decoded(pool.vectors[around])
        _centre(rows, notes.japanese[around], common)
        own = slice(piece.start - around.start, piece.stop - around.start)
        by_itself[piece] = sought.alike(rows[own])
        in_its_talk[piece] = sought.alike(_with_neighbours(rows, own))
    return by_itself + prior, in_its_talk + prior


@dataclass(frozen=True, slots=True)
class _Directions:
    """What is looked for: the question with its content words as one vector, and a column for each word alone."""

    question: Numbers
    words: Numbers

    @classmethod
    def of(cls, wanted: Wanted, common: Numbers) -> "_Directions":
        def centred(vector: Sequence[float]) -> Numbers:
            return _unit(np.asarray(vector, np.float32) - common)

        question = centred(wanted.vector or ())
        if wanted.words_vector is not None:
            question = question + np.float32(_CONTENT_WORDS) * centred(wanted.words_vector)
        if wanted.turning is not None:
            question = wanted.turning.of(question)
        words = [centred(vector) for vector in wanted.word_vectors]
        return cls(question, np.stack(words, axis=1) if words else np.zeros((len(common), 0), np.float32))

    def alike(self, rows: Numbers) -> Numbers:
        """Return how alike each of some unit vectors is."""
        alike: Numbers = rows @ self.question
        if self.words.shape[1]:
            alike += np.float32(_NEAREST_WORD) * (rows @ self.words).max(axis=1)
        return alike


def centred_rows(pool: CandidatePool, notes: Notes) -> Numbers:
    """Return what the messages of a pool mean, (n, 512), as they are compared with a question."""
    rows = _decoded(pool.vectors)
    _centre(rows, notes.japanese, _common(pool.vectors, notes.japanese))
    return rows


def direction_of(wanted: Wanted, pool: CandidatePool, notes: Notes) -> Numbers:
    """Return what a question and its words mean, (512,), as they are compared with messages of a pool."""
    common = _common(pool.vectors, notes.japanese)
    return _Directions.of(wanted, common[is_japanese(wanted.text)]).question


def _decoded(stored: NDArray[np.int8]) -> Numbers:
    """Return the rows as unit vectors."""
    rows: Numbers = np.empty(stored.shape, np.float32)
    decode_roughly(stored, into=rows)
    _make_units(rows)
    return rows


def _common(stored: NDArray[np.int8], japanese: NDArray[np.bool_]) -> dict[bool, Numbers]:
    """Return the mean of the texts of each language; nothing if they are too few to have anything in common."""
    totals = {language: np.zeros(stored.shape[1], np.float32) for language in (True, False)}
    counts = dict.fromkeys(totals, 0)
    for piece in _pieces(len(stored)):
        rows = _decoded(stored[piece])
        for language in totals:
            filled = rows.any(axis=1) & (japanese[piece] == language)
            totals[language] += rows[filled].sum(axis=0)
            counts[language] += int(filled.sum())
    return {
        language: total / np.float32(counts[language]) if counts[language] >= _ENOUGH_TO_CENTRE else total * 0
        for language, total in totals.items()
    }


def _centre(rows: Numbers, japanese: NDArray[np.bool_], common: Mapping[bool, Numbers]) -> None:
    """Take out of the rows what those of their language have in common; zero vectors stay zero."""
    filled = rows.any(axis=1)
    for language, mean in common.items():
        np.subtract(rows, mean, out=rows, where=(filled & (japanese == language))[:, None])
    _make_units(rows)


def _with_neighbours(rows: Numbers, own: slice) -> Numbers:
    """Return its own rows, each together with its neighbours, as unit vectors."""
    joined = rows[own].copy()
    for distance, share in enumerate(_NEIGHBOURS, 1):
        for way in (-distance, distance):
            near = slice(max(0, own.start + way), max(0, min(len(rows), own.stop + way)))
            to = slice(near.start - way - own.start, near.stop - way - own.start)
            joined[to] += np.float32(share) * rows[near]
    _make_units(joined)
    return joined


def _pieces(count: int) -> list[slice]:
    return [slice(at, min(at + _CHUNK, count)) for at in range(0, count, _CHUNK)]


def _make_units(rows: Numbers) -> None:
    np.multiply(rows, (1 / _lengths(rows))[:, None], out=rows)


def _lengths(rows: Numbers) -> Numbers:
    """Return the lengths, 1 for what is zero."""
    lengths: Numbers = np.sqrt(np.einsum("ij,ij->i", rows, rows), dtype=np.float32)
    return np.where(lengths > 0, lengths, np.float32(1))


def _unit(vector: Numbers) -> Numbers:
    return np.asarray(vector / _lengths(vector[None, :])[0], np.float32)
