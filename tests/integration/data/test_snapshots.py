"""The sandbox's way to the database: it reads what it must, and the files stay as they were, to the byte."""

import hashlib
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import pytest
from psycopg import sql

from core.errors import StorageError
from core.ports import ArchiveEntry
from core.sandbox.draft import RealConversation
from core.sandbox.draft_reading import parse_draft
from core.sandbox.errors import SandboxError
from core.sandbox.tracing import as_draft
from core.turn.trace import TraceRecord, TraceStep, TurnOutcome
from core.values import ConversationKey, Locale, Surface, SurfaceKind
from data.opening import Place, open_for_reading
from data.packs.loader import SHIPPED, load_pack
from data.snapshots import DatabaseContextSource
from data.sqlite.reading import open_read_only
from data.stores import Stores, open_stores
from prompts.loader import PromptLibrary

NOW = datetime(2026, 11, 30, 7, 8, tzinfo=UTC)
KEY = ConversationKey("hinata", 50)
DM = Surface(kind=SurfaceKind.DM, channel_id=50)


def terms(text: str) -> list[str]:
    return text.casefold().split()


def entry(message_id: int, text: str | None, *, author: int = 9, minutes: int = 0) -> ArchiveEntry:
    return ArchiveEntry(
        conversation=KEY,
        surface=DM,
        message_id=message_id,
        author_id=author,
        author_name="Hinata" if author == 0 else f"Name{author}",
        is_self=author == 0,
        text=text,
        sent_at=NOW - timedelta(minutes=60 - minutes),
        sensitive=text is None,
    )


@asynccontextmanager
async def filled(place: Place) -> AsyncIterator[Stores]:
    async with open_stores(place, terms) as stores:
        await stores.archive.add(
            [
                entry(100, "I keep bees", minutes=1),
                entry(101, "How many?", author=0, minutes=2),
                entry(102, None, minutes=3),
                entry(103, "What time is it?", minutes=4),
                entry(104, "Half past\x07 two.", author=0, minutes=5),
            ]
        )
        await stores.users.set_timezone(9, "Europe/Paris")
        await stores.users.set_locale(9, Locale.EN)
        await stores.users.seen(9, character="hinata", now=NOW - timedelta(hours=1), locale=Locale.EN)
        await stores.kept_facts.add(9, "I'm allergic to nuts", now=NOW - timedelta(days=2))
        for turn_id, asked, replied in (("a" * 20, 103, 104), ("b" * 20, 102, 105)):
            await stores.traces.add(
                TraceRecord(
                    turn_id=turn_id,
                    at=NOW,
                    conversation=KEY,
                    user_id=9,
                    message_ids=(asked,),
                    reply_ids=(replied,),
                    outcome=TurnOutcome.ANSWERED,
                    model="m",
                    steps=(TraceStep("check.time", "found", ("time.contradiction",)),),
                )
            )
        yield stores


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    async with filled(tmp_path / "yorisoi.db"):
        pass
    return tmp_path / "yorisoi.db"


def fingerprint(folder: Path) -> dict[str, str]:
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in folder.iterdir()}


def source(place: Place) -> DatabaseContextSource:
    return DatabaseContextSource(place=place, index_terms=terms)


async def test_a_conversation_is_read_with_what_is_known_of_the_person(path: Path) -> None:
    before = fingerprint(path.parent)
    context = await source(path).read(RealConversation(channel_id=50), character="hinata", now=NOW)
    assert [said.text for said in context.history] == [
        "I keep bees",
        "How many?",
        "What time is it?",
        "Half past\x07 two.",
    ]
    assert (context.speaker.id, context.speaker.name, context.user.timezone) == (9, "Name9", "Europe/Paris")
    assert context.last_seen == NOW - timedelta(hours=1)
    assert [fact.text for fact in context.kept] == ["I'm allergic to nuts"]
    assert context.surface == DM
    assert fingerprint(path.parent) == before


async def test_reading_beside_the_running_program_leaves_its_database_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "yorisoi.db"
    async with filled(path):
        kept = ("yorisoi.db", "yorisoi.db-wal")
        before = {name: digest for name, digest in fingerprint(tmp_path).items() if name in kept}
        assert set(before) == set(kept)
        context = await source(path).read(RealConversation(channel_id=50), character="hinata", now=NOW)
        assert context.history
        after = fingerprint(tmp_path)
        assert {name: after[name] for name in kept} == before
        assert set(after) == {*kept, "yorisoi.db-shm"}


async def test_a_moment_of_the_past_knows_nothing_of_what_came_after(path: Path) -> None:
    then = NOW - timedelta(minutes=58)
    context = await source(path).read(RealConversation(channel_id=50), character="hinata", now=then)
    assert [said.text for said in context.history] == ["I keep bees", "How many?"]
    assert [found.text for found in context.archive] == ["I keep bees", "How many?"]
    assert (context.last_seen, context.session, context.summary) == (NOW - timedelta(minutes=59), None, None)
    before = NOW - timedelta(days=1)
    with pytest.raises(SandboxError, match="before that moment"):
        await source(path).read(RealConversation(channel_id=50), character="hinata", now=before)


