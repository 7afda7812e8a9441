from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from bot.personal import MOST_FACTS, Personal
from core.clock import SimulatedClock
from core.memory.asking import LONGEST_FACT
from core.memory.offer import KeepOffer
from core.ports import StoredSource
from core.stance.caution import Caution
from core.values import FactSource, KeptFact, Locale
from prompts.messages import Messages
from tests.fakes.stores import InMemoryStores

NOW = datetime(2026, 11, 30, 7, 8, tzinfo=UTC)
ALICE = 7


class Case:
    def __init__(self) -> None:
        self.stores = InMemoryStores()
        self.personal = Personal(
            users=self.stores.users,
            kept_facts=self.stores.kept_facts,
            consents=self.stores.consents,
            caution=Caution(),
            messages=Messages.load(),
            clock=SimulatedClock(NOW),
        )

    async def zone(self) -> str | None:
        return (await self.stores.users.get(ALICE)).timezone

    async def texts(self) -> list[str]:
        return [fact.text for fact in await self.personal.facts(ALICE)]


async def test_a_zone_is_set_shown_and_forgotten() -> None:
    case = Case()
    assert (await case.personal.timezone(ALICE, Locale.EN)).key == "timezone.none"
    done = await case.personal.set_timezone(ALICE, "ニューヨーク", Locale.EN)
    assert (done.key, done.values["time"]) == ("timezone.done", "2:08 AM")
    assert done.values["place"] == "New York (United States)"
    assert await case.zone() == "America/New_York"
    assert (await case.personal.timezone(ALICE, Locale.JA)).values["place"] == "ニューヨーク（アメリカ合衆国）"
    assert (await case.personal.forget_timezone(ALICE)).key == "timezone.forgotten"
    assert await case.zone() is None


@pytest.mark.parametrize(("wish", "key"), [("Atlantis", "timezone.unknown"), ("United States", "timezone.which")])
async def test_a_place_that_is_not_clear_changes_nothing(wish: str, key: str) -> None:
    case = Case()
    await case.personal.set_timezone(ALICE, "Tokyo", Locale.EN)
    assert (await case.personal.set_timezone(ALICE, wish, Locale.EN)).key == key
    assert await case.zone() == "Asia/Tokyo"


async def test_a_fact_is_kept_once_in_one_line() -> None:
    case = Case()
    assert (await case.personal.remember(ALICE, "  I have\ntwo cats ")).key == "memory.added"
    assert (await case.personal.remember(ALICE, "I have two cats")).key == "memory.known"
    assert await case.texts() == ["I have two cats"]


async def test_a_fact_with_a_clock_time_is_kept_with_a_word_about_it() -> None:
    case = Case()
    assert (await case.personal.remember(ALICE, "毎朝6時に起きる")).key == "memory.added_clock"
    assert await case.texts() == ["毎朝6時に起きる"]


@pytest.mark.parametrize("text", ["today is my birthday", "I'm tired now", "明日引っ越す", "今日は休み"])
async def test_a_fact_that_gets_old_is_kept_with_a_word_about_it(text: str) -> None:
    case = Case()
    assert (await case.personal.remember(ALICE, text)).key == "memory.added_passing"
    assert await case.texts() == [text]


@pytest.mark.parametrize(("text", "key"), [(" \n ", "memory.empty"), ("x" * (LONGEST_FACT + 1), "memory.too_long")])
async def test_what_is_no_short_sentence_is_not_kept(text: str, key: str) -> None:
    case = Case()
    assert (await case.personal.remember(ALICE, text)).key == key
    assert await case.texts() == []


async def test_there_is_room_for_so_many_facts_and_again_after_one_was_forgotten() -> None:
    case = Case()
    for number in range(MOST_FACTS):
        assert (await case.personal.remember(ALICE, f"fact {number}" + "x" * 190)).key == "memory.added"
    assert (await case.personal.remember(ALICE, "one more")).key == "memory.full"
    assert (await case.personal.forget_fact(ALICE, 3)).key == "memory.forgotten"
    assert (await case.personal.forget_fact(ALICE, 3)).key == "memory.no_such"
    assert (await case.personal.remember(ALICE, "one more")).key == "memory.added"


