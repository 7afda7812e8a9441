"""Waiting for a condition on the server's state, without polling and without sleeping."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Signal:
    """Wakes those who wait whenever something changed; each looks again whether its condition holds."""

    def __init__(self) -> None:
        self._waiting: set[asyncio.Future[None]] = set()

    def notify(self) -> None:
        """Say that something changed."""
        for future in self._waiting:
            if not future.done():
                future.set_result(None)

    async def changed(self) -> None:
        """Return at the next change."""
        future = asyncio.get_running_loop().create_future()
        self._waiting.add(future)
        try:
            await future
        finally:
            self._waiting.discard(future)

    async def until(self, check: Callable[[], T | None], *, what: str, within: float) -> T:
        """Return what `check` returns as soon as that is neither None nor False.

        Raises:
            AssertionError: if it did not come true within `within` seconds; the text names `what`.
        """
        try:
            async with asyncio.timeout(within):
                while True:
                    value = check()
                    if value is not None and value is not False:
                        return value
                    await self.changed()
        except TimeoutError as error:
            raise AssertionError(f"waited {within} s in vain for {what}") from error

    async def happens(self, check: Callable[[], bool], *, seconds: float) -> bool:
        """Return whether `check` becomes true within so many seconds."""
        try:
            async with asyncio.timeout(seconds):
                while not check():
                    await self.changed()
        except TimeoutError:
            return False
        return True
