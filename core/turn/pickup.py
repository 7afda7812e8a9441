"""Who is being spoken to: one table that says whether a message is answered, and why."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from core.values import Address


class Pickup(StrEnum):
    """What becomes of a message."""

    DIRECT = "direct"
    CONTINUATION = "continuation"
    AMBIENT = "ambient"
    PASSIVE = "passive"
    REFUSED = "refused"
    IGNORED = "ignored"

    @property
    def is_answered(self) -> bool:
        """True where a model is asked."""
        return self in {Pickup.DIRECT, Pickup.CONTINUATION, Pickup.AMBIENT}


@dataclass(frozen=True, slots=True, kw_only=True)
class PickupFacts:
    """All that the decision rests on. `ambient_due`: allowed in this channel, under its cap, and its turn."""

    address: Address
    is_self: bool = False
    is_bot: bool = False
    bots_answered: bool = False
    bot_exchanges: int = 0
    bot_exchange_limit: int = 3
    opted_out: bool = False
    frozen: bool = False
    content_hidden: bool = False
    to_others: bool = False
    in_characters_thread: bool = False
    just_talked: bool = False
    ambient_due: bool = False

    @property
    def addressed(self) -> bool:
        """Whether the message speaks to the character in so many words."""
        return self.address is not Address.NONE


@dataclass(frozen=True, slots=True)
class PickupDecision:
    """What becomes of a message and the rule that said so."""

    pickup: Pickup
    rule: str


_RULES: tuple[tuple[str, Callable[[PickupFacts], bool], Pickup], ...] = (
    ("own_message", lambda f: f.is_self, Pickup.IGNORED),
    ("bot_not_answered", lambda f: f.is_bot and not f.bots_answered, Pickup.IGNORED),
    ("bot_exchange_limit", lambda f: f.is_bot and f.bot_exchanges >= f.bot_exchange_limit, Pickup.IGNORED),
    ("opted_out", lambda f: f.opted_out and f.addressed and not f.is_bot, Pickup.REFUSED),
    ("opted_out", lambda f: f.opted_out, Pickup.IGNORED),
    ("frozen", lambda f: f.frozen and f.addressed and not f.is_bot, Pickup.REFUSED),
    ("frozen", lambda f: f.frozen, Pickup.PASSIVE),
    ("addressed", lambda f: f.addressed, Pickup.DIRECT),
    ("content_hidden", lambda f: f.content_hidden, Pickup.PASSIVE),
    ("to_others", lambda f: f.to_others, Pickup.PASSIVE),
    ("bot_not_addressing", lambda f: f.is_bot, Pickup.PASSIVE),
    ("characters_thread", lambda f: f.in_characters_thread, Pickup.CONTINUATION),
    ("just_talked", lambda f: f.just_talked, Pickup.CONTINUATION),
    ("ambient", lambda f: f.ambient_due, Pickup.AMBIENT),
)


def decide(facts: PickupFacts) -> PickupDecision:
    """Return the decision of the first rule that applies; a message that no rule claims is passive."""
    for name, applies, pickup in _RULES:
        if applies(facts):
            return PickupDecision(pickup, name)
    return PickupDecision(Pickup.PASSIVE, "not_addressed")
