"""Results of `yorisoi sandbox compare` as far as a report shows them: names and figures, never prompts or answers."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import structlog
from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field

from bot.errors import BotError
from bot.sandbox.files import FileError, write_private
from core.rates import Rate

_MOST = 10
_LONGEST = 200

_log = structlog.get_logger(__name__)


class ResultError(BotError):
    """A file holds no result of a comparison."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Share(_Part):
    """How often something came true."""

    count: int = Field(ge=0)
    total: int = Field(ge=0)

    @property
    def rate(self) -> Rate:
        """The same as a rate."""
        return Rate(self.count, self.total)


_Line = Annotated[str, AfterValidator(lambda text: text[:_LONGEST])]


class Variant(_Part):
    """How a variant did. `against_first`: the 95 % interval of the difference to the first one."""

    name: _Line
    passed: Share
    good: Share
    against_first: tuple[float, float] | None
    decided: bool


class Result(_Part):
    """One comparison. `made_at` is when it was made, not the moment it was about."""

    title: _Line
    made_at: AwareDatetime
    character: _Line
    complete: bool
    variants: tuple[Variant, ...]


def keep(told: dict[str, Any], folder: Path, *, now: datetime) -> Path:
    """Keep the figures of a comparison (`bot.sandbox.report.as_json`) for reports; return the file.

    Raises:
        FileError: it can't be written.
    """
    result = Result.model_validate({**told, "made_at": now})
    path = folder / f"{now.astimezone(UTC):%Y%m%dT%H%M%S}-{told['draft'][:12]}.json"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise FileError(f"{folder}: {error.strerror or error}") from error
    write_private(path, result.model_dump_json(indent=1))
    return path


def read(path: Path) -> Result:
    """Read what `--keep` kept, or what `--json` wrote.

    Raises:
        ResultError: it can't be read, or is something else.
    """
    try:
        told = json.loads(path.read_bytes())
        written_at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
        return Result.model_validate({"made_at": written_at, **told} if isinstance(told, dict) else told)
    except OSError as error:
        raise ResultError(f"{path}: {error.strerror or error}") from error
    except ValueError as error:  # of JSON, or of what stands in it
        raise ResultError(
            f"{path}: is no result of a comparison: `yorisoi sandbox compare DRAFT --json > {path.name}` makes one"
        ) from error


def latest(folder: Path, others: Sequence[Result] = ()) -> tuple[Result, ...]:
    """Return the newest results, those of a folder and others, newest first; what can't be read is left out."""
    held = list(others)
    for path in sorted(folder.glob("*.json"), reverse=True)[:_MOST] if folder.is_dir() else ():
        try:
            held.append(read(path))
        except ResultError as error:
            _log.warning("report.result_left_out", reason=str(error))
    return tuple(sorted(held, key=lambda one: one.made_at, reverse=True)[:_MOST])
