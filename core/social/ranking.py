"""Which posts are read, in which order: weights, chance, nearness to the interest (seed 002, 「読む投稿の候補」)."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.social.bounds import SocialBounds
from core.social.language import main_language
from core.social.types import KnownPost, Source
from core.social.vectors import DIMENSIONS, contrast, decode

_ROWS_AT_ONCE = 1000
_LOOKED_AT_EXACTLY = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A post that could be read: by which way it weighs most, and how much. `score` is drawn from 0 to the weight."""

    known: KnownPost
    source: Source
    weight: float
    score: float = 0.0
    similarity: float | None = None
    boosted: float = 0.0

    @property
    def post_id(self) -> int:
        """The post's id."""
        return self.known.post.id


def weight_of(known: KnownPost, source: Source, *, character: str, language: str, bounds: SocialBounds) -> float:
    """Return a source's weight, corrected for replies to others and for the language."""
    weight = bounds.weights[source]
    if source in {Source.FOLLOWEES, Source.NEWEST} and known.post.answers_somebody_else(character):
        weight *= bounds.other_reply_weight
    spoken = main_language(known.post.language)
    if spoken == main_language(language):
        return weight * bounds.same_language_weight
    return weight * (bounds.english_weight if spoken == "en" else bounds.other_language_weight)


def heaviest(found: Iterable[tuple[Source, KnownPost, float]]) -> list[Candidate]:
    """Return each post once, with the greatest of its weights (they are not added up), in the order of ids."""
    best: dict[int, Candidate] = {}
    for source, known, weight in found:
        held = best.get(known.post.id)
        if held is None or weight > held.weight:
            best[known.post.id] = Candidate(known=known, source=source, weight=weight)
    return [best[post_id] for post_id in sorted(best)]


def drawn(candidates: Sequence[Candidate], *, bounds: SocialBounds, rng: random.Random) -> list[Candidate]:
    """Return the candidates by chance times weight, as many as are compared, the highest first."""
    scored = [_with_score(candidate, rng.random() * candidate.weight) for candidate in candidates]
    return sorted(scored, key=lambda candidate: -candidate.score)[: bounds.compare_posts]


def ordered(candidates: Sequence[Candidate], interest: bytes | None, *, bounds: SocialBounds) -> list[Candidate]:
    """Return the candidates in the order they are read; without an interest as they were drawn.

    A post without a vector is left out: it can't be compared, and has not been summarised.
    """
    comparable = [candidate for candidate in candidates if candidate.known.features is not None]
    if interest is None:
        return comparable
    likeness = similarities(interest, [candidate.known.features or b"" for candidate in comparable])
    ranked = [_compared(candidate, float(value), bounds) for candidate, value in zip(comparable, likeness, strict=True)]
    return sorted(ranked, key=lambda candidate: -candidate.boosted)


def first_to_read(candidates: Sequence[Candidate], *, bounds: SocialBounds) -> list[Candidate]:
    """Return the first few, of each author no more than a few."""
    taken: list[Candidate] = []
    authors: Counter[int] = Counter()
    for candidate in candidates:
        author = candidate.known.post.author.id
        if len(taken) < bounds.read_posts and authors[author] < bounds.read_per_author:
            authors[author] += 1
            taken.append(candidate)
    return taken


def similarities(interest: bytes, features: Sequence[bytes]) -> NDArray[np.float32]:
    """Return the cosine of an interest with each of many stored vectors, 0 where one is zero.

    In single precision and in pieces, for thousands of them; damaged vectors count as zero.
    """
    wanted = decode(np.frombuffer(interest, np.int8))
    length = float(np.linalg.norm(wanted))
    direction = (wanted / length if length else wanted).astype(np.float32)
    rows = np.frombuffer(b"".join(features), np.uint8).reshape(-1, DIMENSIONS)
    pieces = [_cosines(rows[at : at + _ROWS_AT_ONCE], direction) for at in range(0, len(rows), _ROWS_AT_ONCE)]
    return np.concatenate(pieces) if pieces else np.zeros(0, np.float32)


def nearest(interest: bytes, vectors: Mapping[int, bytes], *, limit: int) -> list[int]:
    """Return the ids of the vectors that are nearest to an interest, the nearest first.

    Of very many, a rough look at the bytes as they are stored picks those that are compared exactly.
    """
    ids, features = list(vectors), list(vectors.values())
    enough = max(_LOOKED_AT_EXACTLY, 4 * limit)
    if len(ids) > enough:
        rough = _rough_likeness(interest, features)
        picked = sorted(np.argpartition(-rough, enough)[:enough].tolist())
        ids, features = [ids[index] for index in picked], [features[index] for index in picked]
    likeness = similarities(interest, features)
    return [ids[index] for index in np.argsort(-likeness, kind="stable")[:limit].tolist()]


def by_interest(candidates: Sequence[Candidate]) -> Mapping[int, int]:
    """Return the rank of each post read (from 1) by its nearness to the interest; {} where there is no interest."""
    compared = [candidate for candidate in candidates if candidate.similarity is not None]
    nearest_first = sorted(compared, key=lambda candidate: -(candidate.similarity or 0.0))
    return {candidate.post_id: rank for rank, candidate in enumerate(nearest_first, 1)}


def _rough_likeness(interest: bytes, features: Sequence[bytes]) -> NDArray[np.float32]:
    """Return the cosines of the stored bytes: the curve in them changes no sign and no order of magnitudes."""
    rows = np.frombuffer(b"".join(features), np.int8).reshape(-1, DIMENSIONS).astype(np.float32)
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    products = rows @ np.frombuffer(interest, np.int8).astype(np.float32)
    found: NDArray[np.float32] = np.divide(products, lengths, out=np.zeros(len(rows), np.float32), where=lengths > 0)
    return found


def _cosines(rows: NDArray[np.uint8], direction: NDArray[np.float32]) -> NDArray[np.float32]:
    decoded = np.take(_TABLE, rows, mode="wrap")  # every byte has a place in it: no bounds to check
    lengths = np.sqrt(np.einsum("ij,ij->i", decoded, decoded))
    products = decoded @ direction
    found: NDArray[np.float32] = np.clip(
        np.divide(products, lengths, out=np.zeros(len(rows), np.float32), where=lengths > 0), -1.0, 1.0
    )
    return found


def _table() -> NDArray[np.float32]:
    """Return what each unsigned byte stands for; -128, which is never stored, for nothing."""
    signed = np.arange(256, dtype=np.uint8).view(np.int8)
    usable = np.where(signed == np.iinfo(np.int8).min, 0, signed).astype(np.int8)
    return decode(usable).astype(np.float32)


_TABLE = _table()


def _with_score(candidate: Candidate, score: float) -> Candidate:
    return Candidate(known=candidate.known, source=candidate.source, weight=candidate.weight, score=score)


def _compared(candidate: Candidate, similarity: float, bounds: SocialBounds) -> Candidate:
    nearness = contrast((similarity + 1.0) / 2.0, bounds.contrast_gain, bounds.contrast_middle)
    return Candidate(
        known=candidate.known,
        source=candidate.source,
        weight=candidate.weight,
        score=candidate.score,
        similarity=similarity,
        boosted=(candidate.score + bounds.random_floor) * nearness,
    )
