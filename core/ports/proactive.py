"""What speaking first needs from the outside: consents with their due times, decided slots, a way to send."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from core.facts.schedule.timetable import Timetable
from core.proactive.types import Claim, Past, Reason, Recipient, SlotRecord, SlotState, Subscription
from core.sharding.shards import EVERYTHING, Shards
from core.values import Locale, Surface


class SubscriptionStore(Protocol):
    """Who wants to be spoken to first, and when that is due next."""

    async def get(self, recipient: Recipient) -> Subscription | None:
        """Return a recipient's subscription, None if there never was one."""

    async def put(self, subscription: Subscription) -> Subscription:
        """Store consent, wishes, pause and `due_at`; its revision goes up by one. Returns it as stored.

        What code keeps of a known recipient (suspension, when they spoke, what is unanswered) stays as it is.
        """

    async def change(self, subscription: Subscription) -> Subscription | None:
        """Store it like `put`; None, and nothing is changed, if it was changed since it was read (`revision`)."""

    async def delete(self, recipient: Recipient) -> bool:
        """Forget a subscription; False if there was none."""

    async def disable(self, recipient: Recipient, *, revision: int) -> bool:
        """Withdraw consent for a recipient who can't be reached; False if they chose anew since `revision`."""

    async def of_guild(self, guild_id: int, *, character: str) -> list[Subscription]:
        """Return the subscriptions of a server's channels."""

    async def due(
        self, character: str, *, now: datetime, limit: int, shards: Shards = EVERYTHING
    ) -> list[Subscription]:
        """Return enabled subscriptions of some shards whose `due_at` has come, the longest due first, by an index.

        After them come those that lie farther ahead than `FARTHEST`: they are to be scheduled anew.
        """

    async def schedule(self, subscription: Subscription, due_at: datetime | None, *, worker: str | None = None) -> bool:
        """Set when the next slot is due; False if the recipient chose anew, or spoke, since it was read.

        Also False for a `worker` whose lease on the shards is over.
        """

    async def spoke(self, character: str, *, user_id: int | None, channel_id: int, now: datetime) -> None:
        """Note that a user spoke to a character (`user_id`) or in a channel of its: nothing is unanswered any more.

        A subscription that had stopped for being unanswered (`due_at` None) becomes due at `now`, to be scheduled anew.
        """

    async def suspend(self, user_id: int, *, until: datetime) -> int:
        """Stop every character from speaking first to a user until then; return how many subscriptions that met."""

    async def pause_all(self, *, character: str, until: datetime | None) -> None:
        """Keep a character from speaking first to anybody until then; None lifts it."""

    async def all_paused_until(self, character: str) -> datetime | None:
        """Return until when a character speaks first to nobody; None if it may."""

    async def counts(self, character: str, *, now: datetime) -> dict[str, int]:
        """Return how many are `enabled`, and of these `paused`, `suspended` and `stopped` (unanswered) at `now`."""

    async def delete_channel(self, channel_id: int) -> None:
        """Forget a channel that is gone, with its slots."""

    async def delete_guild(self, guild_id: int, *, character: str) -> None:
        """Forget the channels of a server that a character was removed from, with their slots."""


