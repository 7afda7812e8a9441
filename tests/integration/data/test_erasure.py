"""What was deleted can't be read from the files: not from the database, its log or its shared memory."""

import random
from collections.abc import AsyncIterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from core.errors import StorageError
from core.ports import IndexTerms
from data.archive import SqlMessageArchive
from data.ledger import Ledger
from data.privacy import SqlPrivacyStore
from data.sql import NamedQueries
from data.sqlite.erasure import SqliteEraser
from data.stores import Stores, open_stores
from data.terms import keyed_terms
from tests.contract.bundle import AKI, AKI_DM, BEN, CHANNEL, GUILD, HINATA, NOON, after, key, message, summary
from tests.fakes.stores import casefolded_words


@pytest.fixture
async def stores(tmp_path: Path) -> AsyncIterator[Stores]:
    async with open_stores(tmp_path / "yorisoi.db", casefolded_words) as opened:
        yield opened


def in_files(stores: Stores, text: str) -> list[str]:
    """The files in which the text stands."""
    folder = Path(stores.database.name).parent
    return sorted(file.name for file in folder.iterdir() if text.encode("utf-8") in file.read_bytes())


def content_of(stores: Stores) -> bytes:
    """The database file itself."""
    return Path(stores.database.name).read_bytes()


async def pending(stores: Stores) -> int:
    async with stores.database.reading() as connection:
        return await NamedQueries().number(connection, "pending_erasure")


async def test_the_search_for_remains_finds_what_is_still_there(stores: Stores) -> None:
    await stores.archive.add([message(1, "marker-one")])

    assert in_files(stores, "marker-one")
    assert in_files(stores, "name-1")


async def test_a_forgotten_person_is_in_no_file(stores: Stores) -> None:
    await stores.archive.add([message(number, f"marker-{number} 秘密", surface=AKI_DM) for number in range(50)])
    await stores.archive.add([message(99, "marker-99 秘密"), message(100, "other", author=BEN)])
    await stores.archive.add([message(101, "marker-answer", surface=AKI_DM, author=HINATA)])

    await stores.privacy.forget(AKI)

    for text in ("marker-", "秘密", f"name-{AKI}"):
        assert in_files(stores, text) == []
    assert in_files(stores, "other")


async def test_a_deleted_message_is_in_no_file(stores: Stores) -> None:
    await stores.archive.add([message(number, f"marker-{number:02}") for number in range(50)])

    await stores.archive.delete([7])

    assert in_files(stores, "marker-07") == []
    assert in_files(stores, "marker-08")


async def test_the_text_before_an_edit_is_in_no_file(stores: Stores) -> None:
    await stores.archive.add([message(1, "marker-before")])

    await stores.archive.edit(1, "marker-after", after(5))

    assert in_files(stores, "marker-before") == []
    assert in_files(stores, "marker-after")


@pytest.mark.parametrize("how", ["channel", "guild", "retention"])
async def test_what_a_channel_a_guild_or_the_past_held_is_in_no_file(stores: Stores, how: str) -> None:
    await stores.archive.add([message(number, f"marker-{number}") for number in range(50)])

    if how == "channel":
        await stores.archive.delete_channel(CHANNEL.channel_id)
    elif how == "guild":
        await stores.archive.delete_guild(GUILD, character="hinata")
    else:
        await stores.archive.delete_older_than(after(1000))

    assert in_files(stores, "marker-") == []


async def test_a_sensitive_text_never_reaches_a_file(stores: Stores) -> None:
    await stores.archive.add([message(1, "marker-one", sensitive=True), message(2, None, sensitive=True)])
    await stores.archive.edit(2, "marker-two", after(5))

    assert in_files(stores, "marker-") == []


async def test_rows_moved_between_pages_leave_no_copies_after_a_purge(stores: Stores) -> None:
    rng = random.Random(11)
    numbers = list(range(3000))
    rng.shuffle(numbers)
    for start in range(0, len(numbers), 100):
        slice_ = numbers[start : start + 100]
        await stores.archive.add(
            [message(number, f"<{number:04}>" + "x" * rng.choice([5, 300, 1500])) for number in slice_]
        )
    doomed = rng.sample(numbers, 2000)
    for start in range(0, len(doomed), 100):
        await stores.archive.delete(doomed[start : start + 100])

    await stores.eraser.purge()

    content = content_of(stores)
    assert [number for number in doomed if f"<{number:04}>".encode() in content] == []
    assert await pending(stores) == 0


async def test_index_entries_of_deleted_messages_go_with_a_purge(stores: Stores) -> None:
    await stores.archive.add([message(number, f"word{number}") for number in range(200)])
    async with stores.database.reading() as connection:
        place = await NamedQueries().row(
            connection, "conversation_key", character="hinata", channel_id=CHANNEL.channel_id
        )
    assert place is not None
    tokens = [keyed_terms([f"word{number}"], place["term_key"]) or "" for number in range(200)]
    await stores.archive.delete(range(100))

    await stores.eraser.purge()

    assert [token for token in tokens[:100] if in_files(stores, token)] == []
    assert all(in_files(stores, token) for token in tokens[100:])


async def test_the_index_is_one_piece_after_the_daily_round(stores: Stores) -> None:
    for number in range(5):
        await stores.archive.add([message(number, "tea")])
    assert await pieces(stores) == 5

    await stores.archive.delete_older_than(after(-1))

    assert await pieces(stores) == 1
    assert len((await stores.recall.search(key(CHANNEL), ["tea"], limit=9)).hits) == 5


