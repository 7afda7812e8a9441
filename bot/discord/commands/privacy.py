"""`/privacy`: see what is kept and take it along, opt out and in, consent, have everything deleted."""

from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord import app_commands

from bot.discord.commands.choice import Choice
from bot.discord.commands.desk import Desk
from bot.discord.commands.export import export
from bot.export import named_table
from core.values import Locale

_CONFIRM_SECONDS = 120.0


def privacy(desk: Desk) -> app_commands.Group:
    """Return the group of commands."""
    group = app_commands.Group(
        name=desk.words("command.privacy.name"), description=desk.words("command.privacy.description")
    )
    commands: dict[str, Callable[[discord.Interaction[Any]], Awaitable[None]]] = {
        "show": lambda interaction: _show(desk, interaction),
        "opt-out": lambda interaction: _set_opted_out(desk, interaction, opted_out=True),
        "opt-in": lambda interaction: _set_opted_out(desk, interaction, opted_out=False),
        "export": lambda interaction: export(desk, interaction),
        "forget-me": lambda interaction: _ask_to_forget(desk, interaction),
    }
    for name, action in commands.items():
        group.add_command(_command(desk, name, action))
    group.add_command(_remember_me(desk))
    return group


def _command(
    desk: Desk, name: str, action: Callable[[discord.Interaction[Any]], Awaitable[None]]
) -> app_commands.Command[Any, ..., Any]:
    async def run(interaction: discord.Interaction[Any]) -> None:
        await action(interaction)

    return app_commands.Command(
        name=desk.words(f"command.privacy.{name}.name"),
        description=desk.words(f"command.privacy.{name}.description"),
        callback=run,
    )


def _remember_me(desk: Desk) -> app_commands.Command[Any, ..., Any]:
    choices = [
        app_commands.Choice(name=desk.words(f"command.privacy.remember-me.choice.{choice}"), value=choice)
        for choice in ("on", "off")
    ]

    @app_commands.rename(choice=desk.words("command.privacy.remember-me.choice.name"))
    @app_commands.describe(choice=desk.words("command.privacy.remember-me.choice.description"))
    @app_commands.choices(choice=choices)
    async def remember_me(interaction: discord.Interaction[Any], choice: str) -> None:
        await desk.answers.think(interaction)
        told = await desk.personal.set_consent(interaction.user.id, given=choice == "on")
        await desk.answers.tell_told(interaction, told)

    return app_commands.Command(
        name=desk.words("command.privacy.remember-me.name"),
        description=desk.words("command.privacy.remember-me.description"),
        callback=remember_me,
    )


async def _show(desk: Desk, interaction: discord.Interaction[Any]) -> None:
    await desk.answers.think(interaction)
    locale, text = await desk.answers.locale(interaction), desk.messages.text
    profile = await desk.stores.users.get(interaction.user.id)
    counts = await desk.stores.privacy.counts(interaction.user.id)
    kept = [
        text("privacy.count", locale, what=named_table(table, desk.messages, locale), count=count)
        for table, count in counts.items()
        if count
    ]
    lines = [text("privacy.summary", locale), *kept] if kept else [text("privacy.nothing", locale)]
    lines.append(text("privacy.retention", locale, days=desk.options.retention_days))
    lines.append(text("privacy.opted_out" if profile.opted_out else "privacy.opted_in", locale))
    consented = await desk.personal.consent(interaction.user.id) is not None
    lines.append(text("privacy.remember_on" if consented else "privacy.remember_off", locale))
    await desk.answers.say(interaction, "\n".join(lines))


async def _set_opted_out(desk: Desk, interaction: discord.Interaction[Any], *, opted_out: bool) -> None:
    await desk.answers.think(interaction)
    await desk.stores.users.set_opted_out(interaction.user.id, opted_out)
    if opted_out:
        await desk.forget_in_memory(interaction.user.id)
    await desk.answers.tell(interaction, "privacy.opt_out_done" if opted_out else "privacy.opt_in_done")


async def _ask_to_forget(desk: Desk, interaction: discord.Interaction[Any]) -> None:
    locale = await desk.answers.locale(interaction)
    question = desk.messages.text("privacy.forget_question", locale)
    await desk.answers.say(interaction, question, view=_Confirmation(desk, locale))


class _Confirmation(discord.ui.View):
    """Two buttons below a question that only the person sees."""

    def __init__(self, desk: Desk, locale: Locale) -> None:
        super().__init__(timeout=_CONFIRM_SECONDS)
        self._desk = desk
        self._locale = locale
        yes, no = (desk.messages.text(f"privacy.forget_{answer}", locale) for answer in ("yes", "no"))
        self.add_item(Choice(yes, discord.ButtonStyle.danger, self._forget))
        self.add_item(Choice(no, discord.ButtonStyle.secondary, self._keep))

    async def on_error(
        self, interaction: discord.Interaction[Any], error: Exception, _item: discord.ui.Item[Any]
    ) -> None:
        """Tell the person; what is wrong is for the log."""
        await self._desk.answers.fail(interaction, getattr(error, "hint", "command.failed"))
        raise error

    async def _forget(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.defer()
        await self._desk.forget_in_memory(interaction.user.id)
        privacy, text = self._desk.stores.privacy, self._desk.messages.text
        gone = await privacy.forget(interaction.user.id)
        left = await privacy.counts(interaction.user.id)
        lines = [text("privacy.forget_done", self._locale, count=sum(gone.values()), left=sum(left.values()))]
        if any(left.values()):
            lines.append(text("privacy.forget_opt_out", self._locale))
        await interaction.edit_original_response(content="\n".join(lines), view=None)
        self.stop()

    async def _keep(self, interaction: discord.Interaction[Any]) -> None:
        kept = self._desk.messages.text("privacy.forget_kept", self._locale)
        await interaction.response.edit_message(content=kept, view=None)
        self.stop()
