"""`/stance`: what the gate did, and what a server lets pass, for those who manage it."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing

import pytest
import pytest_asyncio

from tests.acceptance.discord.stage import Stage, said, staged
from tests.acceptance.discord.test_commands import manager, somebody, text_of
from tests.discord_server.actors import Person
from tests.discord_server.model import Channel

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="module")]

PRAISE = "You're a genius."
PLAIN = "Those look tasty, good for you!"
HURT = "@Hinata Does my girlfriend hate me? She hasn't replied since Friday."
MIND_READING = "She hates you."
GOOD = "Waiting like that is exhausting. I can't know what she thinks, but I'm listening."


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    folder = tmp_path_factory.mktemp("stance")
    places = folder / "places.toml"
    places.write_text('[[resource]]\ncountry = "Japan"\nhours = "a"\nsource = "b"\nchecked = "2026-01-01"\n', "utf-8")
    async with staged(folder, started=False) as stage:
        owner = stage.people["owner"] = stage.discord.add_user("owner")
        stage.settings |= {
            "YORISOI_OWNER_IDS": str(owner.id),
            "YORISOI_ENABLE_STANCE_INTEGRITY_GATE": "true",
            "YORISOI_RESOURCES_FILE": str(places),
        }
        await stage.start()
        yield stage


def owner(stage: Stage, channel: Channel) -> Person:
    """Let somebody who runs the bot join the server, without any say in it."""
    guild, person = channel.guild, stage.people["owner"]
    assert guild is not None
    guild.join(person)
    return person


async def talk(stage: Stage, person: Person, channel: Channel, text: str, draft: str, *, mended: str = PLAIN) -> str:
    """Say something and have the model answer by a draft, mended where need be; return what was said in the end."""
    stage.script.when("hasn't been sent", mended)
    stage.script.when(text.removeprefix("@Hinata "), draft)
    message = await person.says(channel, text)
    answer = said(await stage.answer(message))
    await stage.stored("SELECT 1 FROM traces WHERE message_ids LIKE ?", f"%{message.id}%")
    return answer


async def test_a_manager_sees_what_the_gate_did_and_not_a_word_of_what_was_said(stage: Stage) -> None:
    alice, channel = somebody(stage)
    boss = manager(stage, channel)
    assert await talk(stage, alice, channel, HURT, MIND_READING, mended=GOOD) == GOOD
    assert await talk(stage, alice, channel, "@Hinata noodles again", PLAIN) == PLAIN

    shown = await text_of(stage, boss, "stance trace", channel)

    assert "Turns: 2, in acute danger: 0" in shown
    assert "passed 1, written again 1, replaced 0, not checked 0" in shown
    assert "Rules: `third_party_certainty` 1" in shown
    newest, older = [line for line in shown.split("\n") if line.startswith("<t:")]
    assert newest.endswith("→ passed")
    assert "`reflective_support`" in older
    assert "→ written again `third_party_certainty`" in older
    assert not any(word in shown for word in ("alice", str(alice.id), "girlfriend", "hates", "noodles", "tasty"))


async def test_only_managers_and_owners_may_look_and_each_only_at_their_own_server(stage: Stage) -> None:
    alice, channel = somebody(stage)
    bob, elsewhere = somebody(stage)
    await talk(stage, alice, channel, "@Hinata tea this time", PLAIN)

    assert "manage this server" in await text_of(stage, alice, "stance trace", channel)
    assert "manage this server" in await text_of(stage, alice, "stance allow list", channel)
    assert "manage this server" in await text_of(stage, alice, "stance allow add", channel, phrase="genius")
    assert "the people who run this character" in await text_of(stage, bob, "stance trace")
    assert "Turns: 0" in await text_of(stage, manager(stage, elsewhere), "stance trace", elsewhere)
    assert "Turns: 1" in await text_of(stage, owner(stage, channel), "stance trace", channel)
    assert "/stance trace" not in await text_of(stage, alice, "help", channel)


async def test_one_channel_can_be_looked_at_alone_and_only_today(stage: Stage) -> None:
    alice, channel = somebody(stage)
    boss = manager(stage, channel)
    guild = channel.guild
    assert guild is not None
    await talk(stage, alice, channel, "@Hinata soup", PLAIN)

    assert "Turns: 1" in await text_of(stage, boss, "stance trace", channel, where="channel", span="today")
    other = guild.add_text_channel("other")
    assert "Turns: 0" in await text_of(stage, boss, "stance trace", other, where="channel")
    assert "Turns: 1" in await text_of(stage, boss, "stance trace", other, where="server")


async def test_a_phrase_that_is_allowed_passes_until_it_is_taken_back(stage: Stage) -> None:
    alice, channel = somebody(stage)
    boss = manager(stage, channel)
    assert await talk(stage, alice, channel, "@Hinata one noodle", PRAISE) == PLAIN

    assert "pass over “genius”" in await text_of(stage, boss, "stance allow add", channel, phrase="ＧＥＮＩＵＳ！")
    assert await talk(stage, alice, channel, "@Hinata two noodles", PRAISE) == PRAISE
    shown = await text_of(stage, boss, "stance trace", channel)
    assert "Let pass by the allow-list: `inflated_praise` 1" in shown
    assert "→ passed `allowed:inflated_praise`" in shown
    assert "- genius" in await text_of(stage, boss, "stance allow list", channel)

    (offered,) = await boss.autocompletes(stage.bot, "stance allow remove", "phrase", "gen", channel=channel)
    assert "checked again" in await text_of(stage, boss, "stance allow remove", channel, phrase=offered["value"])
    assert await talk(stage, alice, channel, "@Hinata three noodles", PRAISE) == PLAIN


@pytest.mark.parametrize(
    ("phrase", "told"),
    [("あ", "too short"), ("you", "nearly every reply"), ("🎉", "no word"), ("z" * 99, "at most 60")],
)
async def test_a_phrase_that_would_let_too_much_pass_is_refused(stage: Stage, phrase: str, told: str) -> None:
    _, channel = somebody(stage)
    boss = manager(stage, channel)
    assert told in await text_of(stage, boss, "stance allow add", channel, phrase=phrase)
    assert "No phrases" in await text_of(stage, boss, "stance allow list", channel)


async def test_a_broken_entry_is_shown_and_stops_nothing(stage: Stage) -> None:
    alice, channel = somebody(stage)
    boss = manager(stage, channel)
    guild = channel.guild
    assert guild is not None
    with closing(sqlite3.connect(stage.database)) as connection, connection:
        connection.execute("INSERT INTO allowed_phrases (guild_id, phrase) VALUES (?, 'you')", (guild.id,))

    assert await talk(stage, alice, channel, "@Hinata broken noodles", PRAISE) == PLAIN
    assert "- you (left out: in nearly every reply)" in await text_of(stage, boss, "stance allow list", channel)
    assert "can't be used and are left out: 1" in await text_of(stage, boss, "stance trace", channel)
    assert "checked again" in await text_of(stage, boss, "stance allow remove", channel, phrase="you")


async def test_owners_are_shown_the_places_that_are_left_out_and_nobody_else(stage: Stage) -> None:
    _, channel = somebody(stage)
    assert "places.toml:1: country" in await text_of(stage, owner(stage, channel), "stance trace", channel)
    assert "places.toml" not in await text_of(stage, manager(stage, channel), "stance trace", channel)
    assert "places.entry_ignored" in stage.logged


async def test_more_turns_than_fit_are_leafed_through(stage: Stage) -> None:
    alice, channel = somebody(stage)
    boss = manager(stage, channel)
    stage.script.when("many", PLAIN)
    message = await alice.says(channel, "@Hinata many")
    await stage.answer(message)
    rows = await stage.stored(
        "SELECT conversation_id, at, user_id, steps FROM traces WHERE message_ids LIKE ?", f"%{message.id}%"
    )
    conversation, at, user, steps = rows[0]
    with closing(sqlite3.connect(stage.database)) as connection, connection:
        connection.executemany(
            "INSERT INTO traces (turn_id, conversation_id, at, user_id, message_ids, reply_ids, outcome, steps)"
            " VALUES (?, ?, ?, ?, '[]', '[]', 'answered', ?)",
            [(f"copy-{channel.id}-{number}", conversation, at - 1000 * number, user, steps) for number in range(1, 60)],
        )

    asked = await boss.runs_command(stage.bot, "stance trace", channel=channel)
    page = await asked.answer()
    first = page.content
    assert "Turns: 60" in first
    assert "Page 1 of " in first
    await boss.clicks(page, label="Next")
    await stage.discord.wait_for(lambda: "Page 2 of " in page.content, what="the second page")
    entries = [{line for line in text.split("\n") if line.startswith("<t:")} for text in (first, page.content)]
    assert not entries[0] & entries[1]
    await boss.clicks(page, label="Back")
    await stage.discord.wait_for(lambda: page.content == first, what="the first page again")


async def test_it_speaks_japanese(stage: Stage) -> None:
    _, channel = somebody(stage, locale="ja")
    guild = channel.guild
    assert guild is not None
    boss = manager(stage, channel)
    await text_of(stage, boss, "language", channel, language="ja")

    assert "やりとり：0、うち差し迫った危険：0" in await text_of(stage, boss, "stance trace", channel)
    assert "「天才」で引っかかった返事を通します" in await text_of(
        stage, boss, "stance allow add", channel, phrase="「天才」"
    )
    assert "- 天才" in await text_of(stage, boss, "stance allow list", channel)
