"""How long the predicates take on 500 characters."""

from itertools import cycle

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from core.facts.time_claims import find_claims
from core.facts.time_claims.finding import forget
from tests.unit.facts.labelled import own_cases


def blocks(locale: str, *, claims: bool) -> list[str]:
    """Return texts of 500 characters: ordinary talk, or (far denser than any reply) claims only."""
    lines = [
        line["text"]
        for line in own_cases()
        if line["lang"] == locale and bool(line["explicit_claims"] or line["implicit_activity_claim"]) == claims
    ]
    text = "\n".join(lines)
    return [text[start : start + 500] for start in range(0, len(text) - 500, 500)]


@pytest.mark.parametrize("claims", [False, True], ids=["talk", "claims_only"])
@pytest.mark.parametrize("locale", ["ja", "en"])
@pytest.mark.parametrize("seen", [False, True], ids=["new", "seen"])
def test_both_predicates_on_500_characters(
    benchmark: BenchmarkFixture, locale: str, *, claims: bool, seen: bool
) -> None:
    texts = blocks(locale, claims=claims)
    for text in texts:
        find_claims(text)
    following = cycle(texts)

    def ready() -> tuple[tuple[str], dict[str, str]]:
        if not seen:
            forget()
        return (next(following),), {}

    benchmark.pedantic(find_claims, setup=ready, rounds=10 * len(texts))  # type: ignore[no-untyped-call]
