"""What may be said first: labelled lines, and what the judgement owes its callers."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.proactive.admission import examine
from core.proactive.claims.types import ClaimName
from core.proactive.types import Grounding

CASES = Path(__file__).parent / "cases"
SETS = sorted(file.stem for file in CASES.glob("*.jsonl"))


def claims(text: str, kind: Grounding = Grounding.NEUTRAL, activity: str | None = None) -> list[tuple[str, str]]:
    return [
        (finding.claim.value, text[finding.start : finding.end]) for finding in examine(text, kind, activity=activity)
    ]


def lines_of(name: str, *, admissible: bool) -> list[dict[str, Any]]:
    lines = map(json.loads, (CASES / f"{name}.jsonl").read_text("utf-8").splitlines())
    return [line for line in lines if line["admissible"] is admissible]


@pytest.mark.parametrize("name", SETS)
def test_nearly_every_hidden_claim_of_the_labelled_lines_is_found(name: str) -> None:
    lines = lines_of(name, admissible=False)
    missed = [line["id"] for line in lines if not claims(line["text"], Grounding(line["kind"]))]

    assert len(missed) <= 0.02 * len(lines), missed


@pytest.mark.parametrize("name", SETS)
def test_hardly_any_of_the_labelled_lines_is_refused_wrongly(name: str) -> None:
    lines = lines_of(name, admissible=True)
    refused = [line["id"] for line in lines if claims(line["text"], Grounding(line["kind"]))]

    assert len(refused) <= 0.03 * len(lines), refused


def test_a_neutral_text_must_be_true_at_any_moment() -> None:
    assert claims("Good evening! Which soup?") == [("part_of_day", "Good evening")]


def test_a_claim_is_found_where_it_stands_in_a_text_of_other_widths() -> None:
    assert claims("ねえ、１０時だよ") == [("time", "１０時だよ"[:3])]


def test_a_scheduled_text_may_speak_of_its_own_activity() -> None:
    assert claims("Just out of the pool.", Grounding.SCHEDULE, "swim swimming at the public pool") == []


@pytest.mark.parametrize(
    "text", ["お昼ごはん食べてるよ", "朝ごはんを食べているところ。", "いま休憩してる", "お茶で休憩しています。"]
)
def test_what_the_character_is_doing_is_not_taken_for_a_question_about_the_reader(text: str) -> None:
    assert claims(text, Grounding.SCHEDULE) == []
    assert claims(text) != []


@pytest.mark.parametrize(
    "text", ["お昼ごはん食べてる？", "ちゃんとご飯食べてるかな", "お昼、食べていますか", "休憩してる？", "休憩してね"]
)
def test_what_the_reader_may_be_doing_is_asked_in_neither_kind(text: str) -> None:
    assert claims(text, Grounding.SCHEDULE) != []
    assert claims(text) != []


def test_what_the_reader_is_told_to_stop_is_a_claim_that_they_do_it() -> None:
    assert claims("ゲームばっかりしてないで、こっちの話も聞いてよ。")[0][0] == "user_doings"


def test_a_scheduled_text_may_not_speak_of_another_activity() -> None:
    text = "Just out of the pool. I overslept and missed breakfast, by the way."

    assert [claim for claim, _ in claims(text, Grounding.SCHEDULE, "swim swimming at the public pool")] == [
        "other_activity"
    ]


def test_where_its_own_activity_is_not_known_the_first_one_counts_as_such() -> None:
    assert claims("Just out of the pool. My hair is wet.", Grounding.SCHEDULE) == []
    assert claims("Just out of the pool. I overslept again.", Grounding.SCHEDULE) != []


@pytest.mark.parametrize("text", ["It's 12:30, lunch break.", "昼休み。もう12時半だ。"])
@pytest.mark.parametrize("kind", list(Grounding))
def test_a_clock_is_refused_in_both_kinds(text: str, kind: Grounding) -> None:
    assert "time" in [claim for claim, _ in claims(text, kind)]


@pytest.mark.parametrize("name", ["activity", "since", "left", "next", "ahead"])
def test_slots_are_for_scheduled_texts_only(name: str) -> None:
    text = f"In the middle of it: {{{name}}}."

    assert claims(text, Grounding.SCHEDULE) == []
    assert claims(text, Grounding.NEUTRAL) == [("slot", f"{{{name}}}")]


@pytest.mark.parametrize("text", ["On {weather}.", "On {activity", "On activity}", "On {}."])
def test_braces_that_mean_nothing_are_refused(text: str) -> None:
    assert [claim for claim, _ in claims(text, Grounding.SCHEDULE)] == ["slot"]


def test_words_of_somebody_else_claim_nothing() -> None:
    assert claims("「お疲れさま」って言葉、英語にするのが難しいらしいよ。") == []


def test_a_question_that_expects_agreement_is_a_claim() -> None:
    assert claims("Do you like cats?") == []
    assert [claim for claim, _ in claims("You like cats, don't you?")] == ["user_trait"]


@given(st.text(max_size=80), st.sampled_from(list(Grounding)))
def test_findings_lie_inside_the_text_in_order(text: str, kind: Grounding) -> None:
    findings = examine(text, kind)

    bounds = [(finding.start, finding.end) for finding in findings]
    assert all(0 <= start < end <= len(text) for start, end in bounds)
    assert bounds == sorted(bounds)
    assert all(finding.claim in ClaimName for finding in findings)
