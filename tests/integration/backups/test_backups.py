"""Backups of a database in use: whole, checked, for their owner's eyes, without what must not last; and back again."""

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from core.clock import SimulatedClock
from core.errors import StorageError
from core.ports import ArchiveEntry
from core.proactive.types import Recipient, RecipientKind, Subscription, Wishes
from core.values import ConversationKey, FactSource, Surface, SurfaceKind
from data.backups.making import make_backup
from data.backups.restoring import Restored, restore
from data.backups.shelf import Shelf
from data.ledger import LEDGER_REACHES
from data.stores import Stores, open_stores
from scheduler.backups import BackupTick
from tests.fakes.stores import casefolded_words

START = datetime(2026, 11, 30, 10, 30, tzinfo=UTC)
AKI, BEN = 739_284_650_173, 739_284_650_999
GENERAL = Surface(kind=SurfaceKind.CHANNEL, channel_id=20, guild_id=2)


class Place:
    """A database with a clock, its backups, and what is done to them."""

    def __init__(self, folder: Path) -> None:
        self.database = folder / "data" / "yorisoi.db"
        self.backup = folder / "backup.db"
        self.clock = SimulatedClock(START)
        self.shelf = Shelf(database=self.database, folder=folder / "backups", keep=2, retention=timedelta(days=30))

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[Stores]:
        async with open_stores(self.database, casefolded_words, clock=self.clock) as stores:
            yield stores

    def back_up(self) -> None:
        make_backup(self.database, self.backup, now=self.clock.now())

    async def restore(self, *, force: bool = True) -> Restored:
        now = self.clock.now()
        return await restore(self.backup, self.database, aside=self.shelf.place_aside(now), now=now, force=force)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def said(message_id: int, text: str, *, by: int = AKI) -> ArchiveEntry:
    return ArchiveEntry(
        conversation=ConversationKey("hinata", GENERAL.channel_id),
        surface=GENERAL,
        message_id=message_id,
        author_id=by,
        author_name="A",
        is_self=False,
        text=text,
        sent_at=START,
    )


async def texts(stores: Stores) -> list[str]:
    return [found.text for found in await stores.archive.recent(ConversationKey("hinata", 20), limit=50)]


async def test_a_backup_of_a_database_in_use_has_what_was_committed(place: Place) -> None:
    async with place.opened() as stores:
        await stores.archive.add([said(1, "lighthouse")])
        async with stores.database.transaction() as connection:
            await connection.execute("INSERT INTO frozen_characters VALUES ('half done')")
            made = make_backup(place.database, place.backup, now=START)

    assert made.rows["archive"] == 1
    assert made.rows["frozen_characters"] == 0
    assert place.backup.stat().st_mode & 0o777 == 0o600
    assert sorted(path.name for path in place.backup.parent.iterdir()) == ["backup.db", "data"]


async def test_a_backup_holds_nothing_that_was_deleted_and_no_session(place: Place) -> None:
    async with place.opened() as stores:
        await stores.archive.add([said(number, f"secretword{number} " * 50) for number in range(1, 40)])
        await stores.archive.delete(range(1, 40))
        async with stores.database.transaction() as connection:
            await connection.execute("INSERT INTO sessions VALUES (1, 1, 1, 1, 1)")
        place.back_up()

    assert b"secretword" not in place.backup.read_bytes()
    with closing(sqlite3.connect(place.backup)) as connection:
        assert connection.execute("SELECT count(*) FROM sessions").fetchone() == (0,)


async def test_a_backup_takes_no_place_that_is_taken(place: Place) -> None:
    async with place.opened():
        pass
    place.backup.write_text("mine")

    with pytest.raises(StorageError, match="is there already"):
        place.back_up()
    assert place.backup.read_text() == "mine"


def test_without_a_database_there_is_nothing_to_back_up(place: Place) -> None:
    with pytest.raises(StorageError, match="nothing to back up"):
        place.back_up()


async def test_what_was_backed_up_is_back_and_what_was_there_is_put_aside(place: Place) -> None:
    async with place.opened() as stores:
        await stores.archive.add([said(1, "before")])
    place.back_up()
    async with place.opened() as stores:
        await stores.archive.add([said(2, "after")])
    restored = await place.restore()

    async with place.opened() as stores:
        assert await texts(stores) == ["before"]
    assert restored.made_at == START
    assert restored.aside is not None
    with closing(sqlite3.connect(restored.aside)) as connection:
        assert connection.execute("SELECT count(*) FROM archive").fetchone() == (2,)
    for file in (place.database, restored.aside):
        assert file.stat().st_mode & 0o777 == 0o600


