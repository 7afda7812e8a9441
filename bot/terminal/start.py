"""Sets up a chat in the terminal: for a person at a keyboard, or for a program at the other end of a pipe."""

import getpass
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from bot.personal import Personal
from bot.speech.language import environment_locale
from bot.terminal.identity import TERMINAL_USER_ID, Snowflakes
from bot.terminal.lines import KeyboardLines, PipedLines
from bot.terminal.session import TerminalChat
from bot.terminal.view import LiveView, PlainView
from core.clock import Clock
from core.ports import MessageArchive, Stores, UserStore
from core.turn.companion import Companion
from core.values import ConversationKey, Locale, Surface, Utterance
from prompts.messages import Messages

_STANDARD_INPUT = 0


@dataclass(frozen=True, slots=True)
class ArchiveHistory:
    """Earlier talk, read from the archive: the terminal itself remembers nothing."""

    archive: MessageArchive
    character: str

    async def history(self, surface: Surface, *, before: int | None, limit: int) -> list[Utterance]:
        """Return the newest messages before that id, oldest first."""
        found = await self.archive.recent(ConversationKey(self.character, surface.channel_id), limit=limit)
        return [utterance for utterance in found if before is None or utterance.id < before]


def is_interactive() -> bool:
    """Return whether a person sits at both ends."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


@asynccontextmanager
async def terminal_chat(
    *, companion: Companion, stores: Stores, messages: Messages, clock: Clock, locale: Locale | None
) -> AsyncIterator[TerminalChat]:
    """Return a chat that is ready to run; the terminal is put back as it was afterwards.

    `locale` fixes the language for this chat. Without it that is up to `/language`; where nothing was chosen, the
    answers follow what is typed, and notices the environment.
    """
    chosen = (await stores.users.get(TERMINAL_USER_ID)).locale
    if locale is not None:
        await stores.users.set_locale(TERMINAL_USER_ID, locale)
    fixed = locale or chosen
    notices = fixed or environment_locale(os.environ) or companion.character.locale
    ids = Snowflakes(clock=clock)
    name = companion.character.display_name[_spoken(companion, notices)]
    interactive = is_interactive()
    you = messages.text("terminal.you", notices)
    live = (
        LiveView(ids=ids, name=name, you=you, waiting=messages.text("terminal.waiting", notices, name=name))
        if interactive
        else None
    )
    keyboard = KeyboardLines(prompt=_prompt(you), watcher=live) if live is not None else None
    view = live or PlainView(ids=ids)
    if live is not None:
        live.notice(messages.text("terminal.welcome", notices, name=name))
    chat = TerminalChat(
        companion=companion,
        lines=keyboard or PipedLines(_STANDARD_INPUT),
        view=view,
        clock=clock,
        ids=ids,
        messages=messages,
        personal=Personal(
            users=stores.users,
            kept_facts=stores.kept_facts,
            consents=stores.consents,
            caution=companion.caution,
            messages=messages,
            clock=clock,
        ),
        privacy=stores.privacy,
        traces=stores.traces,
        user_name=_user_name(),
        locale=fixed,
        notices=notices,
    )
    try:
        yield chat
    finally:
        if keyboard is not None:
            keyboard.restore()
        if locale is not None and not chat.language_was_set:
            await _put_back(stores.users, locale, chosen)


async def _put_back(users: UserStore, locale: Locale, chosen: Locale | None) -> None:
    """Choose again what was chosen before this chat, unless the choice was deleted with everything else."""
    if (await users.get(TERMINAL_USER_ID)).locale is locale:
        await users.set_locale(TERMINAL_USER_ID, chosen)


def _spoken(companion: Companion, wanted: Locale) -> Locale:
    return wanted if wanted in companion.character.locales else companion.character.locale


def _prompt(you: str) -> str:
    # Between \001 and \002 stand characters that take no room: readline needs to know, or long lines wrap wrongly.
    return f"\001\033[1;36m\002{you}\001\033[0m\002  "


def _user_name() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "you"
