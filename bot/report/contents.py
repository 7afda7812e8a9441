"""What stands in a report: read from the stores, a bounded part of each, and counted. Ids of people and texts never."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from bot.operations.status_file import Found
from bot.report.sandbox_results import Result
from bot.usage_report import UsageReport, month_until, usage_report
from core.ports import AlikeTurns, Stores, UsageKey, UsageSum
from core.proactive.types import SlotRecord
from core.social.types import Interest
from core.stance.policy import StanceTally, TurnAccount, account_of_steps, tally

OCCASIONS = 50
"""The newest occasions of speaking first that are listed."""
OCCASIONS_DAYS = 30
"""For how many days they are counted."""
TURNS = 20_000
"""The newest turns of which the stance is counted."""
INTERESTS = 120
"""The newest interests of a character that are drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Operator:
    """Who the report is for: their zone and currency."""

    zone: str
    currency: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CharacterPart:
    """What one character did. `outcomes`: occasions by outcome; `rules`: turns by broken rule and gate's outcome."""

    name: str
    outcomes: Mapping[str, int]
    interests: Sequence[Interest]
    stance: StanceTally
    rules: Mapping[tuple[str, str], int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """Everything, as it was at `at`. `turns_since`: when the oldest turn that is counted began; None without turns."""

    at: datetime
    operator: Operator
    status: Found
    database_bytes: int | None
    usage: UsageReport
    by_guild: Sequence[UsageSum]
    characters: Sequence[CharacterPart]
    occasions: Sequence[SlotRecord]
    turns: int
    turns_since: datetime | None
    results: Sequence[Result]


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """What is known beside the stores: the running program, the size of its database, kept results of the sandbox."""

    status: Found
    database_bytes: int | None
    results: Sequence[Result]


async def gather(
    stores: Stores, names: Sequence[str], *, now: datetime, operator: Operator, beside: Beside
) -> Contents:
    """Read what stands in a report about these characters, and about all others with turns."""
    first, day = month_until(now, operator.zone)
    usage = await usage_report(stores.usage, first, day)
    turns = await stores.traces.alike(limit=TURNS)
    accounts = _accounts(turns)
    every = dict.fromkeys([*names, *accounts])
    return Contents(
        at=now,
        operator=operator,
        status=beside.status,
        database_bytes=beside.database_bytes,
        usage=usage,
        by_guild=sorted(await stores.usage.sums(UsageKey.GUILD, first, day), key=lambda one: -one.tokens),
        characters=[await _character(stores, name, accounts.get(name, ()), now) for name in every],
        occasions=await stores.slots.newest(limit=OCCASIONS),
        turns=sum(map(len, accounts.values())),
        turns_since=turns.since,
        results=beside.results,
    )


def _accounts(turns: AlikeTurns) -> dict[str, list[TurnAccount]]:
    """Return what turns tell, by character."""
    found: dict[str, list[TurnAccount]] = {}
    if turns.since is None:
        return found
    for kind in turns.kinds:
        account = account_of_steps(turns.since, kind.steps)
        found.setdefault(kind.character, []).extend([account] * kind.turns)
    return found


async def _character(stores: Stores, name: str, accounts: Sequence[TurnAccount], now: datetime) -> CharacterPart:
    history = await stores.social.interest_history(name, limit=INTERESTS)
    return CharacterPart(
        name=name,
        outcomes=await stores.slots.outcomes(name, since=now - timedelta(days=OCCASIONS_DAYS)),
        interests=history[::-1],
        stance=tally(accounts),
        rules=Counter((rule, one.gate.value) for one in accounts for rule in one.rules),
    )