async def test_a_backup_moves_to_a_machine_that_has_nothing(place: Place) -> None:
    async with place.opened() as stores:
        await stores.archive.add([said(1, "before")])
    place.back_up()
    for path in place.database.parent.iterdir():
        path.unlink()
    place.database.parent.rmdir()
    restored = await place.restore(force=False)

    assert (restored.aside, restored.known_since) == (None, None)
    async with place.opened() as stores:
        assert await texts(stores) == ["before"]


async def test_a_database_that_is_there_is_not_overwritten_unasked(place: Place) -> None:
    async with place.opened():
        pass
    place.back_up()

    with pytest.raises(StorageError, match="--force"):
        await place.restore(force=False)


async def test_a_database_that_a_bot_runs_on_is_left_alone(place: Place) -> None:
    async with place.opened() as stores:
        place.back_up()
        await stores.archive.add([said(1, "still here")])
        with pytest.raises(StorageError, match="is in use; stop the bot"):
            await place.restore()
        assert await texts(stores) == ["still here"]


async def test_what_people_had_deleted_since_stays_deleted(place: Place) -> None:
    aki = Recipient("hinata", RecipientKind.USER, AKI)
    async with place.opened() as stores:
        await stores.archive.add([said(1, "of aki"), said(2, "deleted", by=BEN), said(3, "edited", by=BEN)])
        await stores.archive.add([said(4, "stays", by=BEN)])
        await stores.kept_facts.add(BEN, "likes tea", now=START)
        await stores.consents.give(BEN, now=START)
        await stores.subscriptions.put(Subscription(recipient=aki, enabled=True, wishes=Wishes(timezone="UTC")))
        place.back_up()
        await place.clock.advance(3600)
        await stores.privacy.forget(AKI)
        await stores.archive.delete([2])
        await stores.archive.edit(3, "edited since", place.clock.now())
        await stores.kept_facts.delete(BEN, 1)
        await stores.consents.withdraw(BEN)
        await stores.users.set_opted_out(777, True)
    restored = await place.restore()

    async with place.opened() as stores:
        assert await texts(stores) == ["stays"]
        assert not any((await stores.privacy.counts(AKI)).values())
        assert await stores.kept_facts.of(BEN) == []
        assert await stores.consents.given_at(BEN) is None
        assert await stores.subscriptions.get(aki) is None
        assert (await stores.users.get(777)).opted_out
    assert restored.deleted_again == {"opted_out": 1, "person": 1, "consent": 1, "fact": 1, "message": 2}
    assert b"of aki" not in place.database.read_bytes()


async def test_what_was_told_on_a_server_that_was_left_or_was_put_right_does_not_come_back(place: Place) -> None:
    there = FactSource(message_id=9, channel_id=20, guild_id=2, parent_id=None)
    async with place.opened() as stores:
        await stores.kept_facts.add(AKI, "told on the server", now=START, source=there)
        await stores.kept_facts.add(BEN, "put right later", now=START)
        await stores.kept_facts.add(BEN, "stays", now=START)
        place.back_up()
        await place.clock.advance(3600)
        await stores.guilds.delete(2)
        await stores.kept_facts.correct(BEN, 1, "as it is", now=place.clock.now())
    restored = await place.restore()

    async with place.opened() as stores:
        assert await stores.kept_facts.of(AKI) == []
        assert [fact.text for fact in await stores.kept_facts.of(BEN)] == ["stays"]
    assert restored.deleted_again == {"guild": 1, "fact": 1}
    assert b"told on the server" not in place.database.read_bytes()


async def test_who_no_longer_wants_to_be_written_to_first_is_not_after_a_restore(place: Place) -> None:
    ben = Recipient("hinata", RecipientKind.USER, BEN)
    async with place.opened() as stores:
        await stores.subscriptions.put(Subscription(recipient=ben, enabled=True, wishes=Wishes(timezone="UTC")))
        place.back_up()
        await stores.subscriptions.put(Subscription(recipient=ben, enabled=False, wishes=Wishes(timezone="UTC")))
    restored = await place.restore()

    async with place.opened() as stores:
        assert await stores.subscriptions.get(ben) is None
    assert restored.deleted_again == {"speaking_first": 1}


async def test_what_an_opt_out_took_back_is_not_given_again_by_a_restore(place: Place) -> None:
    ben = Recipient("hinata", RecipientKind.USER, BEN)
    async with place.opened() as stores:
        await stores.subscriptions.put(Subscription(recipient=ben, enabled=True, wishes=Wishes(timezone="UTC")))
        await stores.consents.give(BEN, now=START)
        place.back_up()
        await stores.users.set_opted_out(BEN, True)
        await stores.users.set_opted_out(BEN, False)
    restored = await place.restore()

    async with place.opened() as stores:
        assert await stores.subscriptions.get(ben) is None
        assert await stores.consents.given_at(BEN) is None
    assert restored.deleted_again == {"consent": 1, "speaking_first": 1}


