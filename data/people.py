"""Users, servers, and what operators decided about characters."""

from datetime import datetime

from core.errors import StorageError
from core.ports import Encounter, StoredSource
from core.proactive.types import RecipientKind
from core.values import ConversationKey, FactSource, GuildSettings, KeptFact, Locale, Tier, UserProfile
from data.columns import from_millis, optional_moment, storable, to_millis
from data.connection import Connection, Database, Row
from data.erasure import Eraser
from data.ledger import Gone, Ledger
from data.sessions import as_session
from data.sql import NamedQueries, Value


class SqlUserStore:
    """`UserStore` on either database."""

    def __init__(self, *, database: Database, queries: NamedQueries, ledger: Ledger) -> None:
        self._ledger = ledger
        self._database = database
        self._queries = queries

    async def get(self, user_id: int) -> UserProfile:
        """Return what is known; a fresh profile for somebody new."""
        async with self._database.reading() as connection:
            row = await self._queries.row(connection, "user", id=user_id)
        return UserProfile(id=user_id) if row is None else _profile(user_id, row)

    async def met(self, user_id: int, *, conversation: ConversationKey, now: datetime) -> Encounter:
        """Return all that a turn needs to know of whom it answers, in one statement."""
        async with self._database.reading() as connection:
            rows = await self._queries.rows(
                connection,
                "encounter",
                user_id=user_id,
                character=conversation.character,
                channel_id=conversation.channel_id,
                now=to_millis(now),
            )
        first = rows[0]
        return Encounter(
            user=_profile(user_id, first),
            last_seen=optional_moment(first["last_seen_at"]),
            session=None if first["turns"] is None else as_session(first),
            kept=tuple(_fact(row) for row in rows if row["number"] is not None),
        )

    async def seen(self, user_id: int, *, character: str, now: datetime, locale: Locale | None) -> None:
        """Note that the user spoke to a character, and in which language (None: as before).

        Of one who opted out nothing is noted.
        """
        async with self._database.transaction() as connection:
            await self._queries.post(connection, "user_seen", id=user_id, locale=locale and locale.value)
            await self._queries.post(
                connection, "acquaintance_seen", user_id=user_id, character=character, now=to_millis(now)
            )

    async def last_seen(self, user_id: int, *, character: str) -> datetime | None:
        """Return when the user last spoke to that character; None where it knows of no time."""
        async with self._database.reading() as connection:
            row = await self._queries.row(connection, "acquaintance", user_id=user_id, character=character)
        return None if row is None else from_millis(row["last_seen_at"])

    async def set_locale(self, user_id: int, locale: Locale | None) -> None:
        """Fix the language the user is answered in; None lets it follow the conversation again."""
        await self._run("set_user_locale", id=user_id, locale=locale and locale.value)

    async def set_timezone(self, user_id: int, timezone: str | None) -> None:
        """Set the zone the user lives in, as in the IANA database; None forgets it. Being written to first follows."""
        async with self._database.transaction() as connection:
            await self._queries.run(connection, "set_user_timezone", id=user_id, timezone=timezone)
            await self._queries.run(connection, "person_moved", user_id=user_id, timezone=timezone)

    async def set_opted_out(self, user_id: int, opted_out: bool) -> None:
        """Opted out: no model call, nothing stored, no summary of their words and no consent of any kind left."""
        await self._ledger.note_opted_out(user_id, out=opted_out)
        if opted_out:
            await self._note_taken_back(user_id)
        async with self._database.transaction() as connection:
            await self._queries.hold(connection, "hold_owner", id=user_id)
            await self._queries.run(connection, "set_user_opted_out", id=user_id, opted_out=int(opted_out))
            if opted_out:
                await self._queries.hold(connection, "hold_summaries")
                await self._queries.run(connection, "delete_summaries_of", user_id=user_id)
                await self._queries.run(connection, "withdraw_consent", user_id=user_id)
                await self._queries.run(connection, "forget_proactive_subscriptions", user_id=user_id)

    async def _note_taken_back(self, user_id: int) -> None:
        """Note what ends with an opt-out by itself: it must not come back with a backup once they are in again."""
        async with self._database.reading() as connection:
            consent = await self._queries.row(connection, "consent", user_id=user_id)
            rows = await self._queries.rows(connection, "characters_writing_to", user_id=user_id)
        if consent is not None:
            await self._ledger.note(Gone.CONSENT, (user_id,))
        if rows:
            gone = [(row["character"], RecipientKind.USER, user_id) for row in rows]
            await self._ledger.note(Gone.SPEAKING_FIRST, *gone)

    async def set_notice_shown(self, user_id: int) -> None:
        """Note that the user was told once that this is an AI and what is kept."""
        await self._run("set_user_notice_shown", id=user_id)

    async def _run(self, name: str, **parameters: Value) -> None:
        async with self._database.exclusive() as connection:
            await self._queries.run(connection, name, **parameters)


