"""The PostgreSQL server: a clear line without the password for what goes wrong, and nothing lost when it comes back."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import psycopg
import pytest

from core.errors import StorageError
from core.values import FactSource
from data.health import look_at
from data.postgresql import connection as connection_module
from data.postgresql.connection import PostgresDatabase
from data.sql import NamedQueries
from data.stores import Stores, open_stores
from tests.contract.bundle import AKI, CHANNEL, NOON, key, message, summary
from tests.fakes.stores import casefolded_words
from tests.postgresql_server import Server

PASSWORD = "s3cr3t/pä%40ss"
WRITTEN = "s3cr3t%2Fp%C3%A4%2540ss"


async def failure(url: str) -> str:
    """What opening says; the password is in no part of it."""
    with pytest.raises(StorageError) as caught:
        async with open_stores(url, casefolded_words):
            pass
    seen: BaseException | None = caught.value
    while seen is not None:
        assert PASSWORD not in str(seen)
        assert WRITTEN not in str(seen)
        seen = seen.__cause__
    (line,) = str(caught.value).splitlines()
    return line


async def test_a_server_that_is_not_there_is_named_with_what_to_do() -> None:
    line = await failure(f"postgresql://yorisoi:{WRITTEN}@127.0.0.1:9/yorisoi")

    assert line == (
        "postgresql://yorisoi@127.0.0.1:9/yorisoi: no server answers there: start it, or correct YORISOI_DATABASE_URL"
        ", or the address you gave"
    )


async def test_an_unknown_host_is_named() -> None:
    assert "there is no such host" in await failure(f"postgresql://yorisoi:{WRITTEN}@nowhere.invalid/yorisoi")


@pytest.mark.parametrize(
    "url",
    [f"postgresql://yorisoi:{PASSWORD}@localhost/yorisoi", f"postgresql://y:{WRITTEN}@h:port/d", "postgresql://[/"],
)
async def test_an_address_that_cannot_be_read_says_how_one_is_written(url: str) -> None:
    assert "postgresql://user:password@host:5432/database" in await failure(url)


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://yorisoi:vuz@xiq@localhost/yorisoi",
        "postgresql://yorisoi:vuz/xiq@localhost/yorisoi",
        "postgresql://yorisoi:vuz?@xiq@localhost/yorisoi",
        "postgresql://yorisoi:vuzxiq/yorisoi",
    ],
)
async def test_of_a_password_that_is_not_written_as_it_should_be_nothing_is_shown(url: str) -> None:
    line = await failure(url)

    assert "as in %40 for @" in line
    assert "vuz" not in line
    assert "xiq" not in line


@pytest.mark.parametrize("url", ["", "yorisoi.db", "mysql://yorisoi@localhost/yorisoi", "dbname=yorisoi"])
async def test_what_is_no_address_of_a_server_goes_to_no_server(url: str) -> None:
    assert "can't be read: it is written postgresql://" in await failure(url)


async def test_a_wrong_password_is_told(postgresql: Server) -> None:
    with postgresql.asking_for_passwords() as url:
        line = await failure(url.format(password=WRITTEN))

    assert "the server refuses the user or the password" in line


async def test_a_database_that_is_not_there_is_told(postgresql: Server) -> None:
    assert "has no such database or user" in await failure(postgresql.url("nothing_of_the_kind"))


async def test_an_older_server_is_refused(new_postgresql: Callable[[], str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_module, "_OLDEST", 99)

    assert "99 or newer is needed" in await failure(new_postgresql())


async def test_a_user_who_may_not_make_tables_is_told(new_postgresql: Callable[[], str]) -> None:
    url = new_postgresql()
    with psycopg.connect(url, autocommit=True) as server:
        server.execute("DROP ROLE IF EXISTS guest")
        server.execute("CREATE ROLE guest LOGIN")

    assert "make them the owner of the database" in await failure(url.replace("user=yorisoi", "user=guest"))


async def test_what_is_refused_does_not_repeat_what_was_to_be_stored(new_postgresql: Callable[[], str]) -> None:
    async with open_stores(new_postgresql(), casefolded_words) as stores:
        with pytest.raises(StorageError) as caught:
            async with stores.database.transaction() as connection:
                await connection.execute("INSERT INTO users (id, locale) VALUES (1, 'unspeakable')")

    assert "users_locale_check" in str(caught.value)
    assert "unspeakable" not in str(caught.value)
    assert caught.value.__cause__ is None


async def test_lost_connections_are_replaced(new_postgresql: Callable[[], str]) -> None:
    """As after a restart of the server: nobody who comes later notices."""
    url = new_postgresql()
    async with open_stores(url, casefolded_words) as stores:
        await asyncio.gather(*(stores.users.set_notice_shown(number) for number in range(20)))
        with psycopg.connect(url, autocommit=True) as server:
            server.execute(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

        await asyncio.gather(*(stores.users.set_notice_shown(number) for number in range(20)))
        assert (await stores.users.get(19)).notice_shown


async def test_who_keeps_something_locked_is_not_waited_for_forever(new_postgresql: Callable[[], str]) -> None:
    url = new_postgresql()
    async with open_stores(url, casefolded_words, busy_timeout=timedelta(milliseconds=30)) as stores:
        await stores.users.set_notice_shown(AKI)
        with psycopg.connect(url) as server:
            server.execute("SELECT * FROM users FOR UPDATE")
            with pytest.raises(StorageError, match="locked"):
                await stores.users.set_timezone(AKI, "Asia/Tokyo")

        await stores.users.set_timezone(AKI, "Asia/Tokyo")


async def test_a_cancelled_transaction_is_undone(new_postgresql: Callable[[], str]) -> None:
    async with open_stores(new_postgresql(), casefolded_words) as stores:
        inside = asyncio.Event()

        async def write_and_wait() -> None:
            async with stores.database.transaction() as connection:
                await connection.execute("INSERT INTO users (id) VALUES (1)")
                inside.set()
                await asyncio.Event().wait()

        task = asyncio.create_task(write_and_wait())
        await inside.wait()
        task.cancel()
        await asyncio.wait({task})

        assert (await stores.privacy.counts(1))["users"] == 0


async def test_what_was_posted_and_failed_is_told_at_the_end_and_undoes_everything(
    new_postgresql: Callable[[], str],
) -> None:
    async with open_stores(new_postgresql(), casefolded_words) as stores:
        with pytest.raises(StorageError, match="users_seen_locale_check"):
            await _post_two_people(stores, "ja", "unspeakable")

        assert (await stores.privacy.counts(1))["users"] == 0


async def _post_two_people(stores: Stores, *locales: str) -> None:
    queries = NamedQueries("postgresql")
    async with stores.database.transaction() as connection:
        for number, locale in enumerate(locales, start=1):
            await queries.post(connection, "user_seen", id=number, locale=locale)


async def test_what_was_posted_comes_before_what_is_asked_and_is_kept_without_a_question(
    new_postgresql: Callable[[], str],
) -> None:
    async with open_stores(new_postgresql(), casefolded_words) as stores:
        queries = NamedQueries("postgresql")
        async with stores.database.transaction() as connection:
            await queries.post(connection, "user_seen", id=1, locale="ja")
            assert await queries.row(connection, "user", id=1) is not None
        async with stores.database.exclusive() as connection:
            await queries.post(connection, "user_seen", id=2, locale="ja")

        assert [(await stores.privacy.counts(who))["users"] for who in (1, 2)] == [1, 1]


async def test_claims_wait_for_the_disk_and_chat_does_not(new_postgresql: Callable[[], str]) -> None:
    async with await PostgresDatabase.open(new_postgresql()) as database:
        levels = []
        for held in (database.durable(), database.durable_transaction(), database.exclusive(), database.transaction()):
            async with held as connection:
                ((level,),) = await connection.execute_fetchall("SHOW synchronous_commit")
                levels.append(level)

    assert levels == ["on", "on", "off", "off"]


async def test_who_stands_still_in_the_middle_of_a_parcel_keeps_nobody_waiting_for_long(
    new_postgresql: Callable[[], str],
) -> None:
    url, short = new_postgresql(), timedelta(milliseconds=50)
    async with await PostgresDatabase.open(url, busy_timeout=short, hung_after=short) as database:
        sleeper = psycopg.connect(url, application_name="yorisoi", autocommit=True)
        with suppress(psycopg.OperationalError), sleeper.pipeline():
            # The parcel is not closed while others want the lock, as if the process had been stopped here.
            sleeper.execute("BEGIN")
            sleeper.execute("SELECT pg_advisory_xact_lock(5, 0)")
            with pytest.raises(StorageError, match="locked"):
                await taken(database)
            await taken(database)
        assert sleeper.closed


async def taken(database: PostgresDatabase) -> None:
    async with database.transaction() as connection:
        await connection.execute("SELECT pg_advisory_xact_lock(5, 0)")


async def test_the_doctor_sees_version_and_schema(new_postgresql: Callable[[], str]) -> None:
    url = new_postgresql()
    async with open_stores(url, casefolded_words):
        pass

    state = await look_at(url)

    assert state is not None
    assert state.schema == state.newest
    assert "PostgreSQL" in state.name


async def test_many_messages_of_one_moment_get_ids_of_their_own(new_postgresql: Callable[[], str]) -> None:
    """In one process and in two, which both look for the next free id of that millisecond."""
    url = new_postgresql()
    async with open_stores(url, casefolded_words) as one, open_stores(url, casefolded_words) as other:
        await asyncio.gather(
            *(
                stores.archive.add([message(number, f"text {number}", sent_at=NOON)])
                for stores, numbers in ((one, range(1, 20)), (other, range(20, 40)))
                for number in numbers
            )
        )

        assert len(await one.archive.recent(key(CHANNEL), limit=99)) == 39


async def summarised(stores: Stores) -> bool:
    return await stores.summaries.get(key(CHANNEL)) is not None


async def test_a_summary_never_outlives_a_message_that_is_deleted_while_it_is_made(
    new_postgresql: Callable[[], str],
) -> None:
    async with open_stores(new_postgresql(), casefolded_words) as stores:
        for number in range(1, 13):
            await stores.archive.add([message(number, "tea")])
            read = await stores.archive.recent(key(CHANNEL), limit=1)
            await asyncio.gather(
                stores.summaries.put(key(CHANNEL), summary(number), read=read, replaces=None),
                stores.archive.delete([number]),
            )

            assert not await summarised(stores)


async def test_a_renewed_summary_never_outlives_what_it_was_made_of(new_postgresql: Callable[[], str]) -> None:
    """Neither a message of the earlier one that is deleted meanwhile, nor one that is new in it."""
    async with open_stores(new_postgresql(), casefolded_words) as stores:
        for number in range(1, 25, 2):
            await stores.archive.add([message(number, "tea"), message(number + 1, "more tea")])
            told, since = await stores.archive.recent(key(CHANNEL), limit=2, after=number - 1)
            first, gone = summary(number), since if number % 4 == 1 else told
            assert await stores.summaries.put(key(CHANNEL), first, read=[told], replaces=None)
            await asyncio.gather(
                stores.summaries.put(key(CHANNEL), summary(number, number + 1), read=[since], replaces=first),
                stores.archive.delete([gone.id]),
            )

            assert await stores.summaries.get(key(CHANNEL)) in ((None, first) if gone is since else (None,))
            await stores.archive.delete([told.id, since.id])


async def test_consent_never_outlives_an_opt_out_at_the_same_moment(new_postgresql: Callable[[], str]) -> None:
    async with open_stores(new_postgresql(), casefolded_words) as stores:
        for person in range(1, 13):
            await asyncio.gather(stores.consents.give(person, now=NOON), stores.users.set_opted_out(person, True))

            assert await stores.consents.given_at(person) is None


async def test_a_fact_never_outlives_a_message_that_is_deleted_while_it_is_kept(
    new_postgresql: Callable[[], str],
) -> None:
    async with open_stores(new_postgresql(), casefolded_words) as stores:
        for number in range(1, 13):
            await stores.archive.add([message(number, "two cats, remember that")])
            stored = await stores.kept_facts.source(number)
            source = FactSource.of(number, CHANNEL)
            await asyncio.gather(
                stores.kept_facts.add(AKI, "two cats", now=NOON, source=source, stored=stored),
                stores.archive.delete([number]),
            )

            assert await stores.kept_facts.of(AKI) == []
