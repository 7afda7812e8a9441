"""`/social`: what the character does as a member of the community; for those who run it, channels for each server."""

from collections.abc import Iterable
from typing import Any

import discord
from discord import app_commands
from discord.utils import escape_markdown

from bot.discord.commands.desk import Desk, NotAllowedError
from bot.discord.commands.pager import pages_of, show_pages
from bot.discord.commands.reasons import reason
from bot.discord.courier import quietly
from core.social.cycle import CycleReport
from core.social.journal import Decision
from core.social.types import AllowedChannel, CycleRecord, PlaceKind, Trouble
from core.values import Locale

_MOST_PER_HOUR = 60
_LONGEST_TEXT = 300
_KINDS = {discord.ChannelType.text: PlaceKind.CHAT, discord.ChannelType.forum: PlaceKind.FORUM}
_PLACES = {"post": "channel", "follow": "person", "unfollow": "person", "peer": "person"}


def social(desk: Desk) -> app_commands.Group:
    """Return the group of commands."""
    group = app_commands.Group(
        name=desk.words("command.social.name"),
        description=desk.words("command.social.description"),
        guild_only=True,
        default_permissions=discord.Permissions(manage_guild=True),
    )
    for command in (_status(desk), _channels(desk), _run(desk, "run-once"), _run(desk, "dry-run")):
        group.add_command(command)
    return group


