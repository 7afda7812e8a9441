"""What is made ready after the start: once, in order, and whatever becomes of it the program goes on."""

import asyncio
import gc

import pytest
from structlog.testing import capture_logs

from bot import warming
from bot.loading import loading
from bot.warming import Warming
from core.stance.signal.layer import LayerError


@pytest.fixture(autouse=True)
def _nothing_is_left_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gc, "freeze", lambda: None)
    for name in ("prepare_questions", "prepare_checks", "import_package"):
        monkeypatch.setattr(warming, name, lambda: None)


async def _finished(warm: Warming) -> None:
    assert warm._task is not None
    await asyncio.wait_for(asyncio.shield(warm._task), 10)


async def test_everything_is_loaded_once_and_in_order() -> None:
    done: list[str] = []

    async def first() -> None:
        done.append("first")

    async def second() -> None:
        done.append("second")

    warm = Warming(first, second)
    warm.begin([lambda: done.append("piece")])
    warm.begin([lambda: done.append("piece")])
    await _finished(warm)
    await warm.close()
    assert done == ["piece", "first", "second"]


@pytest.mark.parametrize("error", [LayerError("layer.npz: can't be read"), ValueError("a bad pattern"), MemoryError()])
async def test_what_can_not_be_loaded_stops_nothing_and_is_told(error: Exception) -> None:
    done: list[str] = []

    async def broken() -> None:
        raise error

    async def sound() -> None:
        done.append("sound")

    warm = Warming(broken, sound)
    with capture_logs() as logs:
        warm.begin()
        await _finished(warm)
    await warm.close()

    assert done == ["sound"]
    assert [entry["event"] for entry in logs] == ["warming.failed", "warming.done"]


async def test_an_end_does_not_wait_for_what_is_still_to_be_loaded() -> None:
    begun = asyncio.Event()

    async def endless() -> None:
        begun.set()
        await asyncio.Event().wait()

    warm = Warming(endless)
    warm.begin()
    await begun.wait()
    await asyncio.wait_for(warm.close(), 10)
    await Warming().close()


def test_garbage_is_looked_for_again_when_all_is_loaded() -> None:
    with loading():
        assert not gc.isenabled()
    assert gc.isenabled()
