"""Who gets to hear what was said where: looked at in every request that reaches the model, and in the database."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.acceptance.discord.stage import Stage, staged
from tests.discord_server.actors import Person
from tests.discord_server.flags import Permission
from tests.discord_server.message import Message
from tests.discord_server.model import Channel

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="module")]

QUESTION = "do you remember the code word of the old safe?"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """A process that shows a model three messages at most, so that meanings are worked out and stored."""
    async with staged(tmp_path_factory.mktemp("recall"), YORISOI_RECALL_MESSAGES="3") as stage:
        yield stage


async def tells(stage: Stage, person: Person, channel: Channel, word: str) -> Message:
    """Say what the code word is, and wait until it is archived."""
    asked = await person.says(channel, f"@Hinata the code word of the old safe is {word}")
    await stage.answer(asked)
    await stage.stored("SELECT 1 FROM archive WHERE message_id = ?", asked.id)
    return asked


async def shown_for(stage: Stage, asked: Message, since: int) -> str:
    """Return all that reached the model for a question."""
    await stage.answer(asked)
    return "\n".join(str(request.body) for request in stage.model.requests[since:])


async def asks(stage: Stage, person: Person, channel: Channel) -> str:
    since = len(stage.model.requests)
    return await shown_for(stage, await person.says(channel, f"@Hinata {QUESTION}"), since)


async def asks_in_private(stage: Stage, person: Person) -> str:
    since = len(stage.model.requests)
    return await shown_for(stage, await person.dm(stage.bot, QUESTION), since)


async def test_what_was_said_in_private_is_found_there_and_on_no_server(stage: Stage) -> None:
    alice, bob = stage.discord.add_user("alice"), stage.discord.add_user("bob")
    general = stage.discord.add_guild("Garden", stage.bot, alice, bob).add_text_channel("general")
    await stage.answer(await alice.dm(stage.bot, "the code word of the old safe is kumquat"))

    assert "kumquat" in await asks_in_private(stage, alice)
    assert "kumquat" not in await asks(stage, alice, general)
    assert "kumquat" not in await asks(stage, bob, general)
    assert "kumquat" not in await asks_in_private(stage, bob)


async def test_what_was_said_in_a_closed_channel_is_found_in_no_other(stage: Stage) -> None:
    alice, bob = stage.discord.add_user("alice"), stage.discord.add_user("bob")
    garden = stage.discord.add_guild("Garden", stage.bot, alice, bob)
    closed, general = garden.add_text_channel("closed"), garden.add_text_channel("general")
    closed.deny(bob, Permission.VIEW_CHANNEL)
    await tells(stage, alice, closed, "tamarind")

    assert "tamarind" in await asks(stage, alice, closed)
    assert "tamarind" not in await asks(stage, alice, general)
    assert "tamarind" not in await asks(stage, bob, general)
    assert "tamarind" not in await asks_in_private(stage, alice)


async def test_the_words_of_others_are_found_only_where_they_were_read(stage: Stage) -> None:
    alice, bob = stage.discord.add_user("alice"), stage.discord.add_user("bob")
    general = stage.discord.add_guild("Garden", stage.bot, alice, bob).add_text_channel("general")
    elsewhere = stage.discord.add_guild("Orchard", stage.bot, alice).add_text_channel("general")
    await tells(stage, bob, general, "medlar")

    assert "medlar" in await asks(stage, alice, general)
    assert "medlar" not in await asks(stage, alice, elsewhere)
    assert "medlar" not in await asks_in_private(stage, alice)


async def test_what_is_deleted_edited_sensitive_or_opted_out_is_found_by_no_path(stage: Stage) -> None:
    alice, bob = stage.discord.add_user("alice"), stage.discord.add_user("bob")
    general = stage.discord.add_guild("Garden", stage.bot, alice, bob).add_text_channel("general")
    gone = await tells(stage, alice, general, "fennel")
    changed = await tells(stage, alice, general, "sorrel")
    await tells(stage, bob, general, "lovage")
    dark = await alice.says(general, "@Hinata I want to die, the code word of the old safe is chervil")
    await stage.answer(dark)
    told = [gone.id, changed.id]
    held = (
        "SELECT message_id FROM archive JOIN archive_vectors ON archive_id = archive.id"
        " WHERE message_id IN (?, ?) ORDER BY message_id"
    )
    await stage.stored(held, *told, until=lambda rows: len(rows) == len(told))

    await alice.deletes(gone)
    await alice.edits(changed, "@Hinata never mind the code word of the old safe")
    await bob.runs_command(stage.bot, "privacy opt-out", channel=general)

    await stage.stored("SELECT opted_out FROM users WHERE id = ?", bob.id, until=lambda rows: rows == [(1,)])
    await stage.stored("SELECT 1 FROM archive WHERE message_id = ?", gone.id, until=lambda rows: not rows)
    await stage.stored(
        "SELECT text FROM archive WHERE message_id = ?", changed.id, until=lambda rows: "sorrel" not in str(rows)
    )
    sensitive = (
        "SELECT text, terms, vector FROM archive LEFT JOIN archive_vectors ON archive_id = archive.id"
        " WHERE message_id = ?"
    )
    assert await stage.stored(sensitive, dark.id) == [(None, None, None)]
    await (
        stage.terminate()
    )  # what was read today is still in memory, and the sensitive one on Discord: to follow the talk
    await stage.start()

    shown = await asks(stage, alice, general)

    assert QUESTION in shown
    assert [word for word in ("fennel", "sorrel", "lovage") if word in shown] == []
