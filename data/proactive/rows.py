"""How consents and decided slots stand in rows."""

import json
from datetime import time

from core.characters.pack import TimeRange
from core.proactive.types import (
    Grounding,
    Reason,
    Recipient,
    RecipientKind,
    SlotRecord,
    SlotState,
    Subscription,
    Wishes,
)
from core.sharding.shards import Shards
from core.values import Locale
from data.columns import from_millis, optional_millis, optional_moment
from data.connection import Row
from data.sql import Value


def recipient_key(recipient: Recipient) -> dict[str, Value]:
    """Return the columns that name a recipient."""
    return {"character": recipient.character, "kind": recipient.kind.value, "recipient_id": recipient.id}


def shard_columns(shards: Shards) -> dict[str, Value]:
    """Return the parameters that name a range of shards."""
    return {"first_shard": shards.first, "last_shard": shards.last, "shard_count": shards.count}


def recipient_of(row: Row) -> Recipient:
    """Return whom a row is about."""
    return Recipient(row["character"], RecipientKind(row["kind"]), row["recipient_id"])


def _columns(subscription: Subscription) -> dict[str, Value]:
    """Return the columns of a subscription, without its revision."""
    wishes, quiet = subscription.wishes, subscription.wishes.quiet_hours
    return {
        **recipient_key(subscription.recipient),
        "enabled": int(subscription.enabled),
        "timezone": wishes.timezone,
        "windows": None if wishes.windows is None else json.dumps([_range(window) for window in wishes.windows]),
        "quiet_hours": None if quiet is None else _range(quiet),
        "per_day": wishes.per_day,
        "minimum_gap_minutes": wishes.minimum_gap_minutes,
        "locale": subscription.locale and subscription.locale.value,
        "guild_id": subscription.guild_id,
        "chosen_by": subscription.chosen_by,
        "paused_until": optional_millis(subscription.paused_until),
        "suspended_until": optional_millis(subscription.suspended_until),
        "spoke_at": optional_millis(subscription.spoke_at),
        "unanswered": subscription.unanswered,
        "due_at": optional_millis(subscription.due_at),
    }


def put_parameters(subscription: Subscription, *, whatever: bool) -> dict[str, Value]:
    """Return the parameters of `put_subscription`: to be stored whatever is known, or only if nothing newer is."""
    return {**_columns(subscription), "whatever": int(whatever), "known": subscription.revision}


def subscription_of(row: Row) -> Subscription:
    """Return the subscription of a row."""
    return Subscription(
        recipient=recipient_of(row),
        enabled=bool(row["enabled"]),
        wishes=_wishes(row),
        locale=row["locale"] and Locale(row["locale"]),
        guild_id=row["guild_id"],
        chosen_by=row["chosen_by"],
        paused_until=optional_moment(row["paused_until"]),
        suspended_until=optional_moment(row["suspended_until"]),
        spoke_at=optional_moment(row["spoke_at"]),
        unanswered=row["unanswered"],
        due_at=optional_moment(row["due_at"]),
        revision=row["revision"],
    )


def record_of(row: Row) -> SlotRecord:
    """Return the decided slot of a row."""
    return SlotRecord(
        id=row["claim_id"],
        recipient=recipient_of(row),
        slot_key=row["slot_key"],
        due_at=from_millis(row["due_at"]),
        state=SlotState(row["state"]),
        reason=row["reason"] and Reason(row["reason"]),
        offered=tuple(json.loads(row["offered"])),
        candidate_id=row["candidate_id"],
        locale=row["locale"] and Locale(row["locale"]),
        grounding=row["grounding"] and Grounding(row["grounding"]),
        fingerprint=row["fingerprint"],
        selector=row["selector"],
        checks=tuple(json.loads(row["checks"])),
        revision=row["revision"],
        spoke_at=optional_moment(row["spoke_at"]),
        observed_at=optional_moment(row["observed_at"]),
        claimed_at=optional_moment(row["claimed_at"]),
        sent_at=optional_moment(row["sent_at"]),
        message_id=row["message_id"],
        worker=row["worker"],
    )


def _wishes(row: Row) -> Wishes:
    windows, quiet = row["windows"], row["quiet_hours"]
    return Wishes(
        timezone=row["timezone"],
        windows=None if windows is None else tuple(_read_range(text) for text in json.loads(windows)),
        quiet_hours=None if quiet is None else _read_range(quiet),
        per_day=row["per_day"],
        minimum_gap_minutes=row["minimum_gap_minutes"],
    )


def _range(hours: TimeRange) -> str:
    return f"{hours.start:%H:%M}-{hours.end:%H:%M}"


def _read_range(text: str) -> TimeRange:
    start, end = text.split("-")
    return TimeRange(start=time.fromisoformat(start), end=time.fromisoformat(end))
