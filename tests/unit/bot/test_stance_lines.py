import asyncio
import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from bot.cli.jsonl import Line, answer_lines
from bot.cli.stance_lines import SessionLine, SignalLine, VerifyLine, answered
from core.stance.inspector import StanceInspector
from data.places import places_file


@pytest.fixture(scope="module")
def inspector() -> StanceInspector:
    return StanceInspector.load(resources=places_file(), encoder=None)


@pytest.fixture
def runner() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as running:
        yield running


def ask(runner: asyncio.Runner, inspector: StanceInspector, command: str, *lines: object) -> list[dict[str, Any]]:
    kinds: dict[str, type[Line]] = {"signal": SignalLine, "session": SessionLine, "verify": VerifyLine}
    out = io.BytesIO()
    answer_lines(
        kinds[command],
        lambda line: answered(runner, getattr(inspector, command), line),
        lines=[line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines],
        out=out,
    )
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_a_signal_has_all_fields_in_order(runner: asyncio.Runner, inspector: StanceInspector) -> None:
    (answer,) = ask(runner, inspector, "signal", {"id": "a", "text": "彼って私のこと嫌いなのかな", "mode": "ignored"})
    assert list(answer) == [
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
    assert (answer["id"], answer["mode"], answer["crisis"]) == ("a", "reflective_support", False)
    assert answer["matched"]


def test_the_talk_before_counts(runner: asyncio.Runner, inspector: StanceInspector) -> None:
    history = [{"role": "user", "text": "彼って私のこと嫌いなのかな"}, {"role": "assistant", "text": "うん"}]
    alone, after = ask(
        runner, inspector, "signal", {"id": 1, "text": "うーん"}, {"id": 2, "text": "うーん", "history": history}
    )
    assert (alone["mode"], after["mode"]) == ("none", "reflective_support")


def test_a_session_has_a_signal_and_a_firmness_for_each_user_turn(
    runner: asyncio.Runner, inspector: StanceInspector
) -> None:
    push = "でも相手が全部悪いですよね？はっきり言ってください"
    turns = [{"role": role, "text": text} for role, text in (("user", push), ("assistant", "うん"), ("user", push))]
    (answer,) = ask(runner, inspector, "session", {"id": 7, "turns": turns})
    assert len(answer["signals"]) == 2
    assert answer["firmness"] == ["firm", "firmest"]
    assert answer["inertia"]["active_pushback_count"] == 2
    assert len(answer["inertia"]) == 5


def test_a_verdict_says_where(runner: asyncio.Runner, inspector: StanceInspector) -> None:
    user = "Does my girlfriend hate me?"
    bad, good = ask(
        runner,
        inspector,
        "verify",
        {"id": 1, "user": user, "reply": "Hm. She hates you."},
        {"id": 2, "user": user, "reply": "That sounds exhausting."},
    )
    assert bad["action"] == "repair"
    assert bad["findings"][0]["rule"] == "third_party_certainty"
    assert "Hm. She hates you."[bad["findings"][0]["start"] :].startswith("She")
    assert good == {"id": 2, "action": "pass", "findings": []}


@pytest.mark.parametrize(
    ("command", "line", "error"),
    [
        ("signal", {"id": 1}, "'text' is missing"),
        ("signal", {"text": "a"}, "'id' is missing"),
        ("signal", {"id": 1, "text": "a", "history": [{"role": "system", "text": "b"}]}, "turn 1 of 'history'"),
        ("session", {"id": 1}, "'turns' is missing"),
        ("session", {"id": 1, "turns": [{"role": "user"}]}, "'text' is missing or no text"),
        ("session", {"id": 1, "turns": "x"}, "'turns' has to be a list"),
        ("verify", {"id": 1, "user": "a"}, "'reply' is missing"),
        ("verify", b"{broken", "not JSON"),
    ],
)
def test_a_bad_line_is_told_and_the_rest_goes_on(
    runner: asyncio.Runner, inspector: StanceInspector, command: str, line: object, error: str
) -> None:
    good = {"id": 9, "text": "a", "turns": [], "user": "a", "reply": "b"}
    bad, rest = ask(runner, inspector, command, line, good)
    assert bad["line"] == 1
    assert error in bad["error"]
    assert rest["id"] == 9


@pytest.mark.parametrize("text", ["", "\u0000", "\ud83d", "あ" * 20_000, "e\u0301" * 500, "👩‍👩‍👧" * 50])
def test_any_text_is_answered(runner: asyncio.Runner, inspector: StanceInspector, text: str) -> None:
    line = {"id": 1, "text": text, "user": text, "reply": text, "turns": [{"role": "user", "text": text}]}
    for command in ("signal", "session", "verify"):
        (answer,) = ask(runner, inspector, command, line)
        # Half a surrogate pair is no text that JSON can carry; everything else is.
        assert ("error" in answer) is (text == "\ud83d")
