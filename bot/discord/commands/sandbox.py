"""`/sandbox compare`: prompts side by side, for those who run the character; registered in staging only."""

import asyncio
from dataclasses import replace
from typing import Any

import discord
import structlog
from discord import app_commands

from bot.discord.commands.desk import Desk
from bot.discord.commands.sandbox_result import files_of, summary
from bot.discord.courier import quietly
from bot.discord.downloads import DownloadError, Downloads
from bot.discord.seats import SandboxRoom
from bot.errors import BotError, StartError
from bot.pages.wording import Wording
from bot.sandbox.order import Order
from core.errors import CoreError
from core.sandbox.draft import Draft
from core.sandbox.draft_source import LARGEST
from core.sandbox.errors import DraftError
from core.values import Locale

_MOST_REPETITIONS = 20
_MOST_SUGGESTIONS = 25
_LONGEST_PROBLEMS = 1500
_LONGEST_RUN = 780.0  # seconds; after 900 Discord takes no answer to the command any more
_SILENT = discord.AllowedMentions.none()

_log = structlog.get_logger(__name__)


def sandbox(desk: Desk, room: SandboxRoom) -> app_commands.Group:
    """Return the group of commands."""
    group = app_commands.Group(
        name=desk.words("command.sandbox.name"),
        description=desk.words("command.sandbox.description"),
        default_permissions=discord.Permissions(manage_guild=True),
    )
    group.add_command(_compare(desk, room))
    return group


def _compare(desk: Desk, room: SandboxRoom) -> app_commands.Command[Any, ..., Any]:
    path, running = "command.sandbox.compare", asyncio.Lock()
    names = ("draft", "file", "model", "repetitions")

    async def suggest(_interaction: discord.Interaction[Any], typed: str) -> list[app_commands.Choice[str]]:
        fitting = [name for name in room.drafts if typed.casefold() in name]
        return [app_commands.Choice(name=name, value=name) for name in fitting[:_MOST_SUGGESTIONS]]

    @app_commands.rename(**{name: desk.words(f"{path}.{name}.name") for name in names})
    @app_commands.describe(**{name: desk.words(f"{path}.{name}.description") for name in names})
    @app_commands.autocomplete(draft=suggest)
    async def compare(
        interaction: discord.Interaction[Any],
        draft: str | None = None,
        file: discord.Attachment | None = None,
        model: str | None = None,
        repetitions: app_commands.Range[int, 1, _MOST_REPETITIONS] | None = None,
    ) -> None:
        desk.require_owner(interaction)
        await desk.answers.think(interaction)
        if (draft is None) == (file is None):
            await desk.answers.tell(interaction, "sandbox.which")
        elif running.locked():
            await desk.answers.tell(interaction, "sandbox.busy")
        else:
            async with running:
                order = Order(draft=draft or "", model=model, repetitions=repetitions)
                await _held(desk, room, interaction, order, file)

    return app_commands.Command(
        name=desk.words(f"{path}.name"), description=desk.words(f"{path}.description"), callback=compare
    )


async def _held(
    desk: Desk,
    room: SandboxRoom,
    interaction: discord.Interaction[Any],
    order: Order,
    file: discord.Attachment | None,
) -> None:
    """Run what was asked for, and say what is wrong with it in words: they are for those who run the character."""
    try:
        draft = room.draft(order.draft) if file is None else room.parse(await _content(desk, file), file.filename)
        draft = room.adjusted(_in_time(draft), order)
        if draft.conversation is not None and draft.conversation.channel_id != interaction.channel_id:
            await desk.answers.tell(interaction, "sandbox.elsewhere")
            return
        await _run(desk, room, interaction, draft)
    except DraftError as error:
        problems = str(error).replace("```", "'''")[:_LONGEST_PROBLEMS]
        await desk.answers.tell(interaction, "sandbox.problem", problems=problems)
    except (CoreError, BotError) as error:
        _log.warning("sandbox.failed", error=type(error).__name__, reason=str(error))
        await desk.answers.tell(interaction, "sandbox.failed", reason=str(error)[:_LONGEST_PROBLEMS])


def _in_time(draft: Draft) -> Draft:
    return replace(draft, budget=replace(draft.budget, seconds=min(draft.budget.seconds, _LONGEST_RUN)))


async def _content(desk: Desk, file: discord.Attachment) -> bytes:
    if file.size > LARGEST:
        # One byte more than is allowed is enough to be told of; a large file is not fetched.
        return b"#" * (LARGEST + 1)
    try:
        return await Downloads(desk.options.files).fetch(file.url, most=LARGEST)
    except DownloadError as error:
        raise StartError(f"{file.filename} could not be fetched ({error}).") from None


async def _run(desk: Desk, room: SandboxRoom, interaction: discord.Interaction[Any], draft: Draft) -> None:
    locale = await desk.answers.locale(interaction)
    watcher = _Watcher(desk, interaction, locale, draft)
    watcher.show(0)
    comparison = await room.run(draft, stop=watcher.stop, advance=lambda _variant, done: watcher.show(done))
    await watcher.close()
    wording = Wording("sandbox", desk.messages, locale)
    files = await asyncio.to_thread(files_of, comparison, wording, room.currency)
    text = summary(desk.messages, locale, comparison, room.currency, attached=bool(files))
    await interaction.edit_original_response(content=text, attachments=files, view=None, allowed_mentions=_SILENT)


class _Watcher:
    """Shows how far it has come, with a button to stop it. One edit at a time: of those that wait, the last is made."""

    def __init__(self, desk: Desk, interaction: discord.Interaction[Any], locale: Locale, draft: Draft) -> None:
        self.stop = asyncio.Event()
        self._desk = desk
        self._interaction = interaction
        self._locale = locale
        self._draft = draft
        self._view = _StopView(self.stop, desk.messages.text("sandbox.stop", locale))
        self._newest = 0
        self._editing: asyncio.Task[None] | None = None

    def show(self, done: int) -> None:
        """Tell how many samples are done; returns at once."""
        self._newest = done
        if self._editing is None or self._editing.done():
            self._editing = asyncio.create_task(self._edit())

    async def close(self) -> None:
        """Show nothing more."""
        self._view.stop()
        if self._editing is not None:
            await asyncio.wait({self._editing})

    async def _edit(self) -> None:
        shown = -1
        while shown != self._newest:
            shown = self._newest
            text = self._desk.messages.text(
                "sandbox.progress",
                self._locale,
                title=discord.utils.escape_markdown(self._draft.title[:200]),
                done=shown,
                planned=self._draft.repetitions * len(self._draft.variants),
            )
            edit = self._interaction.edit_original_response(content=text, view=self._view, allowed_mentions=_SILENT)
            await quietly(edit)


class _StopView(discord.ui.View):
    def __init__(self, event: asyncio.Event, label: str) -> None:
        super().__init__(timeout=None)
        self._event = event
        button: discord.ui.Button[Any] = discord.ui.Button(label=label, style=discord.ButtonStyle.secondary)
        button.callback = self._pressed  # type: ignore[method-assign]
        self.add_item(button)

    async def _pressed(self, interaction: discord.Interaction[Any]) -> None:
        self._event.set()
        await interaction.response.defer()
