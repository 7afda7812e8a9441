"""Which pieces of background a talk calls for."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.language_model.tokens import estimate_tokens
from core.lore.book import Lorebook, LoreEntry, LorePlace
from core.lore.selection import select

HARBOUR = LoreEntry(text="The harbour is called Grey Quay.", keys=("harbour", "quay"))


def told(*entries: LoreEntry, said: str | list[str], tokens: int = 400, **book: int | bool) -> list[str]:
    messages = [said] if isinstance(said, str) else said
    options = {"scan_depth": 4, "token_budget": 400, "recursive": False, **book}
    return [entry.text for entry in select(Lorebook(entries=entries, **options), messages, most_tokens=tokens)]  # type: ignore[arg-type]


@pytest.mark.parametrize("said", ["Tell me of the HARBOUR", "two harbours", "the ｈａｒｂｏｕｒ!", "on the quay"])
def test_a_key_calls_for_its_piece_in_any_spelling(said: str) -> None:
    assert told(HARBOUR, said=said) == [HARBOUR.text]


@pytest.mark.parametrize("said", ["Hello", "", "unharbour"])
def test_without_a_key_nothing_is_told(said: str) -> None:
    assert told(HARBOUR, said=said) == []


def test_japanese_keys_are_found_inside_a_sentence() -> None:
    assert told(LoreEntry(text="灰色の埠頭。", keys=("港",)), said="あの港町の話をして") == ["灰色の埠頭。"]


def test_a_case_sensitive_key_wants_its_very_letters() -> None:
    entry = LoreEntry(text="A ship.", keys=("Rose",), case_sensitive=True)

    assert told(entry, said="a rose") == []
    assert told(entry, said="the Rose") == ["A ship."]


def test_secondary_keys_are_needed_as_well() -> None:
    entry = LoreEntry(text="Grey Quay burned.", keys=("quay",), secondary_keys=("fire", "burn"))

    assert told(entry, said="the quay") == []
    assert told(entry, said="was there a fire at the quay?") == ["Grey Quay burned."]


def test_a_disabled_piece_is_never_told_and_a_constant_one_always() -> None:
    off = LoreEntry(text="Off.", keys=("quay",), always=True, enabled=False)
    always = LoreEntry(text="Always.", always=True)

    assert told(off, always, said="quay") == ["Always."]


def test_only_the_last_messages_are_looked_at() -> None:
    said = ["the quay", "one", "two", "three"]

    assert told(HARBOUR, said=said, scan_depth=3) == []
    assert told(HARBOUR, said=said, scan_depth=4) == [HARBOUR.text]
    deep = LoreEntry(text="Deep.", keys=("quay",), scan_depth=4)
    assert told(deep, said=said, scan_depth=1) == ["Deep."]
    assert told(HARBOUR, said=said, scan_depth=0) == []


def test_lower_order_stands_higher_and_the_first_group_before_the_second() -> None:
    entries = [
        LoreEntry(text="c", always=True, order=5),
        LoreEntry(text="b", always=True, order=1),
        LoreEntry(text="a", always=True, order=9, place=LorePlace.BEFORE),
    ]

    assert told(*entries, said="") == ["a", "b", "c"]


def test_what_does_not_fit_goes_by_priority() -> None:
    low = LoreEntry(text="low " * 20, always=True, priority=1)
    high = LoreEntry(text="high " * 20, always=True, priority=9, order=200)

    assert told(low, high, said="", token_budget=30) == [high.text]
    assert told(low, high, said="", tokens=30) == [high.text]


def test_what_is_told_calls_for_more_only_where_the_book_says_so() -> None:
    quay = LoreEntry(text="Grey Quay is Ada's.", keys=("quay",))
    ada = LoreEntry(text="Ada fears the Kraken.", keys=("Ada",))
    kraken = LoreEntry(text="The Kraken calls the quay home.", keys=("kraken",))

    assert told(quay, ada, kraken, said="the quay") == [quay.text]
    assert told(quay, ada, kraken, said="the quay", recursive=True) == [quay.text, ada.text, kraken.text]


@settings(max_examples=30)
@given(
    entries=st.lists(
        st.builds(
            LoreEntry,
            text=st.text(min_size=1, max_size=60),
            keys=st.lists(st.text(max_size=5), max_size=3).map(tuple),
            always=st.booleans(),
            priority=st.integers(-3, 3),
        ),
        max_size=8,
    ),
    said=st.lists(st.text(max_size=40), max_size=6),
    budget=st.integers(0, 60),
    recursive=st.booleans(),
)
def test_nothing_is_told_twice_or_over_the_budget(
    entries: list[LoreEntry], said: list[str], budget: int, recursive: bool
) -> None:
    book = Lorebook(entries=tuple(entries), recursive=recursive)
    chosen = select(book, said, most_tokens=budget)

    assert sum(estimate_tokens(entry.text) for entry in chosen) <= budget
    assert len({id(entry) for entry in chosen}) == len(chosen)
