"""What is kept of the sentences seen."""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest

from core.facts.time_claims import TimeClaim, contradicts, find_claims, find_time_claims, look_ahead
from core.facts.time_claims.finding import Kept, forget, kept_times
from core.facts.time_claims.reading import Sentence


def test_a_sentence_seen_before_is_not_judged_again() -> None:
    forget()
    first = find_claims("もう夜だね。")
    grown = find_claims("もう夜だね。明日は晴れるかな。")
    assert grown.times == first.times
    assert len(kept_times()) == 2


def test_only_what_is_new_is_looked_at() -> None:
    asked = list[str]()

    def find(sentences: Sequence[Sentence]) -> list[tuple[TimeClaim, ...]]:
        asked.extend(sentence.text for sentence in sentences)
        return [() for _ in sentences]

    kept = Kept(find, most=2)
    one, two, three = (Sentence(text, 1, alone=False) for text in "一二三")
    kept.of([one, two, two])
    kept.of([one, three])
    assert (asked, len(kept)) == (["一", "二", "三"], 2)
    kept.of([one])
    assert asked[-1] == "一"


def test_threads_may_share_what_is_kept() -> None:
    both = threading.Barrier(2)

    def find(sentences: Sequence[Sentence]) -> list[tuple[TimeClaim, ...]]:
        both.wait(timeout=10)  # Neither waits for the other to be done.
        return [() for _ in sentences]

    kept = Kept(find, most=1)
    halves = [[Sentence(text, 1, alone=False) for text in half] for half in ("一二三", "二三四")]
    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(kept.of, halves)) == [[(), (), ()]] * 2
    assert len(kept) == 1


async def test_a_long_text_is_looked_at_in_a_thread_and_known_then(monkeypatch: pytest.MonkeyPatch) -> None:
    forget()
    text = "".join(f"{hour}時{minute}分だよ。" for hour in range(10, 24) for minute in range(10, 20))
    kept, looked = kept_times(), list[int]()
    find = kept._find

    def finding(sentences: Sequence[Sentence]) -> list[tuple[TimeClaim, ...]]:
        looked.append(threading.get_ident())
        return list(find(sentences))

    monkeypatch.setattr(kept, "_find", finding)
    await look_ahead(text)
    assert len(find_time_claims(text)) == 140
    assert len(looked) == 1
    assert threading.get_ident() not in looked


async def test_a_sentence_more_needs_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    long = "これは時計の話ではない長い文。" * 40
    find_time_claims(long)
    monkeypatch.setattr("asyncio.to_thread", None)
    await look_ahead(f"{long}もう夜だね。")


@pytest.mark.parametrize(
    "text",
    ["It's 2:30 now. It's 2:30 AM.", "It's past two. It's exactly two now.", "14時過ぎだね。14時ちょうどだよ。"],
)
def test_a_true_claim_does_not_hide_a_false_one_of_the_same_hour(text: str) -> None:
    assert contradicts(find_time_claims(text), datetime(2026, 11, 30, 14, 35, tzinfo=UTC))


def test_the_same_sentence_has_its_own_place_each_time() -> None:
    text = "そうなんだ。やっと家に着いたよ。やっと家に着いたよ。"
    places = [(claim.start, claim.end) for claim in find_claims(text).activities]
    assert [text[start:end] for start, end in places] == [text[places[0][0] : places[0][1]]] * 2
    assert places[0] != places[1]


def test_what_is_kept_is_bounded() -> None:
    forget()
    for number in range(1100):
        find_claims(f"これは{number}番目の文。")
    assert len(kept_times()) == 1024
