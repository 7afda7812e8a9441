"""What was deleted since a backup was made, deleted from it again."""

from collections import Counter
from collections.abc import Mapping

from core.proactive.types import Recipient, RecipientKind
from data.connection import Database, Row
from data.ledger import Deletions, Gone
from data.sql import NamedQueries
from data.stores import Stores, build_stores

OPTED_OUT = "opted_out"


async def delete_again(database: Database, deletions: Deletions) -> Mapping[str, int]:
    """Delete what `deletions` hold from an open database; return how many of each kind there were."""
    again = _Again(database, deletions)
    for user_id in deletions.opted_out:
        await again.stores.users.set_opted_out(user_id, opted_out=True)
        again.done[OPTED_OUT] += 1
    if deletions.hashes:
        await again.places()
        await again.people()
        await again.messages()
        await again.speaking_first()
    if again.done:
        await again.stores.eraser.purge()
    return {str(kind): count for kind, count in again.done.items() if count}


class _Again:
    """The stores of a restored database, and what was deleted through them."""

    def __init__(self, database: Database, deletions: Deletions) -> None:
        self.stores: Stores = build_stores(database, _no_terms)
        self.done: Counter[str] = Counter()
        self._database = database
        self._queries = NamedQueries(database.dialect)
        self._held = deletions.hold

    async def places(self) -> None:
        for (channel,) in await self._all("channels_on_record"):
            if self._held(Gone.CHANNEL, channel):
                await self.stores.archive.delete_channel(channel)
                self.done[Gone.CHANNEL] += 1
        left: set[int] = set()
        for guild, character in await self._all("guilds_on_record"):
            if self._held(Gone.GUILD, guild, character):
                await self.stores.archive.delete_guild(guild, character=character)
                left.add(guild)
        for (guild,) in await self._all("servers_on_record"):
            if self._held(Gone.GUILD, guild):
                await self.stores.guilds.delete(guild)
                left.add(guild)
        if left:
            self.done[Gone.GUILD] = len(left)

    async def people(self) -> None:
        for (user_id,) in await self._all("people_on_record"):
            if self._held(Gone.PERSON, user_id):
                await self.stores.privacy.forget(user_id)
                self.done[Gone.PERSON] += 1
            if self._held(Gone.CONSENT, user_id):
                self.done[Gone.CONSENT] += await self.stores.consents.withdraw(user_id)
        for user_id, number in await self._all("facts_on_record"):
            if self._held(Gone.FACT, user_id, number):
                self.done[Gone.FACT] += await self.stores.kept_facts.delete(user_id, number)

    async def messages(self) -> None:
        doomed = [int(row[0]) for row in await self._all("messages_on_record") if self._held(Gone.MESSAGE, row[0])]
        if doomed:
            await self.stores.archive.delete(doomed)
            self.done[Gone.MESSAGE] += len(doomed)

    async def speaking_first(self) -> None:
        for character, kind, recipient_id in await self._all("recipients_on_record"):
            if self._held(Gone.SPEAKING_FIRST, character, kind, recipient_id):
                recipient = Recipient(character, RecipientKind(kind), recipient_id)
                self.done[Gone.SPEAKING_FIRST] += await self.stores.subscriptions.delete(recipient)

    async def _all(self, query: str) -> list[Row]:
        async with self._database.reading() as connection:
            return await self._queries.rows(connection, query)


def _no_terms(text: str) -> list[str]:
    """Stand in for the analyser: nothing is written here that would have to be found."""
    del text
    return []
