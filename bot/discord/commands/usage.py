"""`/usage`: what model calls used this month: one's own, a server's, or everything."""

import asyncio
import io
from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands

from bot.discord.commands.desk import Desk
from bot.usage_report import UsageReport, money, month_until, usage_report
from core.ports import UsageSum
from core.values import Locale

_MOST = 10
_SCOPES = ("mine", "server", "all")


def usage(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    """Return the command."""

    @app_commands.rename(whose=desk.words("command.usage.whose.name"))
    @app_commands.describe(whose=desk.words("command.usage.whose.description"))
    @app_commands.choices(
        whose=[app_commands.Choice(name=desk.words(f"command.usage.whose.{one}"), value=one) for one in _SCOPES]
    )
    async def show(interaction: discord.Interaction[Any], whose: app_commands.Choice[str] | None = None) -> None:
        scope = whose.value if whose is not None else "mine"
        of = _of(desk, interaction, scope)
        await desk.answers.think(interaction)
        locale = await desk.answers.locale(interaction)
        first, day = month_until(desk.clock.now(), desk.options.budget_timezone)
        report = await usage_report(desk.stores.usage, first, day, **of)
        text = _told(desk, locale, scope, report)
        picture = await asyncio.to_thread(_picture, desk, locale, report)
        await interaction.edit_original_response(
            content=text, attachments=[picture], allowed_mentions=discord.AllowedMentions.none()
        )

    return app_commands.Command(
        name=desk.words("command.usage.name"), description=desk.words("command.usage.description"), callback=show
    )


def _of(desk: Desk, interaction: discord.Interaction[Any], scope: str) -> dict[str, int]:
    """Return whose usage is asked for, if the person may see it."""
    if scope == "server":
        return {"guild_id": desk.require_server(interaction)}
    if scope == "all":
        desk.require_owner(interaction)
        return {}
    return {"user_id": interaction.user.id}


def _told(desk: Desk, locale: Locale, scope: str, report: UsageReport) -> str:
    lines = [
        desk.messages.text(f"usage.head.{scope}", locale, month=f"{report.first:%Y-%m}"),
        _line(desk, locale, desk.messages.text("usage.today", locale), report.today),
        _line(desk, locale, desk.messages.text("usage.month", locale), report.month),
        *_part(
            desk, locale, "features", [(feature_name(desk, locale, str(one.name)), one) for one in report.by_feature]
        ),
        *_part(desk, locale, "models", [(f"`{one.name}`", one) for one in report.by_model]),
    ]
    if report.by_user is not None:
        lines += _part(desk, locale, "users", [(_who(desk, locale, one), one) for one in report.by_user])
    if report.month.estimated:
        lines.append(desk.messages.text("usage.estimated", locale, count=report.month.estimated))
    return "\n".join(lines)


def feature_name(desk: Desk, locale: Locale, feature: str) -> str:
    """Return what a feature is called; of one without a text, its own name."""
    key = f"usage.feature.{feature}"
    return desk.messages.text(key, locale) if key in desk.messages.keys() else f"`{feature}`"  # noqa: SIM118


def _part(desk: Desk, locale: Locale, name: str, named: Sequence[tuple[str, UsageSum]]) -> list[str]:
    if not named:
        return []
    head = desk.messages.text(f"usage.{name}", locale)
    left = len(named) - _MOST
    more = [desk.messages.text("usage.more", locale, count=left)] if left > 0 else []
    return [head, *(f"- {_line(desk, locale, label, one)}" for label, one in named[:_MOST]), *more]


def _line(desk: Desk, locale: Locale, label: str, one: UsageSum) -> str:
    return desk.messages.text(
        "usage.line",
        locale,
        label=label,
        calls=f"{one.calls:,}",
        input=f"{one.input_tokens:,}",
        output=f"{one.output_tokens:,}",
        cost=money(one.cost_micros, desk.options.currency),
    )


def _who(desk: Desk, locale: Locale, one: UsageSum) -> str:
    return f"<@{one.name}>" if one.name else desk.messages.text("usage.nobody", locale)


def _picture(desk: Desk, locale: Locale, report: UsageReport) -> discord.File:
    from bot.usage_chart import chart  # noqa: PLC0415 - Pillow is needed by this command alone

    most = max(report.by_day, key=lambda one: one.tokens)
    alt = desk.messages.text(
        "usage.alt",
        locale,
        month=f"{report.first:%Y-%m}",
        tokens=f"{report.month.tokens:,}",
        day=str(most.name),
        most=f"{most.tokens:,}",
    )
    return discord.File(io.BytesIO(chart(report.by_day)), f"usage-{report.first:%Y-%m}.png", description=alt)
