"""Shows how far a run has come: a bar where somebody watches, nothing elsewhere."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from bot.evaluation.run import Advance
from bot.speech.words import words


@contextmanager
def progress(total: int) -> Iterator[Advance]:
    """Yield what is to be called after each talk."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import (  # noqa: PLC0415
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(words().label("talks"), total=total)
        yield lambda model: bar.update(task, advance=1, description=model)
