"""A bot as tests see it from Discord's side: whether it is connected, and what the gateway does to it."""

from tests.discord_server.connection import Connection
from tests.discord_server.flags import Intent
from tests.discord_server.gateway import INVALID, RECONNECT
from tests.discord_server.model import App, Json, User
from tests.discord_server.sessions import Session, Sessions
from tests.discord_server.signal import Signal

READY_TIMEOUT = 30.0


class Bot:
    """A registered bot; the process behind it may or may not be running."""

    def __init__(self, app: App, *, sessions: Sessions, signal: Signal) -> None:
        self.app = app
        self._sessions = sessions
        self._signal = signal

    @property
    def user(self) -> User:
        """The bot's user."""
        return self.app.user

    @property
    def id(self) -> int:
        """The bot's user id, which is its application's too."""
        return self.app.user.id

    @property
    def mention(self) -> str:
        """The text that mentions the bot."""
        return self.app.user.mention

    @property
    def token(self) -> str:
        """The token it logs in with."""
        return self.app.token

    @property
    def presence(self) -> Json | None:
        """What it last said of its presence."""
        return self.app.presence

    @property
    def connected(self) -> bool:
        """Whether it has a session that is ready and has a socket."""
        return bool(self._sessions.connected(self.app))

    @property
    def identifies(self) -> int:
        """How many sessions it has begun."""
        return self._sessions.identifies.count(self.app)

    @property
    def resumes(self) -> int:
        """How often it has resumed one."""
        return self._sessions.resumes.count(self.app)

    @property
    def intents(self) -> Intent:
        """The intents of its present session."""
        return self._session().intents

    @property
    def shards(self) -> list[tuple[int, int]]:
        """The shards that have a session with a socket, in order; one that has two stands there twice."""
        return sorted(session.shard for session in self._sessions.connected(self.app))

    async def ready(self, *, identifies: int = 1, within: float = READY_TIMEOUT) -> None:
        """Return once READY and the servers were sent to (at least) its session number `identifies`."""
        await self._signal.until(
            lambda: self.connected and self.identifies >= identifies,
            what=f"{self.user.name} to be ready",
            within=within,
        )

    async def resumed(self, *, times: int = 1, within: float = READY_TIMEOUT) -> None:
        """Return once it has resumed a session that often."""
        await self._signal.until(
            lambda: self.connected and self.resumes >= times, what=f"{self.user.name} to resume", within=within
        )

    async def disconnected(self, *, within: float = READY_TIMEOUT) -> None:
        """Return once it has no connection."""
        await self._signal.until(lambda: not self.connected, what=f"{self.user.name} to be disconnected", within=within)

    def told_to_reconnect(self) -> None:
        """Op 7: reconnect and resume."""
        self._connection().send({"op": RECONNECT, "d": None})

    def invalidated(self, *, resumable: bool = False) -> None:
        """Op 9: the session is invalid; where it isn't resumable, it is gone at once."""
        session, connection = self._session(), self._connection()
        connection.send({"op": INVALID, "d": resumable})
        if not resumable:
            self._sessions.end(session)

    def closed(self, code: int) -> None:
        """Close its connection with a code (4014: intents that are not allowed; 4004: wrong token)."""
        self._connection().close(code)

    def dropped(self) -> None:
        """Break its connection, as a failing network does; the session can be resumed."""
        self._connection().drop()

    def receives(self, name: str, data: Json) -> None:
        """Send it an event as it stands; a malformed one fails inside the library's parser."""
        self._session().tell(name, data)

    def expire_sessions(self) -> None:
        """Forget its sessions while it is away: the next RESUME is answered with op 9."""
        for session in self._sessions.of(self.app):
            self._sessions.end(session)

    def _session(self) -> Session:
        sessions = self._sessions.connected(self.app)
        assert sessions, f"{self.user.name} is not connected"
        return sessions[-1]

    def _connection(self) -> Connection:
        connection = self._session().connection
        assert connection is not None
        return connection
