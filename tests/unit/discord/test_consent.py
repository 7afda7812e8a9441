"""Parts of a day as people write them, and what is made of choices."""

from dataclasses import replace
from datetime import UTC, datetime, time

import pytest

from bot.discord.consent import Consent, Party
from bot.discord.ranges import in_words, read_ranges
from bot.personal import Personal
from core.characters.pack import ProactivePolicy, TimeRange
from core.clock import SimulatedClock
from core.proactive.types import Recipient, RecipientKind
from core.stance.caution import Caution
from core.values import Locale
from prompts.messages import Messages
from tests.fakes.stores import InMemoryStores

ALICE = Party(recipient=Recipient("hinata", RecipientKind.USER, 7))
POLICY = ProactivePolicy(
    enabled=True, per_day=2, minimum_gap_minutes=300, windows=(TimeRange(start=time(9), end=time(21)),)
)


def consent(stores: InMemoryStores, policy: ProactivePolicy = POLICY) -> Consent:
    clock = SimulatedClock(datetime(2026, 11, 30, 7, 8, tzinfo=UTC))
    personal = Personal(
        users=stores.users,
        kept_facts=stores.kept_facts,
        consents=stores.consents,
        caution=Caution(),
        messages=Messages.load(),
        clock=clock,
    )
    return Consent(policy=policy, stores=stores, personal=personal, clock=clock)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("9-12", "09:00-12:00"),
        ("9:00-12:00, 18:30-21:00", "09:00-12:00, 18:30-21:00"),
        ("９時〜１２時半、18時から21時まで", "09:00-12:30, 18:00-21:00"),
        ("21:00 to 8:00 and 12-13", "21:00-08:00, 12:00-13:00"),
        ("20:00 – 24:00", "20:00-00:00"),
    ],
)
def test_ranges_are_read_as_people_write_them(text: str, shown: str) -> None:
    ranges = read_ranges(text)

    assert ranges is not None
    assert in_words(ranges) == shown


@pytest.mark.parametrize(
    "text", ["", ",", "evenings", "9:00", "25-26", "9:75-10:00", "9-9", "1-2,3-4,5-6,7-8,9-10,11-12,13-14"]
)
def test_what_is_no_range_is_not_guessed_at(text: str) -> None:
    assert read_ranges(text) is None


async def test_switching_on_makes_a_first_occasion_due() -> None:
    stores = InMemoryStores()
    await stores.users.set_timezone(7, "Asia/Tokyo")

    told = await consent(stores).switch_on(ALICE, None, Locale.EN)

    stored = await stores.subscriptions.get(ALICE.recipient)
    assert told.key == "proactive.on_done"
    assert stored is not None
    assert stored.enabled
    assert stored.due_at is not None


async def test_a_character_that_never_speaks_first_says_so_and_stores_nothing() -> None:
    stores = InMemoryStores()

    told = await consent(stores, replace(POLICY, enabled=False)).switch_on(ALICE, "Tokyo", Locale.EN)

    assert told.key == "proactive.never"
    assert await stores.subscriptions.get(ALICE.recipient) is None


async def test_wishes_that_leave_nothing_of_the_day_are_refused_and_change_nothing() -> None:
    stores = InMemoryStores()
    held = consent(stores)
    await held.switch_on(ALICE, "Tokyo", Locale.EN)
    before = await stores.subscriptions.get(ALICE.recipient)

    assert (await held.set_windows(ALICE, "22:00-23:00")).key == "proactive.nothing_left"
    assert await stores.subscriptions.get(ALICE.recipient) == before


async def test_switching_on_again_says_so_where_it_waits_for_an_answer() -> None:
    stores = InMemoryStores()
    held = consent(stores)
    await held.switch_on(ALICE, "Tokyo", Locale.EN)
    known = stores.state.subscriptions[ALICE.recipient]
    stores.state.subscriptions[ALICE.recipient] = replace(known, unanswered=POLICY.stop_after)

    told = await held.switch_on(ALICE, None, Locale.EN)

    assert told.key == "proactive.on_stopped"
    assert told.values["unanswered"] == POLICY.stop_after
    for locale in Locale:
        values = {**told.values, "name": "Hinata", "whom": "you"}
        assert str(POLICY.stop_after) in Messages.load().text(told.key, locale, **values)


async def test_a_break_for_a_channel_leaves_what_was_chosen_for_it_meanwhile() -> None:
    stores = InMemoryStores()
    held = consent(stores)
    plaza = Party(recipient=Recipient("hinata", RecipientKind.CHANNEL, 10), guild_id=2, chosen_by=7)
    await held.switch_on(plaza, "Tokyo", Locale.EN)
    listed = await stores.subscriptions.of_guild(2, character="hinata")
    await held.switch_off(plaza)

    for channel in listed:
        await held.pause_channel(channel.recipient, None)

    assert not (await held.of(plaza)).enabled


async def test_a_time_zone_that_is_forgotten_leaves_nothing_due() -> None:
    stores = InMemoryStores()
    held = consent(stores)
    await held.switch_on(ALICE, "Tokyo", Locale.EN)

    await stores.users.set_timezone(7, None)

    stored = await stores.subscriptions.get(ALICE.recipient)
    assert stored is not None
    assert stored.due_at is None
