"""The lines of `yorisoi inspect signal`, `session` and `verify`."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Literal

from bot.cli.jsonl import Line, LineError, answer_lines
from core.embedding.encoder import SentenceEncoder
from core.stance.inspection import InspectionError
from core.stance.inspector import StanceInspector

Command = Literal["signal", "session", "verify"]


class SignalLine(Line):
    """A turn and the talk before it."""

    text: str
    history: Any = None


class SessionLine(Line):
    """A whole talk."""

    turns: Any


class VerifyLine(Line):
    """A turn and a reply to it."""

    user: str
    reply: str


_KINDS: Mapping[Command, type[Line]] = {"signal": SignalLine, "session": SessionLine, "verify": VerifyLine}


def answer(command: Command, *, places: Path, words_only: bool) -> None:
    """Answer standard input line by line; everything is loaded once, before the first line.

    `words_only`: without the sentence encoder, which takes 1.5 s to load and 2 ms a text.
    """
    encoder = None if words_only else SentenceEncoder()
    with asyncio.Runner() as runner:
        inspector = StanceInspector.load(resources=places, encoder=encoder)
        if encoder is not None:
            runner.run(encoder.load())
        inspect = {"signal": inspector.signal, "session": inspector.session, "verify": inspector.verify}[command]
        answer_lines(_KINDS[command], lambda line: answered(runner, inspect, line))


def answered(
    runner: asyncio.Runner, inspect: Callable[[Mapping[str, Any]], Awaitable[dict[str, Any]]], line: Line
) -> Mapping[str, Any]:
    """Return the answer to a line.

    Raises:
        LineError: Something in it is of the wrong kind.
    """

    async def run() -> dict[str, Any]:
        return await inspect(line.model_dump())

    try:
        return runner.run(run())
    except InspectionError as error:
        raise LineError(str(error)) from error
