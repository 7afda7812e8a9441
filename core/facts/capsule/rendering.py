"""A capsule as the note a chat model reads, and as plain values."""

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from core.characters.pack import Activity
from core.facts.capsule.lengths import Phrase, days_ago, phrase
from core.facts.capsule.types import CharacterFacts, FactCapsule, UserFacts
from core.facts.world import weekday_in_english, world_in_words
from core.values import Locale
from prompts.loader import PromptLibrary

TEMPLATE = "fact-capsule"


def render_capsule(capsule: FactCapsule, prompts: PromptLibrary, locale: Locale) -> str:
    """Return the note that is put right before the newest message."""
    return prompts.render(
        TEMPLATE,
        locale,
        world=world_in_words(capsule.world, locale),
        character=_character(capsule.character, locale),
        user=_user(capsule.user, locale),
        clock=capsule.clock,
        private=capsule.private,
    )


def capsule_as_dict(capsule: FactCapsule, locale: Locale) -> dict[str, Any]:
    """Return a capsule as JSON values by owner; lengths in seconds."""
    return {
        "world": {
            "now": capsule.world.now.isoformat(),
            "timezone": capsule.world.timezone,
            "clock": capsule.clock.value,
            "date": capsule.world.date.isoformat(),
            "weekday": weekday_in_english(capsule.world.date),
            "time": capsule.world.now.strftime("%H:%M"),
            "part_of_day": capsule.world.part_of_day.value,
            "holiday": capsule.world.holiday.name[locale] if capsule.world.holiday else None,
        },
        "character": _character_as_dict(capsule.character, locale),
        "user": {
            "timezone": capsule.user.timezone,
            "is_new": capsule.user.is_new,
            "since_last_spoke": _seconds(capsule.user.since_last_spoke),
            "kept": [{"text": fact.text, "days_ago": fact.days_ago} for fact in capsule.user.kept],
        },
    }


@dataclass(frozen=True, slots=True, kw_only=True)
class _CharacterWords:
    scheduled: bool
    asleep: bool
    lives_elsewhere: bool
    activity: str | None
    course: tuple[str, ...]
    upcoming: str | None
    ahead: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class _ToldWords:
    ago: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _UserWords:
    is_new: bool
    last_spoke: str | None
    kept: tuple[_ToldWords, ...]


def _character(facts: CharacterFacts, locale: Locale) -> _CharacterWords:
    upcoming = facts.upcoming
    follows_at_once = upcoming is not None and facts.activity is not None and upcoming.ahead == facts.left
    since, left = _phrase(Phrase.SINCE, facts.since, locale), _phrase(Phrase.LEFT, facts.left, locale)
    # Empty time is over when the next thing begins, which is told anyway.
    course = (since, left) if facts.activity else (since,)
    return _CharacterWords(
        scheduled=facts.scheduled,
        asleep=facts.asleep,
        lives_elsewhere=facts.lives_elsewhere,
        activity=_title(facts.activity, locale),
        course=tuple(part for part in course if part is not None),
        upcoming=_title(upcoming.activity, locale) if upcoming else None,
        ahead=phrase(Phrase.AHEAD, upcoming.ahead, locale) if upcoming and not follows_at_once else None,
    )


def _user(facts: UserFacts, locale: Locale) -> _UserWords:
    return _UserWords(
        is_new=facts.is_new,
        last_spoke=_phrase(Phrase.AGO, facts.since_last_spoke, locale),
        kept=tuple(_ToldWords(ago=days_ago(fact.days_ago, locale), text=fact.text) for fact in facts.kept),
    )


def _phrase(kind: Phrase, length: timedelta | None, locale: Locale) -> str | None:
    return None if length is None else phrase(kind, length, locale)


def _title(activity: Activity | None, locale: Locale) -> str | None:
    return None if activity is None else activity.text.get(locale) or next(iter(activity.text.values()))


def _character_as_dict(facts: CharacterFacts, locale: Locale) -> dict[str, Any]:
    upcoming = facts.upcoming
    return {
        "scheduled": facts.scheduled,
        "activity": _activity_as_dict(facts.activity, locale),
        "asleep": facts.asleep,
        "since": _seconds(facts.since),
        "left": _seconds(facts.left),
        "next": {**(_activity_as_dict(upcoming.activity, locale) or {}), "in": _seconds(upcoming.ahead)}
        if upcoming
        else None,
        "lives_elsewhere": facts.lives_elsewhere,
    }


def _activity_as_dict(activity: Activity | None, locale: Locale) -> dict[str, Any] | None:
    return None if activity is None else {"id": activity.id, "text": _title(activity, locale)}


def _seconds(length: timedelta | None) -> int | None:
    return None if length is None else int(length.total_seconds())