async def test_of_those_who_opted_out_nothing_new_is_kept_and_everything_can_be_forgotten() -> None:
    case = Case()
    await case.personal.remember(ALICE, "I have two cats")
    await case.personal.set_timezone(ALICE, "Tokyo", Locale.EN)
    await case.stores.users.set_opted_out(ALICE, True)
    assert (await case.personal.remember(ALICE, "and a dog")).key == "memory.opted_out"
    assert (await case.personal.set_timezone(ALICE, "Rome", Locale.EN)).key == "timezone.opted_out"
    assert await case.zone() == "Asia/Tokyo"
    assert (await case.personal.forget_fact(ALICE, 1)).key == "memory.forgotten"
    assert (await case.personal.forget_timezone(ALICE)).key == "timezone.forgotten"
    assert (await case.texts(), await case.zone()) == ([], None)


OFFER = KeepOffer(
    text="I have two cats",
    user_id=ALICE,
    source=FactSource(message_id=5, channel_id=10, guild_id=20),
    told_at=NOW - timedelta(days=1),
)


async def test_an_offer_that_was_accepted_is_kept_with_its_message_and_its_day() -> None:
    case = Case()
    assert (await case.personal.accept(OFFER)).key == "memory.added_here"
    assert (await case.personal.accept(OFFER)).key == "memory.known"
    kept = KeptFact(number=1, text=OFFER.text, told_at=OFFER.told_at, source=OFFER.source)
    assert await case.personal.facts(ALICE) == [kept]


GONE_SINCE = StoredSource(copies=1, sensitive=False, edited_at=None)


async def test_an_offer_is_not_kept_once_its_message_is_gone() -> None:
    case = Case()
    assert (await case.personal.accept(OFFER, GONE_SINCE)).key == "memory.source_moved"
    assert await case.personal.facts(ALICE) == []


async def test_a_corrected_fact_is_set_anew_and_used_in_private_only() -> None:
    case = Case()
    await case.personal.accept(OFFER)
    assert (await case.personal.correct_fact(ALICE, 1, " I have\nthree cats ")).key == "memory.corrected"
    assert await case.personal.facts(ALICE) == [KeptFact(number=1, text="I have three cats", told_at=NOW)]
    assert (await case.personal.correct_fact(ALICE, 9, "x")).key == "memory.no_such"
    assert (await case.personal.correct_fact(ALICE, 1, "")).key == "memory.empty"


async def test_what_weighs_on_somebody_is_not_kept_by_a_command_either() -> None:
    case = Case()
    await case.personal.remember(ALICE, "I have two cats")
    assert (await case.personal.remember(ALICE, "I want to die")).key == "memory.weighs"
    assert (await case.personal.correct_fact(ALICE, 1, "うつ病なんだ")).key == "memory.weighs"
    assert await case.texts() == ["I have two cats"]


async def test_consent_is_given_withdrawn_and_not_taken_of_those_who_opted_out() -> None:
    case = Case()
    assert (await case.personal.set_consent(ALICE, given=False)).key == "privacy.remember_off_already"
    assert (await case.personal.set_consent(ALICE, given=True)).key == "privacy.remember_on_done"
    assert await case.personal.consent(ALICE) == NOW
    assert (await case.personal.set_consent(ALICE, given=False)).key == "privacy.remember_off_done"
    assert await case.personal.consent(ALICE) is None
    await case.stores.users.set_opted_out(ALICE, True)
    assert (await case.personal.set_consent(ALICE, given=True)).key == "privacy.remember_opted_out"


@pytest.mark.parametrize("locale", Locale)
async def test_everything_that_is_told_has_a_text(locale: Locale) -> None:
    case, messages = Case(), Messages.load()
    told = [
        await case.personal.timezone(ALICE, locale),
        await case.personal.set_timezone(ALICE, "Atlantis", locale),
        await case.personal.set_timezone(ALICE, "United States", locale),
        await case.personal.set_timezone(ALICE, "UTC", locale),
        await case.personal.timezone(ALICE, locale),
        await case.personal.forget_timezone(ALICE),
        await case.personal.remember(ALICE, "a"),
        await case.personal.remember(ALICE, "a"),
        await case.personal.remember(ALICE, ""),
        await case.personal.remember(ALICE, "x" * 500),
        await case.personal.remember(ALICE, "I get up at 6:30"),
        await case.personal.remember(ALICE, "today is my birthday"),
        await case.personal.accept(replace(OFFER, text="I have a dog"), GONE_SINCE),
        await case.personal.accept(OFFER),
        await case.personal.correct_fact(ALICE, 4, "I have three cats"),
        await case.personal.remember(ALICE, "I want to die"),
        await case.personal.forget_fact(ALICE, 1),
        await case.personal.forget_fact(ALICE, 1),
        await case.personal.set_consent(ALICE, given=False),
        await case.personal.set_consent(ALICE, given=True),
        await case.personal.set_consent(ALICE, given=False),
    ]
    for one in told:
        assert messages.text(one.key, locale, **one.values)
