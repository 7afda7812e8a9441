"""The words of speaking first: who it is for, when it is due, what was decided and why.

Nothing here is written by a model: a message is one of the pack's candidates, chosen by its id.
"""

from dataclasses import dataclass
from datetime import date, datetime, time
from enum import StrEnum

from core.characters.pack import TimeRange
from core.turn.identity import lasting_id
from core.values import Locale

LEASE_SECONDS = 120
"""How long after it was observed a moment may still be spoken of (seed 001, grounding at send time)."""


class RecipientKind(StrEnum):
    """Whom a character may speak to first: a person, in their DM, or a server's channel."""

    USER = "user"
    CHANNEL = "channel"


@dataclass(frozen=True, slots=True)
class Recipient:
    """A person (`id` is the user's) or a channel (`id` is the channel's) that a character may speak to first."""

    character: str
    kind: RecipientKind
    id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What a recipient chose; it may narrow the character's own policy, never widen it. None: the character's own.

    All times are in `timezone`, without which nothing is ever said first.
    """

    timezone: str | None = None
    windows: tuple[TimeRange, ...] | None = None
    quiet_hours: TimeRange | None = None
    per_day: int | None = None
    minimum_gap_minutes: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """One recipient's consent and where it stands.

    `guild_id` and `chosen_by` belong to a channel. `paused_until`: the recipient (or an operator) wants quiet until
    then. `suspended_until`: code stopped it, for the recipient's own good. `spoke_at`: when the recipient last spoke
    to the character (in a channel: anybody). `unanswered`: messages since then. `due_at`: the next slot's moment,
    None while nothing can be due. `revision` changes with every change of consent or wishes, so that a decision made
    on older ones is void.
    """

    recipient: Recipient
    enabled: bool
    wishes: Wishes
    locale: Locale | None = None
    guild_id: int | None = None
    chosen_by: int | None = None
    paused_until: datetime | None = None
    suspended_until: datetime | None = None
    spoke_at: datetime | None = None
    unanswered: int = 0
    due_at: datetime | None = None
    revision: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """One occasion to speak first: recipient × local date × window. `key` is unique for the recipient.

    `opens` and `closes` bound the window (aware, UTC); `due_at` lies between them, spread by a hash of the key.
    """

    recipient: Recipient
    day: date
    window: TimeRange
    opens: datetime
    closes: datetime
    due_at: datetime

    @property
    def key(self) -> str:
        """The slot's name, such as `2026-05-04/0830-1100`."""
        return f"{self.day.isoformat()}/{_clock(self.window.start)}-{_clock(self.window.end)}"

    @property
    def id(self) -> str:
        """The id of whatever is decided for it, and the nonce: 20 characters of [0-9a-z], in every process the same."""
        who = self.recipient
        return lasting_id("proactive", who.character, who.kind.value, who.id, self.key)


class Grounding(StrEnum):
    """What a candidate's truth rests on."""

    NEUTRAL = "neutral"
    SCHEDULE = "schedule"


class SlotState(StrEnum):
    """How far a slot got; the last five are its end."""

    CLAIMED = "claimed"
    SENDING = "sending"
    SENT = "sent"
    DECLINED = "declined"
    SKIPPED = "skipped"
    FAILED = "failed"
    UNKNOWN = "unknown"


class Reason(StrEnum):
    """Why nothing was sent. Stored, counted and explained to operators; never holds text."""

    # eligibility
    NOT_ENABLED = "not_enabled"
    NO_TIMEZONE = "no_timezone"
    OPTED_OUT = "opted_out"
    FROZEN = "frozen"
    PAUSED = "paused"
    SUSPENDED = "suspended"
    UNANSWERED = "unanswered"
    QUIET_HOURS = "quiet_hours"
    DAILY_CAP = "daily_cap"
    GAP = "gap"
    MISSED = "missed"
    # selection and review
    NO_SCHEDULE = "no_schedule"
    NO_CANDIDATE = "no_candidate"
    MODEL_CHOSE_NONE = "model_chose_none"
    MODEL_UNAVAILABLE = "model_unavailable"
    MODEL_OUTPUT = "model_output"
    BUDGET = "budget"
    REVIEW = "review"
    # regrounding
    LEASE = "lease"
    WINDOW = "window"
    FINGERPRINT = "fingerprint"
    SPOKE = "spoke"
    CHANGED = "changed"
    CLOCK = "clock"
    CANCELLED = "cancelled"
    # sending
    UNREACHABLE = "unreachable"
    FORBIDDEN = "forbidden"
    DELIVERY = "delivery"
    CRASHED = "crashed"
    FAULT = "fault"


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """What a decision is made on: taken once, at `observed_at` (aware, UTC).

    `fingerprint` is the SHA-256 of the schedule around the moment, None for a character without one. `revision` and
    `spoke_at` are the subscription's as they were. `monotonic`: the same moment on the clock that never goes back,
    None where another process made the observation.
    """

    observed_at: datetime
    monotonic: float | None
    fingerprint: str | None
    revision: int
    spoke_at: datetime | None

    def is_leased(self, now: datetime) -> bool:
        """Return whether what was observed may still be spoken of; a clock set back makes it stale, too."""
        return 0 <= (now - self.observed_at).total_seconds() < LEASE_SECONDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A slot to be won, and what is to be sent then. `id` is the slot's, and the nonce of the message."""

    id: str
    slot: Slot
    observation: Observation
    candidate_id: str
    locale: Locale
    grounding: Grounding
    selector: str
    worker: str
    claimed_at: datetime
    offered: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """What there was with a recipient: whether a slot is decided, and when messages were claimed, oldest first."""

    decided: bool = False
    claimed: tuple[datetime, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SlotRecord:
    """A decided slot as it is stored: what was offered, chosen, checked, sent or refused. Ids only, no text.

    `selector`: `model:<name>` or `seed:<number>`. `grounding` with `fingerprint` is the grounding source. `revision`
    and `spoke_at` are the subscription's as they were when a message was decided on.
    """

    id: str
    recipient: Recipient
    slot_key: str
    due_at: datetime
    state: SlotState
    reason: Reason | None = None
    offered: tuple[str, ...] = ()
    candidate_id: str | None = None
    locale: Locale | None = None
    grounding: Grounding | None = None
    fingerprint: str | None = None
    selector: str | None = None
    checks: tuple[str, ...] = ()
    revision: int | None = None
    spoke_at: datetime | None = None
    observed_at: datetime | None = None
    claimed_at: datetime | None = None
    sent_at: datetime | None = None
    message_id: int | None = None
    worker: str | None = None

    @property
    def outcome(self) -> str:
        """The state, with its reason where there is one: `skipped:lease`."""
        return self.state.value if self.reason is None else f"{self.state.value}:{self.reason.value}"


def may_be_out(state: SlotState, reason: Reason | None) -> bool:
    """Return whether a claim that ended like that may have become a message its recipient has."""
    return state in {SlotState.SENT, SlotState.UNKNOWN} or reason is Reason.DELIVERY


def _clock(moment: time) -> str:
    return f"{moment:%H%M}"
