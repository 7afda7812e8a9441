"""Slash commands, in both languages, for those who may use them."""

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.acceptance.discord.stage import Stage, said, staged
from tests.discord_server.actors import Person
from tests.discord_server.flags import Permission
from tests.discord_server.model import Channel
from tests.discord_server.routes import CALLBACK

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    async with staged(tmp_path_factory.mktemp("commands"), started=False) as stage:
        owner = stage.discord.add_user("owner")
        stage.people["owner"] = owner
        stage.settings["YORISOI_OWNER_IDS"] = str(owner.id)
        await stage.start()
        yield stage


def somebody(stage: Stage, *, locale: str = "en-US") -> tuple[Person, Channel]:
    """Return somebody in a server of their own with the bot."""
    person = stage.discord.add_user("alice", locale=locale)
    return person, stage.discord.add_guild("Garden", stage.bot, person).add_text_channel("general")


def manager(stage: Stage, channel: Channel) -> Person:
    """Let somebody who manages the server join it."""
    person = stage.discord.add_user("boss")
    guild = channel.guild
    assert guild is not None
    guild.join(person, guild.add_role("managers", Permission.MANAGE_GUILD))
    return person


async def text_of(stage: Stage, person: Person, command: str, channel: Channel | None = None, **values: object) -> str:
    """Run a command and return its private answer."""
    interaction = await person.runs_command(stage.bot, command, values, channel=channel)
    answer = await interaction.answer()
    assert interaction.ephemeral
    return answer.content


async def whole_help(stage: Stage, person: Person, last: str, channel: Channel | None = None) -> str:
    """Return what /help says in all its messages, the last of which names a command."""
    interaction = await person.runs_command(stage.bot, "help", {}, channel=channel)
    pages = [(await interaction.answer()).content]
    while last not in pages[-1]:
        pages.append((await interaction.follow_up(len(pages) - 1)).content)
    return "\n".join(pages)


def clock_in(prompt: str) -> str:
    """Return the date of the note in a prompt, whatever its language."""
    note = prompt.partition("<note>")[2].partition("</note>")[0]
    found = re.search(r"\d{4}年\d+月\d+日|\w+day, \w+ \d+, \d{4}", note)
    assert found is not None, note
    return f"{found[0]} {re.findall(r'[0-9]+:[0-9]+(?: [AP]M)?', note)}"


async def test_about_says_that_it_is_an_ai_with_its_introduction_and_model(stage: Stage) -> None:
    alice, channel = somebody(stage)
    taro, elsewhere = somebody(stage, locale="ja")

    english = await (await alice.runs_command(stage.bot, "about", channel=channel)).answer()
    japanese = await (await taro.runs_command(stage.bot, "about", channel=elsewhere)).answer()

    assert "**Hinata** is an AI character" in english.content
    assert "loves plants" in english.content
    assert "balanced (`scripted`)" in english.content
    assert "**ひなた**は AI のキャラクターです" in japanese.content
    assert "コケ" in japanese.content


async def test_help_lists_what_the_person_may_use(stage: Stage) -> None:
    alice, channel = somebody(stage)
    boss = manager(stage, channel)

    for_alice = await text_of(stage, alice, "help", channel)
    for_boss = await whole_help(stage, boss, "/candidates list", channel)
    for_owner = await whole_help(stage, stage.people["owner"], "/character unfreeze")
    taro, elsewhere = somebody(stage, locale="ja")

    ids = {command["name"]: command["id"] for command in stage.bot.app.commands[None]}
    assert f"</privacy forget-me:{ids['privacy']}>: Delete everything" in for_alice
    assert "/settings" not in for_alice
    assert f"</settings ambient:{ids['settings']}>" in for_boss
    assert "/character" not in for_boss
    assert f"</character freeze:{ids['character']}>" in for_owner
    for_taro = await text_of(stage, taro, "help", elsewhere)
    assert f"</privacy forget-me:{ids['privacy']}>：あなたについて保存されているものをすべて消す" in for_taro


async def test_definitions_are_localised(stage: Stage) -> None:
    commands = {command["name"]: command for command in stage.bot.app.commands[None]}

    assert set(commands) == {
        *("about", "help", "stop", "language", "timezone", "usage", "report", "setup"),
        *("memory", "privacy", "proactive", "settings", "stance", "candidates", "character", "social"),
    }
    assert commands["privacy"]["name_localizations"]["ja"] == "プライバシー"
    assert all(command["description_localizations"]["ja"] for command in commands.values())
    assert commands["settings"]["default_member_permissions"] == Permission.MANAGE_GUILD


async def test_stop_without_anything_to_stop_says_so(stage: Stage) -> None:
    alice, channel = somebody(stage)

    assert await text_of(stage, alice, "stop", channel) == "Nothing is being written to you right now."


