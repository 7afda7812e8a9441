"""`/stance`: what the gate did, and the phrases it lets pass here; for those who manage the server."""

from collections.abc import Callable, Mapping
from typing import Any

import discord
from discord import app_commands
from discord.utils import escape_markdown, format_dt

from bot.discord.commands.desk import Desk
from bot.discord.commands.pager import pages_of, show_pages
from bot.stance_desk import LONGEST_SHOWN, MOST_TURNS, Scope, Span, StanceReport
from core.values import Locale

_LONGEST_WISH = 200
_MOST_SUGGESTIONS = 25
_MOST_ENTRIES = 200
_GATES = ("pass", "repair", "fallback", "not_checked")


def stance(desk: Desk) -> app_commands.Group:
    """Return the group of commands."""
    group = app_commands.Group(
        name=desk.words("command.stance.name"),
        description=desk.words("command.stance.description"),
        default_permissions=discord.Permissions(manage_guild=True),
    )
    allow = app_commands.Group(
        name=desk.words("command.stance.allow.name"), description=desk.words("command.stance.allow.description")
    )
    for build in (_add, _list, _remove):
        allow.add_command(build(desk))
    group.add_command(_trace(desk))
    group.add_command(allow)
    return group


def _trace(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    path = "command.stance.trace"

    @app_commands.rename(where=desk.words(f"{path}.where.name"), span=desk.words(f"{path}.span.name"))
    @app_commands.describe(where=desk.words(f"{path}.where.description"), span=desk.words(f"{path}.span.description"))
    @app_commands.choices(
        where=[_choice(desk, f"{path}.where.{value}", value) for value in ("server", "channel")],
        span=[_choice(desk, f"{path}.span.{span}", span) for span in Span],
    )
    async def show(
        interaction: discord.Interaction[Any],
        where: app_commands.Choice[str] | None = None,
        span: app_commands.Choice[str] | None = None,
    ) -> None:
        if interaction.guild_id is None:
            desk.require_owner(interaction)
        else:
            desk.require_server(interaction)
        await desk.answers.think(interaction)
        locale = await desk.answers.locale(interaction)
        scope = Scope(
            guild_id=interaction.guild_id,
            channel_id=interaction.channel_id or 0,
            whole=interaction.guild_id is not None and (where is None or where.value == "server"),
        )
        wanted = Span(span.value) if span is not None else Span.WEEK
        report = await desk.stance.report(scope, wanted)
        foot = await _notes(desk, interaction, locale)
        pages = pages_of(_head(desk, locale, scope, wanted, report), _entries(desk, locale, report), foot)
        await show_pages(desk, interaction, locale, pages)

    return _command(desk, "trace", show)


def _head(desk: Desk, locale: Locale, scope: Scope, span: Span, report: StanceReport) -> str:
    figures, text = report.figures, desk.messages.text
    place = text("stance.trace.server", locale) if scope.whole else f"<#{scope.channel_id}>"
    lines = [
        text("stance.trace.head", locale, place=place, span=text(f"stance.trace.{span}", locale)),
        text("stance.trace.turns", locale, turns=figures.turns, crises=figures.crises),
        text("stance.trace.gate", locale, **{gate: figures.by_gate.get(gate, 0) for gate in _GATES}),
    ]
    if figures.broken:
        lines.append(text("stance.trace.broken", locale, rules=_counted(figures.broken)))
    if figures.let_pass:
        lines.append(text("stance.trace.let_pass", locale, rules=_counted(figures.let_pass)))
    if report.cut:
        lines.append(text("stance.trace.cut", locale, most=MOST_TURNS))
    return "\n".join(lines)


def _entries(desk: Desk, locale: Locale, report: StanceReport) -> list[str]:
    text = desk.messages.text
    lines = []
    for account in report.accounts[:_MOST_ENTRIES]:
        read = f"`{account.mode}` `{account.stakes}`" if account.mode else text("stance.trace.unread", locale)
        crisis = f" **{text('stance.trace.crisis', locale)}**" if account.crisis else ""
        gate = text(f"stance.trace.outcome.{account.gate}", locale)
        rules = "".join(f" `{rule}`" for rule in account.rules)
        passed = "".join(f" `allowed:{rule}`" for rule in account.let_pass)
        lines.append(f"{format_dt(account.at, 'f')} {read}{crisis} → {gate}{rules}{passed}")
    return lines


async def _notes(desk: Desk, interaction: discord.Interaction[Any], locale: Locale) -> str:
    """Return what is out of order: phrases of this server, and, for those who run the bot, places to turn to."""
    notes = []
    if interaction.guild_id is not None:
        broken = [phrase for phrase in await desk.stance.phrases(interaction.guild_id) if phrase.fault is not None]
        notes += [desk.messages.text("stance.trace.phrases", locale, count=len(broken))] if broken else []
    if desk.is_owner(interaction):
        notes += [
            desk.messages.text("stance.trace.place", locale, fault=escape_markdown(fault[:_LONGEST_WISH]))
            for fault in desk.stance.ignored_places[:3]
        ]
    return "\n".join(notes)


def _add(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    @app_commands.rename(phrase=desk.words("command.stance.allow.phrase.name"))
    @app_commands.describe(phrase=desk.words("command.stance.allow.phrase.description"))
    async def add(interaction: discord.Interaction[Any], phrase: app_commands.Range[str, 1, _LONGEST_WISH]) -> None:
        guild_id = desk.require_server(interaction)
        await desk.answers.think(interaction)
        told = await desk.stance.allow(guild_id, phrase)
        await desk.answers.tell(interaction, told.key, **_escaped(told.values))

    return _command(desk, "allow.add", add)


def _list(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    async def show(interaction: discord.Interaction[Any]) -> None:
        guild_id = desk.require_server(interaction)
        await desk.answers.think(interaction)
        locale, text = await desk.answers.locale(interaction), desk.messages.text
        phrases = await desk.stance.phrases(guild_id)
        lines = [text("stance.allow.summary" if phrases else "stance.allow.nothing", locale)]
        for phrase in phrases:
            why = "" if phrase.fault is None else text(f"stance.allow.why.{phrase.fault}", locale)
            key = "stance.allow.unused" if why else "stance.allow.entry"
            lines.append(text(key, locale, phrase=escape_markdown(phrase.shown), **({"why": why} if why else {})))
        await desk.answers.say_at_length(interaction, "\n".join(lines))

    return _command(desk, "allow.list", show)


def _remove(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    async def suggest(interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        if not desk.manages_server(interaction) or interaction.guild_id is None:
            return []
        shown = [phrase.shown for phrase in await desk.stance.phrases(interaction.guild_id) if phrase.shown]
        fitting = [one for one in shown if typed.casefold() in one.casefold()]
        return [app_commands.Choice(name=one, value=one) for one in fitting[:_MOST_SUGGESTIONS]]

    @app_commands.rename(phrase=desk.words("command.stance.allow.phrase.name"))
    @app_commands.describe(phrase=desk.words("command.stance.allow.remove.phrase.description"))
    @app_commands.autocomplete(phrase=suggest)
    async def remove(interaction: discord.Interaction[Any], phrase: str) -> None:
        guild_id = desk.require_server(interaction)
        await desk.answers.think(interaction)
        told = await desk.stance.disallow(guild_id, phrase)
        await desk.answers.tell(interaction, told.key, **_escaped(told.values))

    return _command(desk, "allow.remove", remove)


def _counted(rules: Mapping[str, int]) -> str:
    return ", ".join(f"`{rule}` {count}" for rule, count in sorted(rules.items(), key=lambda one: (-one[1], one[0])))


def _escaped(values: Mapping[str, object]) -> dict[str, object]:
    return {
        key: escape_markdown(value[:LONGEST_SHOWN]) if isinstance(value, str) else value
        for key, value in values.items()
    }


def _choice(desk: Desk, key: str, value: str) -> app_commands.Choice[str]:
    return app_commands.Choice(name=desk.words(key), value=value)


def _command(desk: Desk, name: str, callback: Callable[..., Any]) -> app_commands.Command[Any, ..., Any]:
    return app_commands.Command(
        name=desk.words(f"command.stance.{name}.name"),
        description=desk.words(f"command.stance.{name}.description"),
        callback=callback,
    )
