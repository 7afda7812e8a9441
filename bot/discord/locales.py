"""Discord's locales and ours."""

import discord

from core.values import Locale

_JAPANESE = discord.Locale.japanese
_ENGLISH = frozenset({discord.Locale.american_english, discord.Locale.british_english})


def to_locale(locale: discord.Locale) -> Locale | None:
    """Return our locale for one of Discord's; None for a language there are no texts in."""
    if locale is _JAPANESE:
        return Locale.JA
    return Locale.EN if locale in _ENGLISH else None


def guild_hint(guild: discord.Guild | None) -> Locale | None:
    """Return a server's language, as far as somebody chose it.

    Only community servers can choose; all others say American English, whatever is spoken there.
    """
    if guild is None:
        return None
    if guild.preferred_locale is discord.Locale.american_english and "COMMUNITY" not in guild.features:
        return None
    return to_locale(guild.preferred_locale)
