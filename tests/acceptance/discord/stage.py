"""The real `yorisoi run`, a loopback Discord and a scripted model, and what tests need to play with them."""

import asyncio
import json
import os
import signal
import sqlite3
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from core.clock import Clock
from tests.acceptance.program import clean_environment
from tests.acceptance.spawning import Spawned, spawn
from tests.discord_server.actors import Person
from tests.discord_server.bots import Bot
from tests.discord_server.flags import PRIVILEGED, Intent
from tests.discord_server.message import Message
from tests.discord_server.options import components_in
from tests.discord_server.server import DiscordServer
from tests.model_server import Behaviour, ModelServer, ReceivedRequest, model_server

TOKEN = "token-of-hinata"
MODEL_KEY = "key-of-the-scripted-model"
_SECONDS = 40.0


@dataclass(slots=True)
class Script:
    """What the model says to whoever says something: by a word in the newest message, each behaviour once."""

    _cues: dict[str, deque[Behaviour | str]] = field(default_factory=dict)

    def when(self, cue: str, *behaviours: Behaviour | str) -> None:
        """Answer messages with this word in them by these behaviours, in turn; the last one stays."""
        self._cues[cue] = deque(behaviours)

    def respond(self, request: ReceivedRequest) -> Behaviour | str:
        """Return the behaviour for a request; a plain echo of the last line where no cue fits."""
        text = request.last_text
        for cue, behaviours in self._cues.items():
            if cue in text:
                return behaviours.popleft() if len(behaviours) > 1 else behaviours[0]
        return "I hear you."


