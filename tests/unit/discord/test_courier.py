import asyncio
import random
from datetime import UTC, datetime

import aiohttp
import discord
import pytest

from bot.discord.courier import ClosedChannels, Courier, quietly
from core.clock import SimulatedClock
from core.errors import DeliveryError
from tests.unit.discord.doubles import CHANNEL, http_error


@pytest.fixture
def clock() -> SimulatedClock:
    return SimulatedClock(datetime(2026, 3, 1, tzinfo=UTC))


@pytest.fixture
def courier(clock: SimulatedClock) -> Courier:
    return Courier(clock=clock, rng=random.Random(1), closed=ClosedChannels(clock=clock))


class Request:
    """Fails in order, then returns "done"."""

    def __init__(self, *faults: Exception) -> None:
        self.faults = list(faults)
        self.made = 0

    async def __call__(self) -> str:
        self.made += 1
        if self.faults:
            raise self.faults.pop(0)
        return "done"


async def finished(clock: SimulatedClock, calling: asyncio.Task[str]) -> None:
    """Let time pass until a call is over."""
    for _ in range(60):
        await clock.advance(1.0)
        if calling.done():
            return
    raise AssertionError("the call is not over")


@pytest.mark.parametrize(
    "fault",
    [http_error(503), http_error(429), aiohttp.ClientOSError(104, "reset"), ConnectionResetError(), TimeoutError()],
    ids=["503", "429 from the edge", "aiohttp reset", "reset", "time-out"],
)
async def test_what_may_pass_is_tried_again_after_a_wait(
    courier: Courier, clock: SimulatedClock, fault: Exception
) -> None:
    request = Request(fault, fault)

    calling = asyncio.create_task(courier.call(CHANNEL, request))
    await clock.advance(0.0)
    assert request.made == 1
    await finished(clock, calling)

    assert await calling == "done"
    assert request.made == 3
    assert clock.monotonic() >= 1.0


async def test_it_gives_up_after_five_attempts(courier: Courier, clock: SimulatedClock) -> None:
    request = Request(*[http_error(503)] * 9)

    calling = asyncio.create_task(courier.call(CHANNEL, request))
    await finished(clock, calling)

    with pytest.raises(DeliveryError, match="503"):
        await calling
    assert request.made == 5


@pytest.mark.parametrize(
    "fault", [http_error(404), http_error(400), http_error(500), discord.RateLimited(7200.0)], ids=repr
)
async def test_what_can_not_pass_is_tried_once(courier: Courier, fault: Exception) -> None:
    request = Request(fault)

    with pytest.raises(DeliveryError):
        await courier.call(CHANNEL, request)

    assert request.made == 1


async def test_a_client_that_was_closed_meanwhile_delivers_nothing_and_other_faults_are_ours(courier: Courier) -> None:
    session = aiohttp.ClientSession()
    await session.close()

    with pytest.raises(DeliveryError, match="closed"):
        await courier.call(CHANNEL, lambda: session.get("http://localhost"))
    await quietly(session.get("http://localhost"))
    with pytest.raises(RuntimeError, match="ours"):
        await courier.call(CHANNEL, Request(RuntimeError("ours")))
    with pytest.raises(RuntimeError, match="ours"):
        await quietly(Request(RuntimeError("ours"))())


async def test_a_refused_channel_is_not_asked_again_for_minutes_or_until_reopened(
    courier: Courier, clock: SimulatedClock
) -> None:
    with pytest.raises(DeliveryError):
        await courier.call(CHANNEL, Request(http_error(403, 50013)))
    request = Request()

    with pytest.raises(DeliveryError, match="refused a moment ago"):
        await courier.call(CHANNEL, request)
    assert request.made == 0
    assert await courier.call(CHANNEL + 1, request) == "done"
    courier.closed.reopen(CHANNEL)
    assert await courier.call(CHANNEL, request) == "done"

    courier.closed.close(CHANNEL)
    await clock.advance(301.0)
    assert await courier.call(CHANNEL, request) == "done"


async def test_errors_never_quote_what_was_to_be_sent(courier: Courier) -> None:
    error = discord.HTTPException(http_error(400).response, {"code": 50035, "message": "my secret", "errors": {}})

    with pytest.raises(DeliveryError) as caught:
        await courier.call(CHANNEL, Request(error))

    assert "secret" not in str(caught.value)


async def test_quietly_swallows_faults_of_discord_only(courier: Courier) -> None:
    await quietly(courier.call(CHANNEL, Request(http_error(404))))
    with pytest.raises(ZeroDivisionError):
        await quietly(Request(ZeroDivisionError())())


async def test_with_a_moment_to_give_up_at_attempts_go_on_until_then(courier: Courier, clock: SimulatedClock) -> None:
    request = Request(*(http_error(500) for _ in range(9)))

    calling = asyncio.create_task(courier.call(CHANNEL, request, give_up_at=clock.monotonic() + 100))
    for _ in range(100):
        await clock.advance(1.0)

    assert await calling == "done"
    assert request.made == 10


async def test_no_attempt_begins_after_the_moment_to_give_up_at(courier: Courier, clock: SimulatedClock) -> None:
    request = Request(*(http_error(503) for _ in range(99)))

    calling = asyncio.create_task(courier.call(CHANNEL, request, give_up_at=clock.monotonic() + 10))
    await clock.advance(0.0)
    for _ in range(9):
        await clock.advance(1.0)
    assert calling.done()
    with pytest.raises(DeliveryError):
        await calling
    assert 2 <= request.made < 6


async def test_opening_direct_messages_too_fast_closes_no_channel(courier: Courier, clock: SimulatedClock) -> None:
    request = Request(http_error(403, 40003))

    calling = asyncio.create_task(courier.call(CHANNEL, request))
    await finished(clock, calling)

    assert await calling == "done"
    assert CHANNEL not in courier.closed
