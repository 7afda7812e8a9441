"""What the buttons below replies do."""

from collections.abc import Awaitable
from typing import Any

import discord
import structlog

from bot.discord.answers import Answers
from bot.discord.buttons import KeepId, RegenerateId
from bot.discord.kit import Kit
from bot.discord.reading import without_last_small_print
from bot.discord.views import without_offer
from bot.personal import Personal, Told
from core.errors import CoreError, DeliveryError

_log = structlog.get_logger(__name__)


class ReplyActions:
    """`ButtonActions` for one character."""

    def __init__(self, *, kit: Kit, answers: Answers, personal: Personal) -> None:
        self._kit = kit
        self._answers = answers
        self._personal = personal
        self._under_way: set[int] = set()

    async def regenerate(self, interaction: discord.Interaction[Any], pressed: RegenerateId) -> None:
        """Answer the message again; only its author may ask for that, and only once at a time."""
        await self._visibly(interaction, self._regenerate(interaction, pressed))

    async def stop_writing(self, interaction: discord.Interaction[Any], author_id: int) -> None:
        """Stop the reply; a button left over from an interrupted one only goes away."""
        await self._visibly(interaction, self._stop_writing(interaction, author_id))

    async def keep(self, interaction: discord.Interaction[Any], pressed: KeepId) -> None:
        """Keep what a message asks to have remembered, or don't; only its author may say so."""
        await self._visibly(interaction, self._keep(interaction, pressed))

    async def _visibly(self, interaction: discord.Interaction[Any], work: Awaitable[None]) -> None:
        """Do something; should it fail, tell the person."""
        try:
            await work
        except Exception as error:  # noqa: BLE001 - a fault of ours must not meet the person as silence
            _log.exception("button.failed", channel_id=interaction.channel_id)
            await self._answers.fail(interaction, error.hint if isinstance(error, CoreError) else "command.failed")

    async def _regenerate(self, interaction: discord.Interaction[Any], pressed: RegenerateId) -> None:
        if interaction.user.id != pressed.author_id:
            await self._answers.tell(interaction, "button.not_yours")
            return
        if pressed.asked_id in self._under_way or interaction.message is None or interaction.channel_id is None:
            await self._answers.tell(interaction, "button.already")
            return
        self._under_way.add(pressed.asked_id)
        try:
            await interaction.response.defer()
            replaced = (*pressed.earlier, interaction.message.id)
            refused = await self._again(interaction, interaction.channel_id, pressed, replaced)
        finally:
            self._under_way.discard(pressed.asked_id)
        if refused is not None:
            await self._answers.tell(interaction, refused)

    async def _stop_writing(self, interaction: discord.Interaction[Any], author_id: int) -> None:
        if interaction.user.id != author_id:
            await self._answers.tell(interaction, "button.not_yours")
            return
        channel_id = interaction.channel_id
        if channel_id is not None and await self._kit.companion.stop(channel_id, author_id):
            await interaction.response.defer()
            return
        await interaction.response.edit_message(view=None)

    async def _keep(self, interaction: discord.Interaction[Any], pressed: KeepId) -> None:
        if interaction.user.id != pressed.author_id or interaction.message is None or interaction.channel_id is None:
            await self._answers.tell(interaction, "button.not_yours")
            return
        await interaction.response.defer()
        told = await self._kept(interaction.channel_id, pressed) if pressed.keep else Told("memory.not_kept")
        text, view = without_last_small_print(interaction.message.content), without_offer(interaction.message)
        await interaction.edit_original_response(content=text, view=view)
        await self._answers.tell_told(interaction, told)

    async def _kept(self, channel_id: int, pressed: KeepId) -> Told:
        """Keep what the message says by now: it may have been edited since it was answered, or deleted."""
        stored = await self._personal.source(pressed.asked_id)  # before it is read: no change is to be missed
        try:
            channel = await self._kit.places.find(channel_id)
            asked = await self._kit.places.message(channel, pressed.asked_id)
        except DeliveryError as error:
            _log.info("keep.asked_unreadable", message_id=pressed.asked_id, reason=str(error))
            return Told("memory.source_gone")
        offer = await self._kit.companion.offer_of(await self._kit.inbound.message(asked))
        return Told("memory.source_changed") if offer is None else await self._personal.accept(offer, stored)

    async def _again(
        self, interaction: discord.Interaction[Any], channel_id: int, pressed: RegenerateId, replaced: tuple[int, ...]
    ) -> str | None:
        """Return the key of what to tell where it could not be done."""
        try:
            channel = await self._kit.places.find(channel_id)
            asked = await self._kit.places.message(channel, pressed.asked_id)
        except DeliveryError as error:
            _log.info("regenerate.asked_unreadable", message_id=pressed.asked_id, reason=str(error))
            return "button.asked_gone"
        inbound = await self._kit.inbound.message(asked)
        if inbound.content_hidden or isinstance(channel, discord.GroupChannel):
            return "button.asked_gone"
        existing = tuple(channel.get_partial_message(message_id) for message_id in replaced)

        async def aside(text: str) -> None:
            await self._answers.say(interaction, text)

        replies = self._kit.reception.replies(asked, inbound, existing=existing, aside=aside)
        done = await self._kit.companion.regenerate(inbound, replies, replaced=replaced)
        return None if done else "button.not_now"
