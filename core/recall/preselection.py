"""Which messages a model gets to see when there are more than it can be shown: those most likely to be meant.

By meaning: likeness of the vectors to the question and to its content words alone, once what all texts of a language
have in common is taken out. Messages in the question's language, by people rather than by the character, that are no
questions and that hold the kind of answer wanted come first. A message counts by itself and as a part of its talk, for
an answer often leaves out what it is about; the two orders are joined by their ranks. Some places are for the newest,
and the first for what the literal search found, if too little.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.ports import CandidatePool
from core.recall.answers import can_answer
from core.social.vectors import decode

Numbers = NDArray[np.float32]

_JAPANESE = re.compile(r"[぀-ヿ㐀-鿿]")
_QUESTION = re.compile(r"[?？][\s\"')」』…。]*\Z")
_CHUNK = 2048
_ENOUGH_TO_CENTRE = 50

# In cosines.
_CONTENT_WORDS = 0.5
_SAME_LANGUAGE = 2.0
_BY_A_PERSON = 0.2
_A_QUESTION = -0.2
_HOLDS_AN_ANSWER = 0.08

# What a message next to another, and one further off, counts for the talk around it.
_NEIGHBOURS = (0.6, 0.36)

# Shares of the places.
_LITERAL = 0.1
_NEWEST = 0.1

# A rank counts 1 / (_RANK + rank): the larger, the less the first ranks of one order outweigh those of the other.
_RANK = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """A question: its text, the kinds of answer wanted, and its vectors, (512,) each, of the text and its words."""

    text: str
    kinds: Sequence[str]
    vector: Sequence[float] | None
    words_vector: Sequence[float] | None


def preselect(wanted: Wanted, pool: CandidatePool, literal: Sequence[int], *, places: int) -> list[int]:
    """Return the ids of at most `places` messages of the pool, in the order of time.

    `literal`: ids of messages that share words with the question, best first. Takes about 10 ms for 10,000 messages.
    """
    ids = [candidate.message_id for candidate in pool.candidates]
    known, likeliest = set(ids), _likeliest(wanted, pool) if ids else []
    ranked = (
        ([message_id for message_id in literal if message_id in known], int(places * _LITERAL)),
        (reversed(ids), max(1, int(places * _NEWEST))),
        ((ids[position] for position in likeliest), places),
    )
    chosen: set[int] = set()
    for candidates, share in ranked:
        chosen.update(_first_new(candidates, chosen, min(share, places - len(chosen))))
    return [message_id for message_id in ids if message_id in chosen]


def _likeliest(wanted: Wanted, pool: CandidatePool) -> list[int]:
    """Return the positions of the likeliest by both orders together, of equals the newest first."""
    by_itself, in_its_talk = _likeness(wanted, pool)
    positions: list[int] = _best(1 / (_RANK + _ranks(by_itself)) + 1 / (_RANK + _ranks(in_its_talk))).tolist()
    return positions


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


def _likeness(wanted: Wanted, pool: CandidatePool) -> tuple[Numbers, Numbers]:
    """Return how likely each message is meant, by itself and as a part of its talk; higher is likelier."""
    texts = [candidate.text for candidate in pool.candidates]
    japanese = np.array([_is_japanese(text) for text in texts])
    prior = np.full(len(texts), 0.0, np.float32)
    prior += np.where(japanese == _is_japanese(wanted.text), _SAME_LANGUAGE, 0.0)
    prior += np.array([0.0 if candidate.is_self else _BY_A_PERSON for candidate in pool.candidates])
    prior += np.array([_A_QUESTION if _QUESTION.search(text) else 0.0 for text in texts])
    if wanted.kinds:
        prior += np.array([_HOLDS_AN_ANSWER if can_answer(text, wanted.kinds) else 0.0 for text in texts])
    if wanted.vector is None:
        return prior, prior
    vectors, common = _centred(_decoded(pool.vectors), japanese)
    question = _unit(np.asarray(wanted.vector, np.float32) - common[_is_japanese(wanted.text)])
    if wanted.words_vector is not None:
        words = _unit(np.asarray(wanted.words_vector, np.float32) - common[_is_japanese(wanted.text)])
        question = question + np.float32(_CONTENT_WORDS) * words
    return vectors @ question + prior, _with_neighbours(vectors) @ question + prior


def _decoded(stored: NDArray[np.int8]) -> Numbers:
    """Return the rows as unit vectors; done in pieces, for each takes eight times the room."""
    pieces = [_units(decode(stored[at : at + _CHUNK]).astype(np.float32)) for at in range(0, len(stored), _CHUNK)]
    return np.concatenate(pieces)


def _centred(vectors: Numbers, japanese: NDArray[np.bool_]) -> tuple[Numbers, dict[bool, Numbers]]:
    """Return the vectors without what those of their language have in common, and that; zero vectors stay zero."""
    filled = vectors.any(axis=1)
    common: dict[bool, Numbers] = {}
    centred: Numbers = vectors.copy()
    for language in (True, False):
        rows = filled & (japanese == language)
        mean: Numbers = np.zeros(vectors.shape[1], np.float32)
        if int(rows.sum()) >= _ENOUGH_TO_CENTRE:
            mean = vectors[rows].mean(axis=0, dtype=np.float32)
        common[language] = mean
        centred[rows] = vectors[rows] - mean
    return _units(centred), common


def _with_neighbours(vectors: Numbers) -> Numbers:
    joined: Numbers = vectors.copy()
    for distance, share in enumerate(_NEIGHBOURS, 1):
        joined[distance:] += np.float32(share) * vectors[:-distance]
        joined[:-distance] += np.float32(share) * vectors[distance:]
    return _units(joined)


def _units(rows: Numbers) -> Numbers:
    lengths: Numbers = np.sqrt(np.einsum("ij,ij->i", rows, rows), dtype=np.float32)
    return np.divide(rows, np.where(lengths > 0, lengths, 1)[:, None], dtype=np.float32)


def _unit(vector: Numbers) -> Numbers:
    return np.asarray(_units(vector[None, :])[0], np.float32)


def _is_japanese(text: str) -> bool:
    return _JAPANESE.search(text) is not None
