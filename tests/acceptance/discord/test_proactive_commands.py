"""`/proactive` and `/candidates`: what people choose, what those who manage and run things may look into."""

import json
import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.acceptance.discord.stage import Stage, staged
from tests.acceptance.discord.test_commands import manager, somebody, text_of
from tests.discord_server.actors import Person
from tests.discord_server.flags import Permission
from tests.discord_server.model import Channel

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    async with staged(tmp_path_factory.mktemp("proactive"), started=False) as stage:
        owner = stage.discord.add_user("owner")
        stage.people["owner"] = owner
        stage.settings["YORISOI_OWNER_IDS"] = str(owner.id)
        # What is set is looked at here, not what it leads to.
        stage.settings["YORISOI_PROACTIVE_LOOK_SECONDS"] = "60"
        await stage.start()
        yield stage


def closed(channel: Channel) -> Channel:
    """Return a channel beside that one in which the bot may not write."""
    guild = channel.guild
    assert guild is not None
    other = guild.add_text_channel("announcements")
    other.deny(guild.everyone, Permission.SEND_MESSAGES)
    return other


async def about(stage: Stage, person: Person, command: str, target: Channel, **values: object) -> str:
    """Run a command about a channel, in that channel's server, and return its private answer."""
    assert target.guild is not None
    where = next(iter(target.guild.channels.values()))
    interaction = await person.runs_command(stage.bot, command, {"channel": target, **values}, channel=where)
    answer = await interaction.answer()
    assert interaction.ephemeral
    return answer.content


async def test_nothing_is_said_first_before_somebody_says_where_they_live(stage: Stage) -> None:
    alice, channel = somebody(stage)

    assert "doesn't write to you first" in await text_of(stage, alice, "proactive status", channel)
    assert "Where do you live?" in await text_of(stage, alice, "proactive on", channel)
    assert "no place or time zone called" in await text_of(stage, alice, "proactive on", channel, place="Atlantis")
    offered = await alice.autocompletes(stage.bot, "proactive on", "place", "rom", channel=channel)
    assert "Europe/Rome" in [one["value"] for one in offered]

    on = await text_of(stage, alice, "proactive on", channel, place="Rome")

    assert "Hinata may write to you first" in on
    assert "Europe/Rome" in on
    assert "never between 22:00-08:00" in on
    assert "The next time would be <t:" in await text_of(stage, alice, "proactive status", channel)
    await stage.stored(
        "SELECT enabled, timezone FROM proactive_subscriptions WHERE recipient_id = ?",
        alice.id,
        until=lambda rows: rows == [(1, "Europe/Rome")],
    )


async def test_a_known_time_zone_is_enough_and_a_new_one_is_followed(stage: Stage) -> None:
    alice, channel = somebody(stage)
    await text_of(stage, alice, "timezone", channel, place="Tokyo")

    assert "Asia/Tokyo" in await text_of(stage, alice, "proactive on", channel)
    await text_of(stage, alice, "timezone", channel, place="Paris")
    assert "Europe/Paris" in await text_of(stage, alice, "proactive status", channel)
    await text_of(stage, alice, "timezone", channel, forget=True)
    assert "No time zone is known" in await text_of(stage, alice, "proactive status", channel)


async def test_the_day_is_narrowed_and_what_makes_no_sense_is_explained(stage: Stage) -> None:
    taro, channel = somebody(stage, locale="ja")
    await text_of(stage, taro, "proactive on", channel, place="東京")

    assert "12:00-13:30" in await text_of(stage, taro, "proactive windows", channel, times="１２時〜１３時半")
    assert "21:00-07:30" in await text_of(stage, taro, "proactive quiet", channel, times="21:00-7:30")
    assert "1日に 1 回まで" in await text_of(stage, taro, "proactive pace", channel, **{"per-day": 1, "gap": 12})
    status = await text_of(stage, taro, "proactive status", channel)

    assert "12:00-13:30" in status
    assert "12 時間以上" in status
    assert "読み取れませんでした" in await text_of(stage, taro, "proactive windows", channel, times="夕方ごろ")
    assert "読み取れませんでした" in await text_of(stage, taro, "proactive quiet", channel, times="25:00-26:00")
    assert "残りません" in await text_of(stage, taro, "proactive windows", channel, times="3:00-4:00")
    assert "多くても" in await text_of(stage, taro, "proactive pace", channel, **{"per-day": 9})
    assert "5 時間以上あけます" in await text_of(stage, taro, "proactive pace", channel, gap=1)
    assert "12:00-13:30" in await text_of(stage, taro, "proactive status", channel)
    assert "16:30-21:00" in await text_of(stage, taro, "proactive windows", channel)


