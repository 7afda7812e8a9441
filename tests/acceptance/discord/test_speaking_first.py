"""The character speaks first, in the real process: to those who asked for it, and what follows from it."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from datetime import datetime, time, timedelta
from itertools import product
from pathlib import Path

import pytest
import pytest_asyncio

from core.characters.pack import TimeRange
from core.clock import SystemClock
from core.proactive.scheduling import next_due
from core.proactive.types import Recipient, RecipientKind, Subscription, Wishes
from data.packs.loader import load_pack
from data.proactive.rows import put_parameters
from data.sql import NamedQueries
from tests.acceptance.discord.stage import Stage, said, staged
from tests.acceptance.proactive.scene import always_open
from tests.discord_server.actors import Person
from tests.discord_server.routes import SEND_MESSAGE

pytestmark = [pytest.mark.acceptance, pytest.mark.asyncio(loop_scope="module")]

CLOCK = SystemClock()
ZONE = "Etc/UTC"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    characters = always_open(tmp_path_factory.mktemp("characters"))
    async with staged(
        tmp_path_factory.mktemp("first"), YORISOI_CHARACTERS_DIR=str(characters), YORISOI_PROACTIVE_CHOICE="seed"
    ) as stage:
        yield stage


def member(stage: Stage, name: str) -> Person:
    """Return somebody who shares a server with the bot."""
    person = stage.discord.add_user(name)
    stage.discord.add_guild("Garden", stage.bot, person)
    return person


def due_soon(stage: Stage, person: Person) -> Subscription:
    """Return a person's consent with a window in which the real code finds them due in a few seconds."""
    policy = load_pack(Path(stage.settings["YORISOI_CHARACTERS_DIR"]) / "hinata").proactive
    now = CLOCK.now()
    for before, length in product(range(1, 60), range(12, 90)):
        opens = now - timedelta(minutes=before)
        window = TimeRange(start=_minute(opens), end=_minute(opens + timedelta(minutes=length)))
        wanted = Subscription(
            recipient=Recipient("hinata", RecipientKind.USER, person.id),
            enabled=True,
            wishes=Wishes(timezone=ZONE, windows=(window,)),
        )
        due_at = next_due(policy, wanted, after=now + timedelta(seconds=2))
        if due_at is not None and due_at < now + timedelta(seconds=12):
            return Subscription(recipient=wanted.recipient, enabled=True, wishes=wanted.wishes, due_at=due_at)
    raise AssertionError("no window is due soon")


def subscribe(stage: Stage, person: Person) -> Subscription:
    """Store a person's consent beside the running process."""
    subscription = due_soon(stage, person)
    sql, _ = NamedQueries().statement("put_subscription")
    with closing(sqlite3.connect(stage.database)) as connection, connection:
        connection.execute(sql, put_parameters(subscription, whatever=True)).fetchall()
    return subscription


async def test_who_asked_for_it_is_spoken_to_when_it_is_due_and_can_answer(stage: Stage) -> None:
    alice = member(stage, "alice")
    subscription = subscribe(stage, alice)

    message = await stage.discord.next_message(alice.dm_channel(stage.bot), within=40)
    arrived = CLOCK.now()

    assert subscription.due_at is not None
    assert timedelta() <= arrived - subscription.due_at < timedelta(seconds=10)
    (row,) = await stage.stored(
        "SELECT claim_id, state, message_id, selector FROM proactive_slots WHERE recipient_id = ? AND state = 'sent'",
        alice.id,
    )
    assert row[1:] == ("sent", message.id, f"seed:{row[0]}")
    request = stage.discord.requests(SEND_MESSAGE)[-1]
    assert (request.body["nonce"], request.body["enforce_nonce"]) == (row[0], True)

    stage.script.when("really", "Yes, really.")
    reply = await stage.answer(await alice.dm(stage.bot, "oh, really?"))
    assert said(reply) == "Yes, really."
    prompt = "\n".join(str(one["content"]) for one in stage.model.requests[-1].messages)
    assert message.content in prompt
    await stage.stored(
        "SELECT unanswered FROM proactive_subscriptions WHERE recipient_id = ? AND unanswered = 0", alice.id
    )


async def test_who_takes_no_direct_messages_is_not_written_to_again(stage: Stage) -> None:
    ben = member(stage, "ben")
    ben.user.dms_open = False
    subscribe(stage, ben)

    await stage.stored("SELECT enabled FROM proactive_subscriptions WHERE recipient_id = ? AND enabled = 0", ben.id)

    (row,) = await stage.stored("SELECT state, reason FROM proactive_slots WHERE recipient_id = ?", ben.id)
    assert row == ("failed", "unreachable")


def _minute(moment: datetime) -> time:
    return moment.time().replace(second=0, microsecond=0)
