"""What slash commands work with, and the errors they tell people."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import discord
from discord import app_commands

from bot.discord.answers import Answers
from bot.discord.consent import Consent
from bot.discord.seats import Community, DiscordOptions, SandboxRoom
from bot.personal import Personal
from bot.stance_desk import StanceDesk
from core.clock import Clock
from core.ports import Stores
from core.proactive.repertoire import Repertoire
from core.turn.companion import Companion
from core.values import Character, Locale, Tier
from prompts.messages import Messages


@dataclass(frozen=True, slots=True, kw_only=True)
class Desk:
    """One character's side of its commands.

    `forget_in_memory` makes every character of the process forget a user; `report` makes the page about the bot.
    """

    character: Character
    companion: Companion
    model_name: str
    stores: Stores
    options: DiscordOptions
    answers: Answers
    personal: Personal
    stance: StanceDesk
    forget_in_memory: Callable[[int], Awaitable[None]]
    repertoire: Repertoire
    sandbox: SandboxRoom | None
    consent: Consent
    clock: Clock
    report: Callable[[Locale], Awaitable[str]]
    community: Community | None = None
    model_names: Mapping[Tier, str] = field(default_factory=dict)

    @property
    def messages(self) -> Messages:
        """The texts."""
        return self.answers.messages

    def words(self, key: str) -> app_commands.locale_str:
        """Return a text of a command's definition, which Discord is given in every language."""
        return app_commands.locale_str(self.messages.text(key, "en"), key=key)

    def is_owner(self, interaction: discord.Interaction[Any]) -> bool:
        """Return whether the person runs this character."""
        return interaction.user.id in self.options.owner_ids

    def manages_server(self, interaction: discord.Interaction[Any]) -> bool:
        """Return whether the person may change settings of the server they are in."""
        return interaction.guild_id is not None and (interaction.permissions.manage_guild or self.is_owner(interaction))

    def require_owner(self, interaction: discord.Interaction[Any]) -> None:
        """Raise `NotAllowedError` for everybody but those who run the character."""
        if not self.is_owner(interaction):
            raise NotAllowedError("command.owners_only")

    def require_server(self, interaction: discord.Interaction[Any]) -> int:
        """Return the server's id; raise `NotAllowedError` outside of one, or for somebody who doesn't manage it."""
        if interaction.guild_id is None:
            raise NotAllowedError("command.server_only")
        if not self.manages_server(interaction):
            raise NotAllowedError("command.not_allowed")
        return interaction.guild_id


class NotAllowedError(app_commands.AppCommandError):
    """The person may not do that; `key` is the text that says so."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key
