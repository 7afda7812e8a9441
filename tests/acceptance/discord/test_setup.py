"""The first steps on a server: who is greeted, and a panel that saves each choice, also after a restart."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.acceptance.discord.stage import Stage, staged
from tests.discord_server.actors import Person
from tests.discord_server.flags import Permission
from tests.discord_server.interactions import Interaction
from tests.discord_server.message import Message
from tests.discord_server.model import Channel, Guild
from tests.discord_server.options import components_in

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    async with staged(tmp_path_factory.mktemp("setup"), YORISOI_WELCOME="true") as stage:
        yield stage


def garden(stage: Stage, *, locale: str = "en-US") -> tuple[Guild, Channel, Person]:
    """Return a server without the bot, its channel, and somebody who manages it."""
    boss = stage.discord.add_user("boss", locale=locale)
    guild = stage.discord.add_guild("Garden")
    guild.join(boss, guild.add_role("managers", Permission.MANAGE_GUILD))
    return guild, guild.add_text_channel("general"), boss


async def opened(stage: Stage, boss: Person, channel: Channel) -> Message:
    interaction = await boss.runs_command(stage.bot, "setup", channel=channel)
    panel = await interaction.answer()
    assert interaction.ephemeral
    return panel


async def told(stage: Stage, used: Interaction, panel: Message, word: str) -> str:
    """Wait until the panel says what a step did."""
    await stage.discord.wait_for(lambda: word in panel.content, what=word)
    assert used.deferred
    return panel.content


def shown(panel: Message, custom_id: str) -> list[str]:
    """Return what a menu of the panel shows as chosen."""
    menu = next(one for one in components_in(panel.components) if one.get("custom_id") == custom_id)
    if "options" in menu:
        return [one["value"] for one in menu["options"] if one.get("default")]
    return [str(one["id"]) for one in menu.get("default_values", [])]


async def test_whoever_invited_the_character_is_greeted_once_in_their_language(stage: Stage) -> None:
    guild, channel, boss = garden(stage, locale="ja")
    await boss.runs_command(stage.bot, "language", {"language": "ja"})
    reading = guild.add_role("reading", Permission.VIEW_AUDIT_LOG)

    guild.join(stage.bot, reading, invited_by=boss)
    greeting = await stage.discord.next_message(boss.dm_channel(stage.bot), by=stage.bot)
    guild.leave(stage.bot)
    guild.join(stage.bot, reading, invited_by=boss)
    await boss.runs_command(stage.bot, "about", channel=channel)

    assert "**Garden**に**ひなた**を招待してくれて" in greeting.content
    assert "</setup:" in greeting.content
    assert [one.content for one in stage.discord.sent(boss.dm_channel(stage.bot)) if "Garden" in one.content] == [
        greeting.content
    ]
    assert stage.logged.count("welcome.told") == 1


async def test_without_a_look_at_the_audit_log_the_channel_for_it_is_written_in_and_strangers_are_told_kindly(
    stage: Stage,
) -> None:
    guild, channel, boss = garden(stage)
    alice = stage.discord.add_user("alice")
    guild.join(alice)
    guild.system_channel = guild.add_text_channel("welcome")

    guild.join(stage.bot, invited_by=boss)
    greeting = await stage.discord.next_message(guild.system_channel, by=stage.bot)
    refused = await (await alice.clicks(greeting, "setup:open")).answer()
    pressed = await boss.clicks(greeting, "setup:open")
    panel = await pressed.answer()

    assert "ほかの機能はオフ" in greeting.content  # nobody chose a language there, so it is the character's
    assert refused.content == "Only people who can manage this server can use that."
    assert pressed.ephemeral
    assert "Setting up Hinata here" in panel.content
    assert not stage.discord.sent(channel)


async def test_the_owner_is_written_to_where_no_channel_may_be_written_in(stage: Stage) -> None:
    guild, channel, _ = garden(stage)
    channel.deny(stage.bot, Permission.SEND_MESSAGES)

    guild.join(stage.bot)

    owner = stage.discord.world.dm_between(guild.owner, stage.bot.user)
    assert "**Garden**" in (await stage.discord.next_message(owner, by=stage.bot)).content


async def test_the_panel_saves_each_step_at_once_and_works_after_a_restart(stage: Stage) -> None:
    guild, channel, boss = garden(stage)
    guild.join(stage.bot)
    panel = await opened(stage, boss, channel)
    assert [shown(panel, f"setup:{one}") for one in ("ambient", "proactive", "social")] == [[], [], []]
    assert shown(panel, "setup:language") == ["auto"]

    needs_zone = await boss.clicks(panel, "setup:proactive", values=[channel])
    assert "time zone" in await told(stage, needs_zone, panel, "⚠️")
    form = await boss.clicks(panel, "setup:timezone")
    await boss.submits(form, {"place": "Tokyo"})
    await stage.discord.wait_for(lambda: "✅" in panel.content, what="the time zone")
    await stage.stored("SELECT 1 FROM guild_settings WHERE guild_id = ? AND timezone = 'Asia/Tokyo'", guild.id)
    await boss.clicks(panel, "setup:ambient", values=[channel])
    await stage.stored("SELECT 1 FROM ambient_channels WHERE channel_id = ?", channel.id)

    await stage.kill()
    await stage.start()
    await told(stage, await boss.clicks(panel, "setup:proactive", values=[channel]), panel, "✅")
    await stage.stored("SELECT 1 FROM proactive_subscriptions WHERE recipient_id = ? AND enabled = 1", channel.id)
    await told(stage, await boss.clicks(panel, "setup:social", values=[channel]), panel, "✅")
    await stage.stored("SELECT 1 FROM social_channels WHERE channel_id = ?", channel.id)
    await boss.clicks(panel, "setup:language", values=["ja"])
    await stage.stored("SELECT 1 FROM guild_settings WHERE guild_id = ? AND locale = 'ja'", guild.id)
    await stage.discord.wait_for(lambda: shown(panel, "setup:language") == ["ja"], what="the language")
    everywhere = [shown(panel, f"setup:{one}") for one in ("ambient", "proactive", "social")]
    assert everywhere == [[str(channel.id)]] * 3

    for one in ("ambient", "proactive", "social"):
        await boss.clicks(panel, f"setup:{one}", values=[])
    await stage.stored("SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM social_channels WHERE guild_id = ?)", guild.id)
    await stage.stored("SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ambient_channels WHERE guild_id = ?)", guild.id)
    await stage.stored("SELECT 1 FROM proactive_subscriptions WHERE recipient_id = ? AND enabled = 0", channel.id)
    await told(stage, await boss.clicks(panel, "setup:done"), panel, "All set.")
    assert panel.components == []


async def test_closing_the_panel_waits_for_steps_that_are_still_being_stored(stage: Stage) -> None:
    guild, channel, boss = garden(stage)
    guild.join(stage.bot)
    panel = await opened(stage, boss, channel)

    for chosen in ([channel], [], [channel], []):
        await boss.clicks(panel, "setup:social", values=chosen)
    await told(stage, await boss.clicks(panel, "setup:done"), panel, "All set.")

    await stage.stored("SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM social_channels WHERE guild_id = ?)", guild.id)
    assert panel.components == []


async def test_a_place_that_is_unclear_is_chosen_from_those_that_go_by_its_name(stage: Stage) -> None:
    guild, channel, boss = garden(stage)
    guild.join(stage.bot)
    panel = await opened(stage, boss, channel)

    await boss.submits(await boss.clicks(panel, "setup:timezone"), {"place": "xyzzy"})
    await stage.discord.wait_for(lambda: "no place or time zone" in panel.content, what="the refusal")
    await boss.submits(await boss.clicks(panel, "setup:timezone"), {"place": "America"})
    await stage.discord.wait_for(lambda: "Which of these" in panel.content, what="the question")
    await boss.clicks(panel, "setup:zone", values=["America/New_York"])

    await stage.stored("SELECT 1 FROM guild_settings WHERE guild_id = ? AND timezone = 'America/New_York'", guild.id)
    await stage.discord.wait_for(lambda: "Setting up" in panel.content, what="the panel")


async def test_the_panel_is_for_those_who_manage_the_server(stage: Stage) -> None:
    guild, channel, boss = garden(stage)
    alice = stage.discord.add_user("alice")
    guild.join(alice)
    guild.join(stage.bot)
    panel = await opened(stage, boss, channel)

    asked = await (await alice.runs_command(stage.bot, "setup", channel=channel)).answer()
    clicked = await alice.clicks(panel, "setup:language", values=["en"])

    assert asked.content == "Only people who can manage this server can use that."
    assert (await clicked.answer()).content == asked.content
    assert clicked.ephemeral


async def test_a_click_on_what_nobody_answers_for_any_more_is_answered_kindly(stage: Stage) -> None:
    guild, channel, boss = garden(stage)
    guild.join(stage.bot)
    question = await (await boss.runs_command(stage.bot, "privacy forget-me", channel=channel)).answer()
    await stage.kill()
    await stage.start()

    clicked = await boss.clicks(question, label="Delete everything")

    assert "too old" in (await clicked.answer()).content
