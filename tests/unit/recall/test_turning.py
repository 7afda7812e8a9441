"""The map from questions to their answers: only for the encoder it is fitted on, and a question is turned by it."""

from dataclasses import replace

import numpy as np

from core.embedding.encoder import SentenceEncoder
from core.recall.preselection import Likeness, Notes
from core.recall.turning import MODEL, Turning, turning_for
from tests.unit.recall.test_preselection import direction, pool, wanted


def test_it_is_there_for_the_local_encoder_and_for_no_other() -> None:
    turning = turning_for(SentenceEncoder.name)

    assert SentenceEncoder.name == MODEL
    assert turning is not None
    assert turning.matrix.shape == (512, 512)
    assert turning_for("another") is None


def test_a_question_is_looked_for_where_its_answers_lie() -> None:
    matrix = np.zeros((512, 512), np.float32)
    matrix[1, 2] = 2.0
    messages = pool(("a long walk by the sea", direction(1)), ("a long walk by the sea", direction(2)))
    question = wanted(vector=direction(1))

    def best(turning: Turning | None) -> int:
        turned = replace(question, turning=turning)
        return Likeness.of(turned, messages, Notes.of(turned, messages.texts)).likeliest()[0]

    assert best(None) == 0
    assert best(Turning(matrix)) == 1


def test_it_changes_little_of_what_a_question_means() -> None:
    turning = turning_for(MODEL)
    assert turning is not None
    for index in (0, 100, 511):
        plain = np.asarray(direction(index), np.float32)
        turned = turning.of(plain)
        assert float(plain @ turned / np.linalg.norm(turned)) > 0.8
