from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from core.clock import SimulatedClock
from core.errors import StorageError
from core.ports import ArchiveEntry, MessageArchive
from core.turn.trace import TraceRecord, TurnOutcome
from core.values import ConversationKey, Surface, SurfaceKind
from scheduler.housekeeping import Housekeeping, Swept
from tests.fakes.stores import InMemoryArchive, InMemoryStores

START = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
KEY = ConversationKey("hinata", 7)


def _entry(message_id: int, sent_at: datetime) -> ArchiveEntry:
    return ArchiveEntry(
        conversation=KEY,
        surface=Surface(kind=SurfaceKind.DM, channel_id=7),
        message_id=message_id,
        author_id=1,
        author_name="A",
        is_self=False,
        text="hello",
        sent_at=sent_at,
    )


def _trace(turn_id: str, at: datetime) -> TraceRecord:
    return TraceRecord(
        turn_id=turn_id,
        at=at,
        conversation=KEY,
        user_id=1,
        message_ids=(1,),
        reply_ids=(),
        outcome=TurnOutcome.ANSWERED,
        model=None,
        steps=(),
    )


def _housekeeping(stores: InMemoryStores, archive: MessageArchive | None = None) -> Housekeeping:
    return Housekeeping(
        archive=archive or stores.archive,
        sessions=stores.sessions,
        traces=stores.traces,
        slots=stores.slots,
        message_retention=timedelta(days=30),
        trace_retention=timedelta(days=14),
        slot_retention=timedelta(days=366),
    )


async def test_messages_are_kept_to_the_last_day_of_their_retention_and_no_longer() -> None:
    stores, clock = InMemoryStores(), SimulatedClock(START)
    await stores.archive.add([_entry(1, START - timedelta(days=1)), _entry(2, START)])
    house = _housekeeping(stores)
    await clock.advance(timedelta(days=29, hours=1).total_seconds())
    assert (await house.tick(clock.now())).messages == 1
    assert [entry.id for entry in await stores.archive.recent(KEY, limit=10)] == [2]
    await clock.advance(timedelta(days=1).total_seconds())
    assert (await house.tick(clock.now())).messages == 1
    assert await stores.archive.recent(KEY, limit=10) == []


async def test_expired_sessions_and_old_traces_go() -> None:
    stores, clock = InMemoryStores(), SimulatedClock(START)
    await stores.sessions.touch(KEY, now=START, expires_at=START + timedelta(hours=6))
    await stores.traces.add(_trace("a" * 20, START))
    house = _housekeeping(stores)
    assert await house.tick(clock.now()) == Swept(messages=0, sessions=0, traces=0)
    await clock.advance(timedelta(days=15).total_seconds())
    assert await house.tick(clock.now()) == Swept(messages=0, sessions=1, traces=1)
    assert await stores.traces.get("a" * 20) is None


async def test_a_second_tick_finds_nothing_left_to_do() -> None:
    stores = InMemoryStores()
    await stores.archive.add([_entry(1, START - timedelta(days=100))])
    house = _housekeeping(stores)
    await house.tick(START)
    assert await house.tick(START) == Swept(messages=0, sessions=0, traces=0)


class _BrokenArchive(InMemoryArchive):
    async def delete_older_than(self, moment: datetime) -> int:
        raise StorageError("disk full")

    async def delete(self, message_ids: Sequence[int]) -> int:
        raise StorageError("disk full")


async def test_a_store_that_fails_does_not_keep_the_others_from_being_swept() -> None:
    stores = InMemoryStores()
    await stores.sessions.touch(KEY, now=START, expires_at=START + timedelta(hours=6))
    swept = await _housekeeping(stores, _BrokenArchive()).tick(START + timedelta(days=1))
    assert swept == Swept(messages=None, sessions=1, traces=0)
