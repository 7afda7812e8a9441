"""What a simulation shows, in both languages: its lines on the terminal and its page."""

import asyncio
from dataclasses import replace

import pytest
from rich.cells import cell_len

from bot import simulations
from bot.pages.wording import Wording
from bot.simulation.checking import KINDS
from bot.simulation.lines import lines
from bot.simulation.report import Outcome, Plan
from core.values import Locale
from prompts.messages import Messages
from tests.unit.bot.reading import english_in
from tests.unit.bot.test_sandbox import Outline

MESSAGES = Messages.load()
ENGLISH, JAPANESE = WORDINGS = tuple(Wording("simulation", MESSAGES, locale) for locale in (Locale.EN, Locale.JA))
PLAN = Plan(days=2, users=30, seed=7, restarts=2, jumps=2)


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    return Outcome(
        plan=PLAN, groups=[asyncio.run(simulations.simulate_group(PLAN, range(PLAN.users), progress=lambda _: None))]
    )


def test_the_japanese_page_has_the_same_parts_and_no_english_text(outcome: Outcome) -> None:
    english, japanese = (Outline(simulations.page(outcome, wording)) for wording in WORDINGS)
    assert japanese.all("html") == [{"lang": "ja"}]
    assert english.all("html") == [{"lang": "en"}]
    assert [tag for tag, _ in japanese.tags] == [tag for tag, _ in english.tags]
    page = simulations.page(outcome, JAPANESE)
    for told in (
        "自分からの話しかけのシミュレーション",
        "2日間、30人、シード値 7。",
        "規則違反",
        "静かな時間",
        "ある人の1日",
        "2026年3月",
        "キャラクターの時間帯",
        "相手の時計での時刻ごと",
        "機会がどうなったか、その理由",
        "送りませんでした（",
    ):
        assert told in page
    assert english_in(page) == set()
    assert english_in(simulations.page(outcome, ENGLISH))


def test_the_english_page_says_what_it_said(outcome: Outcome) -> None:
    page = simulations.page(outcome, ENGLISH)
    for told in ("2 days, 30 people, seed 7;", ">double send</th>", "March 2026, on the clock of", "not sent: "):
        assert told in page


def test_the_lines_have_no_english_text_and_every_number_below_the_other(outcome: Outcome) -> None:
    told = list(lines(outcome, JAPANESE))
    assert english_in("\n".join(told)) == set()
    start = told.index("規則違反") + 1
    rules = told[start : start + len(KINDS)]
    assert all(line.endswith("  0") for line in rules)
    for part in (told[: told.index("理由があって送らなかった")], rules, told[start + len(KINDS) :]):
        assert len({cell_len(line) for line in part}) == 1


def test_the_lines_tell_what_the_report_tells(outcome: Outcome) -> None:
    told = [line.rsplit(maxsplit=1) for line in lines(outcome, ENGLISH)]
    report, skipped = outcome.as_json(), outcome.skipped()
    assert report["sent"] != 0
    assert skipped
    for name, count in (
        ("sent", report["sent"]),
        ("let pass by the model", report["declined"]),
        ("couldn't be sent", report["failed"]),
        ("unknown after a crash", report["unknown"]),
        ("days", 2),
        ("people", 30),
        ("seed", 7),
        *((f"  {MESSAGES.text(f'proactive.reason.{why}', Locale.EN)}", count) for why, count in skipped.items()),
    ):
        assert [name, str(count)] in [[name.rstrip(), count] for name, *rest in told for count in rest]


def test_a_simulation_in_which_nothing_happened_can_be_shown(outcome: Outcome) -> None:
    empty = replace(outcome, groups=[])
    assert "理由があって送らなかった" in list(lines(empty, JAPANESE))
    assert "ある人の1日" not in simulations.page(empty, JAPANESE)
