"""What is kept of the sentences seen."""

from core.facts.time_claims import find_claims
from core.facts.time_claims.finding import _times_of, forget


def test_a_sentence_seen_before_is_not_judged_again() -> None:
    forget()
    first = find_claims("もう夜だね。")
    grown = find_claims("もう夜だね。明日は晴れるかな。")
    assert grown.times == first.times
    assert (_times_of.cache_info().hits, _times_of.cache_info().misses) == (1, 2)


def test_the_same_sentence_has_its_own_place_each_time() -> None:
    text = "そうなんだ。やっと家に着いたよ。やっと家に着いたよ。"
    places = [(claim.start, claim.end) for claim in find_claims(text).activities]
    assert [text[start:end] for start, end in places] == [text[places[0][0] : places[0][1]]] * 2
    assert places[0] != places[1]


def test_what_is_kept_is_bounded() -> None:
    forget()
    for number in range(1100):
        find_claims(f"これは{number}番目の文。")
    assert _times_of.cache_info().currsize == 1024
