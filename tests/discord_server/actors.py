"""People, as tests speak about them: they say, edit, react, run commands, click."""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.discord_server import message_payloads, options
from tests.discord_server.board import Board
from tests.discord_server.bots import Bot
from tests.discord_server.desk import Desk
from tests.discord_server.drafts import Draft
from tests.discord_server.interactions import Interaction, Kind
from tests.discord_server.message import Message, Upload
from tests.discord_server.message_payloads import Viewer
from tests.discord_server.model import Channel, Json, User
from tests.discord_server.rest.call import guess_type
from tests.discord_server.world import World

MESSAGE_COMMAND, USER_COMMAND = 3, 2
ACKNOWLEDGE_GRACE = 0.5


class Person:
    """Somebody at the other end. `@Name` in a text becomes a mention where such a member is present."""

    def __init__(self, user: User, *, world: World, board: Board, desk: Desk) -> None:
        self.user = user
        self._world = world
        self._board = board
        self._desk = desk

    @property
    def id(self) -> int:
        """The user's id."""
        return self.user.id

    @property
    def mention(self) -> str:
        """The text that mentions this person."""
        return self.user.mention

    async def says(
        self,
        where: Channel,
        text: str = "",
        *,
        reply_to: Message | None = None,
        attachments: Sequence[tuple[str, bytes]] = (),
        ping: bool = True,
    ) -> Message:
        """Post a message; `attachments` are names and contents.

        `ping` false makes a reply that doesn't mention the author of what it answers.
        """
        assert where.visible_to(self.user), f"{self.user.name} is not there"
        uploads = tuple(Upload(filename=name, data=data, content_type=guess_type(name)) for name, data in attachments)
        allowed: Json | None = None if ping else {"parse": ["users", "roles", "everyone"], "replied_user": False}
        draft = Draft(
            content=self._with_mentions(where, text),
            uploads=uploads,
            reference_id=reply_to.id if reply_to else None,
            allowed_mentions=allowed,
        )
        return self._board.post(where, self.user, draft)

    async def dm(self, bot: Bot, text: str = "", **kwargs: Any) -> Message:
        """Write to a bot directly."""
        return await self.says(self.dm_channel(bot), text, **kwargs)

    def dm_channel(self, bot: Bot) -> Channel:
        """Return the channel of direct messages with a bot."""
        return self._world.dm_between(self.user, bot.user)

    async def edits(self, message: Message, text: str) -> Message:
        """Change the text of an own message."""
        return self._board.edit(message, {"content": self._with_mentions(message.channel, text)})

    async def deletes(self, message: Message) -> None:
        """Delete a message."""
        self._board.delete(message)

    async def types(self, where: Channel) -> None:
        """Be seen typing."""
        self._board.type(where, self.user)

    async def reacts(self, message: Message, emoji: str) -> None:
        """React to a message."""
        self._board.react(message, self.user, emoji)

    async def unreacts(self, message: Message, emoji: str) -> None:
        """Take a reaction back."""
        self._board.unreact(message, self.user, emoji)

    async def starts_thread(
        self, where: Channel, name: str, *, on: Message | None = None, private: bool = False
    ) -> Channel:
        """Start a thread, of its own or from a message."""
        return self._board.start_thread(where, name, owner=self.user, on=on, private=private)

    async def opens_post(self, forum: Channel, title: str, text: str) -> Message:
        """Open a thread in a forum; return its first message."""
        return self._board.open_post(forum, title, author=self.user, draft=Draft(content=text))

    async def runs_command(
        self,
        bot: Bot,
        name: str,
        values: Mapping[str, Any] | None = None,
        *,
        channel: Channel | None = None,
        locale: str | None = None,
        acknowledged: bool = True,
    ) -> Interaction:
        """Run a slash command (`"privacy forget-me"` names a subcommand); without a channel, in a direct message.

        Waits until the command is registered, then for the first answer; `acknowledged` false: doesn't wait for that.

        Raises:
            AssertionError: if it isn't registered, the values don't fit, or the bot doesn't answer in Discord's time.
        """
        where = channel or self.dm_channel(bot)
        first, *path = name.split()
        command = await self._command(bot, where, first)
        data = options.command_data(self._world, where, command, path, values or {})
        return await self._opened(bot, Kind.COMMAND, where, data, locale, acknowledged=acknowledged)

    async def uses(
        self, bot: Bot, name: str, *, on: Message | User, channel: Channel, locale: str | None = None
    ) -> Interaction:
        """Use a context-menu command on a message or user."""
        reader = options.OptionReader(self._world, channel)
        if isinstance(on, Message):
            command = await self._command(bot, channel, name, MESSAGE_COMMAND)
            viewer = Viewer(app=bot.app, intents=bot.app.intents_allowed)
            # Discord shows the text of a message on which a command is used, whatever the intents.
            told = message_payloads.message(on, viewer) | {"content": on.content}
            resolved: Json = {"messages": {str(on.id): told}}
        else:
            command = await self._command(bot, channel, name, USER_COMMAND)
            reader.refer_to(on)
            resolved = dict(reader.resolved)
        data: Json = {
            "id": command["id"],
            "name": name,
            "type": command["type"],
            "target_id": str(on.id),
            "resolved": resolved,
        }
        return await self._opened(bot, Kind.COMMAND, channel, data, locale, acknowledged=True)

    async def autocompletes(
        self, bot: Bot, name: str, focused: str, text: str, *, channel: Channel | None = None, **others: Any
    ) -> list[Json]:
        """Type into an option and return the choices offered (`name`, `value`)."""
        where = channel or self.dm_channel(bot)
        first, *path = name.split()
        command = await self._command(bot, where, first)
        values = others | {focused: text}
        data = options.autocomplete_data(self._world, where, command, path, values, focused)
        return (await self._opened(bot, Kind.AUTOCOMPLETE, where, data, None, acknowledged=True)).choices

    async def clicks(
        self,
        message: Message,
        custom_id: str | None = None,
        *,
        label: str | None = None,
        values: Sequence[Any] = (),
        locale: str | None = None,
    ) -> Interaction:
        """Press a button, or pick `values` of a select menu, found by its custom id or label."""
        component = options.find_component(message.components, custom_id=custom_id, label=label)
        data = options.component_data(self._world, message.channel, component, values)
        app = self._world.app_of(message.author)
        assert app is not None, "only a bot's components can be used"
        interaction = self._desk.open(
            Kind.COMPONENT, app, self.user, message.channel, data, locale=locale or self.user.locale, message=message
        )
        await self._answered(interaction)
        return interaction

    async def submits(self, form: Interaction, values: Mapping[str, str | list[str] | bool]) -> Interaction:
        """Fill in the form that an interaction was answered with, and send it."""
        assert form.modal is not None, "the interaction was not answered with a form"
        data = options.modal_data(form.modal, values)
        interaction = self._desk.open(
            Kind.MODAL, form.app, self.user, form.channel, data, locale=form.locale, message=form.message
        )
        await self._answered(interaction)
        return interaction

    async def _command(self, bot: Bot, where: Channel, name: str, kind: int = 1) -> Json:
        return await self._world.signal.until(
            lambda: options.find_command(bot.app, where, name, kind), what=f"the command {name}", within=10.0
        )

    async def _opened(
        self, bot: Bot, kind: Kind, where: Channel, data: Json, locale: str | None, *, acknowledged: bool
    ) -> Interaction:
        interaction = self._desk.open(kind, bot.app, self.user, where, data, locale=locale or self.user.locale)
        if acknowledged:
            await self._answered(interaction)
        return interaction

    async def _answered(self, interaction: Interaction) -> None:
        await self._world.signal.until(
            lambda: interaction.callback,
            what="the application to respond",
            within=self._desk.deadline + ACKNOWLEDGE_GRACE,
        )

    def _with_mentions(self, where: Channel, text: str) -> str:
        present = [one.user for one in where.guild.members.values()] if where.guild else list(where.recipients)
        for user in sorted(present, key=lambda one: -len(one.display_name)):
            text = text.replace(f"@{user.display_name}", user.mention)
        return text
