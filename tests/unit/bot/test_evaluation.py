import io
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from bot.evaluation.page import PageError, render, shared, write_page
from bot.evaluation.recording import HeardModel
from bot.evaluation.report import Report
from bot.evaluation.run import spread
from bot.evaluation.subjects import UnknownModelError, choose
from bot.evaluation.table import show
from bot.pages.wording import Wording
from bot.settings import ModelEntry, Settings
from core.language_model.types import ChatEvent, ChatRequest, Delta, Finished, Restarted, TokenUsage
from core.stance.evaluation.axes import Axis, Category
from core.stance.evaluation.fixtures import Fixture, SaidBefore
from core.stance.evaluation.judging import Fault, Mark, Told
from core.stance.evaluation.records import Attempt, LiveTurn, TalkRecord
from core.stance.evaluation.variants import Variant
from core.turn.trace import TurnOutcome
from core.values import Locale, Tier
from prompts.messages import Messages
from tests.fakes.models import ScriptedModel
from tests.unit.bot.reading import english_in
from tests.unit.bot.test_sandbox import Outline

_MESSAGES = Messages.load()
ENGLISH, JAPANESE = WORDINGS = tuple(Wording("evaluation", _MESSAGES, locale) for locale in (Locale.EN, Locale.JA))
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
    page = render(report(record(Variant.NEITHER)), ENGLISH)
    assert "You <b>are</b>." not in page
    assert "You &lt;b&gt;are&lt;/b&gt;." in page
    assert "The run was stopped before its end" in page


def test_a_page_asks_for_nothing_from_elsewhere() -> None:
    page = render(report(record(Variant.NEITHER)), ENGLISH)
    assert "default-src 'none'" in page
    assert not any(mark in page for mark in ('src="', "<link", "url(", "@import", "fetch("))


def test_a_page_without_any_finished_talk_can_be_written(tmp_path: Path) -> None:
    write_page(report(), tmp_path / "page.html", ENGLISH)
    assert "Talks held: 0 of 9" in (tmp_path / "page.html").read_text("utf-8")


def test_a_page_that_cannot_be_written_is_an_error_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(PageError, match=r"missing/page\.html: No such file"):
        write_page(report(), tmp_path / "missing" / "page.html", ENGLISH)


def telling() -> Report:
    """Return a report in which everything happens that a page has words for; people and models speak no English."""
    said = replace(_TURN, user="どう？", attempts=(Attempt("いいね。", ()),), delivered="いいね。")
    turns = (
        replace(said, reading="mode=casual", gate_says=("stance.x",)),
        replace(said, attempts=(Attempt("だめ。", ("stance.x",)), *said.attempts), outcome=TurnOutcome.REPAIRED),
        replace(said, outcome=TurnOutcome.FALLBACK, delivered="ふむ。"),
    )
    faults = [Fault(Axis.AUTONOMY, told, "だめ" if told is Told.SAID else "", reply=2) for told in Told]
    marks = (
        Mark(Axis.AUTONOMY, passed=False, because=tuple(faults)),
        Mark(Axis.CERTAINTY, passed=True),
        Mark(Axis.RECOVERY, passed=False, because=(Fault(Axis.AUTONOMY, Told.LABEL),)),
    )
    before = (SaidBefore(by_user=True, text="ねえ"),)
    of = replace(talk(Category.FAMILY, 0, locale=Locale.JA), say=("どう？",), before=before, gone_wrong="clung")
    held = TalkRecord(fixture=of, model="mine", variant=Variant.NEITHER, turns=turns, marks=marks)
    silent = replace(said, outcome=TurnOutcome.APOLOGISED, delivered=None)
    talks = [held, replace(held, variant=Variant.BOTH), replace(held, model="yours", turns=(silent,), marks=())]
    return Report.of(
        talks,
        at=datetime(2026, 11, 30, tzinfo=UTC),
        character="hinata",
        complete=False,
        planned=9,
        scripted=frozenset({"mine"}),
    )


def test_the_japanese_page_has_the_same_parts_and_no_english_text() -> None:
    english, japanese = (Outline(render(telling(), wording)) for wording in WORDINGS)
    assert japanese.all("html") == [{"lang": "ja"}]
    assert [tag for tag, _ in japanese.tags] == [tag for tag, _ in english.tags]
    page = render(telling(), JAPANESE)
    for told in (
        "何を測るか",
        "いない人を決めつけない",
        "用意された文に差し替えた返事",
        "家族との対立",
        "やりとりの絞り込み",
    ):
        assert told in page
    assert english_in(page) == set()
    assert english_in(render(telling(), ENGLISH))


@pytest.mark.parametrize(
    ("wording", "told"),
    [
        (ENGLISH, "Autonomy preservation: reply 2: labelled so, reply 2: says “だめ”, reply 2: says nothing of"),
        (ENGLISH, "Recovery after bad inertia: Autonomy preservation: labelled so<"),
        (ENGLISH, "Said before, where the character clung. Pushes so far: 0."),
        (
            JAPANESE,
            "本人が決める：2番目の返事：破る印が付いている、2番目の返事：「だめ」と言っている、2番目の",
        ),
        (JAPANESE, "流れを立て直す：本人が決める：破る印が付いている<"),
        (JAPANESE, "それまでの会話（キャラクターが引き止めていた）。迫られた回数：0"),
    ],
)
def test_a_page_says_why_a_talk_failed(wording: Wording, told: str) -> None:
    assert told in render(telling(), wording)


@pytest.mark.parametrize("wording", WORDINGS)
def test_a_page_tells_how_many_talks_fit_the_filter_by_its_own_text(wording: Wording) -> None:
    (count,) = (one for one in Outline(render(telling(), wording)).all("output"))
    assert {"{shown}", "{all}"} <= set(re.findall(r"{\w+}", count["data-text"] or ""))


@pytest.mark.parametrize("wording", WORDINGS)
@pytest.mark.parametrize("part", [*Axis, *Category, *Variant])
def test_every_part_of_a_run_has_words(wording: Wording, part: Axis | Category | Variant) -> None:
    kind = type(part).__name__.lower()
    keys = [f"{part}.heading", f"{part}.meaning"] if kind == "axis" else [part]
    told = [wording(f"{kind}.{key}") for key in keys]
    assert all(text.isascii() is (wording is ENGLISH) for text in told)


def shown(wording: Wording) -> str:
    console = Console(width=80, record=True, file=io.StringIO(), highlight=False)
    show(telling(), console, wording)
    return console.export_text()


def test_the_japanese_table_has_no_english_text_and_fits_into_a_narrow_terminal() -> None:
    told = shown(JAPANESE)
    assert english_in(told) == set()
    assert {"本人が決める", "書き直した返事", "検査が問題にする返事", "返事のなかった会話"} <= set(told.split())
    assert "mine（人の付けた印と、書かれた条件で判定）" in told
    assert "途中で止めました。9件のうち3件の会話が終わっています。" in told
    assert max(map(cell_len, told.splitlines())) <= 80


def test_the_english_table_says_what_it_said() -> None:
    told = shown(ENGLISH)
    assert "mine (judged by labels and written checks)" in told
    assert "Autonomy preservation" in told
    assert "Stopped. Talks held: 3 of 9." in told
