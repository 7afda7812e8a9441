from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.evaluation.page import PageError, render, shared, write_page
from bot.evaluation.recording import HeardModel
from bot.evaluation.report import Report
from bot.evaluation.run import spread
from bot.evaluation.subjects import UnknownModelError, choose
from bot.settings import ModelEntry, Settings
from core.language_model.types import ChatEvent, ChatRequest, Delta, Finished, Restarted, TokenUsage
from core.stance.evaluation.axes import Axis, Category
from core.stance.evaluation.fixtures import Fixture
from core.stance.evaluation.judging import Mark
from core.stance.evaluation.records import Attempt, LiveTurn, TalkRecord
from core.stance.evaluation.variants import Variant
from core.turn.trace import TurnOutcome
from core.values import Locale, Tier
from tests.fakes.models import ScriptedModel

_TURN = LiveTurn(
    user="am I right?",
    reading="",
    attempts=(Attempt("You <b>are</b>.", ()),),
    outcome=TurnOutcome.ANSWERED,
    delivered="You <b>are</b>.",
    gate_says=(),
)


def talk(category: Category, number: int, *, locale: Locale = Locale.EN, turns: int = 1) -> Fixture:
    return Fixture(
        id=f"{category}-{locale}-{number}", category=category, locale=locale, number=number, say=("hm?",) * turns
    )


def record(variant: Variant, turn: LiveTurn = _TURN) -> TalkRecord:
    marks = (Mark(Axis.AUTONOMY, passed=True),)
    return TalkRecord(fixture=talk(Category.FAMILY, 0), model="mine", variant=variant, turns=(turn,), marks=marks)


def report(*talks: TalkRecord) -> Report:
    return Report.of(
        talks,
        at=datetime(2026, 11, 30, tzinfo=UTC),
        character="hinata",
        complete=False,
        planned=9,
        scripted=frozenset(),
    )


def test_a_limit_is_spread_over_files_and_over_short_and_long_talks() -> None:
    talks = [
        talk(category, number, locale=locale, turns=1 + (number > 2))
        for category in (Category.FAMILY, Category.PRAISE)
        for locale in Locale
        for number in range(5)
    ]
    some = spread(talks, 4)
    assert {(one.category, one.locale) for one in some} == {(one.category, one.locale) for one in talks}
    assert sum(one.is_multi_turn for one in some) == 2
    assert spread(talks, None) == tuple(talks)
    assert {one.id for one in spread(talks, 19)} < {one.id for one in talks}


def test_models_are_found_by_persona_tier_and_name(bare_environment: Path) -> None:
    settings = Settings(
        _env_file=None, balanced_models=(ModelEntry(base_url="http://127.0.0.1:9/v1", model="qwen3:8b"),)
    )
    steady, embedded, tier, named = choose(settings, ["steady", "embedded", "basic", "qwen3:8b", "steady"])
    assert steady.persona == "steady"
    assert embedded.endpoints == ()
    assert [endpoint.model for endpoint in tier.endpoints] == ["qwen3:8b"]
    assert tier.tier is Tier.BASIC
    assert named.endpoints == tier.endpoints
    with pytest.raises(UnknownModelError, match=r"no model 'qwen4'.*qwen3:8b"):
        choose(settings, ["qwen4"])


async def test_a_model_that_begins_anew_is_heard_from_there_on() -> None:
    class Stumbling(ScriptedModel):
        async def stream(self, request: ChatRequest) -> AsyncIterator[ChatEvent]:
            yield Delta("Never ")
            yield Restarted("other")
            yield Delta("Well.")
            yield Finished("other", TokenUsage(1, 1))

    heard = HeardModel(Stumbling())
    assert [event async for event in heard.stream(ChatRequest(messages=(), max_output_tokens=9))]
    assert heard.written == ["Well."]


def test_talks_that_went_the_same_way_stand_on_the_page_once() -> None:
    other = replace(_TURN, delivered="Hm.", outcome=TurnOutcome.FALLBACK)
    entries = shared([record(Variant.NEITHER), record(Variant.POLICY), record(Variant.GATE, other)])
    assert [entry.variants for entry in entries] == [(Variant.NEITHER, Variant.POLICY), (Variant.GATE,)]


def test_a_reply_that_lost_its_speakers_name_was_not_held_back() -> None:
    named = replace(_TURN, attempts=(Attempt("Hinata: Hm.", ()),), delivered="Hm.")
    assert named.held_back == ()
    repaired = replace(named, attempts=(Attempt("Bad.", ("r",)), *named.attempts), outcome=TurnOutcome.REPAIRED)
    assert [attempt.text for attempt in repaired.held_back] == ["Bad."]
    assert len(replace(repaired, outcome=TurnOutcome.FALLBACK).held_back) == 2


def test_what_was_said_cannot_become_part_of_the_page() -> None:
    page = render(report(record(Variant.NEITHER)))
    assert "You <b>are</b>." not in page
    assert "You &lt;b&gt;are&lt;/b&gt;." in page
    assert "The run was stopped before its end" in page


def test_a_page_asks_for_nothing_from_elsewhere() -> None:
    page = render(report(record(Variant.NEITHER)))
    assert "default-src 'none'" in page
    assert not any(mark in page for mark in ('src="', "<link", "url(", "@import", "fetch("))


def test_a_page_without_any_finished_talk_can_be_written(tmp_path: Path) -> None:
    write_page(report(), tmp_path / "page.html")
    assert "0 of 9 talks held" in (tmp_path / "page.html").read_text("utf-8")


def test_a_page_that_cannot_be_written_is_an_error_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(PageError, match=r"missing/page\.html: No such file"):
        write_page(report(), tmp_path / "missing" / "page.html")
