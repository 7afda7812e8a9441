"""Which language somebody is answered in."""

from collections.abc import Sequence

from core.locale import detect_locale
from core.values import GuildSettings, InboundMessage, Locale, UserProfile


def seen_language(messages: Sequence[InboundMessage], user: UserProfile) -> Locale | None:
    """Return the language somebody writes in, by what they wrote before and now; None while that tells nothing."""
    seen = user.seen_locale
    for message in messages:
        seen = detect_locale(message.text, before=seen)
    return seen


def language_wishes(
    messages: Sequence[InboundMessage], user: UserProfile, guild: GuildSettings | None
) -> tuple[Locale, ...]:
    """Return the languages to answer in, the best first: chosen, else seen, else the server's, else the app's."""
    server = guild.locale if guild is not None else None
    wishes = (user.locale, seen_language(messages, user), server, messages[-1].locale_hint)
    return tuple(wish for wish in wishes if wish is not None)
