"""What a cycle did and why, and what failed in it: kept as numbers, told as a list of decisions."""

from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import structlog

from core.errors import CoreError

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One thing a cycle did, or decided not to. `why` is in English and holds figures, never the text of a post.

    `what`: `read`, `impression`, `peer`, `like`, `reply`, `interest`, `post`, `follow`, `unfollow`. `target` is the id
    of a post, a person or a channel. `text` is what was written, for whoever asked for a rehearsal.
    """

    what: str
    target: int | None
    done: bool
    why: str
    text: str = field(default="", repr=False)


class StepError(CoreError):
    """A step of a cycle can't be done; `reason` is one word for the books."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Journal:
    """Collects decisions and failures of one cycle."""

    def __init__(self, character: str) -> None:
        self.character = character
        self.decisions: list[Decision] = []
        self.failed: Counter[str] = Counter()

    def note(self, what: str, target: int | None, *, done: bool, why: str, text: str = "") -> None:
        """Note a decision."""
        self.decisions.append(Decision(what=what, target=target, done=done, why=why, text=text))

    @property
    def done(self) -> dict[str, int]:
        """How much was done of each."""
        return dict(Counter(decision.what for decision in self.decisions if decision.done))

    @asynccontextmanager
    async def step(self, name: str) -> AsyncIterator[None]:
        """Keep a failure within a step: it is counted and logged by its kind, and the cycle goes on."""
        try:
            yield
        except Exception as error:  # noqa: BLE001 - whatever is wrong with one step, the others can be done
            self.failed[name] += 1
            reason = error.reason if isinstance(error, StepError) else type(error).__name__
            _log.warning("social.step_failed", character=self.character, step=name, reason=reason)
