"""What is kept of the sentences seen."""

from collections.abc import Sequence

from core.facts.time_claims import TimeClaim, find_claims
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
