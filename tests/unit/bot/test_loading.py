"""What stays is left out of collections, and rings that were thrown away are found all the same."""

import gc
from weakref import ref

from bot.loading import standing


class Ring:
    def __init__(self) -> None:
        self.itself = self


def test_a_ring_thrown_away_is_found_by_the_next_full_collection() -> None:
    with standing():
        gc.collect()
        seen = ref(Ring())
        gc.collect()
    assert seen() is None


def test_what_outlived_a_full_collection_is_not_looked_through_again() -> None:
    with standing():
        ring = Ring()
        gc.collect()
        assert ring not in gc.get_objects()
        assert gc.get_freeze_count() > 0


def test_a_ring_thrown_away_later_is_found_once_what_is_left_out_has_grown() -> None:
    with standing(most=1.01):
        ring = Ring()
        gc.collect()
        seen = ref(ring)
        del ring
        gc.collect()
        assert seen() is not None
        more = [Ring() for _ in range(gc.get_freeze_count() // 50)]
        for _ in range(20):  # the first leaves these out as well, which makes it too many
            gc.collect()
        assert seen() is None
        assert more


def test_it_is_found_earlier_while_nobody_talks() -> None:
    with standing(growth=1.01) as left_out:
        ring = Ring()
        gc.collect()
        seen = ref(ring)
        del ring
        more = [Ring() for _ in range(gc.get_freeze_count() // 50)]
        gc.collect()
        left_out.look()  # all these were just made
        assert seen() is not None
        left_out.look()
        assert seen() is None
        assert more


def test_what_has_not_grown_is_not_looked_through_again() -> None:
    with standing() as left_out:
        gc.collect()
        collections = gc.get_stats()[2]["collections"]
        for _ in range(3):
            left_out.look()
        assert gc.get_stats()[2]["collections"] == collections


def test_everything_is_looked_through_again_in_the_end() -> None:
    callbacks = len(gc.callbacks)
    with standing():
        gc.collect()
    assert gc.get_freeze_count() == 0
    assert len(gc.callbacks) == callbacks