async def test_the_language_that_was_chosen_is_kept_and_used(stage: Stage) -> None:
    alice, channel = somebody(stage)

    assert "Japanese" not in await text_of(stage, alice, "help", channel)
    assert "いつも日本語で" in await text_of(stage, alice, "language", channel, language="ja")
    assert "話しかけられます" in await text_of(stage, alice, "help", channel)
    assert "language of the conversation" in await text_of(stage, alice, "language", channel, language="auto")


async def test_whoever_opted_out_is_not_answered_by_a_model_until_they_opt_in(stage: Stage) -> None:
    alice, channel = somebody(stage)
    assert "no replies" in await text_of(stage, alice, "privacy opt-out", channel)
    before = len(stage.model.requests)

    await alice.says(channel, "@Hinata おはよう")
    await stage.discord.wait_for(
        lambda: any("参加しない設定" in one.content for one in stage.discord.sent(channel)), what="the refusal"
    )
    assert len(stage.model.requests) == before
    assert "opted out" in await text_of(stage, alice, "privacy show", channel)

    await text_of(stage, alice, "privacy opt-in", channel)
    assert said(await stage.answer(await alice.says(channel, "@Hinata hello again"))) == "I hear you."


async def test_forget_me_asks_first_and_then_leaves_nothing(stage: Stage) -> None:
    alice, channel = somebody(stage)
    asked = await alice.says(channel, "@Hinata my secret is 4711")
    await stage.answer(asked)
    await stage.stored("SELECT 1 FROM archive WHERE author_id = ?", alice.id)
    assert "Messages: 1" in await text_of(stage, alice, "privacy show", channel)

    question = await alice.runs_command(stage.bot, "privacy forget-me", channel=channel)
    asking = await question.answer()
    await alice.clicks(asking, label="Keep it")
    assert asking.content == "Nothing was deleted."
    question = await alice.runs_command(stage.bot, "privacy forget-me", channel=channel)
    asking = await question.answer()
    await alice.clicks(asking, label="Delete everything")
    await stage.discord.wait_for(lambda: "Done. Deleted: " in asking.content, what="the deletion")

    assert "Nothing is kept" in await text_of(stage, alice, "privacy show", channel)
    stage.script.when("do you know", "No.")
    await stage.answer(await alice.says(channel, "@Hinata do you know my secret?"))
    assert "4711" in str([request.body for request in stage.model.requests])
    assert "4711" not in str(stage.model.requests[-1].body)


async def test_settings_are_for_those_who_manage_the_server(stage: Stage) -> None:
    alice, channel = somebody(stage)
    boss = manager(stage, channel)

    assert "manage this server" in await text_of(stage, alice, "settings bots", channel, answer=True)
    assert "answered now" in await text_of(stage, boss, "settings bots", channel, answer=True)
    await text_of(stage, boss, "settings language", channel, language="ja")
    await text_of(stage, boss, "settings ambient", channel, **{"per-hour": 3})
    shown = await text_of(stage, boss, "settings show", channel)
    assert "Japanese" in shown
    assert f"<#{channel.id}> (up to 3 an hour)" in shown
    await text_of(stage, boss, "settings ambient", channel, **{"per-hour": 0})
    assert "nowhere" in await text_of(stage, boss, "settings show", channel)


async def test_a_place_is_offered_while_it_is_typed_with_the_time_it_is_there(stage: Stage) -> None:
    taro, _ = somebody(stage, locale="ja")
    alice, _ = somebody(stage)

    japanese = await taro.autocompletes(stage.bot, "timezone", "place", "にゅーよ")
    english = await alice.autocompletes(stage.bot, "timezone", "place", "tok")
    unasked = await taro.autocompletes(stage.bot, "timezone", "place", "")

    assert [one["value"] for one in japanese] == ["America/New_York"]
    assert re.fullmatch(r"ニューヨーク（アメリカ合衆国）　いま \d{1,2}:\d\d", japanese[0]["name"])
    assert re.fullmatch(r"Tokyo \(Japan\), now \d{1,2}:\d\d [AP]M", english[0]["name"])
    assert unasked[0]["value"] == "Asia/Tokyo"
    assert 5 < len(unasked) <= 25


async def test_the_clock_of_a_person_is_used_in_direct_talk_and_told_nobody_else(stage: Stage) -> None:
    alice, channel = somebody(stage)
    assert "Pacific/Kiritimati" in await text_of(stage, alice, "timezone", channel, place="Kiritimati")
    assert "Pacific/Kiritimati" in await text_of(stage, alice, "timezone")

    await stage.answer(await alice.dm(stage.bot, "hello there"))
    private = stage.model.requests[-1].last_text
    await stage.answer(await alice.says(channel, "@Hinata hello there"))
    public = stage.model.requests[-1].last_text
    assert clock_in(private) != clock_in(public)

    assert "forgotten" in await text_of(stage, alice, "timezone", forget=True)
    await stage.answer(await alice.dm(stage.bot, "hello again"))
    assert clock_in(stage.model.requests[-1].last_text) != clock_in(private)
    assert "no place or time zone" in await text_of(stage, alice, "timezone", channel, place="Atlantis")
    assert "haven't said" in await text_of(stage, alice, "timezone", channel)


