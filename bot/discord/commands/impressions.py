"""`/memory interests|people|posts`: what the character made of the community, for those who run it alone."""

import asyncio
import io
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

import discord
from discord import app_commands
from discord.utils import escape_markdown

from bot.discord.commands.desk import Desk
from bot.discord.commands.pager import LongPager
from core.social.types import Interest
from core.values import Locale

# Four of the longest entries fit into one message, each with its address and its mention.
_PAGE = 4
_LONGEST, _LONGEST_TAGS = 220, 70
_DRAWN = 500

_Fetch = Callable[[Locale, int], Awaitable[list[str]]]


def impressions(desk: Desk) -> list[app_commands.Command[Any, ..., Any]]:
    """Return the commands."""
    return [
        _command(desk, "interests", _interests(desk), picture=True),
        _command(desk, "people", _people(desk)),
        _command(desk, "posts", _posts(desk)),
    ]


def _interests(desk: Desk) -> _Fetch:
    async def fetch(locale: Locale, offset: int) -> list[str]:
        found = await desk.stores.social.interest_history(desk.character.name, limit=_PAGE, offset=offset)
        return [
            desk.messages.text(
                "impressions.interest",
                locale,
                moment=_moment(one.at),
                text=_shown(one.text),
                tags=_tags(one.tags),
            )
            for one in found
        ]

    return fetch


def _people(desk: Desk) -> _Fetch:
    async def fetch(locale: Locale, offset: int) -> list[str]:
        stores, name = desk.stores.social, desk.character.name
        followed = set(await stores.following(name))
        return [
            desk.messages.text(
                f"impressions.{'followed' if one.peer_id in followed else 'person'}",
                locale,
                moment=_moment(one.at),
                person=f"<@{one.peer_id}>",
                name=escape_markdown(one.name),
                text=_shown(one.text),
                tags=_tags(one.tags),
            )
            for one in await stores.peer_impressions(name, limit=_PAGE, offset=offset)
        ]

    return fetch


def _posts(desk: Desk) -> _Fetch:
    async def fetch(locale: Locale, offset: int) -> list[str]:
        found = await desk.stores.social.post_impressions(desk.character.name, limit=_PAGE, offset=offset)
        places = {one.post.id: one.post.surface for one in await desk.stores.posts.get([one.post_id for one in found])}
        lines = []
        for one in found:
            place = places.get(one.post_id)
            url = "" if place is None else f"https://discord.com/channels/{place.guild_id}/{place.channel_id}/"
            wishes = [key for key, wanted in (("like", one.should_like), ("reply", one.should_reply)) if wanted]
            lines.append(
                desk.messages.text(
                    "impressions.post",
                    locale,
                    moment=_moment(one.at),
                    person=f"<@{one.peer_id}>",
                    post=f"<{url}{one.post_id}>" if url else f"`{one.post_id}`",
                    text=_shown(one.text),
                    tags=_tags(one.tags),
                    wishes=" ".join(desk.messages.text(f"impressions.wish.{key}", locale) for key in wishes),
                )
            )
        return lines

    return fetch


def _command(desk: Desk, name: str, fetch: _Fetch, *, picture: bool = False) -> app_commands.Command[Any, ..., Any]:
    async def show(interaction: discord.Interaction[Any]) -> None:
        desk.require_owner(interaction)
        await desk.answers.think(interaction)
        locale = await desk.answers.locale(interaction)
        count = (await desk.stores.social.counts(desk.character.name))[name]
        if not count:
            await desk.answers.tell(interaction, f"impressions.no_{name}")
            return

        async def page(number: int) -> str:
            head = desk.messages.text(f"impressions.head_{name}", locale, count=count)
            return "\n".join([head, *await fetch(locale, number * _PAGE)])

        pager = LongPager(desk, locale, await page(0), count=-(-count // _PAGE), fetch=page)
        files = [await _picture(desk, locale)] if picture else []
        await interaction.edit_original_response(
            content=pager.page if pager.has_more else await page(0),
            view=pager if pager.has_more else None,
            attachments=files,
            allowed_mentions=discord.AllowedMentions.none(),
        )

    return app_commands.Command(
        name=desk.words(f"command.memory.{name}.name"),
        description=desk.words(f"command.memory.{name}.description"),
        callback=show,
    )


async def _picture(desk: Desk, locale: Locale) -> discord.File:
    from bot.interest_chart import chart, movement  # noqa: PLC0415 - Pillow is needed by this command alone

    newest_first = await desk.stores.social.interest_history(desk.character.name, limit=_DRAWN)
    history = newest_first[::-1]
    moved = await asyncio.to_thread(movement, [one.features for one in history])
    png = await asyncio.to_thread(chart, moved, [one.at for one in history])
    return discord.File(io.BytesIO(png), "interest.png", description=_alt(desk, locale, history, moved.to_now[0]))


def _alt(desk: Desk, locale: Locale, history: list[Interest], first: float) -> str:
    return desk.messages.text(
        "impressions.alt",
        locale,
        count=len(history),
        first=f"{history[0].at:%Y-%m-%d}",
        last=f"{history[-1].at:%Y-%m-%d}",
        likeness=f"{first:.2f}",
    )


def _shown(text: str) -> str:
    return _cut(escape_markdown(" ".join(text.split())), _LONGEST)


def _tags(tags: tuple[str, ...]) -> str:
    return _cut(escape_markdown(", ".join(tags)), _LONGEST_TAGS)


def _cut(escaped: str, most: int) -> str:
    return escaped if len(escaped) <= most else escaped[: most - 1].rstrip("\\") + "…"


def _moment(at: datetime) -> str:
    return f"<t:{int(at.timestamp())}:f>"