def _status(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    async def status(interaction: discord.Interaction[Any]) -> None:
        guild_id = desk.require_server(interaction)
        await desk.answers.think(interaction)
        locale = await desk.answers.locale(interaction)
        stores, name = desk.stores.social, desk.character.name
        opened = await stores.channels(guild_id)
        here = {channel.channel_id for channel in opened}
        missing = [one for one in await stores.troubles(name) if one.channel_id in here]
        lines = [
            desk.messages.text("social.head", locale, name=desk.character.display_name.get(locale, name)),
            await _state(desk, locale),
            _kept(desk, locale, await stores.counts(name)),
            *(_cycle(desk, locale, record) for record in await stores.cycles(name, limit=1)),
            *_missing(desk, locale, missing),
            *_opened(desk, locale, opened),
        ]
        await desk.answers.say_at_length(interaction, "\n".join(lines))

    return _command(desk, "status", status)


def _channels(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    @app_commands.rename(
        **{one: desk.words(f"command.social.channels.{one.replace('_', '-')}.name") for one in _OPTIONS}
    )
    @app_commands.describe(
        **{one: desk.words(f"command.social.channels.{one.replace('_', '-')}.description") for one in _OPTIONS}
    )
    async def channels(
        interaction: discord.Interaction[Any],
        channel: app_commands.AppCommandChannel | None = None,
        opened: bool | None = None,
        per_hour: app_commands.Range[int, 0, _MOST_PER_HOUR] | None = None,
        new_posts: bool | None = None,
    ) -> None:
        guild_id = desk.require_server(interaction)
        await desk.answers.think(interaction)
        locale = await desk.answers.locale(interaction)
        lines = []
        if channel is not None:
            lines.append(await _change(desk, locale, guild_id, channel, opened, per_hour, new_posts))
        lines += _opened(desk, locale, await desk.stores.social.channels(guild_id))
        await desk.answers.say_at_length(interaction, "\n".join(lines))

    return _command(desk, "channels", channels)


_OPTIONS = ("channel", "opened", "per_hour", "new_posts")


async def _change(
    desk: Desk,
    locale: Locale,
    guild_id: int,
    place: app_commands.AppCommandChannel,
    opened: bool | None,
    per_hour: int | None,
    new_posts: bool | None,
) -> str:
    """Open a channel, change how it is open, or close it; what is not said stays as it was."""
    if place.guild_id != guild_id:
        raise NotAllowedError("command.not_allowed")
    if opened is False:
        await desk.stores.social.disallow(place.id)
        return desk.messages.text("social.closed", locale, channel=f"<#{place.id}>")
    if place.type not in _KINDS:
        raise NotAllowedError("social.channel_kind")
    known = {one.channel_id: one for one in await desk.stores.social.channels(guild_id)}
    before = known.get(place.id) or AllowedChannel(channel_id=place.id, guild_id=guild_id)
    await desk.stores.social.allow(
        AllowedChannel(
            channel_id=place.id,
            guild_id=guild_id,
            kind=_KINDS[place.type],
            per_hour=before.per_hour if per_hour is None else per_hour,
            may_post=before.may_post if new_posts is None else new_posts,
        )
    )
    return desk.messages.text("social.opened", locale, channel=f"<#{place.id}>")


def _run(desk: Desk, name: str) -> app_commands.Command[Any, ..., Any]:
    async def run(interaction: discord.Interaction[Any]) -> None:
        desk.require_owner(interaction)
        if (standing := _standing_still(desk)) is not None:
            raise NotAllowedError(standing)
        await desk.answers.think(interaction)
        locale = await desk.answers.locale(interaction)
        report = None if desk.community is None else await desk.community.run(rehearsal=name == "dry-run")
        if report is None:
            await desk.answers.tell(interaction, "social.takes_no_part")
            return
        pages = _report(desk, locale, report, rehearsal=name == "dry-run")
        # A cycle may last longer than Discord lets a command be answered; what it did stands all the same.
        await quietly(show_pages(desk, interaction, locale, pages))

    return _command(desk, name, run)


def _standing_still(desk: Desk) -> str | None:
    """Return the key of the reason why the character takes no part at all; None if it does."""
    if desk.community is None:
        return "social.off"
    return None if desk.options.message_content else "social.no_content"


async def _state(desk: Desk, locale: Locale) -> str:
    standing = _standing_still(desk)
    if standing is None and await desk.stores.characters.is_frozen(desk.character.name):
        standing = "social.note.frozen"
    if standing is not None or desk.community is None:
        return desk.messages.text(standing or "social.off", locale)
    minutes, most = f"{desk.community.minutes:g}", desk.community.most_calls
    return desk.messages.text("social.on", locale, minutes=minutes, most=most)


def _kept(desk: Desk, locale: Locale, counts: Any) -> str:  # noqa: ANN401 - numbers by name
    return desk.messages.text("social.kept", locale, **counts)


def _cycle(desk: Desk, locale: Locale, record: CycleRecord) -> str:
    lines = [desk.messages.text("social.last", locale, moment=f"<t:{int(record.ended_at.timestamp())}:R>")]
    if record.note:
        lines.append(desk.messages.text(f"social.note.{record.note}", locale))
    lines += _numbers(desk, locale, record)
    return "\n".join(lines)


def _numbers(desk: Desk, locale: Locale, record: CycleRecord) -> list[str]:
    """Return what was done and what failed, a line each."""
    done = [f"{desk.messages.text(f'social.done.{what}', locale)} {count}" for what, count in record.done.items()]
    failed = [f"{_step(desk, locale, step)} {count}" for step, count in record.failed.items()]
    return [
        desk.messages.text(f"social.{key}", locale, list=", ".join(parts))
        for key, parts in (("did", done), ("failed", failed))
        if parts
    ]


def _step(desk: Desk, locale: Locale, step: str) -> str:
    """Return a step's name; one of finding posts says by which way."""
    name, _, source = step.partition(".")
    values = {"source": desk.messages.text(f"social.source.{source}", locale)} if source else {}
    return desk.messages.text(f"social.step.{name}", locale, **values)


def _missing(desk: Desk, locale: Locale, troubles: Iterable[Trouble]) -> list[str]:
    return [
        desk.messages.text(
            "social.missing",
            locale,
            channel=f"<#{one.channel_id}>",
            action=desk.messages.text(f"social.action.{one.action}", locale),
            moment=f"<t:{int(one.since.timestamp())}:R>",
        )
        for one in troubles
    ]


def _opened(desk: Desk, locale: Locale, channels: list[AllowedChannel]) -> list[str]:
    if not channels:
        return [desk.messages.text("social.none_open", locale)]
    return [
        desk.messages.text("social.open", locale),
        *(
            desk.messages.text(
                f"social.channel.{'posts' if one.may_post else 'answers'}",
                locale,
                channel=f"<#{one.channel_id}>",
                count=one.per_hour,
            )
            for one in channels
        ),
    ]


def _report(desk: Desk, locale: Locale, report: CycleReport, *, rehearsal: bool) -> list[str]:
    head = desk.messages.text("social.rehearsed" if rehearsal else "social.ran", locale)
    notes = [desk.messages.text(f"social.note.{report.record.note}", locale)] if report.record.note else []
    lines = [*notes, *(_decision(desk, locale, one) for one in report.decisions)]
    failed = _numbers(desk, locale, report.record)[-1:] if report.record.failed else []
    return pages_of(head, [*lines, *failed], desk.messages.text("social.calls", locale, count=report.calls))


def _decision(desk: Desk, locale: Locale, decision: Decision) -> str:
    key = f"social.{'did_one' if decision.done else 'left_one'}.{decision.what}"
    target = _target(decision)
    why = reason(desk.messages, locale, decision.why)
    line = desk.messages.text(key, locale, target=target, why=why)
    if not decision.text:
        return line
    shown = escape_markdown(decision.text[:_LONGEST_TEXT]) + ("…" if len(decision.text) > _LONGEST_TEXT else "")
    return "\n".join([line, *(f"> {part}" for part in shown.splitlines())])


def _target(decision: Decision) -> str:
    if decision.target is None:
        return ""
    shapes = {"channel": f"<#{decision.target}>", "person": f"<@{decision.target}>"}
    return shapes.get(_PLACES.get(decision.what, ""), f"`{decision.target}`")


def _command(desk: Desk, name: str, callback: Any) -> app_commands.Command[Any, ..., Any]:  # noqa: ANN401
    return app_commands.Command(
        name=desk.words(f"command.social.{name}.name"),
        description=desk.words(f"command.social.{name}.description"),
        callback=callback,
    )
