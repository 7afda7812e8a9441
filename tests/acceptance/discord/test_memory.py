"""What people control themselves: facts kept once they say yes, their export, their consent."""

import json
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.acceptance.discord.stage import Stage, button_of, said, staged
from tests.discord_server.actors import Person
from tests.discord_server.message import Message
from tests.discord_server.model import Channel

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="module")]

CATS = "@Hinata please remember that I have two cats"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    async with staged(tmp_path_factory.mktemp("memory")) as stage:
        yield stage


def somebody(stage: Stage, *, locale: str = "en-US") -> tuple[Person, Channel]:
    """Return somebody in a server of their own with the bot."""
    person = stage.discord.add_user("alice", locale=locale)
    return person, stage.discord.add_guild("Garden", stage.bot, person).add_text_channel("general")


async def text_of(stage: Stage, person: Person, command: str, channel: Channel, **values: object) -> str:
    interaction = await person.runs_command(stage.bot, command, values, channel=channel)
    answer = await interaction.answer()
    assert interaction.ephemeral
    return answer.content


async def presses(stage: Stage, person: Person, reply: Message, label: str) -> str:
    """Press a button and return what the person is told."""
    pressed = await person.clicks(reply, label=label)
    return await stage.discord.wait_for(
        lambda: next((one.content for one in pressed.followups), None), what=f"the answer to {label}"
    )


async def facts(stage: Stage, person: Person, count: int) -> list[str]:
    rows = await stage.stored(
        "SELECT text FROM kept_facts WHERE user_id = ?", person.id, until=lambda found: len(found) == count
    )
    return [text for (text,) in rows]


async def test_a_fact_is_kept_once_its_author_says_yes_and_used_there_and_in_their_dm(stage: Stage) -> None:
    alice, channel = somebody(stage)
    guild = channel.guild
    assert guild is not None
    elsewhere = guild.add_text_channel("elsewhere")
    asked = await alice.says(channel, CATS)
    reply = await stage.answer(asked)
    assert said(reply) == "I hear you."
    assert reply.content.endswith('-# Remember this? "I have two cats"')
    assert await facts(stage, alice, 0) == []

    told = await presses(stage, alice, reply, "Remember")

    assert told.startswith("Remembered: I have two cats\n")
    assert "Remember this?" not in reply.content
    assert (button_of(reply, "keep:"), button_of(reply, "again:") is not None) == (None, True)
    assert await facts(stage, alice, 1) == ["I have two cats"]
    listed = await text_of(stage, alice, "memory list", channel)
    assert f"1. I have two cats (also in <#{channel.id}>)" in listed
    for where, known in ((channel, True), (elsewhere, False)):
        await stage.answer(await alice.says(where, "@Hinata hello"))
        assert ("two cats" in stage.model.requests[-1].last_text.partition("</note>")[0]) is known
    await stage.answer(await alice.dm(stage.bot, "hello"))
    assert "two cats" in stage.model.requests[-1].last_text

    await alice.deletes(asked)
    assert await facts(stage, alice, 0) == []


async def test_whoever_says_no_is_not_asked_further_and_nobody_else_decides(stage: Stage) -> None:
    alice, channel = somebody(stage)
    bob = stage.discord.add_user("bob")
    assert channel.guild is not None
    channel.guild.join(bob)
    reply = await stage.answer(await alice.says(channel, CATS))
    pressed = await bob.clicks(reply, label="Remember")
    assert "Only the person" in (await pressed.answer()).content

    assert await presses(stage, alice, reply, "Don't") == "Not remembered."

    assert button_of(reply, "keep:") is None
    assert await facts(stage, alice, 0) == []


async def test_a_fact_told_in_private_is_unknown_on_servers(stage: Stage) -> None:
    alice, channel = somebody(stage)
    reply = await stage.answer(await alice.dm(stage.bot, "remember that I have two cats"))
    assert "DMs with the character only" in await presses(stage, alice, reply, "Remember")

    await stage.answer(await alice.says(channel, "@Hinata hello"))
    assert "two cats" not in str(stage.model.requests[-1].body)
    await stage.answer(await alice.dm(stage.bot, "hello"))
    assert "two cats" in stage.model.requests[-1].last_text


