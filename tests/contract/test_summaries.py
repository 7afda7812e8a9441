"""`SummaryStore`: a summary goes with the first of its messages that is not as it was any more."""

from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest

from tests.contract.bundle import (
    AKI,
    AKI_DM,
    BEN,
    CHANNEL,
    GUILD,
    HINATA,
    AnyStores,
    after,
    key,
    message,
    summarise,
    summary,
)

HERE = key(CHANNEL)


async def talk(stores: AnyStores) -> None:
    await stores.archive.add(
        [
            message(1, "of aki"),
            message(2, "answer", author=HINATA),
            message(3, "of ben", author=BEN),
            message(4, "later"),
            message(5, "elsewhere", surface=AKI_DM),
        ]
    )


async def test_a_summary_is_kept_for_its_conversation(stores: AnyStores) -> None:
    await talk(stores)
    assert await stores.summaries.get(HERE) is None

    await summarise(stores, HERE, 1, 2, 3)

    assert await stores.summaries.get(HERE) == summary(1, 2, 3)
    assert await stores.summaries.get(key(AKI_DM)) is None
    assert await stores.summaries.get(key(CHANNEL, "mio")) is None


async def test_a_later_summary_takes_the_place_of_the_one_it_was_made_of(stores: AnyStores) -> None:
    await talk(stores)
    await summarise(stores, HERE, 1, 2)
    first = await stores.summaries.get(HERE)
    read = [one for one in await stores.archive.recent(HERE, limit=9) if one.id == 3]
    later = summary(1, 2, 3, text="And then of boats.", made_at=after(9))

    assert not await stores.summaries.put(HERE, later, read=read, replaces=None)
    assert not await stores.summaries.put(HERE, later, read=read, replaces=later)
    assert await stores.summaries.put(HERE, later, read=read, replaces=first)

    assert await stores.summaries.get(HERE) == later


@pytest.mark.parametrize("message_id", [1, 3])
async def test_a_later_summary_goes_with_what_the_earlier_one_was_made_of(stores: AnyStores, message_id: int) -> None:
    await talk(stores)
    await summarise(stores, HERE, 1, 2)
    await renew(stores, 3, 4)

    await stores.archive.delete([message_id])

    assert await stores.summaries.get(HERE) is None


async def test_a_later_summary_is_not_stored_where_another_one_took_the_earlier_ones_place(stores: AnyStores) -> None:
    await talk(stores)
    await summarise(stores, HERE, 1, 2)
    first = await stores.summaries.get(HERE)
    read = [one for one in await stores.archive.recent(HERE, limit=9) if one.id == 3]
    await stores.archive.delete([1])
    await summarise(stores, HERE, 2)

    later = summary(1, 2, 3, text="And then of boats.", made_at=after(9))

    assert not await stores.summaries.put(HERE, later, read=read, replaces=first)
    assert await stores.summaries.get(HERE) == summary(2)


async def renew(stores: AnyStores, *message_ids: int) -> None:
    """Store a summary of those messages and of the one that is there."""
    held = await stores.summaries.get(HERE)
    assert held is not None
    read = [one for one in await stores.archive.recent(HERE, limit=9) if one.id in message_ids]
    later = summary(held.first, *message_ids, text="And then of boats.", made_at=after(9))
    assert await stores.summaries.put(HERE, later, read=read, replaces=held)


CHANGES: dict[str, Callable[[AnyStores], Awaitable[object]]] = {
    "deleted": lambda stores: stores.archive.delete([3]),
    "edited": lambda stores: stores.archive.edit(3, "something else", after(50)),
    "sensitive": lambda stores: stores.archive.edit(3, None, after(50)),
    "author forgotten": lambda stores: stores.privacy.forget(BEN),
    "author opted out": lambda stores: stores.users.set_opted_out(BEN, True),
    "time over": lambda stores: stores.archive.delete_older_than(after(2)),
    "channel gone": lambda stores: stores.archive.delete_channel(CHANNEL.channel_id),
    "server left": lambda stores: stores.archive.delete_guild(GUILD, character="hinata"),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
async def test_a_summary_goes_with_a_message_of_its(
    stores: AnyStores, change: Callable[[AnyStores], Awaitable[object]]
) -> None:
    await talk(stores)
    await summarise(stores, HERE, 1, 2, 3)
    await summarise(stores, key(AKI_DM), 5)

    await change(stores)

    assert await stores.summaries.get(HERE) is None
    assert await stores.summaries.get(key(AKI_DM)) is not None


@pytest.mark.parametrize("change", [CHANGES[name] for name in ("deleted", "edited", "sensitive", "author opted out")])
async def test_what_changed_while_a_summary_was_made_keeps_it_from_being_stored(
    stores: AnyStores, change: Callable[[AnyStores], Awaitable[object]]
) -> None:
    await talk(stores)
    read = [one for one in await stores.archive.recent(HERE, limit=9) if one.id in {1, 3}]

    await change(stores)

    assert not await stores.summaries.put(HERE, summary(1, 3), read=read, replaces=None)
    assert await stores.summaries.get(HERE) is None


async def test_what_a_summary_does_not_cover_may_change(stores: AnyStores) -> None:
    await talk(stores)
    await summarise(stores, HERE, 1, 2)

    await stores.archive.delete([3])
    await stores.archive.edit(4, "later still", after(50))
    await stores.users.set_opted_out(BEN, True)

    assert await stores.summaries.get(HERE) is not None


async def test_messages_of_another_conversation_cannot_be_claimed(stores: AnyStores) -> None:
    await talk(stores)
    read = [replace(one, id=5) for one in await stores.archive.recent(key(AKI_DM), limit=9)]

    assert not await stores.summaries.put(HERE, summary(5), read=read, replaces=None)
    assert await stores.summaries.get(HERE) is None
    assert (await stores.privacy.counts(AKI))["summaries"] == 0
