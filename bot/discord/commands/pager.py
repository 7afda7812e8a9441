"""Pages of a private answer, with buttons to leaf through them."""

from collections.abc import Awaitable, Callable
from typing import Any

import discord

from bot.discord.commands.desk import Desk
from core.values import Locale

_SECONDS = 600.0
_ROOM = 1900


def pages_of(head: str, lines: list[str], foot: str) -> list[str]:
    """Return pages that fit into a message, each with the head and the foot."""
    room = _ROOM - len(head) - len(foot)
    pages: list[list[str]] = [[]]
    for line in lines:
        if pages[-1] and sum(len(one) + 1 for one in pages[-1]) + len(line) > room:
            pages.append([])
        pages[-1].append(line)
    return ["\n".join(part for part in (head, *page, foot) if part) for page in pages]


class Pager(discord.ui.View):
    """A button back and one forth below a page that only the person sees."""

    def __init__(self, desk: Desk, locale: Locale, pages: list[str]) -> None:
        super().__init__(timeout=_SECONDS)
        self._desk = desk
        self._locale = locale
        self._pages = pages
        self._number = 0
        self._back = _Turn(self, -1, desk.messages.text("pager.back", locale))
        self._forth = _Turn(self, 1, desk.messages.text("pager.forth", locale))
        self.add_item(self._back)
        self.add_item(self._forth)
        self._update()

    @property
    def page(self) -> str:
        """The page that is open, with its number below."""
        small = self._desk.messages.text("pager.page", self._locale, page=self._number + 1, pages=len(self._pages))
        return f"{self._pages[self._number]}\n-# {small}"

    async def on_error(
        self, interaction: discord.Interaction[Any], error: Exception, _item: discord.ui.Item[Any]
    ) -> None:
        """Tell the person; what is wrong is for the log."""
        await self._desk.answers.fail(interaction, getattr(error, "hint", "command.failed"))
        raise error

    async def turn(self, interaction: discord.Interaction[Any], step: int) -> None:
        """Open the next page, or the one before."""
        self._number = min(max(self._number + step, 0), len(self._pages) - 1)
        self._update()
        await interaction.response.edit_message(content=self.page, view=self)

    def _update(self) -> None:
        self._back.disabled = self._number == 0
        self._forth.disabled = self._number == len(self._pages) - 1


class LongPager(Pager):
    """A pager whose pages are read when they are opened."""

    def __init__(
        self, desk: Desk, locale: Locale, first: str, *, count: int, fetch: Callable[[int], Awaitable[str]]
    ) -> None:
        super().__init__(desk, locale, [first, *[""] * (count - 1)])
        self._fetch = fetch

    @property
    def has_more(self) -> bool:
        """Whether there is more than the first page."""
        return len(self._pages) > 1

    async def turn(self, interaction: discord.Interaction[Any], step: int) -> None:
        """Read the page again, too: what is gone meanwhile is not shown any more."""
        number = min(max(self._number + step, 0), len(self._pages) - 1)
        self._pages[number] = await self._fetch(number)
        await super().turn(interaction, step)


class _Turn(discord.ui.Button["Pager"]):
    def __init__(self, pager: Pager, step: int, label: str) -> None:
        super().__init__(label=label, style=discord.ButtonStyle.secondary)
        self._pager = pager
        self._step = step

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await self._pager.turn(interaction, self._step)


async def show_pages(desk: Desk, interaction: discord.Interaction[Any], locale: Locale, pages: list[str]) -> None:
    """Show the first page; buttons only where there are more."""
    if len(pages) == 1:
        await desk.answers.say(interaction, pages[0])
        return
    pager = Pager(desk, locale, pages)
    await desk.answers.say(interaction, pager.page, view=pager)
