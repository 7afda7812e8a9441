"""Shows how far a comparison has come: a bar where somebody watches, nothing elsewhere."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from bot.speech.words import words
from core.sandbox.running import Advance


@contextmanager
def progress(total: int) -> Iterator[Advance]:
    """Yield what is to be called after each sample."""
    if not sys.stderr.isatty():
        yield lambda _variant, _done: None
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(words().label("samples"), total=total)
        yield lambda variant, done: bar.update(task, completed=done, description=variant)
