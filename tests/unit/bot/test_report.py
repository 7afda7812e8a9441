"""The operator's report: what stands in it, what must not, and that it can be read by everybody in both languages."""

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import bot
from bot.cli.program import run
from bot.operations.status_file import Found
from bot.report.contents import Beside, CharacterPart, Contents, Operator, gather
from bot.report.page import render
from bot.report.sandbox_results import Result, ResultError, keep, latest, read
from core.ports import ArchiveEntry, UsageRecord
from core.proactive.types import Reason, Recipient, RecipientKind, SlotRecord, SlotState, Subscription, Wishes
from core.social.types import Interest
from core.turn.trace import TraceRecord, TraceStep, TurnOutcome
from core.values import ConversationKey, Locale, Surface, SurfaceKind
from data.stores import open_stores
from prompts.messages import Messages
from tests.fakes.stores import InMemoryStores, casefolded_words
from tests.unit.bot.test_sandbox import Outline

NOW = datetime(2026, 11, 30, 7, 8, tzinfo=UTC)
OPERATOR = Operator(zone="Asia/Tokyo", currency="EUR")
CANARY, PERSON = "canary-7f3a", 123_456_789_012_345_678
MESSAGES = Messages.load()
CALL = UsageRecord(
    at=NOW,
    day=NOW.date(),
    character="mio",
    user_id=PERSON,
    guild_id=700,
    feature="chat",
    model="gpt",
    input_tokens=1000,
    output_tokens=200,
    cost_micros=1_500,
    outcome="complete",
)
STATUS = {
    "at": "2026-11-30T07:08:00+00:00",
    "started_at": "2026-11-29T07:08:00+00:00",
    "well": True,
    "gateways": {"mio": {"state": "ready", "since": "2026-11-30T01:00:00+00:00"}},
    "models": {"gpt": {"up": False, "at": "2026-11-30T07:00:00+00:00"}},
    "last_turn_at": None,
    "last_tick_at": "2026-11-30T07:07:59+00:00",
    "backlog": 2,
}
RESULT = Result.model_validate(
    {
        "title": "A question",
        "made_at": "2026-11-29T10:00:00+00:00",
        "character": "mio",
        "complete": False,
        "variants": [
            {
                "name": name,
                "passed": {"count": 3, "total": 4},
                "good": {"count": 3, "total": 4},
                "against_first": against,
                "decided": bool(against),
            }
            for name, against in (("now", None), ("changed", (0.1, 0.5)))
        ],
    }
)


def turn(number: int, *steps: TraceStep, outcome: TurnOutcome = TurnOutcome.ANSWERED) -> TraceRecord:
    return TraceRecord(
        turn_id=f"turn-{number}",
        at=NOW - timedelta(minutes=number),
        conversation=ConversationKey("mio", 10),
        user_id=PERSON,
        message_ids=(number,),
        reply_ids=(),
        outcome=outcome,
        model="gpt",
        steps=steps,
    )


def found(*rules: str) -> TraceStep:
    return TraceStep("check.stance", "found", rules)


PASSED = TraceStep("check.stance", "passed")


async def filled() -> InMemoryStores:
    """Return stores in which things happened, and in which texts and people stand that nobody is to see."""
    stores = InMemoryStores()
    entry = ArchiveEntry(
        conversation=ConversationKey("mio", 10),
        surface=Surface(kind=SurfaceKind.CHANNEL, channel_id=10, guild_id=700),
        message_id=1,
        author_id=PERSON,
        author_name=f"{CANARY}-name",
        is_self=False,
        text=f"{CANARY}-text",
        sent_at=NOW,
    )
    await stores.archive.add([entry])
    for record in (CALL, replace(CALL, feature="summary", guild_id=None, user_id=2), replace(CALL, estimated=True)):
        await stores.usage.add(record)
    for number, steps in enumerate(
        [
            (PASSED,),
            (found("stance.inflated_praise"), PASSED),
            (found("stance.inflated_praise"), TraceStep("fallback", "used", ("stance.inflated_praise",))),
            (TraceStep("check.stance", "passed", ("allowed:stance.user_story_lock_in",)),),
        ]
    ):
        await stores.traces.add(turn(number, *steps))
    who = Recipient(character="mio", kind=RecipientKind.USER, id=PERSON)
    await stores.subscriptions.put(Subscription(recipient=who, enabled=True, wishes=Wishes()))
    for number, reason in enumerate((Reason.GAP, Reason.GAP, Reason.QUIET_HOURS)):
        due = NOW - timedelta(hours=number)
        await stores.slots.decide(
            SlotRecord(
                id=f"slot-{number}",
                recipient=who,
                slot_key=f"key-{number}",
                due_at=due,
                state=SlotState.SKIPPED,
                reason=reason,
            )
        )
    for number in range(3):
        interest = Interest(
            text=f"{CANARY}-interest",
            tags=("Sea", f"tag-{number}"),
            features=bytes([(number + 1) * place % 100 for place in range(512)]),
            at=NOW - timedelta(days=3 - number),
        )
        await stores.social.keep_interest("mio", interest, source=CANARY, embedding_model="m", history=9)
    return stores


