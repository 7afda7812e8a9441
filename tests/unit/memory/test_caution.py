"""What weighs on somebody becomes no lasting note, with every stance flag off."""

import pytest

from core.stance.caution import Caution

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
