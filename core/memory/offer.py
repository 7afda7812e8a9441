"""Something that somebody asked to have kept, before they said yes."""

from dataclasses import dataclass
from datetime import datetime

from core.values import FactSource


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepOffer:
    """A fact that is kept once its author says yes. `told_at` is when the message was sent."""

    text: str
    user_id: int
    source: FactSource
    told_at: datetime
