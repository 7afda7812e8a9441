"""A character that may speak first at any hour, people who are due right now, and what became of their slots."""

import shutil
import sqlite3
import struct
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from itertools import product
from pathlib import Path
from zoneinfo import ZoneInfo

from core.characters.pack import ProactivePolicy, TimeRange
from core.clock import SystemClock
from core.proactive.limits import Limits
from core.proactive.scheduling import next_due
from core.proactive.slots import slots_of_day
from core.proactive.types import Recipient, RecipientKind, Subscription, Wishes
from data.packs.loader import SHIPPED, load_pack
from data.proactive.rows import put_parameters
from data.sql import NamedQueries
from tests.acceptance.discord.stage import Stage, staged
from tests.acceptance.proactive import watched_process
from tests.acceptance.proactive.director import Director
from tests.discord_server.actors import Person
from tests.discord_server.message import Message
from tests.discord_server.model import Channel

CLOCK = SystemClock()
ZONE = "Etc/UTC"
_FINAL = {"sent", "declined", "skipped", "failed", "unknown"}


@dataclass(slots=True)
class Scene:
    """A stage whose process is watched, with a clock that can be wrong."""

    stage: Stage
    director: Director
    characters: Path
    clock: Path

    @property
    def policy(self) -> ProactivePolicy:
        """How the character speaks first."""
        return load_pack(self.characters / "hinata").proactive

    @property
    def schedule(self) -> Path:
        """The file of the character's week."""
        return self.characters / "hinata" / "schedule.toml"

    def now(self) -> datetime:
        """Return what the processes take for the time."""
        (wrong_by,) = struct.unpack("d", self.clock.read_bytes())
        return CLOCK.now() + timedelta(seconds=wrong_by)

    def set_clock(self, wrong_by: float) -> None:
        """Set the clock of all processes, now and when they start: by how many seconds it is wrong."""
        with self.clock.open("r+b") as opened:
            opened.write(struct.pack("d", wrong_by))

    def member(self, name: str) -> Person:
        """Return somebody who shares a server with the bot."""
        person = self.stage.discord.add_user(name)
        self.stage.discord.add_guild("Garden", self.stage.bot, person)
        return person

    def subscribe(self, *people: Person) -> None:
        """Store the consent of people who have been due for a few seconds, beside whatever is running."""
        self.store([self.due(RecipientKind.USER, person.id) for person in people])

    def subscribe_channel(self, channel: Channel) -> None:
        """Store that a channel wants to be spoken to, and is due."""
        assert channel.guild is not None
        due = self.due(RecipientKind.CHANNEL, channel.id)
        self.store([replace(due, guild_id=channel.guild.id, chosen_by=channel.guild.owner.id)])

    def due(self, kind: RecipientKind, recipient_id: int) -> Subscription:
        """Return consent with a window in which the real code finds the recipient due some seconds ago."""
        return due_now(self.policy, Recipient("hinata", kind, recipient_id), self.now())

    def store(self, subscriptions: Sequence[Subscription]) -> None:
        """Store consents, all in one transaction."""
        sql, _ = NamedQueries().statement("put_subscription")
        with closing(sqlite3.connect(self.stage.database, timeout=30)) as connection, connection:
            for one in subscriptions:
                connection.execute(sql, put_parameters(one, whatever=True)).fetchall()

    async def outcome(self, recipient: Person | Channel) -> tuple[str, str | None, int | None]:
        """Wait for the one slot of a recipient to end; return state, reason and message id."""
        (row,) = await self.stage.stored(
            "SELECT state, reason, message_id FROM proactive_slots WHERE recipient_id = ?",
            recipient.id,
            until=lambda rows: len(rows) == 1 and rows[0][0] in _FINAL,
        )
        state, reason, message_id = row
        return state, reason, message_id

    async def rows(self, recipient: Person | Channel) -> int:
        """Return how many slots a recipient has."""
        (row,) = await self.stage.stored("SELECT count(*) FROM proactive_slots WHERE recipient_id = ?", recipient.id)
        count: int = row[0]
        return count

    def messages(self, person: Person) -> list[Message]:
        """Return what a person was sent."""
        return self.stage.discord.sent(person.dm_channel(self.stage.bot))

    def another_process(self) -> Stage:
        """Return a second process on the same database, not started yet; to be closed by who asked for it."""
        mine = self.stage
        return Stage(
            discord=mine.discord,
            model=mine.model,
            folder=mine.folder,
            bot=mine.bot,
            settings=mine.settings,
            command=mine.command,
        )


@asynccontextmanager
async def scene(folder: Path) -> AsyncIterator[Scene]:
    """Set up a scene; its process is not started yet."""
    characters = always_open(folder / "characters")
    clock = folder / "wrong-by"
    clock.write_bytes(struct.pack("d", 0.0))
    async with staged(folder, started=False) as stage:
        stage.settings |= {
            "YORISOI_CHARACTERS_DIR": str(characters),
            "YORISOI_PROACTIVE_CHOICE": "seed",
            "YORISOI_PROACTIVE_AT_ONCE": "32",
        }
        stage.discord.patience = 60.0
        async with Director.start(stage.discord.signal) as director:
            stage.command = (watched_process.__file__, str(director.port), str(clock))
            yield Scene(stage=stage, director=director, characters=characters, clock=clock)
            director.clear()
            await stage.close()


def always_open(folder: Path) -> Path:
    """Return a folder with Hinata, who may speak first at any hour but for a minute that is far from now."""
    pack = Path(shutil.copytree(SHIPPED / "hinata", folder / "hinata"))
    away = CLOCK.now() + timedelta(hours=12)
    # The two windows meet where the quiet minute is: no window of a person is cut in two there.
    half = away + timedelta(hours=6)
    head, _, _ = (pack / "character.toml").read_text("utf-8").partition("[proactive]")
    quiet = f"{away:%H:%M}-{away + timedelta(minutes=1):%H:%M}"
    windows = f'["{away:%H:%M}-{half:%H:%M}", "{half:%H:%M}-{away:%H:%M}"]'
    table = f'[proactive]\nenabled = true\nwindows = {windows}\nquiet_hours = "{quiet}"\n'
    (pack / "character.toml").write_text(head + table, "utf-8")
    return folder


def due_now(policy: ProactivePolicy, who: Recipient, now: datetime) -> Subscription:
    """Return consent with a window in which the real code finds the recipient due some seconds ago."""
    for before, length in product(range(1, 100), range(40, 200)):
        opens = now - timedelta(minutes=before)
        window = TimeRange(start=_minute(opens), end=_minute(opens + timedelta(minutes=length)))
        if not _was_due(who, window, opens, now):
            continue
        wanted = Subscription(recipient=who, enabled=True, wishes=Wishes(timezone=ZONE, windows=(window,)))
        due_at = next_due(policy, wanted, after=now - timedelta(seconds=30))
        if due_at is not None and due_at < now:
            return replace(wanted, due_at=due_at)
    raise AssertionError("no window makes the recipient due")


def _was_due(who: Recipient, window: TimeRange, opens: datetime, now: datetime) -> bool:
    limits = Limits(per_day=1, gap=timedelta(), windows=(window,), quiet=())
    slots = slots_of_day(who, opens.date(), limits, ZoneInfo(ZONE))
    return any(timedelta(seconds=1) < now - slot.due_at < timedelta(seconds=20) for slot in slots)


def _minute(moment: datetime) -> time:
    return moment.time().replace(second=0, microsecond=0)
