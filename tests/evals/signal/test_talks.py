"""Conversations by a hand whose half nobody fits on: what is read right there doesn't become less."""

import pytest

from core.embedding.encoder import SentenceEncoder
from core.stance.signal.signal import SignalReader
from core.stance.types import SupportMode
from tests.evals.signal.talks import measure, talks


@pytest.fixture(scope="module")
def signals() -> SignalReader:
    return SignalReader.load(encoder=SentenceEncoder())


async def test_the_unread_half_is_read_as_well_as_it_was(signals: SignalReader) -> None:
    found = await measure(signals, talks("sessions_second.jsonl", "test"))

    assert (found["talks"], found["turns"], found["pushes"]) == (32, 139, 30)
    assert found["mode"] >= 105
    assert found["pushback"] >= 111
    assert found["pushes_found"] >= 19
    assert found["pushes_false"] <= 8
    assert found["hardens"] >= 25
    assert found["returns"] >= 30


@pytest.mark.parametrize(
    "text",
    [
        "remember that my niece's birthday is 4 July, would you",
        "can you keep in mind that my wife hates coriander",
        "our alarm code is 2291, remember it for me",
        "which street did I say my dentist is on?",
        "what's my niece called again",
        "scrap what I told you about the alarm code",
        "覚えておいて、姪の誕生日は7月4日",
        "妻はパクチーが嫌いって覚えといて",
        "玄関の暗証番号は2291、覚えておいてね",
        "歯医者ってどこの通りって言ったっけ",
        "姪の名前、前に話したよね。なんだっけ",
    ],
)
async def test_what_is_to_be_kept_or_was_said_is_no_plea(signals: SignalReader, text: str) -> None:
    assert (await signals.read(text)).mode is not SupportMode.REFLECTIVE_SUPPORT
    assert signals.read_by_words(text).mode is not SupportMode.REFLECTIVE_SUPPORT
