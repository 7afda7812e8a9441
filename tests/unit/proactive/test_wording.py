"""Texts with slots: filled from the capsule, in lengths, or not said."""

from datetime import timedelta

import pytest

from core.characters.pack import Activity
from core.facts.capsule.types import CharacterFacts, NextActivity
from core.proactive.wording import slots_in, worded
from core.values import Locale

BAKING = Activity(id="bake", text={Locale.JA: "パン焼き", Locale.EN: "baking"})
READING = Activity(id="read", text={Locale.EN: "reading"})
BUSY = CharacterFacts(
    activity=BAKING,
    since=timedelta(minutes=88),
    left=timedelta(minutes=31),
    upcoming=NextActivity(activity=READING, ahead=timedelta(minutes=31)),
)
IDLE = CharacterFacts(since=timedelta(hours=1))


@pytest.mark.parametrize(
    ("text", "locale", "filled"),
    [
        ("No slots at all.", Locale.EN, "No slots at all."),
        (
            "I'm {activity}, {since}, {left}.",
            Locale.EN,
            "I'm baking, started about an hour and a half ago, about 30 minutes left.",
        ),
        ("{since}{activity}中。{left}。", Locale.JA, "1時間半くらい前からパン焼き中。あと30分ほど。"),
        ("Next: {next}, {ahead}.", Locale.EN, "Next: reading, in about 30 minutes."),
        ("{activity} {activity}", Locale.EN, "baking baking"),
    ],
)
def test_slots_are_filled_from_the_capsule(text: str, locale: Locale, filled: str) -> None:
    assert worded(text, BUSY, locale) == filled


@pytest.mark.parametrize("text", ["{activity}", "{since}", "{left}", "{next}", "{ahead}", "{time}", "{}", "{Activity}"])
def test_what_the_capsule_does_not_hold_leaves_the_text_unsaid(text: str) -> None:
    assert worded(text, IDLE, Locale.EN) is None


def test_a_title_that_is_missing_in_the_language_leaves_the_text_unsaid() -> None:
    assert worded("{next}", BUSY, Locale.JA) is None


def test_what_fills_a_slot_is_not_filled_again() -> None:
    braced = Activity(id="odd", text={Locale.EN: "{left}"})
    assert worded("{activity}", CharacterFacts(activity=braced), Locale.EN) == "{left}"


def test_slots_are_named_in_their_order() -> None:
    assert slots_in("a {left} b {since} {x}") == ("left", "since", "x")
