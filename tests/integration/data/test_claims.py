"""Claims on a real file: safely on the disk, and won once by however many processes."""

import asyncio
import sqlite3
from contextlib import AsyncExitStack, closing
from pathlib import Path

import pytest

from core.proactive.types import Reason, Recipient, RecipientKind, SlotState
from data.opening import Place
from data.sqlite.connection import SqliteDatabase
from data.stores import open_stores
from tests.contract.bundle import after
from tests.contract.test_proactive import claim, slot, wanted, win
from tests.fakes.stores import casefolded_words

FULL, NORMAL = 2, 1


async def test_claims_wait_for_the_disk_and_chat_does_not(tmp_path: Path) -> None:
    async with await SqliteDatabase.open(tmp_path / "yorisoi.db") as database:
        levels = []
        for held in (database.durable(), database.durable_transaction(), database.exclusive(), database.transaction()):
            async with held as connection:
                ((level,),) = await connection.execute_fetchall("PRAGMA synchronous")
                levels.append(level)

    assert levels == [FULL, FULL, NORMAL, NORMAL]


async def test_what_was_claimed_is_there_for_others_at_once(tmp_path: Path) -> None:
    path = tmp_path / "yorisoi.db"
    async with open_stores(path, casefolded_words) as stores:
        await stores.subscriptions.put(wanted())
        await win(stores, claim("c1"))
        with closing(sqlite3.connect(path)) as other:
            assert other.execute("SELECT state FROM proactive_slots").fetchall() == [("claimed",)]


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Place:
    if request.param == "sqlite":
        return tmp_path / "yorisoi.db"
    url: str = request.getfixturevalue("new_postgresql")()
    return url


async def test_of_many_connections_exactly_one_wins_each_slot(place: Place) -> None:
    recipients = [Recipient("hinata", RecipientKind.USER, n) for n in range(1, 11)]
    async with AsyncExitStack() as stack:
        processes = [await stack.enter_async_context(open_stores(place, casefolded_words)) for _ in range(4)]
        for recipient in recipients:
            await processes[0].subscriptions.put(wanted(recipient))

        results = await asyncio.gather(
            *(
                win(stores, claim(f"{number}-{recipient.id}", slot(recipient), worker=f"w{number}"))
                for recipient in recipients
                for number, stores in enumerate(processes)
            )
        )

    assert results.count(None) == len(recipients)
    assert results.count(Reason.CANCELLED) == 3 * len(recipients)


async def test_of_many_connections_exactly_one_takes_a_claim_over_and_one_ends_it(place: Place) -> None:
    async with AsyncExitStack() as stack:
        processes = [await stack.enter_async_context(open_stores(place, casefolded_words)) for _ in range(4)]
        await processes[0].subscriptions.put(wanted())
        await win(processes[0], claim("c1"))

        taken = await asyncio.gather(
            *(
                one.slots.take_over("c1", worker=f"v{n}", from_worker="w1", now=after(5))
                for n, one in enumerate(processes)
            )
        )
        ended = await asyncio.gather(
            *(one.slots.close("c1", SlotState.SENT, now=after(1), message_id=7) for one in processes)
        )
        mine = await processes[0].subscriptions.get(wanted().recipient)

    assert (taken.count(True), ended.count(True)) == (1, 1)
    assert mine is not None
    assert mine.unanswered == 1


async def test_of_two_slots_of_a_recipient_claimed_at_once_the_gap_lets_one_through(place: Place) -> None:
    async with AsyncExitStack() as stack:
        processes = [await stack.enter_async_context(open_stores(place, casefolded_words)) for _ in range(4)]
        await processes[0].subscriptions.put(wanted())

        results = await asyncio.gather(
            *(win(stores, claim(f"c{number}", slot(day=number + 1)), gap=60) for number, stores in enumerate(processes))
        )

    assert results.count(None) == 1


async def test_whoever_is_forgotten_meanwhile_has_no_slot_left(place: Place) -> None:
    """A claim and a decision that run into somebody's deletion either come before it or find nobody."""
    people = [Recipient("hinata", RecipientKind.USER, n) for n in range(1, 9)]
    async with AsyncExitStack() as stack:
        one, other = [await stack.enter_async_context(open_stores(place, casefolded_words)) for _ in range(2)]
        for person in people:
            await one.subscriptions.put(wanted(person))

        await asyncio.gather(
            *(win(one, claim(f"c{person.id}", slot(person))) for person in people),
            *(other.privacy.forget(person.id) for person in people),
        )

        left = [sum((await one.privacy.counts(person.id)).values()) for person in people]
    assert left == [0] * len(people)
