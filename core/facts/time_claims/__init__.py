"""Claims about the present."""

from core.facts.time_claims.activity import activity_claims
from core.facts.time_claims.explicit import explicit_claims
from core.facts.time_claims.reading import read
from core.facts.time_claims.rules import explicit_rules
from core.facts.time_claims.types import ActivityClaim, TimeClaim
from core.facts.time_claims.verdict import contradicts


def find_time_claims(text: str) -> tuple[TimeClaim, ...]:
    """Find."""
    return explicit_claims(read(text), explicit_rules())


def find_activity_claims(text: str) -> tuple[ActivityClaim, ...]:
    """Find."""
    return activity_claims(read(text))
