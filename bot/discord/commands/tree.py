"""The tree of commands: registered, translated, told to Discord when they changed, their errors told to people."""

import asyncio
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import discord
import structlog
from discord import app_commands
from pydantic import BaseModel, ConfigDict, TypeAdapter

from bot.discord.commands.about import about
from bot.discord.commands.candidates import candidates
from bot.discord.commands.character import character
from bot.discord.commands.desk import Desk, NotAllowedError
from bot.discord.commands.help import help_command
from bot.discord.commands.language import language
from bot.discord.commands.memory import memory
from bot.discord.commands.privacy import privacy
from bot.discord.commands.proactive.group import proactive
from bot.discord.commands.report import report
from bot.discord.commands.settings import settings
from bot.discord.commands.setup import setup
from bot.discord.commands.social import social
from bot.discord.commands.stance import stance
from bot.discord.commands.stop import stop
from bot.discord.commands.timezone import timezone
from bot.discord.commands.usage import usage
from bot.discord.locales import to_locale
from core.errors import CoreError
from core.values import Locale
from prompts.messages import Messages

_SERVERS = app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False)

_log = structlog.get_logger(__name__)


class CharacterTree(app_commands.CommandTree[Any]):
    """One character's commands."""

    def __init__(self, client: discord.Client) -> None:
        super().__init__(
            client,
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
        )
        self._desk: Desk | None = None

    def furnish(self, desk: Desk) -> None:
        """Register the commands."""
        self._desk = desk
        for command in (about(desk), help_command(desk, self), stop(desk), language(desk), timezone(desk), usage(desk)):
            self.add_command(command)
        for command in (report(desk), setup(desk)):
            self.add_command(command)
        for group in (memory, privacy, proactive, settings, social, stance, candidates, character):
            self.add_command(group(desk))
        if desk.sandbox is not None:
            from bot.discord.commands.sandbox import sandbox  # noqa: PLC0415 - it takes YAML, and only staging has it

            self.add_command(sandbox(desk, desk.sandbox))
        for registered in self.get_commands():
            if registered.guild_only:  # which Discord ignores where contexts are given, as they are for the whole tree
                registered.allowed_contexts = _SERVERS

    async def on_error(self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /) -> None:
        """Tell the person in a friendly way; what is wrong is for the log."""
        cause = error.original if isinstance(error, app_commands.CommandInvokeError) else error
        command = interaction.command.qualified_name if interaction.command is not None else None
        if not isinstance(cause, NotAllowedError):
            _log.error("command.failed", command=command, error=type(cause).__name__, exc_info=cause)
        if self._desk is not None:
            await self._desk.answers.fail(interaction, _key(cause))


class Translations(app_commands.Translator):
    """Gives Discord the Japanese texts of the commands; the English ones are the defaults."""

    def __init__(self, messages: Messages) -> None:
        self._messages = messages

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """Return a text in a language there are texts in, else None."""
        key = string.extras.get("key")
        return self._messages.text(key, Locale.JA) if key and to_locale(locale) is Locale.JA else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Synced:
    """Discord's ids of the commands, by name, and whether it was given new definitions."""

    changed: bool
    ids: Mapping[str, int]


class _Given(BaseModel):
    """What Discord was given for an application: the digest of the definitions, and the ids it gave back."""

    model_config = ConfigDict(frozen=True)

    digest: str
    ids: dict[str, int]


_REMEMBERED = TypeAdapter(dict[int, _Given])


class CommandCache:
    """Remembers in a file which definitions Discord was given, by application: creating commands is rationed."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = asyncio.Lock()

    async def sync(self, tree: CharacterTree, application_id: int, *, gives: bool = True) -> Synced:
        """Give Discord the tree's commands if they changed since the last time; return its ids of them.

        `gives` false leaves that to another process: only the ids are asked for.

        Raises:
            discord.HTTPException: Discord did not take them.
        """
        if not gives:
            return Synced(changed=False, ids={command.name: command.id for command in await tree.fetch_commands()})
        digest = await _digest(tree)
        async with self._lock:
            remembered = await asyncio.to_thread(self._read)
            known = remembered.get(application_id)
            if known is not None and known.digest == digest:
                return Synced(changed=False, ids=known.ids)
            ids = {command.name: command.id for command in await tree.sync()}
            await asyncio.to_thread(self._write, remembered | {application_id: _Given(digest=digest, ids=ids)})
        return Synced(changed=True, ids=ids)

    def _read(self) -> dict[int, "_Given"]:
        try:
            return _REMEMBERED.validate_json(self._path.read_bytes())
        except (OSError, ValueError):
            return {}

    def _write(self, remembered: dict[int, "_Given"]) -> None:
        draft = self._path.with_suffix(".new")
        draft.write_bytes(_REMEMBERED.dump_json(remembered, indent=1))
        os.replace(draft, self._path)  # noqa: PTH105 - replaces what is there, on every system


async def _digest(tree: CharacterTree) -> str:
    translator = tree.translator
    commands = tree.get_commands()
    payload = [
        await command.get_translated_payload(tree, translator) if translator is not None else command.to_dict(tree)
        for command in commands
    ]
    return hashlib.sha256(json.dumps(payload, sort_keys=True).encode()).hexdigest()


def _key(error: Exception) -> str:
    match error:
        case NotAllowedError():
            return error.key
        case CoreError():
            return error.hint
        case app_commands.CommandSignatureMismatch() | app_commands.CommandNotFound():
            return "command.outdated"
        case _:
            return "command.failed"
