"""The outside world of a simulation: a Discord that keeps what it was sent, and a model with moods."""

import json
import random
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field

from bot.simulation.truth import Received, Truth
from core.clock import SimulatedClock
from core.errors import DeliveryError, ModelUnavailableError, UnreachableError
from core.language_model.types import ChatEvent, ChatRequest, Completion, TokenUsage
from core.ports import Delivered
from core.proactive.types import Recipient, RecipientKind
from core.values import Surface, SurfaceKind

_NONCE_SECONDS = 300.0
"""How long Discord takes the same nonce of the same author for the same message."""

_USAGE = TokenUsage(400, 12)


@dataclass(slots=True, kw_only=True)
class FakeDiscord:
    """`Messenger`: stores, refuses, loses, or stores and then fails to say so, as a seed has it."""

    clock: SimulatedClock
    truth: Truth
    seed: int
    unreachable: set[int]
    answered: Callable[[Received], None]
    _attempts: Counter[str] = field(default_factory=Counter)
    _stored: dict[str, tuple[float, int]] = field(default_factory=dict)

    async def send(self, recipient: Recipient, text: str, *, nonce: str, give_up_at: float) -> Delivered:
        """Take a message; the same nonce is the same message for some minutes.

        Raises:
            UnreachableError: the person takes no direct messages, or the channel may not be written in.
            DeliveryError: it may or may not have been stored.
        """
        self._attempts[nonce] += 1
        rng = random.Random(f"{self.seed} discord {nonce} {self._attempts[nonce]}")
        trouble = rng.choices(("none", "slow", "lost", "unheard"), (960, 20, 10, 10))[0]
        seconds = rng.uniform(5, 100) if trouble == "slow" else rng.uniform(0.1, 1.5)
        left = give_up_at - self.clock.monotonic()
        if seconds >= left:
            await self.clock.advance(max(0.0, left))
            raise DeliveryError("the time to send it in is over")
        await self.clock.advance(seconds)
        if recipient.id in self.unreachable:
            raise UnreachableError("may not be written to", forbidden=recipient.kind is RecipientKind.CHANNEL)
        if trouble == "lost":
            raise DeliveryError("the connection broke")
        message_id = self._store(recipient, text, nonce)
        if trouble == "unheard":
            raise DeliveryError("the answer was lost")
        kind = SurfaceKind.DM if recipient.kind is RecipientKind.USER else SurfaceKind.CHANNEL
        surface = Surface(kind=kind, channel_id=recipient.id)
        return Delivered(message_id=message_id, surface=surface)

    def _store(self, recipient: Recipient, text: str, nonce: str) -> int:
        now = self.clock.monotonic()
        at, known = self._stored.get(nonce, (-_NONCE_SECONDS, 0))
        if now - at < _NONCE_SECONDS:
            return known
        order = self.truth.order()
        received = Received(order=order, at=self.clock.now(), elapsed=now, person=recipient.id, text=text, nonce=nonce)
        self.truth.received.append(received)
        self._stored[nonce] = (now, order)
        self.answered(received)
        return order


@dataclass(slots=True, kw_only=True)
class MoodyModel:
    """A `ChatModel` that chooses, declines, talks nonsense, is slow or away, as a seed has it."""

    clock: SimulatedClock
    seed: int
    name: str = "simulated"
    accepts_images: bool = False
    can_look_up: bool = True
    _calls: int = 0

    def cost_micros(self, usage: TokenUsage) -> int:
        """Return 0."""
        del usage
        return 0

    def stream(self, request: ChatRequest) -> AsyncIterator[ChatEvent]:
        """Refuse: nothing is written in a simulation."""
        del request
        raise ModelUnavailableError("a simulated model only chooses")

    async def complete(self, request: ChatRequest) -> Completion:
        """Return an offered id, `none`, or something else.

        Raises:
            ModelUnavailableError: it is away.
        """
        self._calls += 1
        rng = random.Random(f"{self.seed} model {self._calls}")
        mood = rng.choices(("chooses", "declines", "nonsense", "away", "slow"), (900, 50, 15, 15, 20))[0]
        await self.clock.advance(rng.uniform(20, 90) if mood == "slow" else rng.uniform(0.3, 4))
        if mood == "away":
            raise ModelUnavailableError("overloaded")
        ids = _offered(request)
        chosen = {"declines": ids[-1], "nonsense": "good morning"}.get(mood, rng.choice(ids[:-1]))
        return Completion(json.dumps({"candidate_id": chosen}), self.name, _USAGE)


def _offered(request: ChatRequest) -> list[str]:
    """Return the ids that may be answered with, `none` last."""
    if request.schema is None:
        raise ModelUnavailableError("a simulated model only chooses")
    ids: list[str] = request.schema["properties"]["candidate_id"]["enum"]
    return ids


class NothingKept:
    """`FirstWordsKeeper` for people whose talk isn't simulated."""

    async def said_first(self, recipient: Recipient, delivered: Delivered, text: str, *, locale: object) -> None:
        """Keep nothing."""
