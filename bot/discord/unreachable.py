"""Tells errors that no further attempt can mend from those that another might."""

import discord

from bot.discord.courier import CANNOT_DM
from core.errors import DeliveryError, UnreachableError

_NO_MUTUAL_GUILD = 50278


def as_unreachable(error: DeliveryError) -> DeliveryError:
    """Return the error as one that no further attempt can mend, where it is one; else as it is."""
    cause = error.__cause__
    if isinstance(cause, discord.Forbidden):
        return UnreachableError(str(error), forbidden=cause.code not in {CANNOT_DM, _NO_MUTUAL_GUILD})
    return UnreachableError(str(error)) if isinstance(cause, discord.NotFound) else error
