"""What operators see of stance integrity, and the phrases they let pass."""

from datetime import UTC, datetime, timedelta

import pytest

from bot.stance_desk import LONGEST_SHOWN, MOST_TURNS, Phrase, Scope, Span, StanceDesk
from core.clock import SimulatedClock
from core.stance.policy import MOST_PHRASES
from core.turn.trace import TraceRecord, TraceStep, TurnOutcome
from core.values import ConversationKey, GuildSettings
from tests.fakes.stores import InMemoryStores
from tests.fakes.surface import CHARACTER

NOW = datetime(2026, 11, 30, 7, 8, tzinfo=UTC)  # 16:08 in Tokyo, 2:08 in New York
GUILD, CHANNEL, OTHER = 20, 200, 201
SERVER = Scope(guild_id=GUILD, channel_id=CHANNEL, whole=True)
HERE = Scope(guild_id=GUILD, channel_id=CHANNEL, whole=False)


class Case:
    def __init__(self) -> None:
        self.stores = InMemoryStores()
        self.desk = StanceDesk(
            character=CHARACTER,
            traces=self.stores.traces,
            guilds=self.stores.guilds,
            allow_lists=self.stores.allow_lists,
            clock=SimulatedClock(NOW),
            ignored_places=["places.toml:2: country"],
        )

    async def add(
        self, turn: str, *, hours_ago: float = 0.0, channel: int = CHANNEL, guild: int | None = GUILD, name: str = "mio"
    ) -> None:
        await self.stores.traces.add(
            TraceRecord(
                turn_id=turn,
                at=NOW - timedelta(hours=hours_ago),
                conversation=ConversationKey(name, channel),
                guild_id=guild,
                user_id=1,
                message_ids=(1,),
                reply_ids=(2,),
                outcome=TurnOutcome.REPAIRED,
                model=None,
                steps=(TraceStep("check.stance", "found", ("stance.inflated_praise",)),),
            )
        )

    async def count(self, scope: Scope, span: Span) -> int:
        return (await self.desk.report(scope, span)).figures.turns


async def test_a_report_is_of_the_server_or_of_one_channel_and_never_of_elsewhere() -> None:
    case = Case()
    await case.add("here")
    await case.add("next door", channel=OTHER)
    await case.add("another server", channel=300, guild=21)
    await case.add("in private", channel=100, guild=None)
    await case.add("another character", name="ren")

    assert await case.count(SERVER, Span.WEEK) == 2
    assert await case.count(HERE, Span.WEEK) == 1
    assert await case.count(Scope(guild_id=None, channel_id=100, whole=False), Span.WEEK) == 1


async def test_a_week_is_seven_days_and_today_begins_at_midnight_where_the_server_is() -> None:
    case = Case()
    for turn, hours_ago in (("now", 0), ("night", 5), ("yesterday", 20), ("days ago", 160), ("long ago", 170)):
        await case.add(turn, hours_ago=hours_ago)

    assert await case.count(SERVER, Span.WEEK) == 4
    assert await case.count(SERVER, Span.TODAY) == 2
    await case.stores.guilds.put(GuildSettings(guild_id=GUILD, timezone="America/New_York"))
    assert await case.count(SERVER, Span.TODAY) == 1
    await case.stores.guilds.put(GuildSettings(guild_id=GUILD, timezone="Nowhere/At_All"))
    assert await case.count(SERVER, Span.TODAY) == 2


async def test_a_report_has_the_newest_first_and_counts_rules() -> None:
    case = Case()
    await case.add("old", hours_ago=2)
    await case.add("new")
    report = await case.desk.report(SERVER, Span.WEEK)
    assert [account.at for account in report.accounts] == [NOW, NOW - timedelta(hours=2)]
    assert report.figures.broken == {"inflated_praise": 2}
    assert not report.cut


async def test_a_report_says_when_it_does_not_count_everything() -> None:
    case = Case()
    for number in range(MOST_TURNS + 1):
        await case.add(str(number))
    report = await case.desk.report(SERVER, Span.WEEK)
    assert (report.figures.turns, report.cut) == (MOST_TURNS, True)


async def test_a_phrase_is_allowed_once_however_it_is_typed() -> None:
    case = Case()
    told = [(await case.desk.allow(GUILD, wish)).key for wish in ("「天才」！", "天\u200b才", "ＧＥＮＩＵＳ")]
    assert told == ["stance.allow.added", "stance.allow.known", "stance.allow.added"]
    assert await case.desk.phrases(GUILD) == [Phrase(text="天才"), Phrase(text="genius")]


@pytest.mark.parametrize(
    ("wish", "fault"), [("。", "empty"), ("あ", "too_short"), ("you", "catch_all"), ("x" * 99, "too_long")]
)
async def test_a_phrase_that_would_let_too_much_pass_is_refused(wish: str, fault: str) -> None:
    case = Case()
    assert (await case.desk.allow(GUILD, wish)).key == f"stance.allow.fault.{fault}"
    assert await case.desk.phrases(GUILD) == []


async def test_a_list_has_an_end() -> None:
    case = Case()
    for number in range(MOST_PHRASES):
        await case.desk.allow(GUILD, f"phrase number {number}")
    assert (await case.desk.allow(GUILD, "one more phrase")).key == "stance.allow.full"
    assert (await case.desk.allow(GUILD, "phrase number 1")).key == "stance.allow.known"


@pytest.mark.parametrize("wish", ["genius", "Ｇｅｎｉｕｓ！"])
async def test_a_phrase_is_taken_back_however_it_is_typed(wish: str) -> None:
    case = Case()
    await case.desk.allow(GUILD, "genius")
    assert (await case.desk.disallow(GUILD, wish)).key == "stance.allow.removed"
    assert (await case.desk.disallow(GUILD, wish)).key == "stance.allow.unknown"
    assert await case.desk.phrases(GUILD) == []


@pytest.mark.parametrize("stored", ["you", "x" * 500, "あ"])
async def test_a_broken_entry_is_shown_and_can_be_taken_back(stored: str) -> None:
    case = Case()
    await case.stores.allow_lists.add(GUILD, stored, most=9)
    (phrase,) = await case.desk.phrases(GUILD)
    assert phrase.fault is not None
    assert len(phrase.shown) <= LONGEST_SHOWN
    assert (await case.desk.disallow(GUILD, phrase.shown)).key == "stance.allow.removed"
