"""Discord fails, the model fails: exactly one message comes out of it, or a visible apology."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from prompts.messages import Messages
from tests.acceptance.discord.stage import Stage, said, staged
from tests.discord_server.actors import Person
from tests.discord_server.faults import Next
from tests.discord_server.flags import Permission
from tests.discord_server.journal import Request
from tests.discord_server.model import Channel
from tests.discord_server.routes import DELETE_MESSAGE, EDIT_MESSAGE, GET_MESSAGE, SEND_MESSAGE
from tests.model_server import Answer, Behaviour, Broken, Empty, Failure, Garbage, Hang

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="module")]

APOLOGIES = [variant for locale in ("en", "ja") for variant in Messages.load().entry("apology.model", locale)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    async with staged(
        tmp_path_factory.mktemp("faults"),
        YORISOI_MODEL_PIECE_SECONDS="1",
        YORISOI_MODEL_TOTAL_SECONDS="2",
    ) as stage:
        yield stage


def somebody(stage: Stage) -> tuple[Person, Channel]:
    """Return somebody in a server of their own with the bot."""
    person = stage.discord.add_user("alice")
    return person, stage.discord.add_guild("Garden", stage.bot, person).add_text_channel("general")


def into(channel: Channel) -> Callable[[Request], bool]:
    """Accept requests about a channel."""
    return lambda request: request.params.get("channel_id") == str(channel.id)


@pytest.mark.parametrize(
    "fault",
    [
        lambda following: following.rate_limited(retry_after=0.2),
        lambda following: following.edge_banned(),
        lambda following: following.server_error(500, stored=True),
        lambda following: following.server_error(500),
        lambda following: following.server_error(503),
        lambda following: following.server_error(503, stored=True),
        lambda following: following.reset(),
        lambda following: following.reset(stored=True),
    ],
    ids=["429", "429-edge", "500-stored", "500", "503", "503-stored", "reset", "reset-stored"],
)
async def test_a_fault_when_sending_leaves_exactly_one_message(stage: Stage, fault: Callable[[Next], None]) -> None:
    alice, channel = somebody(stage)
    fault(stage.discord.faults.next(SEND_MESSAGE, where=into(channel)))

    asked = await alice.says(channel, "@Hinata hello there")
    reply = await stage.answer(asked)
    ours = await stage.discord.wait_for(
        lambda: [request for request in stage.discord.requests(SEND_MESSAGE) if into(channel)(request)],
        until=lambda found: len(found) == 2,
        what="the second attempt",
    )
    await stage.stored("SELECT 1 FROM traces WHERE message_ids LIKE ?", f"%{asked.id}%")

    assert stage.discord.sent(channel) == [reply]
    assert said(reply) == "I hear you."
    assert len({request.body["nonce"] for request in ours}) == 1


@pytest.mark.parametrize(
    "fault",
    [
        lambda following: following.reset(),
        lambda following: following.reset(stored=True),
        lambda following: following.server_error(503, stored=True),
        lambda following: following.rate_limited(retry_after=0.3),
        lambda following: following.edge_banned(),
    ],
    ids=["reset", "reset-stored", "503-stored", "429", "429-edge"],
)
async def test_faults_in_the_middle_of_a_stream_cost_nothing(stage: Stage, fault: Callable[[Next], None]) -> None:
    alice, channel = somebody(stage)
    more = asyncio.Event()
    stage.script.when("two steps", Answer(text="One step. And another step. Done.", chunk=11, pause=(more, 1)))
    fault(stage.discord.faults.next(SEND_MESSAGE, where=into(channel)))
    fault(stage.discord.faults.next(EDIT_MESSAGE, where=into(channel)))

    asked = await alice.says(channel, "@Hinata two steps")
    await stage.discord.wait_for(
        lambda: [request for request in stage.discord.requests(SEND_MESSAGE) if into(channel)(request)],
        what="the first attempt",
    )
    more.set()
    reply = await stage.answer(asked)

    assert said(reply) == "One step. And another step. Done."
    assert stage.discord.sent(channel) == [reply]


async def test_a_draft_that_cannot_be_deleted_at_first_is_deleted_in_the_end(stage: Stage) -> None:
    alice, channel = somebody(stage)
    never = asyncio.Event()
    stage.script.when("once more", "Fine.")
    stage.script.when("say it", Answer(text="I would say. Something.", chunk=13, pause=(never, 1)))
    stage.discord.faults.next(DELETE_MESSAGE, where=into(channel)).server_error(503)

    await alice.says(channel, "@Hinata say it")
    draft = await stage.discord.next_message(channel, by=stage.bot)
    reply = await stage.answer(await alice.says(channel, "@Hinata once more"))
    await stage.discord.wait_for(lambda: draft.deleted, what="the draft to go")

    assert stage.discord.sent(channel) == [reply]
    never.set()


async def test_a_person_who_takes_no_direct_messages_is_left_in_peace(stage: Stage) -> None:
    alice = stage.discord.add_user("alice")
    dm = alice.dm_channel(stage.bot)
    alice.user.dms_open = False

    refusals = stage.discord.journal.invalid()
    asked = await alice.dm(stage.bot, "hello?")
    await stage.stored("SELECT 1 FROM traces WHERE message_ids LIKE ? AND outcome = 'undelivered'", f"%{asked.id}%")

    assert "discord.user_unreachable" in stage.logged
    assert stage.discord.journal.invalid() == refusals + 1
    assert stage.discord.sent(dm) == []
    alice.user.dms_open = True
    assert said(await stage.answer(await alice.dm(stage.bot, "now you can"))) == "I hear you."


async def test_a_channel_that_refuses_is_not_asked_again_until_its_permissions_change(stage: Stage) -> None:
    alice, channel = somebody(stage)
    stage.discord.faults.next(SEND_MESSAGE, where=into(channel), times=None).missing_permissions()
    first = await alice.says(channel, "@Hinata hello")
    await stage.stored("SELECT outcome FROM traces WHERE message_ids LIKE ?", f"%{first.id}%")
    refusals = stage.discord.journal.invalid()

    second = await alice.says(channel, "@Hinata hello again")
    await stage.stored("SELECT outcome FROM traces WHERE message_ids LIKE ?", f"%{second.id}%")
    assert stage.discord.journal.invalid() == refusals

    stage.discord.faults.clear()
    channel.allow(stage.bot, Permission.SEND_MESSAGES)
    assert said(await stage.answer(await alice.says(channel, "@Hinata and now?"))) == "I hear you."


async def test_a_reply_chain_that_cannot_be_read_is_left_out(stage: Stage) -> None:
    alice, channel = somebody(stage)
    oldest = await alice.says(channel, "a beginning")
    middle = await alice.says(channel, "a middle", reply_to=oldest)
    stage.discord.faults.next(GET_MESSAGE, where=into(channel)).missing_permissions()

    reply = await stage.answer(await alice.says(channel, "@Hinata an end", reply_to=middle))

    assert said(reply) == "I hear you."


@pytest.mark.parametrize(
    "behaviour",
    [Failure(status=503), Failure(status=401), Garbage(), Broken(text="Half a"), Empty(), Hang()],
    ids=["down", "key", "garbage", "broken", "empty", "slow"],
)
async def test_a_model_that_fails_is_apologised_for(stage: Stage, behaviour: Behaviour) -> None:
    alice, channel = somebody(stage)
    stage.script.when("are you well", behaviour)

    reply = await stage.answer(await alice.says(channel, "@Hinata are you well?"))

    assert said(reply) in APOLOGIES
    assert stage.discord.sent(channel) == [reply]
    if isinstance(behaviour, Hang):
        behaviour.release.set()


async def test_a_model_that_breaks_off_once_is_asked_again(stage: Stage) -> None:
    alice, channel = somebody(stage)
    stage.script.when("stumble", Broken(text="I was going to s"), "I am fine.")

    reply = await stage.answer(await alice.says(channel, "@Hinata did you stumble?"))

    assert said(reply) == "I am fine."
    assert stage.discord.sent(channel) == [reply]
