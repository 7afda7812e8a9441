"""Gateway sessions: who is told what, in numbered events that can be replayed."""

import json
import secrets
from dataclasses import dataclass, field

from tests.discord_server.connection import Connection
from tests.discord_server.flags import Intent
from tests.discord_server.message_payloads import Viewer
from tests.discord_server.model import App, Json, User
from tests.discord_server.signal import Signal
from tests.discord_server.world import Event

# Which intent an event needs: in a server, and in direct messages. Events not named here need none.
REQUIRED = {
    "MESSAGE_CREATE": (Intent.GUILD_MESSAGES, Intent.DIRECT_MESSAGES),
    "MESSAGE_UPDATE": (Intent.GUILD_MESSAGES, Intent.DIRECT_MESSAGES),
    "MESSAGE_DELETE": (Intent.GUILD_MESSAGES, Intent.DIRECT_MESSAGES),
    "MESSAGE_REACTION_ADD": (Intent.GUILD_MESSAGE_REACTIONS, Intent.DIRECT_MESSAGE_REACTIONS),
    "MESSAGE_REACTION_REMOVE": (Intent.GUILD_MESSAGE_REACTIONS, Intent.DIRECT_MESSAGE_REACTIONS),
    "TYPING_START": (Intent.GUILD_MESSAGE_TYPING, Intent.DIRECT_MESSAGE_TYPING),
    "GUILD_MEMBER_ADD": (Intent.GUILD_MEMBERS, Intent(0)),
    "GUILD_MEMBER_REMOVE": (Intent.GUILD_MEMBERS, Intent(0)),
    "GUILD_CREATE": (Intent.GUILDS, Intent(0)),
    "GUILD_DELETE": (Intent.GUILDS, Intent(0)),
    "GUILD_ROLE_CREATE": (Intent.GUILDS, Intent(0)),
    "CHANNEL_CREATE": (Intent.GUILDS, Intent(0)),
    "CHANNEL_UPDATE": (Intent.GUILDS, Intent(0)),
    "CHANNEL_DELETE": (Intent.GUILDS, Intent(0)),
    "THREAD_CREATE": (Intent.GUILDS, Intent(0)),
    "THREAD_UPDATE": (Intent.GUILDS, Intent(0)),
    "THREAD_DELETE": (Intent.GUILDS, Intent(0)),
}


@dataclass(slots=True, eq=False, kw_only=True)
class Session:
    """What one IDENTIFY began. It outlives its connection, and collects events to be replayed meanwhile."""

    id: str
    app: App
    intents: Intent
    shard: tuple[int, int]
    connection: Connection | None
    ready: bool = False
    sequence: int = 0
    log: list[tuple[int, str]] = field(default_factory=list, repr=False)

    @property
    def viewer(self) -> Viewer:
        """The bot as it looks at messages through this session."""
        return Viewer(app=self.app, intents=self.intents)

    def tell(self, name: str, data: Json) -> None:
        """Number an event, keep it, and send it when a socket is there."""
        self.sequence += 1
        text = json.dumps({"op": 0, "t": name, "s": self.sequence, "d": data})
        self.log.append((self.sequence, text))
        if self.connection is not None:
            self.connection.send_text(text)

    def replay(self, connection: Connection, after: int) -> None:
        """Take up a new socket: send again what came after `after`, then RESUMED."""
        self.connection = connection
        for sequence, text in self.log:
            if sequence > after:
                connection.send_text(text)
        self.tell("RESUMED", {})

    def wants(self, event: Event) -> bool:
        """Return whether shard, intents and visibility let this event through."""
        guild_id = event.guild.id if event.guild else None
        index, total = self.shard
        if ((guild_id or 0) >> 22) % total != index:
            return False
        needs = REQUIRED.get(event.name)
        if needs and not self.intents & needs[0 if guild_id else 1]:
            return False
        return sees(self.app.user, event) if event.app is None else event.app is self.app


def sees(user: User, event: Event) -> bool:
    """Return whether a user is where the event happened and may look there."""
    if event.channel is not None:
        return event.channel.visible_to(user)
    return event.guild is not None and user.id in event.guild.members


class Sessions:
    """All sessions that can still be resumed."""

    def __init__(self, signal: Signal) -> None:
        self._by_id: dict[str, Session] = {}
        self._signal = signal
        self.identifies: list[App] = []
        self.resumes: list[App] = []

    def open(self, app: App, intents: Intent, shard: tuple[int, int], connection: Connection) -> Session:
        """Begin a session."""
        session = Session(id=secrets.token_hex(16), app=app, intents=intents, shard=shard, connection=connection)
        self._by_id[session.id] = session
        return session

    def get(self, session_id: str, token: str) -> Session | None:
        """Return a session if it can be resumed by that token."""
        session = self._by_id.get(session_id)
        return session if session and session.app.token == token else None

    def of(self, app: App) -> list[Session]:
        """Return a bot's sessions, oldest first."""
        return [session for session in self._by_id.values() if session.app is app]

    def connected(self, app: App) -> list[Session]:
        """Return a bot's sessions that are ready and have a socket."""
        return [session for session in self.of(app) if session.ready and session.connection is not None]

    def end(self, session: Session) -> None:
        """Forget a session: it cannot be resumed any more."""
        self._by_id.pop(session.id, None)
        self._signal.notify()

    def park(self, session: Session, connection: Connection) -> None:
        """Leave a session without a socket, to be resumed; not if another socket took it over already."""
        if session.connection is connection:
            session.connection = None
        self._signal.notify()

    def publish(self, event: Event) -> None:
        """Tell an event to all it concerns."""
        for session in list(self._by_id.values()):
            if session.ready and session.wants(event):
                session.tell(event.name, event.payload(session.viewer))
