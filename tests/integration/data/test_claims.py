"""Claims on a real file: safely on the disk, and won once by however many processes."""

import asyncio
import sqlite3
from contextlib import AsyncExitStack, closing
from pathlib import Path

from core.proactive.types import Reason, Recipient, RecipientKind, SlotState
from data.connection import Database
from data.stores import open_stores
from tests.contract.bundle import after
from tests.contract.test_proactive import claim, slot, wanted, win
from tests.fakes.stores import casefolded_words

FULL, NORMAL = 2, 1


async def test_claims_wait_for_the_disk_and_chat_does_not(tmp_path: Path) -> None:
    async with await Database.open(tmp_path / "yorisoi.db") as database:
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


async def test_of_many_connections_exactly_one_wins_each_slot(tmp_path: Path) -> None:
    path, recipients = tmp_path / "yorisoi.db", [Recipient("hinata", RecipientKind.USER, n) for n in range(1, 11)]
    async with AsyncExitStack() as stack:
        processes = [await stack.enter_async_context(open_stores(path, casefolded_words)) for _ in range(4)]
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


async def test_of_many_connections_exactly_one_takes_a_claim_over_and_one_ends_it(tmp_path: Path) -> None:
    path = tmp_path / "yorisoi.db"
    async with AsyncExitStack() as stack:
        processes = [await stack.enter_async_context(open_stores(path, casefolded_words)) for _ in range(4)]
        await processes[0].subscriptions.put(wanted())
        await win(processes[0], claim("c1"))

        taken = await asyncio.gather(
            *(one.slots.take_over("c1", worker=f"v{n}", from_worker="w1") for n, one in enumerate(processes))
        )
        ended = await asyncio.gather(
            *(one.slots.close("c1", SlotState.SENT, now=after(1), message_id=7) for one in processes)
        )
        mine = await processes[0].subscriptions.get(wanted().recipient)

    assert (taken.count(True), ended.count(True)) == (1, 1)
    assert mine is not None
    assert mine.unanswered == 1
