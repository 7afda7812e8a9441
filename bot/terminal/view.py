"""Where replies go: plain lines for programs, a live display for people. Both are channels and sinks of a companion."""

import sys
import unicodedata
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Protocol, TextIO

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from bot.terminal.identity import Snowflakes
from core.errors import DeliveryError
from core.memory.offer import KeepOffer
from core.ports import ReplySink
from core.turn.reply import Reply

_FRAMES_A_SECOND = 10
_CURSOR = "▏"


class View(Protocol):
    """What a terminal chat shows.

    `last_reply` holds the ids of the newest reply's messages, `offer` what its reader is to be asked about keeping;
    `closed` turns true when nobody can read any more.
    """

    last_reply: tuple[int, ...]
    offer: KeepOffer | None
    closed: bool

    def open(self, turn_id: str) -> ReplySink:
        """Return the sink for one turn."""

    def notice(self, text: str) -> None:
        """Show something that the character did not say."""


class PlainView:
    """Replies on stdout and everything else on stderr, without control codes."""

    def __init__(self, *, ids: Snowflakes, out: TextIO | None = None, err: TextIO | None = None) -> None:
        self.last_reply: tuple[int, ...] = ()
        self.offer: KeepOffer | None = None
        self.closed = False
        self._ids = ids
        self._out = out if out is not None else sys.stdout
        self._err = err if err is not None else sys.stderr

    def open(self, turn_id: str) -> ReplySink:
        """Return the sink for one turn; the turn's id is of no use where nothing can be sent twice."""
        del turn_id
        return PlainSink(self)

    def notice(self, text: str) -> None:
        """Write to stderr."""
        with suppress(OSError):
            print(printable(text), file=self._err, flush=True)

    def reply(self, reply: Reply) -> tuple[int, ...]:
        """Write a reply to stdout and its footnote to stderr."""
        try:
            print(printable(reply.text), file=self._out, flush=True)
        except OSError as error:
            self.closed = True
            raise DeliveryError(f"the output can't be written: {error.strerror}") from error
        if reply.footnote:
            self.notice(reply.footnote)
        self.offer = reply.offer
        self.last_reply = (self._ids.next(),)
        return self.last_reply


class PlainSink:
    """One reply, written when it is complete: a program could not take back what it has read."""

    def __init__(self, view: PlainView) -> None:
        self._view = view

    def typing(self) -> AbstractAsyncContextManager[None]:
        """Show nothing."""
        return _nothing()

    async def show(self, text: str) -> None:
        """Show nothing yet."""

    async def finish(self, reply: Reply) -> tuple[int, ...]:
        """Write the reply."""
        return self._view.reply(reply)

    async def withdraw(self) -> None:
        """Do nothing: nothing was shown."""


class LiveView:
    """A conversation for people: who speaks in colour, a reply that grows as it is written."""

    def __init__(self, *, ids: Snowflakes, name: str, you: str, waiting: str, console: Console | None = None) -> None:
        self.last_reply: tuple[int, ...] = ()
        self.offer: KeepOffer | None = None
        self.closed = False
        self.console = console if console is not None else Console(highlight=False)
        self.waiting = waiting
        self._ids = ids
        self._name = name
        self._you = you
        self._typed = ""
        self._holder: LiveSink | None = None

    def open(self, turn_id: str) -> ReplySink:
        """Return the sink for one turn; the turn's id is of no use where nothing can be sent twice."""
        del turn_id
        return LiveSink(self)

    def notice(self, text: str) -> None:
        """Show small print."""
        self.console.print(Text(printable(text), style="dim"))

    def typing(self, text: str) -> None:
        """Show what the person begins to type, below the reply that is growing."""
        self._typed = text
        if self._holder is not None:
            self._holder.refresh()

    def said(self, text: str) -> None:
        """Print what the person said for good, above the reply that is growing."""
        self.console.print(self._typed_line(text))

    def with_typed(self, content: RenderableType) -> RenderableType:
        """Return what is shown of a reply, with what the person begins to type below."""
        return Group(content, self._typed_line(self._typed + _CURSOR)) if self._typed else content

    def _typed_line(self, text: str) -> Text:
        return Text.assemble((self._you, "bold cyan"), "  ", printable(text))

    def reply(self, reply: Reply) -> tuple[int, ...]:
        """Print a finished reply for good."""
        try:
            self.console.print(self.labelled(reply.text))
            if reply.footnote:
                self.notice(reply.footnote)
            self.console.print()
        except OSError as error:
            self.closed = True
            raise DeliveryError(f"the terminal can't be written: {error.strerror}") from error
        self.offer = reply.offer
        self.last_reply = (self._ids.next(),)
        return self.last_reply

    def labelled(self, text: str) -> Text:
        """Return a text of the character's with its name before it."""
        return Text.assemble((self._name, "bold magenta"), "  ", printable(text))

    def claim(self, sink: "LiveSink") -> bool:
        """Give the one live region to a sink; False while another one has it."""
        if self._holder is None:
            self._holder = sink
        return self._holder is sink

    def release(self, sink: "LiveSink") -> None:
        """Take the live region back."""
        if self._holder is sink:
            self._holder = None


class LiveSink:
    """One reply in the live region, which is erased before the finished text is printed."""

    def __init__(self, view: LiveView) -> None:
        self._view = view
        self._live: Live | None = None
        self._content: RenderableType = ""

    @asynccontextmanager
    async def typing(self) -> AsyncIterator[None]:
        """Show a spinner until text appears or the context closes."""
        self._display(Spinner("dots", Text(self._view.waiting, style="dim")))
        try:
            yield
        finally:
            if isinstance(self._content, Spinner):
                self._erase()

    async def show(self, text: str) -> None:
        """Show what is there of the reply."""
        self._display(Group(self._view.labelled(text), Spinner("simpleDots")))

    async def finish(self, reply: Reply) -> tuple[int, ...]:
        """Replace what was shown with the finished reply."""
        self._erase()
        return self._view.reply(reply)

    async def withdraw(self) -> None:
        """Erase what was shown."""
        self._erase()

    def refresh(self) -> None:
        """Show what is there again, with what is being typed by now."""
        if self._live is not None:
            self._live.update(self._view.with_typed(self._content), refresh=True)

    def _display(self, content: RenderableType) -> None:
        if not self._view.claim(self):
            return
        self._content = content
        if self._live is not None:
            self.refresh()
            return
        self._live = Live(
            self._view.with_typed(content),
            console=self._view.console,
            transient=True,
            refresh_per_second=_FRAMES_A_SECOND,
        )
        self._live.start()

    def _erase(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None
        self._view.release(self)


def printable(text: str) -> str:
    """Return the text without control characters: what a model wrote must not steer the terminal."""
    return "".join(char for char in text if char in "\n\t" or unicodedata.category(char) != "Cc")


@asynccontextmanager
async def _nothing() -> AsyncIterator[None]:
    yield