async def pieces(stores: Stores) -> int:
    """How many pieces of the index a search has to look into."""
    async with stores.database.reading() as connection:
        sql = "SELECT count(DISTINCT segid) FROM archive_index_idx"
        ((count,),) = await connection.execute_fetchall(sql)
    return int(count)


async def test_the_index_agrees_with_the_archive_after_everything(stores: Stores) -> None:
    rng = random.Random(5)
    await stores.archive.add([message(number, f"tea {number}") for number in range(300)])
    for number in rng.sample(range(300), 100):
        await stores.archive.edit(number, f"rain {number} tea", after(5000))
    await stores.archive.delete(rng.sample(range(300), 100))
    await stores.archive.delete_older_than(after(50))
    await stores.eraser.purge()

    async with stores.database.transaction() as connection:
        await connection.execute("INSERT INTO archive_index (archive_index, rank) VALUES ('integrity-check', 1)")


def unfolded_words(text: str) -> list[str]:
    return text.split()


async def test_terms_stay_deletable_when_the_analyser_has_changed(tmp_path: Path) -> None:
    async with open_stores(tmp_path / "yorisoi.db", casefolded_words) as stores:
        await stores.archive.add([message(1, "Old Words"), message(2, "other")])

    async with open_stores(tmp_path / "yorisoi.db", unfolded_words) as stores:
        await stores.archive.delete([1])
        async with stores.database.transaction() as connection:
            await connection.execute("INSERT INTO archive_index (archive_index, rank) VALUES ('integrity-check', 1)")
        assert (await stores.recall.search(key(CHANNEL), ["old"], limit=1)).hits == ()


def with_large_file(stores: Stores, index_terms: IndexTerms) -> tuple[SqliteEraser, SqlPrivacyStore, SqlMessageArchive]:
    """The stores as they behave where rewriting the file takes too long to do it at once."""
    queries = NamedQueries()
    eraser = SqliteEraser(database=stores.database, queries=queries, small_file=0)
    return (
        eraser,
        SqlPrivacyStore(database=stores.database, queries=queries, eraser=eraser, ledger=Ledger(None)),
        SqlMessageArchive(
            database=stores.database, queries=queries, eraser=eraser, index_terms=index_terms, ledger=Ledger(None)
        ),
    )


async def test_in_a_large_file_the_text_goes_at_once_and_the_rest_with_the_days_purge(stores: Stores) -> None:
    _, privacy, archive = with_large_file(stores, casefolded_words)
    await archive.add([message(number, f"marker-{number}") for number in range(50)])

    await privacy.forget(AKI)
    assert in_files(stores, "marker-") == []
    assert await pending(stores) == 50

    await archive.delete_older_than(NOON)
    assert await pending(stores) == 0


async def test_a_large_file_is_rewritten_once_a_day(stores: Stores) -> None:
    eraser, _, archive = with_large_file(stores, casefolded_words)
    today = date(2026, 3, 1)
    await eraser.erase_daily(today)
    await archive.add([message(1, "tea")])
    await archive.delete([1])

    await eraser.erase_daily(today)
    assert await pending(stores) == 1

    await eraser.erase_daily(today + timedelta(days=1))
    assert await pending(stores) == 0


class FailingEraser(SqliteEraser):
    """Finds the disk too full to write the file anew."""

    async def purge(self) -> None:
        raise StorageError("the disk is full")


async def test_a_deletion_succeeds_when_its_remains_must_wait(stores: Stores) -> None:
    queries = NamedQueries()
    failing = FailingEraser(database=stores.database, queries=queries)
    await stores.archive.add([message(1, "tea")])

    gone = await SqlPrivacyStore(database=stores.database, queries=queries, eraser=failing, ledger=Ledger(None)).forget(
        AKI
    )
    await failing.erase_daily(date(2026, 3, 1))

    assert gone["archive"] == 1
    assert await pending(stores) == 1


async def test_what_is_deleted_for_nothing_leaves_nothing_pending(stores: Stores) -> None:
    await stores.archive.delete([1, 2, 3])
    await stores.privacy.forget(AKI)

    assert await pending(stores) == 0


async def test_a_log_in_use_by_a_reader_elsewhere_is_emptied_later(stores: Stores) -> None:
    eraser, _, archive = with_large_file(stores, casefolded_words)
    await archive.add([message(1, "marker-one")])
    async with stores.database.exclusive() as connection:
        await connection.execute("PRAGMA busy_timeout = 20")
    async with stores.database.snapshot() as snapshot:
        await snapshot.execute_fetchall("SELECT count(*) FROM archive")
        await archive.delete([1])
        assert in_files(stores, "marker-one")

    assert await eraser.truncate_log()

    assert in_files(stores, "marker-one") == []


async def test_the_words_of_a_summary_that_was_renewed_go_with_the_days_purge(stores: Stores) -> None:
    eraser = SqliteEraser(database=stores.database, queries=NamedQueries(), small_file=0)
    await stores.archive.add([message(1, "one"), message(2, "two")])
    read = await stores.archive.recent(key(CHANNEL), limit=9)
    first = summary(1, text="marker-of-the-first " * 50)
    assert await stores.summaries.put(key(CHANNEL), first, read=read[:1], replaces=None)
    before = await pending(stores)

    renewed = summary(1, 2, text="short")
    assert await stores.summaries.put(key(CHANNEL), renewed, read=read[1:], replaces=first)

    assert await pending(stores) == before + 1
    await eraser.purge()
    assert in_files(stores, "marker-of-the-first") == []
    assert await stores.summaries.get(key(CHANNEL)) == renewed
