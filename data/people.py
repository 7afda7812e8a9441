"""Users, servers, and what operators decided about characters."""

from datetime import datetime

from core.errors import StorageError
from core.values import GuildSettings, KeptFact, Locale, UserProfile
from data.columns import from_millis, storable, to_millis
from data.connection import Database
from data.erasure import Eraser
from data.sql import NamedQueries, Value


class SqliteUserStore:
    """`UserStore` on SQLite."""

    def __init__(self, *, database: Database, queries: NamedQueries) -> None:
        self._database = database
        self._queries = queries

    async def get(self, user_id: int) -> UserProfile:
        """Return what is known; a fresh profile for somebody new."""
        async with self._database.reading() as connection:
            row = await self._queries.row(connection, "user", id=user_id)
        if row is None:
            return UserProfile(id=user_id)
        return UserProfile(
            id=user_id,
            locale=_locale(row["locale"]),
            seen_locale=_locale(row["seen_locale"]),
            timezone=row["timezone"],
            opted_out=bool(row["opted_out"]),
            notice_shown=bool(row["notice_shown"]),
        )

    async def seen(self, user_id: int, *, character: str, now: datetime, locale: Locale | None) -> None:
        """Note that the user spoke to a character, and in which language (None: as before).

        Of one who opted out nothing is noted.
        """
        async with self._database.transaction() as connection:
            await self._queries.run(connection, "user_seen", id=user_id, locale=locale and locale.value)
            await self._queries.run(
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
        """Set the zone the user lives in, as in the IANA database; None forgets it."""
        await self._run("set_user_timezone", id=user_id, timezone=timezone)

    async def set_opted_out(self, user_id: int, opted_out: bool) -> None:
        """Opted out: no model call, nothing stored."""
        await self._run("set_user_opted_out", id=user_id, opted_out=int(opted_out))

    async def set_notice_shown(self, user_id: int) -> None:
        """Note that the user was told once that this is an AI and what is kept."""
        await self._run("set_user_notice_shown", id=user_id)

    async def _run(self, name: str, **parameters: Value) -> None:
        async with self._database.exclusive() as connection:
            await self._queries.run(connection, name, **parameters)


class SqliteKeptFactStore:
    """`KeptFactStore` on SQLite."""

    def __init__(self, *, database: Database, queries: NamedQueries, eraser: Eraser) -> None:
        self._database = database
        self._queries = queries
        self._eraser = eraser

    async def of(self, user_id: int) -> list[KeptFact]:
        """Return a user's facts in the order of their numbers."""
        async with self._database.reading() as connection:
            rows = await self._queries.rows(connection, "kept_facts", user_id=user_id)
        return [KeptFact(number=row["number"], text=row["text"], told_at=from_millis(row["told_at"])) for row in rows]

    async def add(self, user_id: int, text: str, *, now: datetime) -> KeptFact:
        """Keep a fact; it gets a number that none of the user's facts ever had."""
        kept = storable(text)
        async with self._database.transaction() as connection:
            row = await self._queries.row(connection, "number_fact", user_id=user_id)
            if row is None:
                raise StorageError("the database did not say under which number to keep a fact")
            number = row["last_fact_number"]
            await self._queries.run(
                connection, "keep_fact", user_id=user_id, number=number, text=kept, told_at=to_millis(now)
            )
        return KeptFact(number=number, text=kept, told_at=now)

    async def delete(self, user_id: int, number: int) -> bool:
        """Forget a fact; False if there is none of that number."""
        async with self._database.transaction() as connection:
            gone = await self._queries.run(connection, "delete_fact", user_id=user_id, number=number)
        if gone:
            await self._eraser.erase_log()
        return bool(gone)


class SqliteGuildStore:
    """`GuildStore` on SQLite."""

    def __init__(self, *, database: Database, queries: NamedQueries) -> None:
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
        """Store the server's settings, replacing what was there."""
        guild_id = settings.guild_id
        channels = [
            {"guild_id": guild_id, "channel_id": channel_id, "replies_per_hour": most}
            for channel_id, most in settings.ambient.items()
        ]
        async with self._database.transaction() as connection:
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
        """Forget a server, with its allow-list."""
        async with self._database.transaction() as connection:
            await self._queries.run(connection, "remove_all_phrases", guild_id=guild_id)
            await self._queries.run(connection, "delete_guild", guild_id=guild_id)


class SqliteCharacterStateStore:
    """`CharacterStateStore` on SQLite."""

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


def _locale(stored: str | None) -> Locale | None:
    return None if stored is None else Locale(stored)
