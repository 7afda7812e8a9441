"""Facts with a source, and consent: what people control themselves."""

from collections.abc import Awaitable, Callable

import pytest

from core.ports import StoredSource
from core.values import FactSource, KeptFact
from tests.contract.bundle import AKI, AKI_DM, BEN, CHANNEL, GUILD, NOON, OTHER_GUILD, THREAD, AnyStores, after, message

IN_CHANNEL = FactSource.of(41, CHANNEL)
IN_THREAD = FactSource.of(42, THREAD)
IN_DM = FactSource.of(43, AKI_DM)
ELSEWHERE = FactSource.of(44, OTHER_GUILD)


async def told(stores: AnyStores) -> None:
    for source in (IN_CHANNEL, IN_THREAD, IN_DM, ELSEWHERE, None):
        text = "by command" if source is None else f"told in {source.message_id}"
        await stores.kept_facts.add(AKI, text, now=NOON, source=source)


async def left(stores: AnyStores) -> list[int]:
    return [fact.source.message_id if fact.source else 0 for fact in await stores.kept_facts.of(AKI)]


async def test_a_fact_knows_where_it_was_told(stores: AnyStores) -> None:
    await told(stores)

    assert [fact.source for fact in await stores.kept_facts.of(AKI)] == [IN_CHANNEL, IN_THREAD, IN_DM, ELSEWHERE, None]
    fact = KeptFact(number=2, text="told in 42", told_at=NOON, source=IN_THREAD)
    assert await stores.kept_facts.told_in(42) == [(AKI, fact)]
    assert await stores.kept_facts.told_in(99) == []


GONE: dict[str, tuple[Callable[[AnyStores], Awaitable[object]], list[int]]] = {
    "message": (lambda stores: stores.archive.delete([41, 43]), [42, 44, 0]),
    "sensitive": (lambda stores: stores.archive.edit(43, None, after(9)), [41, 42, 44, 0]),
    "channel": (lambda stores: stores.archive.delete_channel(CHANNEL.channel_id), [43, 44, 0]),
    "server": (lambda stores: stores.guilds.delete(GUILD), [43, 44, 0]),
    "retention": (lambda stores: stores.archive.delete_older_than(after(10_000)), [41, 42, 43, 44, 0]),
    "edited": (lambda stores: stores.archive.edit(43, "something", after(9)), [41, 42, 43, 44, 0]),
}


@pytest.mark.parametrize(("change", "expected"), GONE.values(), ids=GONE)
@pytest.mark.parametrize("archived", [True, False])
async def test_a_fact_goes_with_its_source_and_not_with_the_archive(
    stores: AnyStores, change: Callable[[AnyStores], Awaitable[object]], expected: list[int], archived: bool
) -> None:
    await told(stores)
    if archived:
        await stores.archive.add([message(41, "a"), message(42, "b", surface=THREAD), message(43, "c", surface=AKI_DM)])

    await change(stores)

    assert await left(stores) == expected


MEANWHILE: dict[str, Callable[[AnyStores], Awaitable[object]]] = {
    "message": lambda stores: stores.archive.delete([41]),
    "one copy": lambda stores: stores.archive.delete_guild(GUILD, character="other"),
    "edited": lambda stores: stores.archive.edit(41, "no cats", after(9)),
    "sensitive": lambda stores: stores.archive.edit(41, None, after(9)),
    "channel": lambda stores: stores.archive.delete_channel(CHANNEL.channel_id),
    "person": lambda stores: stores.privacy.forget(AKI),
}


@pytest.mark.parametrize("change", MEANWHILE.values(), ids=MEANWHILE)
async def test_no_fact_is_kept_of_a_message_that_changed_since_it_was_read(
    stores: AnyStores, change: Callable[[AnyStores], Awaitable[object]]
) -> None:
    await stores.archive.add([message(41, "two cats"), message(41, "two cats", character="other")])
    stored = await stores.kept_facts.source(41)
    assert stored is not None

    await change(stores)

    assert await stores.kept_facts.add(AKI, "two cats", now=NOON, source=IN_CHANNEL, stored=stored) is None
    assert await stores.kept_facts.of(AKI) == []


async def test_a_fact_is_kept_of_a_message_that_is_as_it_was_read(stores: AnyStores) -> None:
    await stores.archive.add([message(41, "two cats"), message(42, "other")])
    await stores.archive.edit(41, "three cats", after(9))
    stored = await stores.kept_facts.source(41)
    await stores.archive.delete([42])

    assert stored == StoredSource(copies=1, sensitive=False, edited_at=after(9))
    assert await stores.kept_facts.add(AKI, "three cats", now=NOON, source=IN_CHANNEL, stored=stored) is not None


async def test_a_message_that_is_stored_nowhere_can_be_the_source_of_a_fact(stores: AnyStores) -> None:
    assert await stores.kept_facts.source(41) is None
    assert await stores.kept_facts.add(AKI, "two cats", now=NOON, source=IN_CHANNEL, stored=None) is not None


async def test_a_corrected_fact_is_what_was_set_last_and_has_no_message(stores: AnyStores) -> None:
    await told(stores)

    assert await stores.kept_facts.correct(AKI, 3, "three cats", now=after(5))
    assert not await stores.kept_facts.correct(AKI, 9, "nothing", now=NOON)
    assert not await stores.kept_facts.correct(BEN, 3, "not theirs", now=NOON)

    assert (await stores.kept_facts.of(AKI))[2] == KeptFact(number=3, text="three cats", told_at=after(5))
    await stores.archive.delete([43])
    assert len(await stores.kept_facts.of(AKI)) == 5


async def test_a_retold_fact_keeps_its_day_and_its_message(stores: AnyStores) -> None:
    await told(stores)

    assert await stores.kept_facts.retell(AKI, 3, "three dogs")
    assert not await stores.kept_facts.retell(BEN, 3, "not theirs")

    fact = KeptFact(number=3, text="three dogs", told_at=NOON, source=IN_DM)
    assert (await stores.kept_facts.of(AKI))[2] == fact


async def test_consent_counts_from_when_it_was_given_first(stores: AnyStores) -> None:
    assert await stores.consents.given_at(AKI) is None

    await stores.consents.give(AKI, now=NOON)
    await stores.consents.give(AKI, now=after(9))

    assert await stores.consents.given_at(AKI) == NOON
    assert await stores.consents.given_at(BEN) is None


async def test_consent_is_withdrawn_at_once(stores: AnyStores) -> None:
    await stores.consents.give(AKI, now=NOON)

    assert await stores.consents.withdraw(AKI)
    assert not await stores.consents.withdraw(AKI)

    assert await stores.consents.given_at(AKI) is None


async def test_whoever_opts_out_consents_to_nothing(stores: AnyStores) -> None:
    await stores.consents.give(AKI, now=NOON)

    await stores.users.set_opted_out(AKI, True)
    await stores.consents.give(AKI, now=NOON)
    assert await stores.consents.given_at(AKI) is None

    await stores.users.set_opted_out(AKI, False)
    assert await stores.consents.given_at(AKI) is None
