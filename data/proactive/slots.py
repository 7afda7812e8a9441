"""Decided slots, and the claim that decides them. What is claimed or closed has reached the disk on return."""

import json
from datetime import datetime, timedelta

from core.errors import StorageError
from core.proactive.types import Claim, Past, Reason, Recipient, SlotRecord, SlotState, may_be_out
from core.sharding.shards import EVERYTHING, Shards
from data.columns import from_millis, optional_millis, to_millis
from data.connection import Database, Row
from data.proactive.rows import recipient_key, record_of, shard_columns
from data.sql import NamedQueries, Value


class SqlSlotStore:
    """`SlotStore` on either database."""

    def __init__(self, *, database: Database, queries: NamedQueries) -> None:
        self._database = database
        self._queries = queries

    async def claim(
        self, claim: Claim, *, most_per_day: int, minimum_gap_seconds: int, local_day_began: datetime
    ) -> Reason | None:
        """Win the slot with a last look at the rows it rests on, in one statement; None if it was won, else why not.

        Raises:
            StorageError: The worker's lease on the shards is over.
        """
        gap_began = claim.claimed_at - timedelta(seconds=minimum_gap_seconds)
        async with self._database.durable_transaction() as connection:
            await self._queries.hold(connection, "hold_subscription", **recipient_key(claim.slot.recipient))
            won = await self._queries.last_row(
                connection,
                "claim_slot",
                **_claim_columns(claim),
                most_per_day=most_per_day,
                day_began=to_millis(local_day_began),
                gap_began=to_millis(gap_began),
            )
        if won is not None:
            return None
        async with self._database.reading() as connection:
            row = await self._queries.row(
                connection,
                "claim_obstacles",
                **recipient_key(claim.slot.recipient),
                slot_key=claim.slot.key,
                day_began=to_millis(local_day_began),
                worker=claim.worker,
            )
        if row is not None and row["fenced"]:
            raise StorageError(
                f"{self._database.name}: the shards of {claim.slot.recipient.character} are another's now"
            )
        return Reason.CANCELLED if row is None else _obstacle(row, claim, most_per_day)

    async def decide(self, record: SlotRecord) -> bool:
        """Record a slot that ends without a message (`declined`, `skipped`).

        False if it was decided already, there is no subscription any more, or its worker's lease on the shards is over.
        """
        async with self._database.exclusive() as connection:
            return bool(await self._queries.run(connection, "decide_slot", **_record_columns(record)))

    async def sending(self, claim_id: str, *, worker: str) -> bool:
        """Note that a claim is about to be sent; False if it, or its shards, are not this worker's any more."""
        async with self._database.exclusive() as connection:
            return bool(await self._queries.run(connection, "slot_sending", claim_id=claim_id, worker=worker))

    async def close(
        self,
        claim_id: str,
        state: SlotState,
        *,
        now: datetime,
        reason: Reason | None = None,
        message_id: int | None = None,
    ) -> bool:
        """End a claim; False if it had ended already. What is out, or may be, counts as one more unanswered message."""
        sent_at = to_millis(now) if state is SlotState.SENT else None
        async with self._database.durable_transaction() as connection:
            closed = await self._queries.run(
                connection,
                "close_slot",
                claim_id=claim_id,
                state=state.value,
                reason=reason and reason.value,
                sent_at=sent_at,
                message_id=message_id,
            )
            if closed and may_be_out(state, reason):
                await self._queries.run(connection, "count_unanswered", claim_id=claim_id)
        return bool(closed)

    async def unfinished(
        self, character: str, *, claimed_before: datetime, limit: int, shards: Shards = EVERYTHING
    ) -> list[SlotRecord]:
        """Return claims of some shards that were begun before that moment and never ended, oldest first."""
        return await self._records(
            "unfinished_slots",
            character=character,
            claimed_before=to_millis(claimed_before),
            limit=max(0, limit),
            **shard_columns(shards),
        )

    async def take_over(self, claim_id: str, *, worker: str, from_worker: str, now: datetime) -> bool:
        """Make an unfinished claim this worker's, from `now` on; exactly one of several that try succeeds."""
        async with self._database.durable() as connection:
            taken = await self._queries.run(
                connection,
                "take_over_slot",
                claim_id=claim_id,
                worker=worker,
                from_worker=from_worker,
                now=to_millis(now),
            )
            return bool(taken)

    async def recent(self, recipient: Recipient, *, limit: int) -> list[SlotRecord]:
        """Return a recipient's newest decided slots, newest first."""
        return await self._records("recent_slots", **recipient_key(recipient), limit=max(0, limit))

    async def newest(self, *, limit: int) -> list[SlotRecord]:
        """Return the newest decided slots of all characters and recipients, newest first."""
        return await self._records("newest_slots", limit=max(0, limit))

    async def last_said(self, recipient: Recipient, *, since: datetime) -> dict[str, datetime]:
        """Return when each candidate was last claimed or sent to the recipient since then."""
        rows = await self._rows("last_said", **recipient_key(recipient), since=to_millis(since))
        return {row["candidate_id"]: from_millis(row["said_at"]) for row in rows}

    async def past(self, recipient: Recipient, slot_key: str, *, since: datetime) -> Past:
        """Return whether a slot is decided, and when messages were claimed since then, however they ended."""
        rows = await self._rows("slot_past", **recipient_key(recipient), slot_key=slot_key, since=to_millis(since))
        moments = [row["claimed_at"] for row in rows]
        return Past(
            decided=None in moments,
            claimed=tuple(from_millis(moment) for moment in moments if moment is not None),
        )

    async def outcomes(self, character: str, *, since: datetime) -> dict[str, int]:
        """Return how many slots ended in each outcome (`sent`, `skipped:lease`, …)."""
        rows = await self._rows("slot_outcomes", character=character, since=to_millis(since))
        return {":".join(part for part in (row["state"], row["reason"]) if part): row["slots"] for row in rows}

    async def find(self, claim_id: str) -> SlotRecord | None:
        """Return one slot by its id."""
        found = await self._records("slot", claim_id=claim_id)
        return found[0] if found else None

    async def delete_older_than(self, moment: datetime) -> int:
        """Delete slots that were due before `moment` and ended; return how many."""
        async with self._database.exclusive() as connection:
            return await self._queries.run(connection, "delete_old_slots", before=to_millis(moment))

    async def _records(self, name: str, **parameters: Value) -> list[SlotRecord]:
        return [record_of(row) for row in await self._rows(name, **parameters)]

    async def _rows(self, name: str, **parameters: Value) -> list[Row]:
        async with self._database.reading() as connection:
            return await self._queries.rows(connection, name, **parameters)


