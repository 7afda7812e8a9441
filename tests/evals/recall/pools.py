"""Questions and their answers among as many messages as a long conversation holds."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from core.analysis.japanese import JapaneseAnalyser
from core.embedding.encoder import SentenceEncoder
from core.ports import CandidatePool
from core.recall.answers import doubtful_kinds, wanted_kinds
from core.recall.form import is_japanese
from core.recall.preselection import Likeness, Notes, Wanted, centred_rows, direction_of, preselect
from core.recall.question import read_question
from core.recall.turning import Turning
from core.recall.words import sought_words
from core.social.vectors import encode
from tests.unit.recall.lines import RecallLine, Said, recall_lines, recall_pairs, second_hand

CORPUS = Path(__file__).parents[2] / "corpus"
SIZE = 10_000
_TOGETHER = 8  # messages of the filling that stay together
_WORDS_ALONE = 6

Numbers = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question. `answers`: positions in the pool; `direction`: its own, (512,); `plain`: the likeness of each
    message without any map."""

    hand: str
    is_paraphrase: bool
    wanted: Wanted
    answers: Sequence[int]
    direction: Numbers
    plain: Numbers


@dataclass(frozen=True, slots=True)
class Pool:
    """Messages of one language. `rows`: what they mean, centred; `own`: those in that language."""

    language: str
    candidates: CandidatePool
    notes: Notes
    rows: Numbers
    own: NDArray[np.int64]
    questions: Sequence[Asked]

    def is_shown(self, asked: Asked, turning: Turning | None, *, places: int) -> bool:
        """Return whether an answer is in the list, by meaning alone."""
        likeness = Likeness.of(replace(asked.wanted, turning=turning), self.candidates, self.notes)
        near = likeness.near()
        favour = asked.wanted.favour([self.candidates.texts[position] for position in near])
        chosen = preselect(likeness.favouring(near, favour), self.candidates, (), places=places)
        return bool({position + 1 for position in asked.answers} & set(chosen))


async def pool_of(language: str) -> Pool:
    """Return the pool of a language, with every question of that language that has an answer."""
    encoder, japanese = SentenceEncoder(), language == "ja"
    lines = [(hand, line) for hand, line in _lines() if is_japanese(line.question) == japanese and line.expected]
    blocks = list(dict.fromkeys(line.archive for _, line in lines))
    said = [[(one.text, one.by_user) for one in block] for block in blocks]
    messages = _filled(said, japanese=japanese)
    texts = [text for text, _ in messages]
    candidates = CandidatePool(
        message_ids=np.arange(1, len(texts) + 1),
        texts=texts,
        by_self=np.array([not by_user for _, by_user in messages]),
        vectors=np.frombuffer(b"".join(map(_stored, await encoder.embed(texts))), np.int8).reshape(len(texts), -1),
        whole=True,
    )
    notes = Notes.of(Wanted(text=lines[0][1].question, kinds=(), vector=None, words_vector=None), texts)
    places: dict[str, list[int]] = {}
    for place, text in enumerate(texts):
        places.setdefault(text, []).append(place)
    analyser = JapaneseAnalyser()
    questions = []
    for hand, line in lines:
        answers = [place for one in line.archive if one.mid in line.expected for place in places[one.text]]
        wanted = await _wanted(encoder, analyser, line.question)
        questions.append(
            Asked(
                hand=hand,
                is_paraphrase=line.kind == "paraphrase",
                wanted=wanted,
                answers=answers,
                direction=direction_of(wanted, candidates, notes),
                plain=Likeness.of(wanted, candidates, notes).by_itself,
            )
        )
    own = np.flatnonzero(notes.japanese == japanese)
    return Pool(language, candidates, notes, centred_rows(candidates, notes), own, questions)


def _lines() -> Iterator[tuple[str, RecallLine]]:
    for line in recall_lines():
        yield "first", line
    for side in ("dev", "test"):
        for line in second_hand(side):
            yield "second", line
    for hand, pair in recall_pairs():
        archive = (Said(pair["id"], by_user=True, text=pair["message"]),)
        yield hand, RecallLine(pair["id"], "paraphrase", pair["question"], archive, frozenset({pair["id"]}))


def _filled(blocks: Sequence[Sequence[tuple[str, bool]]], *, japanese: bool) -> list[tuple[str, bool]]:
    """Return the talks, among others of the same language as far as there are any, in an order drawn by lot."""
    draw = random.Random(1)
    others = [*_texts("turns", by_user=True), *_texts("replies", by_user=False)]
    draw.shuffle(others)
    others.sort(key=lambda said: is_japanese(said[0]) != japanese)
    rest = others[: max(0, SIZE - sum(map(len, blocks)))]
    draw.shuffle(rest)
    parts = [*blocks, *(rest[at : at + _TOGETHER] for at in range(0, len(rest), _TOGETHER))]
    draw.shuffle(parts)
    return [said for part in parts for said in part]


def _texts(kind: str, *, by_user: bool) -> Iterator[tuple[str, bool]]:
    lines = [line for file in sorted(CORPUS.glob(f"{kind}_*.jsonl")) for line in file.read_text("utf-8").splitlines()]
    read = (json.loads(line) for line in lines)
    for text in dict.fromkeys(line.get("text") or line.get("reply") or "" for line in read):
        if text:
            yield text, by_user


def _stored(vector: Sequence[float] | None) -> bytes:
    return encode(vector or ()).tobytes()


async def _wanted(encoder: SentenceEncoder, analyser: JapaneseAnalyser, question: str) -> Wanted:
    """Return what a question looks for, as the search reads it."""
    text = read_question(question).clause or question
    words = [word.written or word.term for word in sought_words(analyser, text) if not word.perhaps]
    vector, together, *each = await encoder.embed([text, " ".join(words), *words[:_WORDS_ALONE]])
    return Wanted(
        text=text,
        kinds=wanted_kinds(text),
        doubtful=doubtful_kinds(text),
        vector=vector,
        words_vector=together,
        word_vectors=[alone for alone in each if alone is not None],
    )
