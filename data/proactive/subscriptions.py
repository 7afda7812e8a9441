"""Who wants to be spoken to first, and when that is due next."""

from datetime import datetime

from core.errors import StorageError
from core.proactive.slots import FARTHEST
from core.proactive.types import Recipient, Subscription
from core.sharding.shards import EVERYTHING, Shards
from data.columns import optional_millis, optional_moment, to_millis
from data.connection import Database
from data.ledger import Gone, Ledger
from data.proactive.rows import put_parameters, recipient_key, shard_columns, subscription_of
from data.sql import NamedQueries, Value


class SqlSubscriptionStore:
    """`SubscriptionStore` on either database."""

    def __init__(self, *, database: Database, queries: NamedQueries, ledger: Ledger) -> None:
        self._ledger = ledger
        self._database = database
        self._queries = queries

    async def get(self, recipient: Recipient) -> Subscription | None:
        """Return a recipient's subscription, None if there never was one."""
        async with self._database.reading() as connection:
            row = await self._queries.row(connection, "subscription", **recipient_key(recipient))
        return None if row is None else subscription_of(row)

    async def put(self, subscription: Subscription) -> Subscription:
        """Store consent, wishes, pause and `due_at`; its revision goes up by one. Returns it as stored.

        What code keeps of a known recipient (suspension, when they spoke, what is unanswered) stays as it is.
        """
        stored = await self._put(subscription, whatever=True)
        if stored is None:
            raise StorageError(f"{self._database.name}: a subscription that was just stored is not there")
        return stored

    async def change(self, subscription: Subscription) -> Subscription | None:
        """Store it like `put`; None, and nothing is changed, if it was changed since it was read (`revision`)."""
        return await self._put(subscription, whatever=False)

    async def _put(self, subscription: Subscription, *, whatever: bool) -> Subscription | None:
        if not subscription.enabled:
            await self._silenced(subscription.recipient)
        async with self._database.transaction() as connection:
            parameters = put_parameters(subscription, whatever=whatever)
            row = await self._queries.last_row(connection, "put_subscription", **parameters)
        return None if row is None else subscription_of(row)

    async def delete(self, recipient: Recipient) -> bool:
        """Forget a subscription; False if there was none."""
        await self._silenced(recipient)
        return bool(await self._run("delete_subscription", **recipient_key(recipient)))

    async def disable(self, recipient: Recipient, *, revision: int) -> bool:
        """Withdraw consent for a recipient who can't be reached; False if they chose anew since `revision`."""
        await self._silenced(recipient)
        return bool(await self._run("disable_subscription", **recipient_key(recipient), revision=revision))

    async def of_guild(self, guild_id: int, *, character: str) -> list[Subscription]:
        """Return the subscriptions of a server's channels."""
        async with self._database.reading() as connection:
            rows = await self._queries.rows(
                connection, "subscriptions_of_guild", guild_id=guild_id, character=character
            )
        return [subscription_of(row) for row in rows]

    async def due(
        self, character: str, *, now: datetime, limit: int, shards: Shards = EVERYTHING
    ) -> list[Subscription]:
        """Return enabled subscriptions of some shards whose `due_at` has come, the longest due first, by an index.

        After them come those that lie farther ahead than `FARTHEST`: they are to be scheduled anew.
        """
        async with self._database.reading() as connection:
            rows = await self._queries.rows(
                connection,
                "due_subscriptions",
                character=character,
                now=to_millis(now),
                beyond=to_millis(now + FARTHEST),
                limit=max(0, limit),
                **shard_columns(shards),
            )
        return [subscription_of(row) for row in rows]

    async def schedule(self, subscription: Subscription, due_at: datetime | None, *, worker: str | None = None) -> bool:
        """Set when the next slot is due; False if the recipient chose anew, or spoke, since it was read.

        Also False for a `worker` whose lease on the shards is over.
        """
        return bool(
            await self._run(
                "schedule_subscription",
                **recipient_key(subscription.recipient),
                due_at=optional_millis(due_at),
                revision=subscription.revision,
                spoke_at=optional_millis(subscription.spoke_at),
                worker=worker,
            )
        )

    async def spoke(self, character: str, *, user_id: int | None, channel_id: int, now: datetime) -> None:
        """Note that a user spoke to a character (`user_id`) or in a channel of its: nothing is unanswered any more.

        A subscription that had stopped for being unanswered (`due_at` None) becomes due at `now`, to be scheduled anew.
        """
        who: dict[str, Value] = {"character": character, "user_id": user_id, "channel_id": channel_id}
        async with self._database.reading() as connection:
            # Most of those who speak never asked to be spoken to: they cost no write.
            if not await self._queries.number(connection, "listening_subscriptions", **who):
                return
        await self._run("recipient_spoke", **who, now=to_millis(now))

    async def suspend(self, user_id: int, *, until: datetime) -> int:
        """Stop every character from speaking first to a user until then; return how many subscriptions that met."""
        async with self._database.transaction() as connection:
            await self._queries.run(connection, "suspend_user", user_id=user_id, until=to_millis(until))
            return await self._queries.number(
                connection, "count_suspended_user", user_id=user_id, until=to_millis(until)
            )

    async def pause_all(self, *, character: str, until: datetime | None) -> None:
        """Keep a character from speaking first to anybody until then; None lifts it."""
        if until is None:
            await self._run("resume_character", character=character)
        else:
            await self._run("pause_character", character=character, until=to_millis(until))

    async def all_paused_until(self, character: str) -> datetime | None:
        """Return until when a character speaks first to nobody; None if it may."""
        async with self._database.reading() as connection:
            row = await self._queries.row(connection, "character_paused_until", character=character)
        return None if row is None else optional_moment(row["until"])

    async def counts(self, character: str, *, now: datetime) -> dict[str, int]:
        """Return how many are `enabled`, and of these `paused`, `suspended` and `stopped` (unanswered) at `now`."""
        async with self._database.reading() as connection:
            row = await self._queries.row(connection, "subscription_counts", character=character, now=to_millis(now))
        return {name: row[name] if row is not None else 0 for name in ("enabled", "paused", "suspended", "stopped")}

    async def delete_channel(self, channel_id: int) -> None:
        """Forget a channel that is gone, with its slots."""
        async with self._database.transaction() as connection:
            await self._queries.run(connection, "delete_channel_subscriptions", channel_id=channel_id)
            await self._queries.run(connection, "delete_channel_slots", channel_id=channel_id)

    async def delete_guild(self, guild_id: int, *, character: str) -> None:
        """Forget the channels of a server that a character was removed from, with their slots."""
        async with self._database.transaction() as connection:
            for query in ("delete_guild_subscriptions", "delete_guild_slots"):
                await self._queries.run(connection, query, guild_id=guild_id, character=character)

    async def _silenced(self, recipient: Recipient) -> None:
        await self._ledger.note(Gone.SPEAKING_FIRST, (recipient.character, recipient.kind, recipient.id))

    async def _run(self, name: str, **parameters: Value) -> int:
        async with self._database.exclusive() as connection:
            return await self._queries.run(connection, name, **parameters)