def _claim_columns(claim: Claim) -> dict[str, Value]:
    slot, observation = claim.slot, claim.observation
    return {
        "claim_id": claim.id,
        **recipient_key(slot.recipient),
        "slot_key": slot.key,
        "due_at": to_millis(slot.due_at),
        "offered": json.dumps(claim.offered),
        "candidate_id": claim.candidate_id,
        "locale": claim.locale.value,
        "grounding": claim.grounding.value,
        "fingerprint": observation.fingerprint,
        "selector": claim.selector,
        "checks": json.dumps(claim.checks),
        "revision": observation.revision,
        "spoke_at": optional_millis(observation.spoke_at),
        "observed_at": to_millis(observation.observed_at),
        "now": to_millis(claim.claimed_at),
        "worker": claim.worker,
    }


def _record_columns(record: SlotRecord) -> dict[str, Value]:
    return {
        "claim_id": record.id,
        **recipient_key(record.recipient),
        "slot_key": record.slot_key,
        "due_at": to_millis(record.due_at),
        "state": record.state.value,
        "reason": record.reason and record.reason.value,
        "offered": json.dumps(record.offered),
        "candidate_id": record.candidate_id,
        "locale": record.locale and record.locale.value,
        "grounding": record.grounding and record.grounding.value,
        "fingerprint": record.fingerprint,
        "selector": record.selector,
        "checks": json.dumps(record.checks),
        "observed_at": optional_millis(record.observed_at),
        "worker": record.worker,
    }


def _obstacle(row: Row, claim: Claim, most_per_day: int) -> Reason:
    """Return the first reason why a claim was lost; a gap is what remains when nothing else was in its way."""
    now, spoke_at = to_millis(claim.claimed_at), optional_millis(claim.observation.spoke_at)
    found = (
        (Reason.CANCELLED, row["decided"]),
        (Reason.OPTED_OUT, row["opted_out"]),
        (Reason.NOT_ENABLED, not row["enabled"]),
        (Reason.CHANGED, row["revision"] != claim.observation.revision),
        (Reason.FROZEN, row["frozen"]),
        (Reason.PAUSED, now < max(row["paused_until"] or 0, row["all_paused_until"] or 0)),
        (Reason.SUSPENDED, now < (row["suspended_until"] or 0)),
        (Reason.SPOKE, row["spoke_at"] != spoke_at),
        (Reason.DAILY_CAP, row["today"] >= most_per_day),
    )
    return next((reason for reason, holds in found if holds), Reason.GAP)