async def test_a_server_has_a_clock_of_its_own_if_its_managers_say_so(stage: Stage) -> None:
    alice, channel = somebody(stage)
    boss = manager(stage, channel)

    assert "manage this server" in await text_of(stage, alice, "settings timezone", channel, place="Rome")
    assert "Rome (Italy)" in await text_of(stage, boss, "settings timezone", channel, place="Rome")
    assert "Atlantis" in await text_of(stage, boss, "settings timezone", channel, place="Atlantis")
    assert "Time zone: Europe/Rome" in await text_of(stage, boss, "settings show", channel)
    assert "Asia/Tokyo" in await text_of(stage, boss, "settings timezone", channel)
    assert "Time zone: Asia/Tokyo (the character's)" in await text_of(stage, boss, "settings show", channel)


async def test_what_a_person_wants_remembered_is_used_with_them_alone_until_they_take_it_back(stage: Stage) -> None:
    alice, channel = somebody(stage)
    bob = stage.discord.add_user("bob")
    added = await text_of(stage, alice, "memory add", channel, fact="I have *two* cats")
    assert "your DMs with the character only" in added
    assert "1. I have \\*two\\* cats" in await text_of(stage, alice, "memory list", channel)
    assert "Things you asked to have remembered: 1" in await text_of(stage, alice, "privacy show", channel)

    await stage.answer(await alice.dm(stage.bot, "hello there"))
    assert "I have *two* cats" in stage.model.requests[-1].last_text
    await stage.answer(await alice.says(channel, "@Hinata hello there"))
    await stage.answer(await bob.dm(stage.bot, "hello there"))
    assert not any("two* cats" in str(request.body) for request in stage.model.requests[-2:])

    (offered,) = await alice.autocompletes(stage.bot, "memory forget", "fact", "CATS", channel=channel)
    assert offered["name"] == "1. I have *two* cats"
    assert "Forgotten" in await text_of(stage, alice, "memory forget", channel, fact=offered["value"])
    await stage.answer(await alice.dm(stage.bot, "hello again"))
    assert "two* cats" not in stage.model.requests[-1].last_text
    assert "haven't asked" in await text_of(stage, alice, "memory list", channel)


async def test_a_long_list_of_what_is_remembered_is_shown_whole(stage: Stage) -> None:
    alice, channel = somebody(stage)
    for number in range(14):
        await text_of(stage, alice, "memory add", channel, fact=f"fact {number} " + "x" * 180)

    listing = await alice.runs_command(stage.bot, "memory list", channel=channel)
    first = await listing.answer()
    await stage.discord.wait_for(lambda: listing.followups, what="the second page")

    shown = "\n".join(one.content for one in (first, *listing.followups))
    assert all(f"fact {number} " in shown for number in range(14))
    assert all(one.is_ephemeral for one in listing.followups)


async def test_of_those_who_opted_out_nothing_is_remembered_and_they_are_told_why(stage: Stage) -> None:
    taro, channel = somebody(stage, locale="ja")
    await text_of(stage, taro, "privacy opt-out", channel)

    assert "参加しない設定" in await text_of(stage, taro, "memory add", channel, fact="猫が二匹いる")
    assert "参加しない設定" in await text_of(stage, taro, "timezone", channel, place="東京")
    await stage.stored("SELECT count(*) FROM kept_facts WHERE user_id = ?", taro.id, until=lambda rows: rows == [(0,)])


async def test_only_owners_rest_a_character_and_it_says_so_to_whoever_calls(stage: Stage) -> None:
    alice, channel = somebody(stage)
    boss = manager(stage, channel)
    owner = stage.people["owner"]
    assert "run this character" in await text_of(stage, boss, "character freeze", channel)

    assert "resting" in await text_of(stage, owner, "character freeze")
    await alice.says(channel, "@Hinata おはよう")
    refusal = await stage.discord.wait_for(
        lambda: next((one for one in stage.discord.sent(channel) if "お休み中" in one.content), None),
        what="the refusal",
    )
    assert refusal.components == []
    assert "awake" in await text_of(stage, owner, "character unfreeze")
    assert said(await stage.answer(await alice.says(channel, "@Hinata welcome back"))) == "I hear you."


async def test_every_interaction_was_answered_in_time(stage: Stage) -> None:
    answers = stage.discord.requests(CALLBACK)
    assert len(answers) > 20
    assert {answer.status for answer in answers} <= {200, 204}
