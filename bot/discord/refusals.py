"""Why Discord would not have a character, told to the operator with what to do about it."""

import discord

from bot.discord.seats import Seat
from bot.errors import BotError

_PORTAL = "https://discord.com/developers/applications"


class DiscordRefusedError(BotError):
    """No character could be connected; the text has a line for each."""


def refusal(error: Exception, seat: Seat) -> str | None:
    """Return one line on why a character can't be connected, or None if trying again may help."""
    name = seat.character.name
    match error:
        case discord.LoginFailure():
            return _wrong_token(seat)
        case discord.PrivilegedIntentsRequired():
            return (
                f"{name}: Discord refuses the Message Content Intent (close code 4014). Switch on 'Message Content "
                f"Intent' at {_PORTAL} > your application > Bot > Privileged Gateway Intents, or set "
                "YORISOI_MESSAGE_CONTENT=false to run without it (the character then only reads DMs, mentions and "
                "replies to it)."
            )
        case discord.ConnectionClosed() if error.code == 4004:
            return _wrong_token(seat)
        case discord.ConnectionClosed() if error.code == 4011:
            return f"{name}: the bot is in too many servers for one connection (close code 4011, sharding required)."
        case discord.ConnectionClosed() if error.code in {4010, 4012, 4013}:
            return f"{name}: Discord refuses the connection (close code {error.code}): please update Yorisoi."
        case _:
            return None


def malformed_token(seat: Seat) -> str | None:
    """Return the line for a token that can't be one, since it would not even fit into a request; None for others."""
    token = seat.token.strip()
    fits = token.isascii() and token.isprintable() and " " not in token
    return None if token and fits else _wrong_token(seat)


def _wrong_token(seat: Seat) -> str:
    return (
        f"{seat.character.name}: Discord does not accept the token in {seat.token_variable}. Copy it again (or reset "
        f"it) at {_PORTAL} > your application > Bot > Token."
    )