async def test_somebody_who_came_back_before_the_backup_is_not_forgotten_again(place: Place) -> None:
    async with place.opened() as stores:
        place.back_up()
        await stores.privacy.forget(AKI)
        await place.clock.advance(3600)
        await stores.archive.add([said(5, "back again")])
        place.backup.unlink()
        place.back_up()
    restored = await place.restore()

    assert restored.deleted_again == {}
    async with place.opened() as stores:
        assert await texts(stores) == ["back again"]


async def test_the_list_of_deletions_names_nobody_and_begins_with_the_first_backup(place: Place) -> None:
    ledger = place.database.with_name("yorisoi-deletions.jsonl")
    async with place.opened() as stores:
        await stores.privacy.forget(AKI)
        assert not ledger.exists()
        place.back_up()
        await stores.privacy.forget(AKI)

        await stores.users.set_opted_out(AKI, True)
        assert str(AKI) in ledger.read_text()
        await stores.users.set_opted_out(AKI, False)

    assert str(AKI) not in ledger.read_text()
    assert ledger.stat().st_mode & 0o777 == 0o600
    assert len(ledger.read_text().splitlines()) == 2


@pytest.mark.parametrize(
    ("content", "said_why"),
    [(b"", "not one of Yorisoi"), (b"not a database at all" * 99, "not an SQLite database: choose another file")],
)
async def test_a_file_that_is_no_backup_is_refused(place: Place, content: bytes, said_why: str) -> None:
    async with place.opened():
        pass
    place.backup.write_bytes(content)

    with pytest.raises(StorageError, match=said_why):
        await place.restore()


async def test_a_damaged_backup_is_refused_and_everything_stays(place: Place) -> None:
    async with place.opened() as stores:
        await stores.archive.add([said(number, "text " * 200) for number in range(1, 60)])
    place.back_up()
    data = bytearray(place.backup.read_bytes())
    middle = len(data) // 2 // 4096 * 4096
    data[middle : middle + 8192] = b"\xff" * 8192
    place.backup.write_bytes(data)

    with pytest.raises(StorageError, match="damaged") as refused:
        await place.restore()
    assert "restore a backup" not in str(refused.value)
    async with place.opened() as stores:
        assert len(await texts(stores)) == 50


async def test_of_a_backup_that_was_cut_off_it_says_to_choose_another(place: Place) -> None:
    async with place.opened():
        pass
    place.back_up()
    place.backup.write_bytes(place.backup.read_bytes()[:30_000])

    with pytest.raises(StorageError, match="the backup is damaged: choose another one"):
        await place.restore()


async def test_a_backup_of_a_newer_program_is_refused(place: Place) -> None:
    async with place.opened():
        pass
    place.back_up()
    with closing(sqlite3.connect(place.backup)) as connection:
        connection.execute("PRAGMA user_version = 999")

    with pytest.raises(StorageError, match="newer version of the program"):
        await place.restore()


async def test_a_damaged_database_gives_way_to_a_backup(place: Place) -> None:
    async with place.opened() as stores:
        await stores.archive.add([said(1, "before")])
    place.back_up()
    place.database.write_bytes(b"rubbish" * 1000)
    await place.restore()

    async with place.opened() as stores:
        assert await texts(stores) == ["before"]


async def test_a_backup_older_than_the_list_of_deletions_reaches_has_to_be_wanted(place: Place) -> None:
    async with place.opened():
        pass
    place.back_up()
    place.database.unlink()
    await place.clock.advance((LEDGER_REACHES + timedelta(days=1)).total_seconds())

    with pytest.raises(StorageError, match="is older than 400 days"):
        await place.restore(force=False)
    await place.restore(force=True)


async def test_backups_are_made_when_due_and_the_oldest_go(place: Place) -> None:
    tick = BackupTick(place.shelf, every=timedelta(hours=24))
    async with place.opened():
        made = []
        for _ in range(8):
            made.append(await tick.tick(place.clock.now()))
            await place.clock.advance(12 * 3600)

    assert made == [True, False] * 4
    names = sorted(path.name for path in (place.database.parent.parent / "backups").iterdir())
    assert names == ["yorisoi-20261202T103000Z.db", "yorisoi-20261203T103000Z.db"]


async def test_backups_older_than_the_retention_go_even_when_none_are_made(place: Place) -> None:
    async with place.opened():
        made = await place.shelf.make(START)
        aside = place.shelf.place_aside(START)
        aside.touch()
        other = aside.with_name("mine.db")
        other.touch()
        tick = BackupTick(place.shelf, every=None)
        await tick.tick(START + timedelta(days=29))
        assert made.path.exists()
        assert not await tick.tick(START + timedelta(days=31))

    assert not made.path.exists()
    assert not aside.exists()
    assert other.exists()


async def test_a_backup_that_fails_is_logged_and_stops_nothing(place: Place) -> None:
    assert not await BackupTick(place.shelf, every=timedelta(hours=1)).tick(START)
