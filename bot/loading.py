"""Loading much at once."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


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
