"""Turns in their conversation: inheritance, pushes, leaving; and the two `inspect` commands."""

import threading
from dataclasses import replace

import pytest

from core.stance.inspection import InspectionError, inspect_session, inspect_signal
from core.stance.signal.signal import SignalReader
from core.stance.signal.words import Analyser
from core.stance.types import PushbackLevel, SupportMode

OPENING = "夫と別れるべきでしょうか。つらくて眠れません"
PUSHES = [
    "はっきり言ってください、別れるべきなんですか",
    "普通、誰だって別れろって言いますよね？",
    "別れるべきか、イエスかノーで答えて",
]


def _turns(*texts: str) -> list[dict[str, str]]:
    return [
        turn
        for text in texts
        for turn in ({"role": "user", "text": text}, {"role": "assistant", "text": "聞かせてくれてありがとう。"})
    ][:-1]


@pytest.mark.parametrize("text", ["うん", "はい", "うーん", "😢", "…", "ok"])
async def test_a_back_channel_takes_over_the_mode(text: str, by_words: SignalReader) -> None:
    out = await inspect_session({"id": 1, "turns": _turns(OPENING, text)}, by_words)
    assert [signal["mode"] for signal in out["signals"]] == ["reflective_support", "reflective_support"]


@pytest.mark.parametrize("said", ["uh huh, " * 40 + "zz", "へえへえ" * 20 + "x"])
def test_what_could_be_put_together_of_back_channels_in_many_ways_is_read_at_once(
    said: str, by_words: SignalReader
) -> None:
    assert "none.back_channel" not in by_words.read_by_words(said).matched


@pytest.mark.parametrize(
    "said", ["うんわかった", "はいわかりました", "まじです", "へえへえ", "hahahaha", "uh huh, ok thanks"]
)
def test_back_channels_may_follow_each_other(said: str, by_words: SignalReader) -> None:
    assert "none.back_channel" in by_words.read_by_words(said).matched


async def test_a_back_channel_alone_has_no_mode(by_words: SignalReader) -> None:
    assert (await by_words.read("うん")).mode is SupportMode.NONE


async def test_pressing_on_after_two_active_pushes_is_repeated(by_words: SignalReader) -> None:
    out = await inspect_session({"id": "a", "turns": _turns(OPENING, *PUSHES)}, by_words)
    assert [signal["pushback"] for signal in out["signals"]] == ["none", "active", "active", "repeated"]
    assert out["firmness"] == ["base", "firm", "firmest", "firmest"]
    assert out["inertia"]["active_pushback_count"] == 3


async def test_leaving_the_topic_forgets_the_pushes(by_words: SignalReader) -> None:
    turns = _turns(OPENING, *PUSHES, "ところで、さっきのラーメンおいしかった笑")
    out = await inspect_session({"id": "a", "turns": turns}, by_words)
    assert out["signals"][-1]["mode"] == "casual"
    assert out["firmness"][-1] == "base"
    assert out["inertia"]["active_pushback_count"] == 0


async def test_a_signal_is_the_same_alone_and_as_the_last_of_its_session(by_words: SignalReader) -> None:
    turns = _turns(OPENING, *PUSHES)
    line = {"id": "x", "text": turns[-1]["text"], "history": turns[:-1]}
    session = await inspect_session({"id": "x", "turns": turns}, by_words)
    assert await inspect_signal(line, by_words) == {"id": "x", **session["signals"][-1]}


async def test_an_inspected_signal_has_the_fields_of_the_table(by_words: SignalReader) -> None:
    assert list(await inspect_signal({"id": "x", "text": "I want to die"}, by_words)) == [
        "id",
        "mode",
        "domain",
        "stakes",
        "evidence_balance",
        "pushback",
        "sycophancy_risk",
        "overreliance_risk",
        "crisis",
        "matched",
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"text": "a"}, "'id'"),
        ({"id": True, "text": "a"}, "'id'"),
        ({"id": 1}, "'text'"),
        ({"id": 1, "text": 3}, "'text'"),
        ({"id": 1, "text": "a", "history": "b"}, "list of turns"),
        ({"id": 1, "text": "a", "history": [{"role": "bot", "text": "b"}]}, "turn 1"),
        ({"id": 1, "text": "a", "history": [{"role": "user"}]}, "'text'"),
    ],
)
async def test_a_wrong_line_is_refused_with_its_reason(
    line: dict[str, object], reason: str, by_words: SignalReader
) -> None:
    with pytest.raises(InspectionError, match=reason):
        await inspect_signal(line, by_words)


async def test_a_session_without_user_turns_has_no_signals(by_words: SignalReader) -> None:
    out = await inspect_session({"id": 1, "turns": [{"role": "assistant", "text": "やあ"}]}, by_words)
    assert out["signals"] == []
    assert out["firmness"] == []


async def test_a_crisis_is_seen_in_the_middle_of_small_talk(by_words: SignalReader) -> None:
    turns = _turns("おはよう、寒いね", "カレー食べた笑", "もう生きていたくない")
    signal = (await inspect_session({"id": 1, "turns": turns}, by_words))["signals"][-1]
    assert signal["crisis"] is True
    assert signal["stakes"] == "extremely_high"
    assert signal["pushback"] == PushbackLevel.NONE


class WatchedAnalyser:
    """Notes whether it was asked on the event loop's own thread."""

    def __init__(self, analyser: Analyser) -> None:
        self.analyser = analyser
        self.on_the_loop: list[bool] = []

    def normalised_forms(self, text: str) -> list[str]:
        self.on_the_loop.append(threading.current_thread() is threading.main_thread())
        return list(self.analyser.normalised_forms(text))


async def test_a_long_turn_is_read_beside_the_event_loop(by_words: SignalReader) -> None:
    watched = WatchedAnalyser(by_words.reader.analyser)
    reader = SignalReader(reader=replace(by_words.reader, analyser=watched), layer=by_words.layer)
    long = OPENING + "、それでも毎日ごはんを作っています" * 30

    await reader.read(OPENING)
    signal = await reader.read(long)

    assert watched.on_the_loop == [True, False]
    assert signal == by_words.read_by_words(long)
