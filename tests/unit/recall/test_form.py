"""How a message is made: requests and questions say less of what people told."""

import pytest

from core.recall.form import worth_by_form


@pytest.mark.parametrize("sign", [" ", ", ", "... "])
def test_a_long_row_of_openings_is_read_at_once(sign: str) -> None:
    assert worth_by_form(f"ok{sign}" * 300 + "hmm", japanese=False) == worth_by_form(
        "we had noodles by the river", japanese=False
    )


@pytest.mark.parametrize(
    "text", ["ok ok, so please explain it to me", "can you tell me the way", "what did I say there"]
)
def test_a_request_counts_less_with_any_opening(text: str) -> None:
    assert worth_by_form(text, japanese=False) < 0


def test_what_only_looks_like_an_opening_is_no_request() -> None:
    assert worth_by_form("okay then I went home at last", japanese=False) == 0
