"""The embedded model on this machine: where its weights are, whether they are whole, fetching them the first time."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from enum import StrEnum
from pathlib import Path

from bot.errors import StartError
from bot.settings import Settings
from bot.speech.words import words
from bot.tiers import timeouts_of
from core.language_model import weights
from core.language_model.cores import usable_cores
from core.language_model.endpoint import Timeouts
from core.language_model.sidecar import SidecarOptions

# Room for a long message, the history and the reply; more costs memory (about 30 KB a token) and nothing uses it.
_CONTEXT_TOKENS = 6144
_GGUF = b"GGUF"
_FOLDER_MODE = 0o700  # as the database makes it: conversations are nobody else's business
# On a small machine a cold prompt alone takes a minute or more.
_LEAST_PIECE_SECONDS, _LEAST_TOTAL_SECONDS = 240.0, 600.0


class WeightsState(StrEnum):
    """What is there of the weights."""

    GOOD = "good"
    OWN_FILE = "own_file"
    MISSING = "missing"
    WRONG = "wrong"


def sidecar_options(settings: Settings) -> SidecarOptions:
    """Return how the embedded model is run."""
    return SidecarOptions(gguf=weights_path(settings), context_tokens=_CONTEXT_TOKENS, threads=usable_cores())


def patient_timeouts(settings: Settings) -> Timeouts:
    """Return how long the embedded model is waited for: never less than a slow machine needs."""
    chosen = timeouts_of(settings)
    return replace(chosen, piece=max(chosen.piece, _LEAST_PIECE_SECONDS), total=max(chosen.total, _LEAST_TOTAL_SECONDS))


def weights_path(settings: Settings) -> Path:
    """Return where the weights are, or will be."""
    return settings.local_gguf or weights.path_of(settings.data_dir)


def has_weights(settings: Settings) -> bool:
    """Return whether there are weights to run, without reading them."""
    found = weights.locate(settings.data_dir, settings.local_gguf)
    return found is not None and _is_there(found)


def _is_there(path: Path) -> bool:
    # Path.is_file() raises where the folder belongs to another user.
    return os.path.isfile(path)  # noqa: PTH113


async def weights_state(settings: Settings) -> WeightsState:
    """Look at the weights; reads the whole file where its hash is known."""
    path = weights_path(settings)
    if not _is_there(path):
        return WeightsState.MISSING
    if settings.local_gguf is not None:
        return WeightsState.OWN_FILE
    return WeightsState.GOOD if await weights.is_genuine(path) else WeightsState.WRONG


def is_gguf(path: Path) -> bool:
    """Return whether a file begins as a GGUF file does."""
    try:
        with path.open("rb") as file:
            return file.read(len(_GGUF)) == _GGUF
    except OSError:
        return False


async def ensure_weights(settings: Settings) -> Path:
    """Return the weights' path; fetch them first, with a progress bar on stderr, if they aren't there.

    Raises:
        StartError: The operator's own file is not there.
        WeightsError: They can't be had; its text names the ways on.
    """
    if settings.local_gguf is not None:
        if not settings.local_gguf.is_file():
            raise StartError(f"YORISOI_LOCAL_GGUF: there is no file {settings.local_gguf}. Correct it or leave it out.")
        if not is_gguf(settings.local_gguf):
            raise StartError(
                f"YORISOI_LOCAL_GGUF: {settings.local_gguf} is no GGUF file, or can't be read. Correct it."
            )
        return settings.local_gguf
    found = weights.locate(settings.data_dir)
    if found is not None:
        return found
    with suppress(OSError):  # The installation meets the same obstacle, and explains it.
        settings.data_dir.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
    with _progress() as progress:
        return await weights.install(settings.data_dir, progress)


@contextmanager
def _progress() -> Iterator[weights.Progress]:
    """Show a bar on a terminal, and a line now and then elsewhere."""
    text = "Fetching the embedded chat model (1.1 GB, once). The README says how to use a better one instead."
    print(words()(text), file=sys.stderr)  # noqa: T201
    if sys.stderr.isatty():
        yield from _bar()
    else:
        yield PlainProgress().show


def _bar() -> Iterator[weights.Progress]:
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    label = words().label
    with Progress(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task(label(weights.Phase.FETCHING.value), total=None)

        def show(done: int, total: int, phase: weights.Phase) -> None:
            bar.update(task, completed=done, total=total, description=label(phase.value))

        yield show


class PlainProgress:
    """Progress in lines: one at each tenth, for logs and pipes."""

    def __init__(self) -> None:
        self._shown: tuple[weights.Phase, int] | None = None

    def show(self, done: int, total: int, phase: weights.Phase) -> None:
        """Write a line to stderr if a new tenth or phase has begun."""
        tenth = 10 * done // total
        if (phase, tenth) != self._shown:
            self._shown = (phase, tenth)
            print(f"{words().label(phase.value)}: {10 * tenth} %", file=sys.stderr, flush=True)  # noqa: T201
