"""What an operator can look into and add to: what a character may say first, by whose rules, and who drafts more."""

from dataclasses import dataclass

from core.characters.pack import Candidate, ProactivePolicy
from core.proactive.drafting import Drafting
from core.values import Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class Repertoire:
    """A character's candidates as its pack holds them, its policy, and its drafting."""

    policy: ProactivePolicy
    candidates: dict[Locale, tuple[Candidate, ...]]
    drafting: Drafting