async def contents(stores: InMemoryStores | None = None, **beside: Any) -> Contents:
    known = {"status": Found(running=True, held=STATUS), "database_bytes": 1_500_000, "results": (RESULT,), **beside}
    return await gather(stores or await filled(), ["mio"], now=NOW, operator=OPERATOR, beside=Beside(**known))


def cells(page: str, caption: str) -> list[list[str]]:
    """Return the rows of the table with a caption, as plain texts."""
    table = page[page.index(f'">{caption}') :]
    body = table[table.index("<tbody>") : table.index("</tbody>")]
    rows = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in body.split("<tr>")[1:]]
    return [[re.sub(r"<[^>]*>", "", cell).strip() for cell in row] for row in rows]


async def test_it_tells_turns_by_rule_and_by_what_became_of_the_reply() -> None:
    part: CharacterPart = (await contents()).characters[0]
    assert part.stance.turns == 4
    assert dict(part.stance.by_gate) == {"pass": 2, "repair": 1, "fallback": 1}
    assert dict(part.rules) == {("inflated_praise", "repair"): 1, ("inflated_praise", "fallback"): 1}
    page = render(await contents(), MESSAGES, Locale.EN)
    assert cells(page, "Rules that drafts of replies broke: mio") == [
        ["inflated_praise", "2", "1", "1", "0", "50.0 %"],
        ["user_story_lock_in", "0", "0", "0", "1", "0.0 %"],
    ]


async def test_it_tells_occasions_with_their_reasons_but_not_whose_they_were() -> None:
    page = render(await contents(), MESSAGES, Locale.EN)
    assert [row[:3] for row in cells(page, "What became of them: mio")] == [
        ["not sent", "the last one was too recent", "2"],
        ["not sent", "it was within quiet hours", "1"],
    ]
    newest = cells(page, "The newest 3 occasions")
    assert newest[0][:5] == ["2026-11-30 16:08", "mio", "a person", "not sent", "the last one was too recent"]
    assert [row[-1] for row in newest] == ["slot-0", "slot-1", "slot-2"]


async def test_it_tells_usage_by_feature_model_and_server_and_how_many_people_it_was_for() -> None:
    page = render(await contents(), MESSAGES, Locale.EN)
    assert cells(page, "By what it was for")[0] == ["Answers", "2", "2,000", "400", "0.0030"]
    assert cells(page, "By model") == [["gpt", "3", "3,000", "600", "0.0045"]]
    assert [row[0] for row in cells(page, "By server")] == ["700", "direct messages"]
    assert len(cells(page, "By day")) == 30
    assert "<dt>People it was for</dt><dd>2</dd>" in page
    assert "1 of this month" in page


async def test_it_tells_the_status_as_the_command_does() -> None:
    page = render(await contents(), MESSAGES, Locale.EN)
    assert cells(page, "Connections to Discord") == [["mio", "connected", "2026-11-30 10:00"]]
    assert cells(page, "Models") == [["gpt", "failed", "2026-11-30 16:00"]]
    assert "running, everybody is connected" in page
    assert "1.5 MB" in page
    off = render(await contents(status=Found(running=False, held=None), database_bytes=None), MESSAGES, Locale.EN)
    assert "not running" in off
    assert "on a server" in off


@pytest.mark.parametrize("locale", list(Locale))
async def test_no_text_and_nobody_stands_in_it(locale: Locale) -> None:
    page = render(await contents(), MESSAGES, locale)
    assert CANARY not in page
    assert str(PERSON) not in page
    assert "tag-2" in page


async def test_what_others_wrote_can_not_break_out_of_it() -> None:
    evil, stores = "</style></title><script>alert(1)</script>&amp;", await filled()
    await stores.usage.add(replace(CALL, feature=evil, model=evil))
    await stores.social.keep_interest(
        "mio",
        Interest(text="x", tags=(evil,), features=bytes(512), at=NOW),
        source="x",
        embedding_model="m",
        history=9,
    )
    status = Found(running=True, held={**STATUS, "gateways": {evil: STATUS["gateways"]["mio"]}})  # type: ignore[index]
    page = render(
        await contents(stores, status=status, results=(RESULT.model_copy(update={"title": evil}),)),
        MESSAGES,
        Locale.EN,
    )
    assert "<script" not in page
    assert page.count("</style>") == 1
    assert page.count("&lt;script&gt;") >= 5


