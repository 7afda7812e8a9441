"""A chat in the terminal: reads lines, hands them to the companion, waits for the answers, obeys a few commands."""

import asyncio
import signal
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any

from bot.export import as_markdown
from bot.personal import AUTO, Personal
from bot.terminal.identity import TERMINAL_USER_ID, Snowflakes, terminal_surface
from bot.terminal.lines import Lines
from bot.terminal.view import View
from core.clock import Clock
from core.locale import detect_locale
from core.memory.offer import KeepOffer
from core.ports import PrivacyStore, TraceStore
from core.turn.companion import Companion
from core.turn.trace import TurnOutcome
from core.values import Address, ConversationKey, InboundMessage, Locale, Speaker
from prompts.messages import Messages

_YES = frozenset({"y", "yes", "はい", "うん"})
_LONGEST_NUMBER = 9
_NO = frozenset({"n", "no", "いいえ", "いや"})


class TerminalChat:
    """One person at one terminal, talking with one character."""

    def __init__(
        self,
        *,
        companion: Companion,
        lines: Lines,
        view: View,
        clock: Clock,
        ids: Snowflakes,
        messages: Messages,
        personal: Personal,
        privacy: PrivacyStore,
        traces: TraceStore,
        user_name: str,
        locale: Locale | None,
        notices: Locale,
    ) -> None:
        self._companion = companion
        self._lines = lines
        self._view = view
        self._clock = clock
        self._ids = ids
        self._messages = messages
        self._personal = personal
        self._privacy = privacy
        self._traces = traces
        self._user = Speaker(id=TERMINAL_USER_ID, name=user_name)
        self._surface = terminal_surface(companion.character.name)
        self.language_was_set = False
        self._fixed_locale = locale
        self._locale = notices
        self._last: InboundMessage | None = None
        self._asked: KeepOffer | None = None
        self._asked_to_forget = False
        self._busy = False
        self._answered = False
        self._failed = False
        self._over = asyncio.Event()
        self.commands: Mapping[str, Callable[[str], Awaitable[None]]] = {
            "/help": self._help,
            "/regenerate": self._regenerate,
            "/stop": self._stop,
            "/language": self._language,
            "/timezone": self._timezone,
            "/remember": self._remember,
            "/memory": self._memory,
            "/privacy": self._show_privacy,
            "/quit": self._quit,
            "/exit": self._quit,
        }

    async def run(self) -> None:
        """Talk until the lines end, /quit, or Ctrl-C at the prompt. Ctrl-C during a reply stops the reply."""
        over = asyncio.ensure_future(self._over.wait())
        with _signal_handlers(interrupted=self._interrupted, terminated=self._terminated):
            while not self._is_over and (line := await _first(self._lines.next(), over)) is not None:
                await self._take(line)
        over.cancel()
        await self._companion.idle()

    @property
    def came_to_nothing(self) -> bool:
        """Whether something was said and no model answered any of it."""
        return self._failed and not self._answered

    @property
    def _is_over(self) -> bool:
        return self._over.is_set() or self._view.closed

    async def _take(self, line: str) -> None:
        text = line.strip()
        if not text:
            return
        to_forget, self._asked_to_forget = self._asked_to_forget, False
        if to_forget:
            await self._forget_everything(sure=text.casefold() in _YES)
            return
        asked, self._asked = self._asked, None
        if asked is not None and await self._is_answer(asked, text):
            return
        name, _, rest = text.partition(" ")
        if name in self.commands:
            await self.commands[name](rest.strip())
        elif name.startswith("/") and name[1:].isalpha():
            self._tell("terminal.unknown_command", command=name)
        else:
            await self._say(text)

    async def _say(self, text: str) -> None:
        self._locale = self._fixed_locale or detect_locale(text) or self._locale
        self._last = InboundMessage(
            id=self._ids.next(),
            author=self._user,
            surface=self._surface,
            text=text,
            sent_at=self._clock.now(),
            address=Address.DM,
            locale_hint=self._locale,
        )
        await self._companion.receive(self._last, self._view)
        if not self._busy:
            await self._wait_for(self._companion.idle())

    async def _wait_for(self, work: Awaitable[object]) -> None:
        """Wait for a reply; what is typed meanwhile (/stop, a further message) counts at once."""
        answered = asyncio.ensure_future(work)
        self._busy = True
        try:
            while not answered.done() and (typed := await _first(self._lines.next_while_busy(), answered)) is not None:
                await self._take(typed)
            await answered
        finally:
            self._busy = False
        await self._explain_trouble()
        self._ask_about_keeping()

    def _ask_about_keeping(self) -> None:
        """Ask, below a reply, whether to keep what the person wanted remembered; the next line may say so."""
        self._asked, self._view.offer = self._view.offer, None
        if self._asked is not None:
            self._tell("terminal.keep", text=self._asked.text)

    async def _is_answer(self, asked: KeepOffer, text: str) -> bool:
        """Take a line that says yes or no; anything else is said to the character, and nothing is kept."""
        if text.casefold() in _YES:
            told = await self._personal.accept(asked)
            self._tell(told.key, **told.values)
            return True
        if text.casefold() in _NO:
            self._tell("memory.not_kept")
            return True
        return False

    async def _explain_trouble(self) -> None:
        """Who sits at the terminal can mend a model that doesn't answer: the apology alone would not say how."""
        conversation = ConversationKey(self._companion.character.name, self._surface.channel_id)
        newest = await self._traces.recent(limit=1, conversation=conversation)
        if self._last is None or not newest or self._last.id not in newest[0].message_ids:
            return
        if newest[0].outcome is TurnOutcome.APOLOGISED:
            self._tell("terminal.model_trouble")
            self._failed = True
        else:
            self._answered = True

    async def _help(self, _rest: str) -> None:
        self._tell("terminal.help")

    async def _regenerate(self, _rest: str) -> None:
        if self._last is None or self._busy:
            self._tell("terminal.nothing_to_regenerate")
            return
        await self._wait_for(self._companion.regenerate(self._last, self._view, replaced=self._view.last_reply))

    async def _stop(self, _rest: str) -> None:
        stopped = await self._companion.stop(self._surface.channel_id, TERMINAL_USER_ID)
        self._tell("terminal.stopped" if stopped else "terminal.nothing_to_stop")

    async def _language(self, rest: str) -> None:
        if rest not in {AUTO, *Locale}:
            self._tell("terminal.which_language")
            return
        told = await self._personal.set_language(TERMINAL_USER_ID, rest)
        self.language_was_set = True
        self._fixed_locale = None if rest == AUTO else Locale(rest)
        self._locale = self._fixed_locale or self._locale
        self._tell(told.key)

    async def _timezone(self, rest: str) -> None:
        if rest == "forget":
            told = await self._personal.forget_timezone(TERMINAL_USER_ID)
        elif rest:
            told = await self._personal.set_timezone(TERMINAL_USER_ID, rest, self._locale)
        else:
            told = await self._personal.timezone(TERMINAL_USER_ID, self._locale)
        self._tell(told.key, **told.values)

    async def _remember(self, rest: str) -> None:
        told = await self._personal.remember(TERMINAL_USER_ID, rest)
        self._tell(told.key, **told.values)

    async def _memory(self, rest: str) -> None:
        action, _, what = rest.partition(" ")
        if action == "add":
            await self._remember(what)
        elif action in {"forget", "correct"} and not _number(what.strip().partition(" ")[0]):
            self._tell("terminal.which_fact")
        elif action == "forget":
            told = await self._personal.forget_fact(TERMINAL_USER_ID, _number(what))
            self._tell(told.key, **told.values)
        elif action == "correct":
            number, _, text = what.strip().partition(" ")
            if not text.strip():
                self._tell("terminal.which_wording")
                return
            told = await self._personal.correct_fact(TERMINAL_USER_ID, _number(number), text)
            self._tell(told.key, **told.values)
        else:
            await self._list_memory()

    async def _list_memory(self) -> None:
        facts = await self._personal.facts(TERMINAL_USER_ID)
        self._tell("memory.summary" if facts else "memory.nothing")
        for fact in facts:
            self._tell("memory.entry", number=fact.number, text=fact.text)

    async def _show_privacy(self, rest: str) -> None:
        if rest == "forget-me":
            self._asked_to_forget = True
            self._tell("terminal.forget_question")
            return
        if rest == "export":
            self._view.notice(as_markdown(await self._privacy.export(TERMINAL_USER_ID), self._messages, self._locale))
            return
        if rest in {"remember-me on", "remember-me off"}:
            told = await self._personal.set_consent(TERMINAL_USER_ID, given=rest.endswith("on"))
            self._tell(told.key, **told.values)
            return
        if rest not in {"", "show"}:
            self._tell("terminal.which_privacy")
            return
        count = sum((await self._privacy.counts(TERMINAL_USER_ID)).values())
        self._tell("terminal.privacy" if count else "privacy.nothing", count=count)

    async def _forget_everything(self, *, sure: bool) -> None:
        """Delete after a yes; anything else is taken for a no, and isn't said to the character either."""
        if not sure:
            self._tell("privacy.forget_kept")
            return
        await self._companion.forget_user(TERMINAL_USER_ID)
        gone = await self._privacy.forget(TERMINAL_USER_ID)
        left = await self._privacy.counts(TERMINAL_USER_ID)
        self._tell("terminal.forgotten", count=sum(gone.values()), left=sum(left.values()))

    async def _quit(self, _rest: str) -> None:
        self._over.set()

    def _interrupted(self) -> None:
        if self._busy:
            self._stopping = asyncio.ensure_future(self._stop(""))
        else:
            self._over.set()

    def _terminated(self) -> None:
        self._over.set()
        if self._busy:
            self._stopping = asyncio.ensure_future(self._stop(""))

    def _tell(self, key: str, **values: object) -> None:
        self._view.notice(self._messages.text(key, self._locale, **values))


def _number(typed: str) -> int:
    """Return the number that was typed, 0 for what can be the number of nothing."""
    digits = typed.strip()
    return int(digits) if digits.isdecimal() and len(digits) <= _LONGEST_NUMBER else 0


@contextmanager
def _signal_handlers(*, interrupted: Callable[[], None], terminated: Callable[[], None]) -> Iterator[None]:
    """Let Ctrl-C, a kill and a closed terminal call these in the loop for as long as the context is open."""
    loop = asyncio.get_running_loop()
    actions = {signal.SIGINT: interrupted, signal.SIGTERM: terminated}
    if sys.platform != "win32":
        actions[signal.SIGHUP] = terminated

    def handle(number: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(actions[signal.Signals(number)])

    before = {number: signal.signal(number, handle) for number in actions}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


async def _first(line: Coroutine[Any, Any, str | None], end: asyncio.Future[Any]) -> str | None:
    """Wait for a line; None when there are no more, or when `end` comes first."""
    reading = asyncio.ensure_future(line)
    await asyncio.wait({reading, end}, return_when=asyncio.FIRST_COMPLETED)
    if reading.done():
        return reading.result()
    reading.cancel()
    await asyncio.gather(reading, return_exceptions=True)
    return None