async def test_what_the_message_says_by_now_is_kept_also_after_a_restart(stage: Stage) -> None:
    alice, channel = somebody(stage)
    asked = await alice.says(channel, CATS)
    reply = await stage.answer(asked)
    gone = await alice.says(channel, "@Hinata remember that my name is Ali")
    second = await stage.answer(gone)
    await stage.terminate()
    await alice.edits(asked, "@Hinata please remember that I have three cats")
    await alice.deletes(gone)
    await stage.start()

    assert "I have three cats" in await presses(stage, alice, reply, "Remember")
    assert "gone" in await presses(stage, alice, second, "Remember")

    assert await facts(stage, alice, 1) == ["I have three cats"]


async def test_what_weighs_on_somebody_is_answered_and_not_offered_to_be_kept(stage: Stage) -> None:
    alice, channel = somebody(stage)

    reply = await stage.answer(await alice.says(channel, "@Hinata 彼氏に嫌われてるの、覚えておいて"))

    assert "覚えておきますか" not in reply.content
    assert button_of(reply, "keep:") is None


async def test_a_fact_is_corrected_and_said_so_in_japanese(stage: Stage) -> None:
    taro, channel = somebody(stage, locale="ja")
    reply = await stage.answer(await taro.says(channel, "@Hinata 猫が2匹いるの、覚えておいて"))
    assert reply.content.endswith("-# 「猫が2匹いる」を覚えておきますか？")
    assert (await presses(stage, taro, reply, "覚えておく")).startswith("覚えました：猫が2匹いる")

    corrected = await text_of(stage, taro, "memory correct", channel, fact=1, text="猫が3匹いる")

    assert corrected.startswith("1 番を書き直しました：猫が3匹いる")
    assert await facts(stage, taro, 1) == ["猫が3匹いる"]


async def test_an_export_comes_as_two_files_for_that_person_only(stage: Stage) -> None:
    alice, channel = somebody(stage)
    await stage.answer(await alice.says(channel, "@Hinata the harbour is foggy"))
    await stage.stored("SELECT 1 FROM archive WHERE author_id = ?", alice.id)

    interaction = await alice.runs_command(stage.bot, "privacy export", channel=channel)
    answer = await interaction.answer()

    assert interaction.ephemeral
    files = {one.filename: one for one in answer.attachments}
    assert set(files) == {"yorisoi-export.md", "yorisoi-export.json"}
    assert "everything that is kept about you" in answer.content
    document = files["yorisoi-export.md"].data.decode()
    assert "## Messages (1)" in document
    assert "the harbour is foggy" in document
    found = json.loads(files["yorisoi-export.json"].data)
    assert [row["text"] for row in found["archive"]] == ["the harbour is foggy"]


async def test_an_export_is_sent_by_direct_message_when_wanted(stage: Stage) -> None:
    alice, channel = somebody(stage)
    answer = await (await alice.runs_command(stage.bot, "privacy export", channel=channel)).answer()

    assert "Sent." in await presses(stage, alice, answer, "Send it to me by DM")

    sent = await stage.discord.next_message(alice.dm_channel(stage.bot), by=stage.bot)
    assert {one.filename for one in sent.attachments} == {"yorisoi-export.md", "yorisoi-export.json"}


async def test_with_closed_direct_messages_the_export_stays_where_it_is(stage: Stage) -> None:
    alice, channel = somebody(stage)
    alice.user.dms_open = False
    answer = await (await alice.runs_command(stage.bot, "privacy export", channel=channel)).answer()

    assert "closed to me" in await presses(stage, alice, answer, "Send it to me by DM")

    assert len(answer.attachments) == 2


async def test_consent_is_given_shown_and_withdrawn(stage: Stage) -> None:
    alice, channel = somebody(stage)
    assert "may not form an impression" in await text_of(stage, alice, "privacy show", channel)

    assert "from now on" in await text_of(stage, alice, "privacy remember-me", channel, choice="on")
    shown = await text_of(stage, alice, "privacy show", channel)
    assert "Characters may form an impression of you." in shown
    assert "until you delete them" in shown
    await stage.stored("SELECT 1 FROM memory_consents WHERE user_id = ?", alice.id)

    assert "deleted" in await text_of(stage, alice, "privacy remember-me", channel, choice="off")
    assert await stage.stored(
        "SELECT count(*) FROM memory_consents WHERE user_id = ?", alice.id, until=lambda rows: rows == [(0,)]
    )
