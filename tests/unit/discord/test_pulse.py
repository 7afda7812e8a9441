"""When a connection counts as stalled, and how the operator's channel words things."""

import asyncio
from datetime import UTC, datetime
from typing import Any, cast

import discord
import pytest

from bot.discord.operator_channel import NobodyCouldTellError, OperatorChannel
from bot.discord.pulse import Pulse
from bot.operations.notices import Due, Notice
from bot.operations.vitals import Connection
from core.clock import SimulatedClock
from core.values import Locale
from prompts.messages import Messages
from tests.unit.discord.doubles import http_error

NOTICE = Notice("operator.gateway", (("character", "mio"),))
NOW = datetime(2026, 11, 30, 7, 8, tzinfo=UTC)


async def test_a_connection_that_never_becomes_ready_stalls() -> None:
    clock = SimulatedClock(NOW)
    pulse = Pulse(clock)
    await clock.advance(299)
    pulse.heard()
    assert not pulse.has_stalled(300)
    await clock.advance(1)
    assert pulse.has_stalled(300)
    pulse.trying()
    assert not pulse.has_stalled(300)


async def test_a_ready_connection_stalls_when_it_falls_silent() -> None:
    clock = SimulatedClock(NOW)
    pulse = Pulse(clock)
    pulse.is_now(Connection.READY)
    for _ in range(20):
        await clock.advance(41)
        pulse.heard()
    assert not pulse.has_stalled(300)
    await clock.advance(300)
    assert pulse.has_stalled(300)


async def test_changes_are_told_once_and_a_first_failure_is_no_loss() -> None:
    clock, told = SimulatedClock(NOW), list[Connection]()
    pulse = Pulse(clock, told.append)
    for state in (Connection.LOST, Connection.READY, Connection.READY, Connection.LOST, Connection.LOST):
        pulse.is_now(state)
    assert told == [Connection.CONNECTING, Connection.READY, Connection.LOST]


async def test_how_long_it_is_down_counts_from_the_loss_whatever_is_tried() -> None:
    clock = SimulatedClock(NOW)
    pulse = Pulse(clock)
    pulse.is_now(Connection.READY)
    await clock.advance(100)
    assert pulse.down_for == 0
    pulse.is_now(Connection.LOST)
    await clock.advance(60)
    pulse.trying()
    assert pulse.down_for == 60


async def test_waiting_for_a_stall_ends_with_it() -> None:
    clock = SimulatedClock(NOW)
    waiting = asyncio.create_task(Pulse(clock).stalled(60))
    await asyncio.sleep(0)
    await clock.advance(45)
    assert not waiting.done()
    await clock.advance(15)
    await waiting


class FakeClient:
    """Writes, or can't."""

    def __init__(self, *, works: bool) -> None:
        self.works = works
        self.said: list[tuple[int, str]] = []

    def get_partial_messageable(self, channel_id: int) -> Any:
        client = self

        class Place:
            async def send(self, text: str, *, allowed_mentions: discord.AllowedMentions) -> None:
                assert not allowed_mentions.everyone
                if not client.works:
                    raise http_error(403)
                client.said.append((channel_id, text))

        return Place()


def channel(*clients: FakeClient, locale: Locale = Locale.EN) -> OperatorChannel:
    return OperatorChannel(
        channel_id=7, locale=locale, messages=Messages.load(), clients=lambda: cast("list[discord.Client]", clients)
    )


async def test_whoever_can_write_there_tells() -> None:
    barred, able = FakeClient(works=False), FakeClient(works=True)
    due = Due(notice=NOTICE, repeated=2, left_out=1)
    await channel(barred, able).tell(due)
    ((place, text),) = able.said
    assert place == 7
    assert text.splitlines()[0].startswith("⚠️ **mio**")
    assert len(text.splitlines()) == 3


async def test_where_nobody_can_write_that_is_said() -> None:
    with pytest.raises(NobodyCouldTellError):
        await channel(FakeClient(works=False)).tell(Due(notice=NOTICE, repeated=0, left_out=0))


@pytest.mark.parametrize("locale", list(Locale))
@pytest.mark.parametrize("key", ["all.day", "all.month", "guild.day", "guild.month"])
def test_every_cap_has_its_words(locale: Locale, key: str) -> None:
    values = (("percent", "80"), ("guild", "70"))
    text = channel(locale=locale).worded(Due(notice=Notice(f"operator.cap.{key}", values), repeated=0, left_out=0))
    assert "80" in text
    assert ("70" in text) is key.startswith("guild")
