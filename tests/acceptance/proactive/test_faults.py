"""Discord fails while something is said first: one message or none, and a record that tells which."""

from collections.abc import AsyncIterator, Callable

import pytest
import pytest_asyncio

from core.proactive.attempt import Step
from tests.acceptance.proactive.scene import Scene, scene
from tests.discord_server.actors import Person
from tests.discord_server.faults import Next
from tests.discord_server.flags import Permission
from tests.discord_server.journal import Request
from tests.discord_server.routes import OPEN_DM, SEND_MESSAGE

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="module"), pytest.mark.timeout(300)]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def one(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Scene]:
    async with scene(tmp_path_factory.mktemp("faults")) as one:
        await one.stage.start()
        yield one


def sends_to(one: Scene, person: Person) -> Callable[[Request], bool]:
    """Accept requests that write to a person."""
    channel = str(person.dm_channel(one.stage.bot).id)
    return lambda request: request.params.get("channel_id") == channel


def opens(person: Person) -> Callable[[Request], bool]:
    """Accept requests that open the direct messages of a person."""
    return lambda request: request.body.get("recipient_id") == person.id


def requests_to(one: Scene, person: Person) -> list[Request]:
    """Return the requests that wrote to a person."""
    return [request for request in one.stage.discord.requests(SEND_MESSAGE) if sends_to(one, person)(request)]


@pytest.mark.parametrize(
    "fault",
    [
        lambda following: following.server_error(500, stored=True),
        lambda following: following.server_error(503, stored=True),
        lambda following: following.reset(stored=True),
        lambda following: following.reset(),
        lambda following: following.rate_limited(retry_after=0.2),
        lambda following: following.edge_banned(),
    ],
    ids=["500-stored", "503-stored", "reset-stored", "reset", "429", "429-edge"],
)
async def test_a_fault_when_sending_leaves_one_message(one: Scene, fault: Callable[[Next], None]) -> None:
    alice = one.member("alice")
    fault(one.stage.discord.faults.next(SEND_MESSAGE, where=sends_to(one, alice)))
    one.subscribe(alice)

    state, _, message_id = await one.outcome(alice)

    (message,) = one.messages(alice)
    assert (state, message_id) == ("sent", message.id)
    attempts = requests_to(one, alice)
    assert len(attempts) == 2
    assert len({request.body["nonce"] for request in attempts}) == 1
    assert all(request.body["enforce_nonce"] for request in attempts)


async def test_direct_messages_that_are_opened_too_fast_are_tried_again(one: Scene) -> None:
    alice = one.member("alice")
    one.stage.discord.faults.next(OPEN_DM, where=opens(alice)).opening_dms_too_fast()
    one.subscribe(alice)

    state, _, message_id = await one.outcome(alice)

    (message,) = one.messages(alice)
    assert (state, message_id) == ("sent", message.id)


async def test_who_takes_no_direct_messages_is_asked_once_and_never_again(one: Scene) -> None:
    ben = one.member("ben")
    ben.user.dms_open = False
    one.subscribe(ben)

    assert (await one.outcome(ben))[:2] == ("failed", "unreachable")

    await one.stage.stored("SELECT 1 FROM proactive_subscriptions WHERE recipient_id = ? AND enabled = 0", ben.id)
    assert one.messages(ben) == []
    assert len(requests_to(one, ben)) == 1


async def test_a_channel_that_may_not_be_written_in_loses_its_consent(one: Scene) -> None:
    guild = one.stage.discord.add_guild("Pond", one.stage.bot)
    channel = guild.add_text_channel("general")
    channel.deny(guild.everyone, Permission.SEND_MESSAGES)
    one.subscribe_channel(channel)

    assert (await one.outcome(channel))[:2] == ("failed", "forbidden")

    await one.stage.stored("SELECT 1 FROM proactive_subscriptions WHERE recipient_id = ? AND enabled = 0", channel.id)
    assert one.stage.discord.sent(channel) == []


@pytest.mark.parametrize("step", [Step.SELECTED, Step.CLAIMED])
async def test_a_new_session_in_between_changes_nothing(one: Scene, step: Step) -> None:
    alice, bot = one.member("alice"), one.stage.bot
    halt = one.director.halt(step, alice.id)
    one.subscribe(alice)
    await halt.reached()

    sessions = bot.identifies
    bot.invalidated()
    await bot.ready(identifies=sessions + 1)
    halt.release()

    state, _, message_id = await one.outcome(alice)
    (message,) = one.messages(alice)
    assert (state, message_id) == ("sent", message.id)


async def test_a_connection_that_breaks_in_between_changes_nothing(one: Scene) -> None:
    alice, bot = one.member("alice"), one.stage.bot
    halt = one.director.halt(Step.SENDING, alice.id)
    one.subscribe(alice)
    await halt.reached()

    resumed = bot.resumes
    bot.dropped()
    halt.release()

    state, _, message_id = await one.outcome(alice)
    (message,) = one.messages(alice)
    assert (state, message_id) == ("sent", message.id)
    await bot.resumed(times=resumed + 1)