@pytest.mark.parametrize("locale", list(Locale))
@pytest.mark.parametrize("empty", [False, True])
async def test_it_is_well_formed_and_can_be_walked_without_eyes(locale: Locale, empty: bool) -> None:
    stores = InMemoryStores() if empty else None
    outline = Outline(render(await contents(stores), MESSAGES, locale))
    assert outline.open == []
    assert outline.all("html") == [{"lang": locale.value}]
    assert len(outline.all("h1")) == len(outline.all("main")) == len(outline.all("nav")) == 1
    assert all(cell.get("scope") for cell in outline.all("th"))
    assert len(outline.all("caption")) == len(outline.all("table"))
    ids = [attributes["id"] for _, attributes in outline.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    named = [a["aria-labelledby"] for _, a in outline.tags if "aria-labelledby" in a]
    assert {one for name in named for one in (name or "").split()} <= set(ids)
    links = [(a["href"] or "").removeprefix("#") for a in outline.all("a")]
    assert set(links) <= set(ids)
    assert links[0] == "report"
    levels = [int(tag[1]) for tag, _ in outline.tags if re.fullmatch(r"h\d", tag)]
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert all("aria-labelledby" in a or a.get("aria-hidden") == "true" for a in outline.all("svg"))


async def test_it_fetches_nothing_and_lets_only_its_own_style_be_applied() -> None:
    page = render(await contents(), MESSAGES, Locale.JA)
    outline = Outline(page)
    assert not {"script", "link", "img", "iframe", "form"} & {tag for tag, _ in outline.tags}
    assert not any("style" in attributes for _, attributes in outline.tags)
    assert not re.search(r"https?://|url\(|@import", page)
    style = page[page.index("<style>") + 7 : page.index("</style>")]
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'sha256-{digest}'" in page


def brightness(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.03928 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def pairs() -> Iterator[tuple[str, str]]:
    for text in ("ink", "soft", "accent"):
        yield from ((text, ground) for ground in ("page", "card"))
    yield from (("good", "good-tint"), ("bad", "bad-tint"), ("ink", "bad-tint"), ("ink", "user"), ("soft", "user"))


@pytest.mark.parametrize("dark", [False, True])
def test_letters_of_every_page_stand_out_from_their_ground(dark: bool) -> None:
    css = (Path(bot.__file__).parent / "pages" / "look.css").read_text("utf-8")
    light, night = (dict(re.findall(r"--([\w-]+): (#\w{6})", part)) for part in css.split("@media", 1))
    colours = night if dark else light
    for text, ground in pairs():
        low, high = sorted((brightness(colours[text]), brightness(colours[ground])))
        assert (high + 0.05) / (low + 0.05) >= 4.5, (text, ground)


def test_figures_of_the_sandbox_are_kept_without_what_was_written(tmp_path: Path) -> None:
    told = json.loads(RESULT.model_dump_json()) | {"draft": "0123456789abcdef", "title": "x" * 999}
    del told["made_at"]
    told["variants"][0]["samples"] = [CANARY]
    path = keep(told, tmp_path / "results", now=NOW)
    assert CANARY not in path.read_text("utf-8")
    (path.parent / "broken.json").write_text("[1]", "utf-8")
    (one,) = latest(path.parent)
    assert (one.made_at, one.variants[0].passed.rate.count, len(one.title)) == (NOW, 3, 200)
    assert latest(tmp_path / "nowhere", [RESULT]) == (RESULT,)


def test_what_json_told_can_be_taken_from_another_machine(tmp_path: Path) -> None:
    told = json.loads(RESULT.model_dump_json())
    del told["made_at"]
    (tmp_path / "told.json").write_text(json.dumps(told), "utf-8")
    assert read(tmp_path / "told.json").variants == RESULT.variants
    for content in ("{}", "no JSON", "[]"):
        (tmp_path / "other.json").write_text(content, "utf-8")
        with pytest.raises(ResultError, match="sandbox compare DRAFT --json"):
            read(tmp_path / "other.json")


async def stored(folder: Path) -> None:
    async with open_stores(folder / "yorisoi-data" / "yorisoi.db", casefolded_words) as stores:
        await stores.usage.add(CALL)
        await stores.traces.add(turn(1, found("stance.inflated_praise"), PASSED))


def test_the_command_writes_the_page_and_nothing_else(
    bare_environment: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import asyncio  # noqa: PLC0415

    asyncio.run(stored(bare_environment))
    before = sorted(bare_environment.rglob("*"))
    assert run(["report", "--html", "report.html", "--language", "ja"]) == 0
    page = bare_environment / "report.html"
    assert sorted(bare_environment.rglob("*")) == sorted([*before, page])
    assert page.stat().st_mode & 0o077 == 0
    assert '<html lang="ja">' in page.read_text("utf-8")
    assert "inflated_praise" in page.read_text("utf-8")
    assert "report.html" in capsys.readouterr().err


def test_the_command_says_what_is_missing(bare_environment: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["report", "--html", "nowhere/report.html"]) == 1
    assert run(["report", "--html", "report.html", "--sandbox", "none.json"]) == 1
    assert run(["report", "--html", "report.html"]) == 1
    lines = capsys.readouterr().err.strip().splitlines()
    assert ["nowhere" in lines[0], "none.json" in lines[1], "no database" in lines[2], len(lines)] == [True] * 3 + [3]
    assert list(bare_environment.iterdir()) == []
