"""The composition root of reports: brings together what stands in one, from the running program or beside it."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.operations.disk import database_bytes
from bot.operations.status_file import read
from bot.settings import Settings
from core.analysis.japanese import JapaneseAnalyser
from core.clock import Clock
from core.ports import Stores
from core.values import Locale
from data.packs.loader import pack_folders
from prompts.messages import Messages

if TYPE_CHECKING:  # few starts make a report
    from bot.report.contents import Beside, Contents
    from bot.report.sandbox_results import Result


@dataclass(frozen=True, slots=True, kw_only=True)
class Reports:
    """Makes reports; reads only. `results` are those of the sandbox that come in beside the kept ones."""

    settings: Settings
    clock: Clock
    messages: Messages
    results: Sequence["Result"] = ()

    async def page(self, stores: Stores, locale: Locale) -> str:
        """Return the report as a page."""
        contents = await self._contents(stores)
        return await asyncio.to_thread(_rendered, contents, self.messages, locale)

    async def page_of_database(self, locale: Locale) -> str:
        """Return the same from the database that the settings name, through a connection that can't write.

        Raises:
            StorageError: It isn't there, can't be read, or is not up to date.
        """
        from data.snapshots import reading_stores  # noqa: PLC0415

        async with reading_stores(self.settings.database, JapaneseAnalyser().index_terms) as stores:
            return await self.page(stores, locale)

    async def _contents(self, stores: Stores) -> "Contents":
        from bot.report.contents import Operator, gather  # noqa: PLC0415

        settings, now = self.settings, self.clock.now()
        names = sorted(await asyncio.to_thread(pack_folders, settings.characters_dir))
        return await gather(
            stores,
            names,
            now=now,
            operator=Operator(zone=settings.timezone, currency=settings.currency),
            beside=await asyncio.to_thread(self._beside),
        )

    def _beside(self) -> "Beside":
        from bot.report.contents import Beside  # noqa: PLC0415
        from bot.report.sandbox_results import latest  # noqa: PLC0415

        settings = self.settings
        return Beside(
            status=read(settings.status_path, now=self.clock.now()),
            database_bytes=database_bytes(settings.database),
            results=latest(settings.sandbox_results_path, self.results),
        )


def _rendered(contents: "Contents", messages: Messages, locale: Locale) -> str:
    from bot.report.page import render  # noqa: PLC0415 - pictures take numpy and Pillow

    return render(contents, messages, locale)
