"""A request as handlers get it, and what they work on."""

import json
from dataclasses import dataclass
from mimetypes import MimeTypes
from typing import Any

from aiohttp import BodyPartReader, web

from tests.discord_server.board import Board
from tests.discord_server.desk import Desk
from tests.discord_server.errors import ApiError, missing_access, missing_permissions, unauthorized
from tests.discord_server.flags import Permission
from tests.discord_server.message import Upload
from tests.discord_server.message_payloads import Viewer
from tests.discord_server.model import App, Channel, Json
from tests.discord_server.world import World


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """What handlers work on. `gateway_url` is a websocket address."""

    world: World
    board: Board
    desk: Desk
    gateway_url: str
    identifies_left: int
    max_concurrency: int = 1


@dataclass(frozen=True, slots=True)
class Created:
    """An answer with another status than 200."""

    body: Json
    status: int = 201


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One request: path parameters, query, JSON body and files."""

    params: dict[str, str]
    query: dict[str, str]
    body: Any
    uploads: tuple[Upload, ...]
    caller: App | None

    @property
    def app(self) -> App:
        """The bot that asks; raises 401 where the token is not known."""
        if self.caller is None:
            raise unauthorized()
        return self.caller

    @property
    def viewer(self) -> Viewer:
        """The bot as it reads messages over REST: by the intents its developer was granted."""
        return Viewer(app=self.app, intents=self.app.intents_allowed)

    def channel(self, context: Context, *needs: Permission) -> Channel:
        """Return the channel of the path, which the bot must see and have permissions in."""
        channel = context.world.channel(self.params["channel_id"])
        if not channel.visible_to(self.app.user):
            raise missing_access()
        granted = channel.permissions_of(self.app.user)
        if any(not granted & need for need in needs):
            raise missing_permissions()
        return channel


async def read_body(request: web.Request) -> tuple[Any, tuple[Upload, ...]]:
    """Return the JSON body and the files of a request, which may be plain JSON or multipart."""
    if request.content_type == "multipart/form-data":
        return await _read_multipart(request)
    raw = await request.read()
    if not raw:
        return {}, ()
    try:
        return json.loads(raw), ()
    except ValueError as error:
        raise ApiError(400, 50109, "The request body contains invalid JSON.") from error


async def _read_multipart(request: web.Request) -> tuple[Any, tuple[Upload, ...]]:
    body: Any = {}
    uploads: list[Upload] = []
    async for part in await request.multipart():
        assert isinstance(part, BodyPartReader)
        data = bytes(await part.read())
        if part.name == "payload_json":
            body = json.loads(data)
        else:
            uploads.append(Upload(filename=part.filename or "file", data=data, content_type=guess_type(part.filename)))
    return body, tuple(uploads)


def guess_type(filename: str | None) -> str | None:
    """Return the media type Discord would tell from a file's name (it ignores what the bot says)."""
    # The built-in table only: what the machine knows besides would make tests depend on it.
    kind, _ = MimeTypes().guess_type(filename or "")
    textual = kind is not None and (kind.startswith("text/") or kind == "application/json")
    return f"{kind}; charset=utf-8" if textual else kind
