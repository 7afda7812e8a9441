"""One character's connection: Discord's events become calls of its companion."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import aiohttp
import discord
import structlog
from discord.gateway import DiscordWebSocket

from bot.discord.actions import ReplyActions
from bot.discord.answers import Answers
from bot.discord.arrivals import AT_ONCE, Arrivals
from bot.discord.commands.desk import Desk
from bot.discord.commands.naming import CommandMentions
from bot.discord.commands.tree import CharacterTree, CommandCache, Translations
from bot.discord.consent import Consent
from bot.discord.courier import LONGEST_RATE_LIMIT, quietly
from bot.discord.inbound import surface_of
from bot.discord.kit import Kit, Surroundings, build_kit
from bot.discord.places import Place
from bot.discord.pulse import Pulse
from bot.discord.seats import Seat
from bot.discord.setup.items import ChannelsMenu, ChoiceMenu, SetupButton, told_place
from bot.discord.setup.steps import Setup
from bot.discord.setup.welcome import Welcome
from bot.discord.tenancy import refusing
from bot.discord.views import KeepButton, RegenerateButton, StopButton
from bot.operations.vitals import Connection
from bot.personal import Personal
from bot.stance_desk import StanceDesk
from core.errors import CoreError
from core.values import Surface, SurfaceKind

# Discord waits three seconds; whatever is still there to answer a click does so at once.
_UNANSWERED_AFTER = 2.0

_log = structlog.get_logger(__name__)


def wanted_intents(*, message_content: bool) -> discord.Intents:
    """Return the intents a character asks for; `message_content` is a privileged one."""
    return discord.Intents(guilds=True, guild_messages=True, dm_messages=True, message_content=message_content)


class CharacterClient(discord.Client):
    """A character on Discord. Its parts exist from the moment the token was accepted."""

    def __init__(
        self,
        *,
        seat: Seat,
        shared: Surroundings,
        commands: CommandCache,
        forget_in_memory: Callable[[int], Awaitable[None]],
        others_in_guild: Callable[[int], bool],
        pulse: Pulse,
        **sharding: Any,  # noqa: ANN401 - discord.py's own
    ) -> None:
        """Prepare a connection.

        `forget_in_memory` makes all characters of the process forget a user; `others_in_guild` says whether another
        one of them is in a server; `pulse` is told of the connection.
        """
        super().__init__(
            intents=wanted_intents(message_content=shared.options.message_content),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            guild_ready_timeout=AT_ONCE,
            max_ratelimit_timeout=LONGEST_RATE_LIMIT,
            enable_debug_events=True,  # tells of every frame of the gateway, heartbeats too: see `dispatch`
            http_trace=refusing(shared.tenure),
            **sharding,
        )
        self.seat = seat
        self._pulse = pulse
        self.tree = CharacterTree(self)
        self._shared = shared
        self._commands = commands
        self._mentions = CommandMentions(shared.messages)
        self._forget_in_memory = forget_in_memory
        self._others_in_guild = others_in_guild
        self._kit: Kit | None = None
        self._actions: ReplyActions | None = None
        self._setup: Setup | None = None
        self._welcome: Welcome | None = None
        self._background: set[asyncio.Task[Any]] = set()
        self._catching_up = asyncio.Lock()
        self._arrivals = Arrivals(self, shared.clock)

    @property
    def is_set_up(self) -> bool:
        """Whether the token was accepted and the parts exist."""
        return self._kit is not None

    @property
    def kit(self) -> Kit:
        """The character's parts."""
        if self._kit is None:
            raise RuntimeError("not logged in yet")
        return self._kit

    @property
    def actions(self) -> ReplyActions:
        """What buttons do."""
        if self._actions is None:
            raise RuntimeError("not logged in yet")
        return self._actions

    @property
    def setup(self) -> Setup:
        """What the panel of `/setup` does."""
        if self._setup is None:
            raise RuntimeError("not logged in yet")
        return self._setup

    async def setup_hook(self) -> None:
        """Build the parts and register commands and buttons; the gateway is not connected yet."""
        if self.user is None:
            raise RuntimeError("Discord named no user for this token")
        shared = replace(self._shared, messages=self._shared.messages.naming(self._mentions))
        self._kit = build_kit(client=self, own_id=self.user.id, seat=self.seat, shared=shared)
        answers = Answers(messages=shared.messages, users=shared.stores.users)
        personal = Personal(
            users=shared.stores.users,
            kept_facts=shared.stores.kept_facts,
            consents=shared.stores.consents,
            caution=self._kit.companion.caution,
            messages=shared.messages,
            clock=shared.clock,
        )
        self._actions = ReplyActions(kit=self._kit, answers=answers, personal=personal)
        desk = self._desk(shared, self._kit, answers, personal)
        self.tree.furnish(desk)
        self._setup = Setup(desk)
        if shared.options.welcome:
            self._welcome = Welcome(
                client=self,
                character=self.seat.character,
                stores=shared.stores,
                messages=shared.messages,
                courier=self._kit.writing,
                clock=shared.clock,
            )
        self.seat.voice.begin(self._kit.companion, self._kit.messenger)
        if self.seat.community is not None and shared.options.message_content:
            self.seat.community.join(self._kit.posts, self._kit.deeds)
        self.add_dynamic_items(RegenerateButton, StopButton, KeepButton, ChannelsMenu, ChoiceMenu, SetupButton)
        await self.tree.set_translator(Translations(shared.messages))
        self._in_background(self._sync_commands())

    def _desk(self, shared: Surroundings, kit: Kit, answers: Answers, personal: Personal) -> Desk:
        return Desk(
            character=self.seat.character,
            companion=kit.companion,
            model_name=self.seat.model_name,
            stores=shared.stores,
            options=shared.options,
            answers=answers,
            personal=personal,
            stance=StanceDesk(
                character=self.seat.character,
                traces=shared.stores.traces,
                guilds=shared.stores.guilds,
                allow_lists=shared.stores.allow_lists,
                clock=shared.clock,
                ignored_places=kit.companion.ignored_places,
            ),
            forget_in_memory=self._forget_in_memory,
            repertoire=self.seat.repertoire,
            sandbox=self.seat.sandbox,
            consent=Consent(
                policy=self.seat.repertoire.policy, stores=shared.stores, personal=personal, clock=shared.clock
            ),
            clock=shared.clock,
            report=self.seat.report,
            community=self.seat.community,
            model_names=self.seat.model_names,
        )

    async def stop_intake(self) -> None:
        """Take nothing more, and let the companion finish or take back what is under way."""
        if self._kit is None:
            return
        self._kit.reception.close()
        await self.seat.voice.end()
        if self.seat.community is not None:
            self.seat.community.leave()
        await self._kit.companion.close()

    async def drop_socket(self) -> None:
        """Close a socket that a fault left open: its heartbeat would keep a second session alive."""
        socket: DiscordWebSocket | None = self.ws
        if socket is not None:
            await quietly(socket.close())

    async def close(self) -> None:
        """Close the connection."""
        for task in self._background:
            task.cancel()
        await asyncio.gather(*self._background, return_exceptions=True)
        await super().close()

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:  # noqa: ANN401
        """Take note of what tells of the connection; hand on the events."""
        match event:
            case "socket_raw_receive":
                self._pulse.heard()
                return
            case "socket_raw_send":
                return
            case "ready" | "resumed":
                self._pulse.is_now(Connection.READY)
            case "disconnect":
                self._pulse.is_now(Connection.LOST)
            case _:
                pass
        super().dispatch(event, *args, **kwargs)

    async def on_ready(self) -> None:
        """A new session: whatever came before it was not told, so look for it."""
        _log.info("discord.ready", character=self.seat.character.name, guilds=len(self.guilds))
        self._in_background(self._catch_up())

    async def on_guild_available(self, _guild: discord.Guild) -> None:
        """Note that a server was told of."""
        self._arrivals.came()

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Greet a server that invited the character."""
        if self._welcome is not None:
            await self._welcome.greet(guild)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Take in the form of `/setup`, and answer clicks on what nobody answers for any more."""
        if (place := told_place(interaction)) is not None:
            await self.setup.place(interaction, place)
        elif interaction.type is discord.InteractionType.component:
            await self._shared.clock.sleep(_UNANSWERED_AFTER)
            if not interaction.response.is_done():
                await self.setup.over(interaction)

    async def on_message(self, message: discord.Message) -> None:
        """Take a message in."""
        await self.kit.reception.take(message)

    async def on_raw_message_edit(self, payload: discord.RawMessageUpdateEvent) -> None:
        """Follow an edit by a person; Discord also tells of link previews and the character's own streaming here."""
        message, kit = payload.message, self.kit
        if message.edited_at is None or kit.reading.is_own(message) or not kit.reading.is_speech(message):
            return
        if kit.inbound.is_hidden(message):
            return
        text = kit.reading.text(message)
        await kit.companion.edited(message.id, surface_of(message.channel), text, message.edited_at)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        """Follow a deletion."""
        surface = self._surface(payload.channel_id, payload.guild_id)
        await self.kit.companion.deleted([payload.message_id], surface)

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        """Follow the deletion of many messages at once."""
        surface = self._surface(payload.channel_id, payload.guild_id)
        await self.kit.companion.deleted(sorted(payload.message_ids), surface)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """Forget what was said in a channel that is gone."""
        await self.kit.companion.channel_deleted(channel.id)

    async def on_guild_channel_update(self, _before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        """Permissions may have changed: a channel that refused may be asked again."""
        self.kit.writing.closed.reopen(after.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        """Forget what was said in a thread that is gone."""
        await self.kit.companion.channel_deleted(payload.thread_id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Forget a server the character was removed from; its settings stay while another character is there."""
        await self.kit.companion.guild_removed(guild.id, shared=self._others_in_guild(guild.id))

    async def on_error(self, event_method: str, /, *_args: Any, **_kwargs: Any) -> None:  # noqa: ANN401
        """Log a fault in an event; the connection goes on."""
        _log.exception("discord.event_failed", event_name=event_method, character=self.seat.character.name)

    async def _catch_up(self) -> None:
        async with self._catching_up:
            await self._arrivals.all_there()
            await self.kit.catch_up.run()
        if self._welcome is not None:
            await self._welcome.greet_new()

    async def _sync_commands(self) -> None:
        if self.application_id is None:
            return
        synced = await self._commands.sync(self.tree, self.application_id, gives=self._shared.shards.has(None))
        self._mentions.know(synced.ids)
        if synced.changed:
            _log.info("commands.synced", character=self.seat.character.name)

    def _in_background(self, work: Any) -> None:  # noqa: ANN401 - a coroutine of any kind
        task = asyncio.create_task(self._guarded(work))
        self._background.add(task)
        task.add_done_callback(self._background.discard)

    async def _guarded(self, work: Any) -> None:  # noqa: ANN401
        try:
            await work
        except (discord.DiscordException, aiohttp.ClientError, CoreError, OSError, TimeoutError) as error:
            _log.error("discord.background_failed", character=self.seat.character.name, error=type(error).__name__)

    def _surface(self, channel_id: int, guild_id: int | None) -> Surface:
        channel = self.get_channel(channel_id)
        if isinstance(channel, Place):
            return surface_of(channel)
        kind = SurfaceKind.DM if guild_id is None else SurfaceKind.CHANNEL
        return Surface(kind=kind, channel_id=channel_id, guild_id=guild_id)
