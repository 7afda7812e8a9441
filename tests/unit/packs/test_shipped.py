"""The character that comes with the program: complete in both languages, and small enough for a small model."""

import re

import pytest

from core.characters.pack import Candidate, Schedule, Weekday
from core.language_model.tokens import estimate_tokens
from core.values import Locale
from data.packs.loader import SHIPPED, load_pack, pack_folders
from prompts.loader import PromptLibrary

HINATA = load_pack(SHIPPED / "hinata")


def by_locale() -> list[tuple[Locale, Candidate]]:
    return [(locale, candidate) for locale, found in HINATA.candidates.items() for candidate in found]


def test_every_shipped_pack_is_valid_without_a_warning() -> None:
    packs = [load_pack(folder) for folder in pack_folders().values()]

    assert [pack.character.name for pack in packs] == ["hinata"]
    assert [warning for pack in packs for warning in pack.warnings] == []


def test_everything_is_there_in_both_languages() -> None:
    character = HINATA.character
    both = {Locale.JA, Locale.EN}

    assert set(character.locales) == both
    assert set(character.display_name) == set(character.introduction) == set(character.personality) == both
    assert all(set(activity.text) == both for activity in HINATA.schedule.activities.values())
    assert set(HINATA.candidates) == both


@pytest.mark.parametrize(("locale", "limit"), [(Locale.JA, 330), (Locale.EN, 250)])
def test_personality_is_compact(locale: Locale, limit: int) -> None:
    # The estimate counts a token for each Japanese character, where models need about two thirds of one.
    assert estimate_tokens(HINATA.character.personality[locale]) <= limit


@pytest.mark.parametrize(("locale", "limit"), [(Locale.JA, 640), (Locale.EN, 450)])
def test_whole_system_message_is_quick_to_read_for_a_small_model(locale: Locale, limit: int) -> None:
    character = HINATA.character
    system = PromptLibrary.load().render(
        "chat-frame",
        locale,
        display_name=character.display_name[locale],
        personality=character.personality[locale],
        group=True,
    )

    assert estimate_tokens(system) <= limit


def test_public_profile_says_that_it_is_an_ai() -> None:
    assert all("AI" in text for text in HINATA.character.introduction.values())


def test_week_has_a_night_over_midnight_and_every_day_something_to_do() -> None:
    spans = [(day, entry.span) for entry in HINATA.schedule.weekly for day in entry.days]

    assert any(span.crosses_midnight for _, span in spans)
    assert {day for day, span in spans if span.activity != "sleep"} == set(Weekday)
    assert len({day_names(HINATA.schedule, day) for day in Weekday}) >= 6


def day_names(schedule: Schedule, day: Weekday) -> tuple[str, ...]:
    return tuple(sorted(entry.span.activity for entry in schedule.weekly if day in entry.days))


def test_some_days_go_otherwise() -> None:
    assert len(HINATA.schedule.exceptions) >= 2


@pytest.mark.parametrize("locale", list(Locale))
def test_there_is_enough_to_say(locale: Locale) -> None:
    candidates = HINATA.candidates[locale]

    assert sum(candidate.window is None for candidate in candidates) >= 60
    assert sum(candidate.window is not None for candidate in candidates) >= 20


def test_candidates_say_the_same_things_in_both_languages() -> None:
    ja, en = (HINATA.candidates[locale] for locale in Locale)

    assert [(c.id, c.window) for c in ja] == [(c.id, c.window) for c in en]


@pytest.mark.parametrize(("locale", "candidate"), by_locale(), ids=lambda value: getattr(value, "id", value))
def test_candidate_is_short(locale: Locale, candidate: Candidate) -> None:
    assert len(candidate.text) <= (90 if locale is Locale.JA else 160)


@pytest.mark.parametrize(("locale", "candidate"), by_locale(), ids=lambda value: getattr(value, "id", value))
def test_no_candidate_begs_for_an_answer(locale: Locale, candidate: Candidate) -> None:
    needy = re.compile(r"寂し|さみし|待ってた|返事(?:して|ちょうだい)|忘れちゃった[?？]|missed? you|lonely|waiting for")

    assert needy.search(candidate.text) is None
