"""Discord: is the token valid, which intents are on, what may the bot do in each server, how far is the clock off."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

from bot.doctor.finding import Finding, ok, problem, warning
from core.clock import Clock

_ADMINISTRATOR = 1 << 3
# What the character needs to talk; the names are those of the server settings.
PERMISSIONS = {
    "View Channels": 1 << 10,
    "Send Messages": 1 << 11,
    "Read Message History": 1 << 16,
    "Send Messages in Threads": 1 << 38,
}
_MESSAGE_CONTENT = (1 << 18) | (1 << 19)
_SECONDS = 15
_TOLERATED_SKEW = 5.0
_PORTAL = "https://discord.com/developers/applications"


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenToCheck:
    """A character's token and the environment variable it came from."""

    character: str
    variable: str
    token: str = field(repr=False)


async def check_token(api_base: str, entry: TokenToCheck, *, clock: Clock, wants_content: bool) -> list[Finding]:
    """Ask Discord about one token: three requests, none of which changes anything."""
    import aiohttp  # noqa: PLC0415

    topic = f"discord ({entry.character})"
    headers = {"Authorization": f"Bot {entry.token}"}
    timeout = aiohttp.ClientTimeout(total=_SECONDS)
    try:
        async with aiohttp.ClientSession(headers=headers, timeout=timeout, trust_env=True) as session:
            async with session.get(f"{api_base}/applications/@me") as response:
                now, sent_at = clock.now(), response.headers.get("Date")
                if response.status != 200:
                    return [_refused(topic, entry, response.status)]
                application = await response.json()
            async with session.get(f"{api_base}/users/@me/guilds?limit=200") as response:
                guilds = await response.json() if response.status == 200 else None
    except (aiohttp.ClientError, TimeoutError, ValueError, OSError) as error:
        fix = "Check the network, a proxy or firewall, and YORISOI_DISCORD_API_BASE."
        return [problem(topic, f"{api_base} can't be reached ({type(error).__name__})", fix)]
    return [
        ok(topic, f"{entry.variable} is valid: {application.get('name', 'the application')}"),
        _intent(topic, int(application.get("flags") or 0), wants_content=wants_content),
        *_guilds(topic, guilds),
        *_skew(now, sent_at),
    ]


async def check_tokens(
    api_base: str, entries: list[TokenToCheck], *, clock: Clock, wants_content: bool
) -> list[Finding]:
    """Check every token, or say that there is none."""
    if not entries:
        fix = f"To use Discord, set YORISOI_DISCORD_TOKEN (from {_PORTAL}, page Bot)."
        return [warning("discord", "no token is set: `yorisoi run` opens a chat in the terminal", fix)]
    checks = (check_token(api_base, entry, clock=clock, wants_content=wants_content) for entry in entries)
    return [finding for findings in await asyncio.gather(*checks) for finding in findings]


def _refused(topic: str, entry: TokenToCheck, status: int) -> Finding:
    if status == 401:
        fix = f"Reset the token on the Bot page of {_PORTAL} and put the new one into {entry.variable}."
        return problem(topic, f"the token in {entry.variable} is not valid", fix)
    return problem(topic, f"Discord answered {status}", "Try again later; if it stays, check YORISOI_DISCORD_API_BASE.")


def _intent(topic: str, flags: int, *, wants_content: bool) -> Finding:
    if flags & _MESSAGE_CONTENT:
        return ok(topic, "message content intent is on")
    reduced = "the message content intent is off: only DMs, mentions and replies can be read"
    where = f"Switch on 'Message Content Intent' on the Bot page of {_PORTAL}"
    if wants_content:
        return problem(topic, reduced, f"{where}, or set YORISOI_MESSAGE_CONTENT=false.")
    return warning(topic, reduced, f"{where} and set YORISOI_MESSAGE_CONTENT=true.")


def _guilds(topic: str, guilds: list[Mapping[str, Any]] | None) -> list[Finding]:
    if guilds is None:
        return [warning(topic, "the list of servers can't be read", "Try again later.")]
    if not guilds:
        return [warning(topic, "the bot is in no server yet", "Invite it: see 'Put it on your server' in the README.")]
    return [_guild(topic, guild) for guild in guilds]


def _guild(topic: str, guild: Mapping[str, Any]) -> Finding:
    allowed = int(guild.get("permissions") or 0)
    missing = [name for name, bit in PERMISSIONS.items() if not allowed & (bit | _ADMINISTRATOR)]
    name = f"server {guild.get('name')} ({guild.get('id')})"
    if missing:
        fix = f"Give the bot's role these permissions in the server settings: {', '.join(missing)}."
        return problem(topic, f"{name}: missing {', '.join(missing)}", fix)
    return ok(topic, f"{name}: all permissions are there")


def _skew(now: datetime, sent_at: str | None) -> list[Finding]:
    try:
        theirs = parsedate_to_datetime(sent_at) if sent_at else None
    except ValueError:
        theirs = None
    if theirs is None:
        return []
    off = (now - theirs).total_seconds()
    if abs(off) > _TOLERATED_SKEW:
        fix = "Switch on time synchronisation (NTP) on this machine."
        apart = f"{off:.0f} s ahead of Discord's clock" if off > 0 else f"{-off:.0f} s behind Discord's clock"
        return [warning("clock", apart, fix)]
    return [ok("clock", "agrees with Discord's clock")]
