"""The gateway's websocket protocol: HELLO, IDENTIFY, RESUME, heartbeats, member requests."""

import json
from dataclasses import dataclass
from typing import Any

from aiohttp import WSMsgType, web

from tests.discord_server import payloads
from tests.discord_server.connection import Connection
from tests.discord_server.flags import PRIVILEGED, Intent
from tests.discord_server.model import App, Json
from tests.discord_server.sessions import Session, Sessions
from tests.discord_server.world import World, guild_payload

HEARTBEAT, IDENTIFY, PRESENCE, VOICE, RESUME = 1, 2, 3, 4, 6
RECONNECT, MEMBERS, INVALID, HELLO, ACK = 7, 8, 9, 10, 11
UNKNOWN_OP, NOT_AUTHENTICATED, AUTHENTICATION_FAILED, ALREADY_AUTHENTICATED = 4001, 4003, 4004, 4005
DISALLOWED_INTENTS = 4014
GOING_AWAY = 1001
IDENTIFY_SECONDS = 5.0
SLACK = 0.25


@dataclass(slots=True)
class Peer:
    """A connected client, and its session once it has one."""

    connection: Connection
    session: Session | None = None


class Gateway:
    """Serves the websocket; `heartbeat_interval` in seconds.

    `acknowledges` false leaves heartbeats unanswered; `refuses` true answers new connections with 503. With
    `max_concurrency` set, a session that begins less than five seconds after another of its bucket is invalid (op 9).
    """

    def __init__(
        self, world: World, sessions: Sessions, *, heartbeat_interval: float, crashes: list[Exception]
    ) -> None:
        self._world = world
        self._sessions = sessions
        self._heartbeat_interval = heartbeat_interval
        self._crashes = crashes
        self._sockets: set[web.WebSocketResponse] = set()
        self.acknowledges = True
        self.refuses = False
        self.heartbeats = 0
        self.max_concurrency: int | None = None
        self.hasty = 0
        self._identified_at: dict[tuple[int, int], float] = {}
        self.url = ""

    async def serve(self, request: web.Request) -> web.WebSocketResponse:
        """Handle one connection until either side ends it."""
        if self.refuses:
            raise web.HTTPServiceUnavailable
        ws = web.WebSocketResponse(autoping=True)
        await ws.prepare(request)
        peer = Peer(Connection(request, ws))
        self._sockets.add(ws)
        peer.connection.send({"op": HELLO, "d": {"heartbeat_interval": int(self._heartbeat_interval * 1000)}})
        try:
            async for frame in ws:
                if frame.type is WSMsgType.TEXT:
                    self._receive(peer, json.loads(frame.data))
        except Exception as error:
            self._crashes.append(error)
            raise
        finally:
            self._sockets.discard(ws)
            await peer.connection.stop()
            self._left(peer, ws.close_code)
        return ws

    async def stop(self) -> None:
        """Close every socket."""
        for ws in list(self._sockets):
            await ws.close(code=GOING_AWAY)

    def _left(self, peer: Peer, code: int | None) -> None:
        if peer.session is None:
            return
        # A client that says goodbye with 1000 or 1001 gives its session up; any other end leaves it resumable.
        if code in {1000, GOING_AWAY} and peer.session.connection is peer.connection:
            peer.session.connection = None
            self._sessions.end(peer.session)
        else:
            self._sessions.park(peer.session, peer.connection)

    def _receive(self, peer: Peer, frame: Json) -> None:
        op = frame.get("op")
        data: Any = frame.get("d")
        if op == HEARTBEAT:
            self.heartbeats += 1
            self._world.signal.notify()
            if self.acknowledges:
                peer.connection.send({"op": ACK})
        elif op == IDENTIFY:
            self._identify(peer, data)
        elif op == RESUME:
            self._resume(peer, data)
        elif op not in {PRESENCE, VOICE, MEMBERS}:
            peer.connection.close(UNKNOWN_OP)
        elif peer.session is None:
            peer.connection.close(NOT_AUTHENTICATED)
        elif op == PRESENCE:
            peer.session.app.presence = data
            self._world.signal.notify()
        elif op == MEMBERS:
            self._members(peer.session, data)

    def _identify(self, peer: Peer, data: Json) -> None:
        app = self._world.apps.get(data["token"])
        intents = Intent(data.get("intents", 0))
        if peer.session is not None:
            peer.connection.close(ALREADY_AUTHENTICATED)
        elif app is None:
            peer.connection.close(AUTHENTICATION_FAILED)
        elif intents & PRIVILEGED & ~app.intents_allowed:
            peer.connection.close(DISALLOWED_INTENTS)
        else:
            index, total = data.get("shard") or (0, 1)
            if self._is_hasty(app, index):
                peer.connection.send({"op": INVALID, "d": False})
                return
            app.presence = data.get("presence") or app.presence
            peer.session = self._sessions.open(app, intents, (index, total), peer.connection)
            self._sessions.identifies.append(app)
            self._greet(peer.session)

    def _is_hasty(self, app: App, shard: int) -> bool:
        if self.max_concurrency is None:
            return False
        bucket, now = (app.id, shard % self.max_concurrency), self._world.clock.monotonic()
        hasty = now - self._identified_at.get(bucket, -IDENTIFY_SECONDS) < IDENTIFY_SECONDS - SLACK
        self.hasty += hasty
        self._identified_at[bucket] = now
        return hasty

    def _greet(self, session: Session) -> None:
        app = session.app
        guilds = [one for one in self._world.guilds.values() if app.user.id in one.members]
        index, total = session.shard
        guilds = [one for one in guilds if (one.id >> 22) % total == index]
        session.tell("READY", self._ready(app, session, [str(one.id) for one in guilds]))
        for guild in guilds:
            session.tell("GUILD_CREATE", guild_payload(guild)(session.viewer) | {"unavailable": False})
        session.ready = True
        self._world.signal.notify()

    def _ready(self, app: App, session: Session, guild_ids: list[str]) -> Json:
        return {
            "v": 10,
            "user": payloads.user(app.user) | {"verified": True, "mfa_enabled": False, "email": None, "flags": 0},
            "guilds": [{"id": one, "unavailable": True} for one in guild_ids],
            "private_channels": [],
            "session_id": session.id,
            "resume_gateway_url": self.url,
            "shard": list(session.shard),
            "application": {"id": str(app.id), "flags": payloads.application(app)["flags"]},
        }

    def _resume(self, peer: Peer, data: Json) -> None:
        session = self._sessions.get(str(data.get("session_id")), data["token"])
        if session is None:
            peer.connection.send({"op": INVALID, "d": False})
            return
        peer.session = session
        session.replay(peer.connection, data.get("seq") or 0)
        self._sessions.resumes.append(session.app)
        self._world.signal.notify()

    def _members(self, session: Session, data: Json) -> None:
        guild = self._world.guild(data["guild_id"])
        query, limit = (data.get("query") or "").lower(), data.get("limit") or 1000
        wanted = {int(one) for one in data.get("user_ids") or ()}
        found = [
            one
            for one in guild.members.values()
            if (one.user.id in wanted if wanted else one.user.name.lower().startswith(query))
        ][:limit]
        missing = wanted - {one.user.id for one in found}
        chunk: Json = {
            "guild_id": str(guild.id),
            "members": [payloads.member(one) for one in found],
            "chunk_index": 0,
            "chunk_count": 1,
            "not_found": [str(one) for one in missing],
        }
        if data.get("nonce") is not None:
            chunk["nonce"] = data["nonce"]
        session.tell("GUILD_MEMBERS_CHUNK", chunk)
