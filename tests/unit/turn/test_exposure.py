import pytest

from core.turn.exposure import may_enter
from core.values import Surface, SurfaceKind

DM = Surface(kind=SurfaceKind.DM, channel_id=1)
OTHER_DM = Surface(kind=SurfaceKind.DM, channel_id=2)
GENERAL = Surface(kind=SurfaceKind.CHANNEL, channel_id=10, guild_id=5)
SECRET = Surface(kind=SurfaceKind.CHANNEL, channel_id=11, guild_id=5)
ELSEWHERE = Surface(kind=SurfaceKind.CHANNEL, channel_id=20, guild_id=6)
THREAD = Surface(kind=SurfaceKind.THREAD, channel_id=12, guild_id=5, parent_id=10)
TERMINAL = Surface(kind=SurfaceKind.TERMINAL, channel_id=0)


@pytest.mark.parametrize("surface", [DM, GENERAL, THREAD, TERMINAL])
def test_what_was_said_in_a_place_may_be_used_there(surface: Surface) -> None:
    assert may_enter(surface, surface)


@pytest.mark.parametrize(
    ("origin", "target"),
    [
        (DM, GENERAL),
        (DM, THREAD),
        (DM, OTHER_DM),
        (GENERAL, DM),
        (SECRET, GENERAL),
        (GENERAL, SECRET),
        (SECRET, THREAD),
        (THREAD, GENERAL),
        (GENERAL, ELSEWHERE),
        (TERMINAL, DM),
    ],
)
def test_nothing_crosses_from_one_place_to_another(origin: Surface, target: Surface) -> None:
    assert not may_enter(origin, target)


def test_a_thread_may_use_the_channel_it_hangs_in() -> None:
    assert may_enter(GENERAL, THREAD)