class SqlKeptFactStore:
    """`KeptFactStore` on either database."""

    def __init__(self, *, database: Database, queries: NamedQueries, eraser: Eraser, ledger: Ledger) -> None:
        self._ledger = ledger
        self._database = database
        self._queries = queries
        self._eraser = eraser

    async def of(self, user_id: int) -> list[KeptFact]:
        """Return a user's facts in the order of their numbers."""
        async with self._database.reading() as connection:
            rows = await self._queries.rows(connection, "kept_facts", user_id=user_id)
        return [_fact(row) for row in rows]

    async def source(self, message_id: int) -> StoredSource | None:
        """Return how a message is stored by now; None if it isn't."""
        async with self._database.reading() as connection:
            return await self._stored(connection, message_id)

    async def add(
        self,
        user_id: int,
        text: str,
        *,
        now: datetime,
        source: FactSource | None = None,
        stored: StoredSource | None = None,
    ) -> KeptFact | None:
        """Keep a fact; it gets a number that none of the user's facts ever had. None if its message changed."""
        kept = storable(text)
        async with self._database.transaction() as connection:
            await self._queries.hold(connection, "hold_owner", id=user_id)
            if source is not None and stored is not None:
                await self._queries.hold(connection, "hold_source", message_id=source.message_id)
                if await self._stored(connection, source.message_id) != stored:
                    return None
            row = await self._queries.row(connection, "number_fact", user_id=user_id)
            if row is None:
                raise StorageError("the database did not say under which number to keep a fact")
            fact = KeptFact(number=row["last_fact_number"], text=kept, told_at=now, source=source)
            await self._queries.run(
                connection,
                "keep_fact",
                user_id=user_id,
                number=fact.number,
                text=kept,
                told_at=to_millis(now),
                source_message_id=source.message_id if source else None,
                source_channel_id=source.channel_id if source else None,
                source_guild_id=source.guild_id if source else None,
                source_parent_id=source.parent_id if source else None,
            )
        return fact

    async def correct(self, user_id: int, number: int, text: str, *, now: datetime) -> bool:
        """Replace a fact by what was told at `now` with a command; False if there is none of that number.

        What it said before doesn't come back with a backup.
        """
        await self._ledger.note(Gone.FACT, (user_id, number))
        return await self._change(
            "correct_fact", user_id=user_id, number=number, text=storable(text), told_at=to_millis(now)
        )

    async def told_in(self, message_id: int) -> list[tuple[int, KeptFact]]:
        """Return the facts that were told in a message, each with its user's id."""
        async with self._database.reading() as connection:
            rows = await self._queries.rows(connection, "facts_told_in", message_id=message_id)
        return [(row["user_id"], _fact(row)) for row in rows]

    async def retell(self, user_id: int, number: int, text: str) -> bool:
        """Give a fact the words its message was edited to; False if there is none of that number."""
        return await self._change("retell_fact", user_id=user_id, number=number, text=storable(text))

    async def delete(self, user_id: int, number: int) -> bool:
        """Forget a fact; False if there is none of that number."""
        await self._ledger.note(Gone.FACT, (user_id, number))
        return await self._change("delete_fact", user_id=user_id, number=number)

    async def _stored(self, connection: Connection, message_id: int) -> StoredSource | None:
        row = await self._queries.row(connection, "stored_source", message_id=message_id)
        if row is None or not row["copies"]:
            return None
        return StoredSource(row["copies"], bool(row["sensitive"]), optional_moment(row["edited_at"]))

    async def _change(self, name: str, **parameters: Value) -> bool:
        """Change or delete a fact, with what the log still holds of it."""
        async with self._database.transaction() as connection:
            changed = await self._queries.run(connection, name, **parameters)
        if changed:
            await self._eraser.erase_log()
        return changed > 0


class SqlConsentStore:
    """`ConsentStore` on either database."""

    def __init__(self, *, database: Database, queries: NamedQueries, eraser: Eraser, ledger: Ledger) -> None:
        self._ledger = ledger
        self._database = database
        self._queries = queries
        self._eraser = eraser

    async def given_at(self, user_id: int) -> datetime | None:
        """Return since when; None where there is no consent."""
        async with self._database.reading() as connection:
            row = await self._queries.row(connection, "consent", user_id=user_id)
        return None if row is None else from_millis(row["given_at"])

    async def give(self, user_id: int, *, now: datetime) -> None:
        """Note the consent; an earlier one stays as it was. Somebody who opted out gives none."""
        async with self._database.transaction() as connection:
            await self._queries.hold(connection, "hold_owner", id=user_id)
            await self._queries.run(connection, "give_consent", user_id=user_id, given_at=to_millis(now))

    async def withdraw(self, user_id: int) -> bool:
        """Forget the consent with all that rests on it, at once; False if there was none."""
        await self._ledger.note(Gone.CONSENT, (user_id,))
        async with self._database.transaction() as connection:
            withdrawn = await self._queries.run(connection, "withdraw_consent", user_id=user_id)
        if withdrawn:
            await self._eraser.erase_log()
        return withdrawn > 0


