"""Loading much at once, and living with it: what stays is not looked through for garbage again and again."""

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

_OLDEST = 2
_GROWTH = 2.0
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
def standing(growth: float = _GROWTH) -> Iterator[None]:
    """Leave out of later collections what outlived a full one, until that has grown by so much.

    A full collection holds every conversation up for a tenth of a second once the program has been talking for a while,
    and finds nothing: what it looks through is what the program remembers. Rings that are thrown away after they were
    left out are found when everything is looked through, which is when what is left out has grown to `growth` times
    what it was: so they can't pile up, and a program that doesn't grow is held up no more.
    """
    left_out = _LeftOut(growth)
    thresholds = young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, _OFTEN)
    gc.callbacks.append(left_out)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.callbacks.remove(left_out)
        gc.unfreeze()


class _LeftOut:
    """Told by Python before and after each collection."""

    def __init__(self, growth: float) -> None:
        self._growth = growth
        self._before = 0
        self._rounds = 0

    def __call__(self, phase: str, about: Mapping[str, int]) -> None:
        if about["generation"] != _OLDEST:
            return
        if phase == "stop":
            gc.freeze()
            self._before = self._before or gc.get_freeze_count()
        elif self._is_due() and gc.get_freeze_count() > self._growth * self._before:
            gc.unfreeze()
            self._before = 0

    def _is_due(self) -> bool:
        self._rounds = (self._rounds + 1) % _COUNTED
        return self._rounds == 0