async def test_wishes_before_consent_are_noted_and_change_nothing_else(stage: Stage) -> None:
    alice, channel = somebody(stage)

    assert "Noted" in await text_of(stage, alice, "proactive quiet", channel, times="20:00-09:00")
    assert "doesn't write to you first" in await text_of(stage, alice, "proactive status", channel)
    await text_of(stage, alice, "timezone", channel, place="Rome")
    assert "20:00-09:00" in await text_of(stage, alice, "proactive on", channel)


async def test_it_can_be_paused_and_ended(stage: Stage) -> None:
    alice, channel = somebody(stage)
    assert "doesn't write" in await text_of(stage, alice, "proactive pause", channel, hours=3)
    await text_of(stage, alice, "proactive on", channel, place="Rome")

    assert "until <t:" in await text_of(stage, alice, "proactive pause", channel, days=2)
    assert "A break until <t:" in await text_of(stage, alice, "proactive status", channel)
    assert "break is over" in await text_of(stage, alice, "proactive pause", channel)
    assert "A break" not in await text_of(stage, alice, "proactive status", channel)
    assert "won't write to you first any more" in await text_of(stage, alice, "proactive off", channel)
    assert "doesn't write to you first" in await text_of(stage, alice, "proactive off", channel)
    assert "no next time" in await text_of(stage, alice, "proactive cancel", channel)


async def test_of_those_who_opted_out_nothing_is_stored(stage: Stage) -> None:
    alice, channel = somebody(stage)
    await text_of(stage, alice, "privacy opt-out", channel)

    assert "not to take part" in await text_of(stage, alice, "proactive on", channel, place="Rome")
    assert "not to take part" in await text_of(stage, alice, "proactive windows", channel, times="9:00-12:00")
    await stage.stored(
        "SELECT count(*) FROM proactive_subscriptions WHERE recipient_id = ?",
        alice.id,
        until=lambda rows: rows == [(0,)],
    )


async def test_a_channel_is_for_those_who_manage_the_server_where_the_character_may_write(stage: Stage) -> None:
    alice, channel = somebody(stage)
    boss = manager(stage, channel)
    other = closed(channel)

    assert "manage this server" in await about(stage, alice, "proactive on", channel)
    assert "By whose clock?" in await about(stage, boss, "proactive on", channel)
    assert "can't write in that channel" in await about(stage, boss, "proactive on", other, place="Rome")
    on = await about(stage, boss, "proactive on", channel, place="Rome")
    assert f"<#{channel.id}>" in on
    await about(stage, boss, "proactive pace", channel, **{"per-day": 1})

    assert f"<#{channel.id}>: Hinata may write first, at most 1 a day" in await text_of(
        stage, boss, "proactive status", channel
    )
    assert f"<#{channel.id}>" not in await text_of(stage, alice, "proactive status", channel)
    await stage.stored(
        "SELECT guild_id, chosen_by FROM proactive_subscriptions WHERE recipient_id = ?",
        channel.id,
        until=lambda rows: channel.guild is not None and rows == [(channel.guild.id, boss.id)],
    )


