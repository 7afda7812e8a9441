"""The capsule of any moment, outside of a turn: what `yorisoi inspect capsule` shows."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.characters.pack import CharacterPack
from core.facts.capsule.compiling import compile_capsule
from core.facts.capsule.rendering import capsule_as_dict, render_capsule
from core.facts.schedule.timetable import Timetable
from core.values import Locale, UserProfile
from prompts.loader import PromptLibrary


@dataclass(frozen=True, slots=True, kw_only=True)
class CapsuleView:
    """A capsule as the model would read it, and as JSON values."""

    text: str
    data: dict[str, Any]


def inspect_capsule(
    pack: CharacterPack,
    prompts: PromptLibrary,
    *,
    at: datetime,
    user_timezone: str | None = None,
    locale: Locale | None = None,
) -> CapsuleView:
    """Return the capsule that a stranger's private message at an aware moment would be answered with.

    Raises:
        FactsError: no such time zone, or the schedule's holidays are of no known place.
    """
    character = pack.character
    locale = locale or character.locale
    capsule = compile_capsule(
        observed_at=at,
        timezone=character.timezone if user_timezone is None else user_timezone,
        timetable=timetable_of(pack),
        user=UserProfile(id=0, timezone=user_timezone),
        last_seen_at=None,
        private=True,
    )
    text = render_capsule(capsule, prompts, locale)
    return CapsuleView(
        text=text,
        data={"character": character.name, "locale": locale.value, "text": text}
        | {"facts": capsule_as_dict(capsule, locale)},
    )


def timetable_of(pack: CharacterPack) -> Timetable | None:
    """Return a character's timetable, None where its pack has no schedule.

    Raises:
        FactsError: the schedule's holidays are of no known place.
    """
    schedule = pack.schedule
    if not schedule.activities:
        return None
    return Timetable.of(schedule, pack.character.timezone)
