"""Without the message-content intent the character still hears direct messages, mentions and replies to it."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.acceptance.discord.stage import Stage, said, staged
from tests.discord_server.flags import Intent

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="module")]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    folder = tmp_path_factory.mktemp("reduced")
    async with staged(folder, intents_allowed=Intent(0), YORISOI_MESSAGE_CONTENT="false") as stage:
        yield stage


async def test_it_does_not_ask_for_the_intent(stage: Stage) -> None:
    assert not stage.bot.intents & Intent.MESSAGE_CONTENT


async def test_mentions_replies_and_direct_messages_are_answered(stage: Stage) -> None:
    alice = stage.discord.add_user("alice")
    channel = stage.discord.add_guild("Garden", stage.bot, alice).add_text_channel("general")

    first = await stage.answer(await alice.says(channel, "@Hinata hello"))
    await stage.answer(await alice.says(channel, "and you?", reply_to=first))
    await stage.answer(await alice.dm(stage.bot, "psst"))

    assert "and you?" in "".join(request.last_text for request in stage.model.requests)


async def test_what_is_withheld_is_neither_answered_nor_taken_for_an_empty_message(stage: Stage) -> None:
    alice = stage.discord.add_user("alice")
    channel = stage.discord.add_guild("Garden", stage.bot, alice).add_text_channel("general")

    await stage.answer(await alice.says(channel, "@Hinata hello"))
    unheard = await alice.says(channel, "ヒナタ、聞いて")
    reply = await stage.answer(await alice.says(channel, "@Hinata are you there?"))

    assert stage.replies(unheard) == []
    assert said(reply) == "I hear you."