@dataclass(slots=True)
class Stage:
    """One process with its surroundings."""

    discord: DiscordServer
    model: ModelServer
    folder: Path
    bot: Bot
    script: Script = field(default_factory=Script)
    settings: dict[str, str] = field(default_factory=dict)
    command: tuple[str, ...] = ("run",)
    process: Spawned | None = None
    log: list[str] = field(default_factory=list)
    people: dict[str, Person] = field(default_factory=dict)
    _readers: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def database(self) -> Path:
        """The SQLite file."""
        return self.folder / "yorisoi-data" / "yorisoi.db"

    @property
    def logged(self) -> str:
        """Everything the process wrote to stderr so far."""
        return "\n".join(self.log)

    async def start(self, **settings: str) -> None:
        """Start the process and wait until it is connected."""
        before = self.bot.identifies
        await self.launch(**settings)
        await self.bot.ready(identifies=before + 1)
        await self.logs("catch_up.done", times=self.logged.count("catch_up.done") + 1)

    async def launch(self, **settings: str) -> None:
        """Start the process."""
        self.process = await spawn(
            *self.command,
            cwd=self.folder,
            env=clean_environment(self.folder, **(self._environment() | settings)),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        self._readers.add(asyncio.create_task(self._read_log(self.process)))

    async def ended(self) -> int:
        """Wait for the process to end; return its exit code."""
        assert self.process is not None
        code = await asyncio.wait_for(self.process.wait(), _SECONDS)
        await asyncio.gather(*self._readers)
        return code

    async def kill(self) -> None:
        """Kill the process as a crash would."""
        assert self.process is not None
        self.process.kill()
        await self.ended()
        await self.bot.disconnected()

    async def terminate(self) -> int:
        """Ask the process to end; return its exit code."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return await self.ended()

    async def logs(self, text: str, *, times: int = 1) -> None:
        """Wait until the process has logged something."""
        await self.discord.wait_for(
            lambda: self.logged.count(text) >= times, what=f"{text} in the log", within=_SECONDS
        )

    async def stored(self, query: str, *values: Any, until: Callable[[list[Any]], bool] = bool) -> list[Any]:
        """Wait until a query on the database returns what `until` accepts, and return its rows.

        The process writes after it has sent, and nothing tells of that, so this looks again every few milliseconds.
        """

        def look() -> list[Any]:
            with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
                return connection.execute(query, values).fetchall()

        ticking = asyncio.create_task(self._tick())
        try:
            return await self.discord.wait_for(look, until=until, what=query)
        finally:
            ticking.cancel()

    async def answer(self, to: Message, *, within: float | None = None) -> Message:
        """Return the finished answer to a message: it has its button, and small print is no part of it."""

        def finished() -> Message | None:
            return next((reply for reply in self.replies(to) if button_of(reply, "again:")), None)

        return await self.discord.wait_for(finished, what=f"an answer to {to.content!r}", within=within)

    def replies(self, to: Message) -> list[Message]:
        """Return what was replied to a message and stands."""
        return [one for one in self.discord.sent(to.channel) if one.reference_id == to.id]

    async def close(self) -> None:
        """End the process, however it fares."""
        if self.process is not None and self.process.returncode is None:
            self.process.terminate()
            try:
                await asyncio.wait_for(self.process.wait(), 10.0)
            except TimeoutError:
                self.process.kill()
                await self.process.wait()
        await asyncio.gather(*self._readers)

    def secrets_spilt(self) -> list[str]:
        """Return where the token or the key stands: the log, a prompt, what was posted, a file of the process."""
        texts = {"log": self.logged, "prompts": str([request.body for request in self.model.requests])}
        for message in self.discord.world.posted:
            files = [one.data.decode(errors="replace") for one in message.attachments]
            texts[f"message {message.id}"] = "\n".join([message.content, *files])
        for path in self.folder.rglob("*"):
            if path.is_file() and path.stat().st_size < 1 << 24:
                texts[str(path)] = path.read_bytes().decode(errors="replace")
        return [name for name, text in texts.items() if TOKEN in text or MODEL_KEY in text]

    def _environment(self) -> dict[str, str]:
        models = json.dumps([{"base_url": self.model.url, "api_key": MODEL_KEY, "model": "scripted", "images": True}])
        return {
            **self.discord.environment(),
            "YORISOI_DISCORD_TOKEN": TOKEN,
            "YORISOI_CHARACTER": "hinata",
            "YORISOI_BALANCED_MODELS": models,
            "YORISOI_DEBOUNCE_SECONDS": "0.05",
            "YORISOI_MESSAGES_PER_MINUTE": "600",
            "YORISOI_LOG_FORMAT": "json",
            "YORISOI_WELCOME": "false",
            **self.settings,
        }

    async def _read_log(self, process: Spawned) -> None:
        assert process.stderr is not None
        async for line in process.stderr:
            self.log.append(line.decode(errors="replace").rstrip())
            self.discord.signal.notify()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(0.02)
            self.discord.signal.notify()


def said(reply: Message) -> str:
    """Return a reply without the small print below it."""
    return "\n".join(line for line in reply.content.split("\n") if not line.startswith("-# ")).strip()


def button_of(message: Message, prefix: str) -> str | None:
    """Return the id of a message's button that begins like that."""
    ids = [one.get("custom_id", "") for one in components_in(message.components)]
    return next((one for one in ids if one.startswith(prefix)), None)


@asynccontextmanager
async def staged(
    folder: Path,
    *,
    started: bool = True,
    intents_allowed: Intent = PRIVILEGED,
    clock: Clock | None = None,
    command: tuple[str, ...] = ("run",),
    **settings: str,
) -> AsyncIterator[Stage]:
    """Set up a stage with one bot, Hinata, and start the process unless told otherwise. `clock` is Discord's."""
    async with DiscordServer.start(patience=20.0, clock=clock) as discord, model_server() as model:
        bot = discord.add_bot("Hinata", token=TOKEN, intents_allowed=intents_allowed)
        stage = Stage(discord=discord, model=model, folder=folder, bot=bot, settings=settings, command=command)
        model.respond = stage.script.respond
        try:
            if started:
                await stage.start()
            yield stage
        finally:
            if failed := os.environ.get("YORISOI_SHOW_LOG"):
                print(failed, stage.logged)  # noqa: T201
            await stage.close()
        assert stage.secrets_spilt() == []