class SlotStore(Protocol):
    """Decided slots: one row for each recipient and slot, ever."""

    async def claim(
        self, claim: Claim, *, most_per_day: int, minimum_gap_seconds: int, local_day_began: datetime
    ) -> Reason | None:
        """Win the slot, in ONE transaction with a last look at the rows it rests on; None if it was won.

        Won only if the subscription is still enabled, of the observed revision, not paused, suspended or all paused,
        the recipient has not spoken since the observation, the character is not frozen, the user not opted out, fewer
        than `most_per_day` were claimed since `local_day_began`, and the last of them is `minimum_gap_seconds` old.
        Otherwise returns the reason: `CANCELLED` where the slot was decided already.

        Raises:
            StorageError: The worker's lease on the shards is over: nothing of its may be stored any more.
        """

    async def decide(self, record: SlotRecord) -> bool:
        """Record a slot that ends without a message (`declined`, `skipped`).

        False if it was decided already, there is no subscription any more, or its worker's lease on the shards is over.
        """

    async def sending(self, claim_id: str, *, worker: str) -> bool:
        """Note that a claim is about to be sent; False if it, or its shards, are not this worker's any more."""

    async def close(
        self,
        claim_id: str,
        state: SlotState,
        *,
        now: datetime,
        reason: Reason | None = None,
        message_id: int | None = None,
    ) -> bool:
        """End a claim; False if it had ended already.

        What is out, or may be (`may_be_out`), counts as one more unanswered message if the recipient hasn't spoken
        since it was sent, or claimed where that isn't known.
        """

    async def unfinished(
        self, character: str, *, claimed_before: datetime, limit: int, shards: Shards = EVERYTHING
    ) -> list[SlotRecord]:
        """Return claims of some shards that were begun before that moment and never ended, oldest first."""

    async def take_over(self, claim_id: str, *, worker: str, from_worker: str, now: datetime) -> bool:
        """Make an unfinished claim this worker's, from `now` on; exactly one of several that try succeeds."""

    async def recent(self, recipient: Recipient, *, limit: int) -> list[SlotRecord]:
        """Return a recipient's newest decided slots, newest first."""

    async def newest(self, *, limit: int) -> list[SlotRecord]:
        """Return the newest decided slots of all characters and recipients, newest first."""

    async def last_said(self, recipient: Recipient, *, since: datetime) -> dict[str, datetime]:
        """Return when each candidate was last claimed or sent to the recipient since then."""

    async def past(self, recipient: Recipient, slot_key: str, *, since: datetime) -> Past:
        """Return whether a slot is decided, and when messages were claimed since then, however they ended."""

    async def outcomes(self, character: str, *, since: datetime) -> dict[str, int]:
        """Return how many slots ended in each outcome (`sent`, `skipped:lease`, …)."""

    async def find(self, claim_id: str) -> SlotRecord | None:
        """Return one slot by its id."""

    async def delete_older_than(self, moment: datetime) -> int:
        """Delete slots that were due before `moment` and ended; return how many."""


class DraftStore(Protocol):
    """Candidates that a model drafted (waiting) and those an operator approved, by character and locale."""

    async def add(self, character: str, locale: Locale, texts: Sequence[str], *, now: datetime) -> list[int]:
        """Keep drafts to be decided on; return their numbers."""

    async def waiting(self, character: str) -> list[tuple[int, Locale, str]]:
        """Return number, locale and text of the drafts that wait, oldest first."""

    async def approve(self, character: str, number: int, *, now: datetime) -> bool:
        """Let a draft be said from now on; False if none of that number waits."""

    async def reject(self, character: str, number: int) -> bool:
        """Delete a draft or an approved one; False if there is none."""

    async def approved(self, character: str) -> list[tuple[int, Locale, str]]:
        """Return number, locale and text of what was approved."""


class TimetableSource(Protocol):
    """A character's schedule as it is now, not as it was when the program started."""

    async def current(self) -> Timetable | None:
        """Return the timetable; None for a character without a schedule.

        Raises:
            ScheduleUnavailableError: the schedule can't be used as it is now written.
        """


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """A message that is out, and where it stands."""

    message_id: int
    surface: Surface


class FirstWordsKeeper(Protocol):
    """Keeps what was said first, so that an answer to it has its context."""

    async def said_first(self, recipient: Recipient, delivered: Delivered, text: str, *, locale: Locale) -> None:
        """Take a message that is out into the conversation's history and books. Never raises."""


class Messenger(Protocol):
    """Sends a message that nobody asked for to a recipient. The nonce makes a retry the same message."""

    async def send(self, recipient: Recipient, text: str, *, nonce: str, give_up_at: float) -> Delivered:
        """Send; return where the message stands. Stops trying when the monotonic clock reaches `give_up_at`.

        Raises:
            UnreachableError: the recipient can't be written to (50007, 403, 404, gone); don't try again.
            DeliveryError: it may or may not have been sent.
        """
