"""The second opinion: asked where the rules find nothing, tells the sentence, leaves a text its own doing."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.embedding.encoder import DIMENSIONS, SentenceEncoder
from core.proactive.admission import examine
from core.proactive.claims.types import ClaimName
from core.proactive.opinion.layer import Layer, LayerError
from core.proactive.opinion.opinion import BY_WORDS, SecondOpinion
from core.proactive.opinion.pieces import WIDTH, pieces
from core.proactive.types import Grounding
from data.packs.loader import SHIPPED, load_pack
from tests.evals.admission.lines import load_last

HIDDEN = "Time to flip the sign and turn off the lamps."
OWN_DOING = "Laundry's on the line and one sock has gone rogue."


class CountingEncoder:
    """Remembers what it was asked; every vector is nought."""

    def __init__(self, name: str = SentenceEncoder.name) -> None:
        self.name = name
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str]) -> list[list[float] | None]:
        self.asked += texts
        return [[0.0] * DIMENSIONS for _ in texts]


@pytest.fixture(scope="module")
def opinion() -> SecondOpinion:
    return SecondOpinion(encoder=SentenceEncoder())


def test_what_no_rule_finds_is_told_under_a_name_of_its_own(opinion: SecondOpinion) -> None:
    text = f"  {HIDDEN} {HIDDEN}"

    (finding,) = examine(text, Grounding.NEUTRAL, opinion=opinion)

    assert examine(text, Grounding.NEUTRAL) == ()
    assert (finding.claim, text[finding.start : finding.end]) == (ClaimName.LEARNED, HIDDEN)


def test_nothing_is_asked_where_a_rule_has_found_something() -> None:
    encoder = CountingEncoder()

    found = examine("Good evening!", Grounding.NEUTRAL, opinion=SecondOpinion(encoder=encoder))

    assert [finding.claim for finding in found] == [ClaimName.PART_OF_DAY]
    assert encoder.asked == []


def test_vectors_of_another_model_are_not_asked_for() -> None:
    encoder = CountingEncoder(name="another")

    assert SecondOpinion(encoder=encoder).ask("Is cereal a soup?") is None
    assert encoder.asked == []


def test_a_scheduled_text_may_tell_of_its_own_doing(opinion: SecondOpinion) -> None:
    assert opinion.ask(OWN_DOING) is not None
    assert examine(OWN_DOING, Grounding.SCHEDULE, opinion=opinion) == ()


@pytest.mark.parametrize("text", ["", " ", "。。。", "🙂", "\ufffc"])
def test_a_text_without_words_is_answered(text: str) -> None:
    assert BY_WORDS.ask(text) is None


def test_every_text_of_the_shipped_character_is_admitted(opinion: SecondOpinion) -> None:
    candidates = load_pack(SHIPPED / "hinata", opinion=opinion).candidates

    assert {len(texts) for texts in candidates.values()} != {0}


@pytest.mark.parametrize("language", ["ja", "en"])
def test_lines_that_nothing_was_tuned_by_are_told_apart_as_measured(opinion: SecondOpinion, language: str) -> None:
    """The bounds stand below what was measured, so that a rebuild with more lines is not held up by a line or two."""
    lines = [line for line in load_last() if line.language == language]
    refused = {line.text: examine(line.text, Grounding(line.kind), opinion=opinion) != () for line in lines}
    hidden, good = (
        [refused[line.text] for line in lines if line.admissible is admissible] for admissible in (False, True)
    )

    assert sum(hidden) >= 0.8 * len(hidden)
    assert sum(good) <= 0.1 * len(good)


@given(st.text(max_size=80))
def test_what_is_told_lies_inside_the_text(text: str) -> None:
    finding = BY_WORDS.ask(text)

    assert finding is None or 0 <= finding.start < finding.end <= len(text)


def test_pieces_do_not_tell_one_number_from_another() -> None:
    assert pieces("page 16").shape == (WIDTH,)
    assert np.array_equal(pieces("page 16"), pieces("page 7"))
    assert not np.array_equal(pieces("page 16"), pieces("line 16"))


def test_a_damaged_file_is_named_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "layer.npz").write_bytes(b"PK\x03\x04 nothing")

    with pytest.raises(LayerError, match=r"layer\.npz: can't be read .*; rebuild it"):
        Layer.load(tmp_path / "layer.npz")


def test_weights_that_do_not_fit_together_are_refused() -> None:
    layer = Layer.load()

    with pytest.raises(LayerError, match="weights have shapes"):
        Layer(
            encoder=layer.encoder,
            limits=layer.limits,
            words=layer.words[1:],
            both=layer.both,
            landmarks=layer.landmarks,
        ).check("layer.npz")