async def test_what_was_cancelled_is_explained_to_those_it_concerns(stage: Stage) -> None:
    alice, channel = somebody(stage)
    bob, elsewhere = somebody(stage)
    assert "nothing to explain" in await text_of(stage, alice, "proactive why", channel)
    await text_of(stage, alice, "proactive on", channel, place="Rome")

    assert "is skipped" in await text_of(stage, alice, "proactive cancel", channel)
    why = await text_of(stage, alice, "proactive why", channel)

    assert "not sent: it was cancelled" in why
    (offered,) = await alice.autocompletes(stage.bot, "proactive why", "occasion", "", channel=channel)
    assert "cancelled" in offered["name"]
    assert offered["value"] in why
    assert "nothing to explain" in await text_of(stage, bob, "proactive why", elsewhere, occasion=offered["value"])
    owner = stage.people["owner"]
    assert "it was cancelled" in await text_of(stage, owner, "proactive why", occasion=offered["value"])
    await stage.stored(
        "SELECT count(*) FROM proactive_subscriptions AS s JOIN proactive_slots AS d USING (recipient_id)"
        " WHERE s.recipient_id = ? AND s.due_at > d.due_at",
        alice.id,
        until=lambda rows: rows == [(1,)],
    )


async def test_everything_is_stopped_by_those_who_run_or_manage_and_lifted_again(stage: Stage) -> None:
    alice, channel = somebody(stage)
    boss = manager(stage, channel)
    owner = stage.people["owner"]
    await about(stage, boss, "proactive on", channel, place="Rome")

    assert "manage this server" in await text_of(stage, alice, "proactive pause-all", channel)
    assert "any channel of this server" in await text_of(stage, boss, "proactive pause-all", channel)
    assert "until somebody ends it" in await text_of(stage, boss, "proactive status", channel)
    assert "in the channels" in await text_of(stage, boss, "proactive pause-all", channel, lift=True)
    assert "A break" not in await text_of(stage, boss, "proactive status", channel)

    assert "to anybody, anywhere" in await text_of(stage, owner, "proactive pause-all")
    assert "until further notice" in await text_of(stage, alice, "proactive status", channel)
    await text_of(stage, owner, "proactive pause-all", lift=True)
    assert "further notice" not in await text_of(stage, alice, "proactive status", channel)
    assert re.search(r"Everywhere: \d+ switched on", await text_of(stage, owner, "proactive status"))


async def test_candidates_are_listed_by_page_for_those_who_manage_a_server(stage: Stage) -> None:
    alice, channel = somebody(stage)
    boss = manager(stage, channel)

    assert "manage this server" in await text_of(stage, alice, "candidates list", channel)
    first = await text_of(stage, boss, "candidates list", channel)
    last = await text_of(stage, boss, "candidates list", channel, page=900, language="ja")

    assert "Page 1 of" in first
    assert "`moss-roots` (any moment, again after 21 days) Did you know moss has no roots?" in first
    assert "by the schedule" in last
    assert "カモメ" in last


async def test_drafts_wait_until_an_owner_approves_them_and_claims_are_dropped(stage: Stage) -> None:
    _, channel = somebody(stage)
    boss, owner = manager(stage, channel), stage.people["owner"]
    texts = ["Is a hot dog a sandwich?", "Good evening! Still at work?", "Did you know moss has no roots?"]
    stage.script.when("start a conversation out of the blue", json.dumps({"candidates": texts}))
    assert "run this character" in await text_of(stage, boss, "candidates draft", channel)

    drafted = await text_of(stage, owner, "candidates draft", count=3)

    number = int(re.findall(r"^(\d+)\. Is a hot dog", drafted, re.MULTILINE)[0])
    assert "Dropped" in drafted
    assert '"Good evening": a part of the day' in drafted
    assert f"`#{number}` (waits) Is a hot dog a sandwich?" in await text_of(stage, owner, "candidates list")
    offered = await owner.autocompletes(stage.bot, "candidates approve", "number", "hot dog")
    assert [one["value"] for one in offered] == [number]
    assert "may be said from now on" in await text_of(stage, owner, "candidates approve", number=number)
    assert f"`#{number}` (approved)" in await text_of(stage, owner, "candidates list")
    assert "no such draft" in await text_of(stage, owner, "candidates approve", number=number)
    assert "is deleted" in await text_of(stage, owner, "candidates reject", number=number)
    assert "hot dog" not in await text_of(stage, owner, "candidates list")


async def test_what_the_model_makes_a_mess_of_is_told(stage: Stage) -> None:
    owner = stage.people["owner"]
    stage.script.when("start a conversation out of the blue", "I'd rather not.")

    assert "can't be reached" in await text_of(stage, owner, "candidates draft")
