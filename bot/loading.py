"""Loading much at once, and living with it: what stays is not looked through for garbage again and again."""

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from core.clock import Clock

_YOUNGEST, _OLDEST = 0, 2
# Everything is looked through when what is left out has grown to so many times what it was: while nobody talks, and
# whoever talks.
_GROWTH, _MOST = 2.0, 4.0
# Nobody talks if Python looked for garbage so seldom since the last look, so many seconds ago. A turn is half a time.
_FEW, _EVERY = 4, 30.0
# Full collections look through what is new alone: more of them are shorter ones, and no more work. Python's own is 10.
_OFTEN = 1
# To count what is left out takes milliseconds: it is done at every so many full collections.
_COUNTED = 16


@contextmanager
def loading() -> Iterator[None]:
    """Leave out looking for garbage while much is loaded that stays; it is left out of later collections, too.

    Looking through it again and again would take a fifth of a start.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


@contextmanager
def standing(growth: float = _GROWTH, most: float = _MOST) -> Iterator["LeftOut"]:
    """Leave out of later collections what outlived a full one, until that has grown by so much.

    A full collection holds every conversation up for a tenth of a second once the program has been talking for a while,
    and finds nothing: what it looks through is what the program remembers. Rings that are thrown away after they were
    left out are found when everything is looked through. That is when what is left out has grown to `growth` times
    what it was and nobody talks (`LeftOut.keep_looking`), and at the latest when it has grown to `most` times that: so
    they can't pile up, and a program that doesn't grow is held up no more.
    """
    left_out = LeftOut(growth, most)
    thresholds = young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, _OFTEN)
    gc.callbacks.append(left_out)
    try:
        yield left_out
    finally:
        gc.set_threshold(*thresholds)
        gc.callbacks.remove(left_out)
        gc.unfreeze()


class LeftOut:
    """What is left out of collections. Told by Python before and after each of them."""

    def __init__(self, growth: float, most: float) -> None:
        self._growth = growth
        self._most = most
        self._before = 0
        self._rounds = 0
        self._collections = 0

    async def keep_looking(self, clock: Clock) -> None:
        """Look now and then whether everything can be looked through, since nobody talks; until it is cancelled."""
        while True:
            await clock.sleep(_EVERY)
            self.look()

    def look(self) -> None:
        """Look through everything if that is due, and hardly anything was made since this was called before."""
        before, self._collections = self._collections, gc.get_stats()[_YOUNGEST]["collections"]
        if self._collections - before <= _FEW and self._has_grown(self._growth):
            self._take_back()
            gc.collect()

    def __call__(self, phase: str, about: Mapping[str, int]) -> None:
        """Leave out what outlived a full collection, or take everything back before one that is due."""
        if about["generation"] != _OLDEST:
            return
        if phase == "stop":
            gc.freeze()
            self._before = self._before or gc.get_freeze_count()
        elif self._is_due() and self._has_grown(self._most):
            self._take_back()

    def _has_grown(self, times: float) -> bool:
        return self._before > 0 and gc.get_freeze_count() > times * self._before

    def _take_back(self) -> None:
        gc.unfreeze()
        self._before = 0

    def _is_due(self) -> bool:
        self._rounds = (self._rounds + 1) % _COUNTED
        return self._rounds == 0