class SqlGuildStore:
    """`GuildStore` on either database."""

    def __init__(self, *, database: Database, queries: NamedQueries, ledger: Ledger) -> None:
        self._ledger = ledger
        self._database = database
        self._queries = queries

    async def get(self, guild_id: int) -> GuildSettings:
        """Return the server's settings; the defaults for a new one."""
        async with self._database.snapshot() as connection:
            row = await self._queries.row(connection, "guild", guild_id=guild_id)
            if row is None:
                return GuildSettings(guild_id=guild_id)
            channels = await self._queries.rows(connection, "ambient_channels", guild_id=guild_id)
        return GuildSettings(
            guild_id=guild_id,
            locale=_locale(row["locale"]),
            timezone=row["timezone"],
            answers_bots=bool(row["answers_bots"]),
            ambient={channel["channel_id"]: channel["replies_per_hour"] for channel in channels},
        )

    async def put(self, settings: GuildSettings) -> None:
        """Store the server's settings, replacing what was there; channels that go by its clock go by the new one."""
        guild_id = settings.guild_id
        channels = [
            {"guild_id": guild_id, "channel_id": channel_id, "replies_per_hour": most}
            for channel_id, most in settings.ambient.items()
        ]
        async with self._database.transaction() as connection:
            await self._queries.run(connection, "server_moved", guild_id=guild_id, timezone=settings.timezone)
            await self._queries.run(
                connection,
                "put_guild",
                guild_id=guild_id,
                locale=settings.locale and settings.locale.value,
                timezone=settings.timezone,
                answers_bots=int(settings.answers_bots),
            )
            await self._queries.run(connection, "clear_ambient_channels", guild_id=guild_id)
            await self._queries.run_many(connection, "add_ambient_channel", channels)

    async def delete(self, guild_id: int) -> None:
        """Forget a server, with its allow-list, what people told there and the posts of its channels."""
        await self._ledger.note(Gone.GUILD, (guild_id,))
        async with self._database.transaction() as connection:
            await self._queries.run(connection, "remove_all_phrases", guild_id=guild_id)
            await self._queries.run(connection, "delete_facts_told_in_guild", guild_id=guild_id)
            await self._queries.run(connection, "disallow_guild", guild_id=guild_id)
            await self._queries.run(connection, "delete_posts_of_guild", guild_id=guild_id)
            await self._queries.run(connection, "delete_guild", guild_id=guild_id)

    async def claim_welcome(self, guild_id: int, character: str) -> bool:
        """Note that a character greets a server; False if it did already."""
        async with self._database.exclusive() as connection:
            claimed = await self._queries.run(connection, "claim_welcome", guild_id=guild_id, character=character)
        return claimed == 1


class SqlCharacterStateStore:
    """`CharacterStateStore` on either database."""

    def __init__(self, *, database: Database, queries: NamedQueries) -> None:
        self._database = database
        self._queries = queries

    async def is_frozen(self, character: str) -> bool:
        """Return whether the character is switched off for all activity."""
        async with self._database.reading() as connection:
            return await self._queries.number(connection, "is_frozen", character=character) > 0

    async def set_frozen(self, character: str, frozen: bool) -> None:
        """Freeze or unfreeze."""
        async with self._database.transaction() as connection:
            await self._queries.run(connection, "freeze" if frozen else "unfreeze", character=character)

    async def tier(self, character: str) -> Tier | None:
        """Return the tier that operators chose; None where the pack's holds."""
        async with self._database.reading() as connection:
            row = await self._queries.row(connection, "character_tier", character=character)
        return None if row is None else Tier(row["tier"])

    async def set_tier(self, character: str, tier: Tier | None) -> None:
        """Choose a tier; None goes by the pack again."""
        async with self._database.transaction() as connection:
            if tier is None:
                await self._queries.run(connection, "clear_character_tier", character=character)
            else:
                await self._queries.run(connection, "set_character_tier", character=character, tier=tier.value)


def _profile(user_id: int, row: Row) -> UserProfile:
    """Return what a row says of somebody; one without anything is of somebody new."""
    return UserProfile(
        id=user_id,
        locale=_locale(row["locale"]),
        seen_locale=_locale(row["seen_locale"]),
        timezone=row["timezone"],
        opted_out=bool(row["opted_out"]),
        notice_shown=bool(row["notice_shown"]),
    )


def _locale(stored: str | None) -> Locale | None:
    return None if stored is None else Locale(stored)


def _fact(row: Row) -> KeptFact:
    message_id = row["source_message_id"]
    source = (
        None
        if message_id is None
        else FactSource(
            message_id=message_id,
            channel_id=row["source_channel_id"],
            guild_id=row["source_guild_id"],
            parent_id=row["source_parent_id"],
        )
    )
    return KeptFact(number=row["number"], text=row["text"], told_at=from_millis(row["told_at"]), source=source)
