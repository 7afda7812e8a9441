from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from core.clock import SimulatedClock
from core.errors import StorageError
from core.ports import ArchiveEntry, MessageArchive, UsageRecord
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


def _call(at: datetime) -> UsageRecord:
    return UsageRecord(
        at=at,
        day=at.date(),
        character="hinata",
        user_id=1,
        guild_id=None,
        feature="chat",
        model="stub",
        input_tokens=5,
        output_tokens=5,
        cost_micros=0,
        outcome="complete",
    )


def _housekeeping(stores: InMemoryStores, archive: MessageArchive | None = None) -> Housekeeping:
    return Housekeeping(
        archive=archive or stores.archive,
        sessions=stores.sessions,
        traces=stores.traces,
        slots=stores.slots,
        usage=stores.usage,
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


async def test_whose_a_model_call_was_is_forgotten_and_what_people_keep_is_not() -> None:
    stores, clock = InMemoryStores(), SimulatedClock(START)
    await stores.usage.add(_call(START))
    await stores.usage.add(_call(START + timedelta(days=10)))
    await stores.kept_facts.add(1, "two cats", now=START)
    await stores.consents.give(1, now=START)
    house = _housekeeping(stores)
    await clock.advance(timedelta(days=15).total_seconds())
    assert (await house.tick(clock.now())).calls == 1
    assert [record.user_id for record in stores.usage.records] == [0, 1]
    assert [fact.text for fact in await stores.kept_facts.of(1)] == ["two cats"]
    assert await stores.consents.given_at(1) == START


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
