"""What the model server can be told to do with a request."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class ReceivedRequest:
    """A request as it came in: its JSON body and its headers (names in lower case)."""

    body: Mapping[str, Any]
    headers: Mapping[str, str]

    @property
    def messages(self) -> list[dict[str, Any]]:
        return list(self.body["messages"])

    @property
    def last_text(self) -> str:
        """The text of the newest message."""
        content = self.messages[-1]["content"]
        if isinstance(content, str):
            return content
        return "\n".join(part["text"] for part in content if part["type"] == "text")

    @property
    def last_line(self) -> str:
        """The last line of the newest message: what somebody wrote, below the note of facts."""
        return (self.last_text.splitlines() or [""])[-1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A good answer, in chunks of so many characters.

    `usage`: (prompt, completion) tokens to report, None to report none even where they are asked for.
    `hold`: wait for this before the first chunk. `pause`: (event, after how many chunks to wait for it).
    """

    text: str
    chunk: int = 4
    usage: tuple[int, int] | None = (12, 7)
    finish_reason: str | None = "stop"
    thoughts: str = ""
    hold: asyncio.Event | None = None
    pause: tuple[asyncio.Event, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """An HTTP error. `echo` is put into the server's own message, as some servers quote keys and prompts."""

    status: int
    code: str | None = None
    retry_after: str | None = None
    echo: str = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """The connection is reset after `text` was sent. `politely`: it is closed in order, but too early."""

    text: str = ""
    politely: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Garbage:
    """Bytes that are no chat completion, sent as the body of a successful answer."""

    body: bytes = b"data: {not json\n\n"
    content_type: str = "text/event-stream"


@dataclass(frozen=True, slots=True)
class Empty:
    """An answer without text."""


@dataclass(frozen=True, slots=True)
class Hang:
    """Nothing at all until released; then an empty answer. `entered` is set when a request hangs."""

    release: asyncio.Event = field(default_factory=asyncio.Event)
    entered: asyncio.Event = field(default_factory=asyncio.Event)


Behaviour = Answer | Failure | Broken | Garbage | Empty | Hang
