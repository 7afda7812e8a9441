"""What weighs on somebody becomes no lasting note, with every stance flag off."""

from collections.abc import Sequence
from typing import cast

import pytest

from core.stance.caution import Caution, CautionParts
from core.stance.gate.gate import StanceGate
from core.stance.signal.session import SaidTurn
from core.stance.signal.signal import SignalReader
from core.stance.types import ReflectiveSupportSignal

MAY = [
    "I have two cats",
    "remember I'm allergic to peanuts",
    "卵アレルギーなの、覚えておいて",
    "my sister lives in Osaka",
    "甘いものが苦手",
    "辛いものが好き",
    "弟の名前はハルト",
    "don't forget my birthday is July 4",
]
MAY_NOT = [
    "I want to die",
    "死にたいって覚えておいて",
    "別れるべきか悩んでるの、覚えておいて",
    "please remember that my boyfriend hates me",
    "I take 40mg of fluoxetine daily",
    "うつ病なんだ",
    "彼氏が浮気してるかも",
    "my ex used to hit me",
    "母は私を愛してない",
    "借金が300万ある",
    "I was diagnosed with depression last year",
    "夫とうまくいってない",
]


@pytest.fixture(scope="module")
def caution() -> Caution:
    return Caution()


@pytest.mark.parametrize("text", MAY)
async def test_what_people_like_and_have_may_be_kept(caution: Caution, text: str) -> None:
    assert await caution.may_be_kept(text)


@pytest.mark.parametrize("text", MAY_NOT)
async def test_what_weighs_on_somebody_is_never_kept(caution: Caution, text: str) -> None:
    assert not await caution.may_be_kept(text)


@pytest.mark.parametrize(
    ("text", "may"),
    [
        ("Aki moved to Kyoto and has two cats.", True),
        ("秋さんは京都に引っ越した。", True),
        ("Aki said that her boss seems to hate her.", True),
        ("He is manipulating you and never loved you.", False),
        ("彼氏は秋さんを嫌っている。", False),
    ],
)
async def test_what_only_somebody_absent_could_know_is_not_retold(caution: Caution, text: str, may: bool) -> None:
    assert await caution.may_be_retold(text) is may


class Counting:
    """A reader that counts what it is asked to read."""

    def __init__(self) -> None:
        self._reader = SignalReader.load()
        self.asked: list[str] = []

    async def read(self, text: str, history: Sequence[SaidTurn] = ()) -> ReflectiveSupportSignal:
        self.asked.append(text)
        return await self._reader.read(text, history)

    def caution(self, *, remembered: int) -> Caution:
        parts = CautionParts(reader=cast("SignalReader", self), gate=StanceGate.load())
        return Caution(parts, remembered=remembered)


async def test_a_text_by_itself_is_judged_once() -> None:
    reader = Counting()
    caution = reader.caution(remembered=8)

    for _ in range(3):
        assert await caution.is_sensitive("I want to die")
        assert not await caution.is_sensitive("I have two cats")

    assert reader.asked == ["I want to die", "I have two cats"]


async def test_what_was_judged_longest_ago_is_forgotten_first() -> None:
    reader = Counting()
    caution = reader.caution(remembered=2)

    for text in ("one cat", "two cats", "one cat", "three cats", "one cat", "two cats"):
        await caution.is_sensitive(text)

    assert reader.asked == ["one cat", "two cats", "three cats", "two cats"]


async def test_a_text_that_was_judged_by_itself_is_judged_again_after_other_words() -> None:
    history = [(True, "My husband hits me and I can't sleep any more.")]
    caution = Counting().caution(remembered=8)

    assert not await caution.is_sensitive("Again last night.")
    assert await caution.is_sensitive("Again last night.", history)
    assert not await caution.is_sensitive("Again last night.")
