import io
import json
from functools import partial

from bot.cli.candidate_lines import CandidateLine, inspect_line
from bot.cli.jsonl import answer_lines
from core.proactive.opinion.opinion import BY_WORDS


def answers(*lines: str) -> list[dict[str, object]]:
    out = io.BytesIO()
    inspect = partial(inspect_line, opinion=BY_WORDS)
    answer_lines(CandidateLine, inspect, lines=[line.encode() + b"\n" for line in lines], out=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_text_that_claims_nothing_is_admissible() -> None:
    assert answers('{"id": 1, "kind": "neutral", "text": "Is cereal a soup?", "locale": "en"}') == [
        {"id": 1, "admissible": True, "findings": []}
    ]


def test_a_claim_is_told_with_where_it_stands() -> None:
    assert answers('{"id": "a", "kind": "neutral", "text": "ねえ、しりとりしない？　久しぶり。", "locale": "ja"}') == [
        {"id": "a", "admissible": False, "findings": [{"claim": "user_presence", "start": 12, "end": 16}]}
    ]


def test_an_activity_is_admissible_in_a_scheduled_text_only() -> None:
    line = '{{"id": 1, "kind": "{kind}", "text": "ゼミ終わった。", "locale": "ja"}}'

    (neutral,) = answers(line.format(kind="neutral"))
    (scheduled,) = answers(line.format(kind="schedule"))

    assert (neutral["admissible"], scheduled["admissible"]) == (False, True)


def test_a_text_that_says_nothing_is_no_text() -> None:
    assert answers('{"id": 1, "kind": "neutral", "text": " \\n", "locale": "en"}') == [
        {"line": 1, "error": "'text': is empty"}
    ]


def test_a_bad_line_is_answered_and_the_rest_goes_on() -> None:
    first, second, third = answers(
        "nonsense",
        '{"id": 2, "kind": "other", "text": "a", "locale": "en"}',
        '{"id": 3, "kind": "neutral", "text": "Pineapple on pizza. Go.", "locale": "en"}',
    )

    assert first["line"] == 1
    assert "error" in first
    assert second["line"] == 2
    assert "'kind'" in str(second["error"])
    assert third == {"id": 3, "admissible": True, "findings": []}