def rows(url: str) -> dict[str, list[str]]:
    """Every row of every table with the transaction that wrote it, as text."""
    with psycopg.connect(url) as server:
        tables = server.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1").fetchall()
        return {
            name: [str(row) for row in server.execute(sql.SQL("SELECT xmin, * FROM {}").format(sql.Identifier(name)))]
            for (name,) in tables
        }


async def test_postgresql_is_read_alike_and_itself_refuses_every_write(new_postgresql: Callable[[], str]) -> None:
    url = new_postgresql()
    async with filled(url):
        before = rows(url)
        assert before["archive"]
        context = await source(url).read(RealConversation(channel_id=50), character="hinata", now=NOW)
        assert [said.text for said in context.history][:2] == ["I keep bees", "How many?"]
        assert (await source(url).turn("a" * 20)).asked[0].text == "What time is it?"
        assert {record.turn_id for record in await source(url).turns(9)} == {"a" * 20, "b" * 20}

        database = await open_for_reading(url)
        try:
            for statement in ("DELETE FROM users", "CREATE TABLE t (x int)"):
                with pytest.raises(StorageError) as caught:
                    async with database.transaction() as connection:
                        await connection.execute(statement)
                assert "the server only lets read" in str(caught.value)
        finally:
            await database.close()
        assert rows(url) == before


async def test_sqlite_itself_refuses_every_write(path: Path) -> None:
    before = fingerprint(path.parent)
    async with await open_read_only(path) as database:
        for statement in ("DELETE FROM users", "CREATE TABLE t (x)", "PRAGMA user_version = 1"):
            with pytest.raises(StorageError) as caught:
                async with database.exclusive() as connection:
                    await connection.execute(statement)
            assert isinstance(caught.value.__cause__, sqlite3.OperationalError)
            assert "readonly" in str(caught.value.__cause__)
        with pytest.raises(StorageError):
            async with database.transaction() as connection:
                await connection.execute("DELETE FROM users")
    assert fingerprint(path.parent) == before


async def test_what_a_turn_asked_becomes_a_draft_without_names(path: Path) -> None:
    before = fingerprint(path.parent)
    held = await source(path).turn("a" * 20)
    character = load_pack(SHIPPED / "hinata").character
    text = as_draft(held, character)
    draft = parse_draft(text.encode(), "draft.toml", PromptLibrary.load())
    assert draft.messages == ("What time is it?",)
    assert [(said.by_user, said.text) for said in draft.history] == [(True, "I keep bees"), (False, "How many?")]
    assert draft.at == NOW
    assert (draft.person.name, draft.person.timezone) == ("User", "Europe/Paris")
    assert draft.person.facts == ("I'm allergic to nuts",)
    assert "# What was answered: Half past two." in text
    assert "# check.time: time.contradiction" in text
    assert "Name9" not in text
    assert fingerprint(path.parent) == before


@pytest.mark.parametrize(("turn_id", "why"), [("b" * 20, "is not held"), ("c" * 20, "There is no trace")])
async def test_a_turn_whose_text_is_gone_is_told_of(path: Path, turn_id: str, why: str) -> None:
    with pytest.raises(SandboxError, match=why):
        await source(path).turn(turn_id)


async def test_who_opted_out_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "yorisoi.db"
    async with filled(path) as stores:
        await stores.users.set_opted_out(9, True)
        with pytest.raises(SandboxError):
            await source(path).read(RealConversation(channel_id=50, user_id=9), character="hinata", now=NOW)
        with pytest.raises(SandboxError, match="is not held"):
            await source(path).turn("a" * 20)


@pytest.mark.parametrize(
    ("conversation", "character"),
    [(RealConversation(channel_id=51), "hinata"), (RealConversation(channel_id=50, user_id=8), "hinata")],
)
async def test_a_conversation_of_which_nothing_is_held_is_told_of(
    path: Path, conversation: RealConversation, character: str
) -> None:
    with pytest.raises(SandboxError, match="held"):
        await source(path).read(conversation, character=character, now=NOW)


async def test_a_missing_database_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="there is no database there"):
        await source(tmp_path / "yorisoi.db").turn("a" * 20)
    assert fingerprint(tmp_path) == {}


async def test_a_database_of_another_version_is_left_as_it_is(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 3")
    before = fingerprint(path.parent)
    with pytest.raises(StorageError, match="schema 3"):
        await source(path).turn("a" * 20)
    assert fingerprint(path.parent) == before


async def test_what_is_written_while_it_is_read_is_read_again_as_a_whole(tmp_path: Path) -> None:
    path = tmp_path / "yorisoi.db"
    async with filled(path) as stores:
        reads = []

        async def read(frozen: Stores) -> int:
            found = len(await frozen.recall.newest(KEY, limit=9))
            reads.append(found)
            if len(reads) == 1:
                await stores.archive.add([entry(200, "one more", minutes=9)])
            return found

        assert await source(path)._unchanged(read) == 5
        assert reads == [4, 5]
