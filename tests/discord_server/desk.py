"""Where interactions are opened and answered."""

import secrets
from datetime import timedelta

from core.clock import Clock
from tests.discord_server import message_payloads, payloads
from tests.discord_server.board import Board
from tests.discord_server.drafts import Draft
from tests.discord_server.errors import ApiError, unknown
from tests.discord_server.flags import MessageFlag, MessageKind
from tests.discord_server.interactions import Callback, Interaction, Kind
from tests.discord_server.message import Message, Upload
from tests.discord_server.message_payloads import Viewer
from tests.discord_server.model import App, Channel, Json, User
from tests.discord_server.world import Event, World

TOKEN_LIFE = timedelta(minutes=15)
ATTACHMENT_LIMIT = 10 * 1024 * 1024


class Desk:
    """Opens interactions and takes the answers. `deadline` is the time for the first answer in seconds."""

    def __init__(self, world: World, board: Board, *, clock: Clock, deadline: float) -> None:
        self._world = world
        self._board = board
        self._clock = clock
        self._by_token: dict[str, Interaction] = {}
        self.deadline = deadline

    def open(
        self,
        kind: Kind,
        app: App,
        user: User,
        channel: Channel,
        data: Json,
        *,
        locale: str,
        message: Message | None = None,
    ) -> Interaction:
        """Tell the bot of an interaction."""
        interaction = Interaction(
            id=self._world.new_id(),
            token=secrets.token_urlsafe(32),
            kind=kind,
            app=app,
            user=user,
            channel=channel,
            data=data,
            locale=locale,
            opened_at=self._clock.now(),
            signal=self._world.signal,
            message=message,
        )
        self._by_token[interaction.token] = interaction
        self._world.emit(
            Event(
                name="INTERACTION_CREATE",
                payload=lambda viewer: _told(interaction, viewer),
                guild=channel.guild,
                channel=channel,
                app=app,
            )
        )
        return interaction

    def opened(self, interaction_id: str, token: str) -> Interaction:
        """Return the interaction a callback names; raises 10062 when it is unknown or its time has passed."""
        interaction = self._by_token.get(token)
        if interaction is None or str(interaction.id) != interaction_id:
            raise unknown("Interaction")
        if self._clock.now() - interaction.opened_at > timedelta(seconds=self.deadline) and not interaction.callback:
            raise unknown("Interaction")
        return interaction

    def by_token(self, application_id: str, token: str) -> Interaction:
        """Return the interaction of a webhook path; its token lives fifteen minutes."""
        interaction = self._by_token.get(token)
        if interaction is None or str(interaction.app.id) != application_id:
            raise unknown("Webhook")
        if self._clock.now() - interaction.opened_at > TOKEN_LIFE:
            raise ApiError(401, 50027, "Invalid Webhook Token")
        return interaction

    def answer(self, interaction: Interaction, body: Json, uploads: tuple[Upload, ...]) -> None:
        """Take the first answer."""
        if interaction.callback is not None:
            raise ApiError(400, 40060, "Interaction has already been acknowledged.")
        callback = Callback(body["type"])
        data = body.get("data") or {}
        if callback in {Callback.MESSAGE, Callback.DEFERRED}:
            interaction.original = self._first(interaction, callback, data, uploads)
        elif callback in {Callback.DEFERRED_UPDATE, Callback.UPDATE}:
            interaction.original = interaction.message
            if callback is Callback.UPDATE and interaction.message is not None:
                self._board.edit(interaction.message, data, uploads)
        elif callback is Callback.CHOICES:
            interaction.choices = data["choices"]
        else:
            interaction.modal = data
        interaction.callback = callback
        self._world.signal.notify()

    def original(self, interaction: Interaction) -> Message:
        """Return the first answer's message, or raise 10008."""
        if interaction.original is None or interaction.original.deleted:
            raise unknown("Message")
        return interaction.original

    def follow_up(self, interaction: Interaction, body: Json, uploads: tuple[Upload, ...]) -> Message:
        """Post a further message; the first one after a deferral takes the place of the thinking state."""
        if interaction.callback is None:
            raise unknown("Webhook")
        if interaction.original is not None and interaction.original.is_loading:
            return self._board.edit(interaction.original, body, uploads)
        message = self._post(interaction, Draft.from_body(body, uploads))
        interaction.followups.append(message)
        self._world.signal.notify()
        return message

    def message(self, interaction: Interaction, message_id: str) -> Message:
        """Return one of the interaction's messages, or raise 10008."""
        for message in [interaction.original, *interaction.followups]:
            if message is not None and str(message.id) == message_id and not message.deleted:
                return message
        raise unknown("Message")

    def _first(self, interaction: Interaction, callback: Callback, data: Json, uploads: tuple[Upload, ...]) -> Message:
        draft = Draft.from_body(data, uploads)
        if callback is Callback.MESSAGE:
            return self._post(interaction, draft)
        return self._put(interaction, Draft(flags=draft.flags | MessageFlag.LOADING))

    def _post(self, interaction: Interaction, draft: Draft) -> Message:
        draft.check()
        return self._put(interaction, draft)

    def _put(self, interaction: Interaction, draft: Draft) -> Message:
        message = self._board.build(interaction.channel, interaction.app.user, draft, **_origin(interaction))
        if not message.is_ephemeral:
            interaction.channel.messages[message.id] = message
            self._world.posted.append(message)
        self._board.tell("MESSAGE_CREATE", message)
        return message


def _origin(interaction: Interaction) -> Json:
    kind = MessageKind.CHAT_INPUT_COMMAND if interaction.kind is Kind.COMMAND else MessageKind.DEFAULT
    told: Json = {
        "id": str(interaction.id),
        "type": int(interaction.kind),
        "user": payloads.user(interaction.user),
        "authorizing_integration_owners": {},
    }
    return {"kind": kind, "application_id": interaction.app.id, "interaction": told}


def _told(interaction: Interaction, viewer: Viewer) -> Json:
    channel, user = interaction.channel, interaction.user
    body: Json = {
        "id": str(interaction.id),
        "application_id": str(interaction.app.id),
        "type": int(interaction.kind),
        "token": interaction.token,
        "version": 1,
        "data": interaction.data,
        "channel_id": str(channel.id),
        "channel": payloads.channel(channel, interaction.app.user),
        "locale": interaction.locale,
        "entitlements": [],
        "authorizing_integration_owners": {"0": str(channel.guild.id if channel.guild else 0)},
        "context": 0 if channel.guild else 1,
        "attachment_size_limit": ATTACHMENT_LIMIT,
        "app_permissions": str(int(channel.permissions_of(interaction.app.user))),
    }
    if interaction.message is not None:
        body["message"] = message_payloads.message(interaction.message, viewer)
    if channel.guild is None:
        return body | {"user": payloads.user(user)}
    member = payloads.member(channel.guild.members[user.id])
    member["permissions"] = str(int(channel.permissions_of(user)))
    guild: Json = {"id": str(channel.guild.id), "locale": channel.guild.locale, "features": []}
    return body | {
        "guild_id": str(channel.guild.id),
        "guild": guild,
        "guild_locale": channel.guild.locale,
        "member": member,
    }
