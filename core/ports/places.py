"""What operators chose: for servers, and for characters."""

from typing import Protocol

from core.values import GuildSettings, Tier


class GuildStore(Protocol):
    """What a server's operators chose."""

    async def get(self, guild_id: int) -> GuildSettings:
        """Return the server's settings; the defaults for a new one."""

    async def put(self, settings: GuildSettings) -> None:
        """Store the server's settings, replacing what was there."""

    async def delete(self, guild_id: int) -> None:
        """Forget a server, with its allow-list, the facts people told there and the posts of its channels."""

    async def claim_welcome(self, guild_id: int, character: str) -> bool:
        """Note that a character greets a server; False if it did already, also before it left and came back."""


class AllowListStore(Protocol):
    """Phrases over which a server's operators let replies pass. They leave with the server (`GuildStore.delete`)."""

    async def of(self, guild_id: int) -> list[str]:
        """Return a server's phrases as they are stored, in the order they were added."""

    async def add(self, guild_id: int, phrase: str, *, most: int) -> bool:
        """Store a phrase; False if it is there already or the server has `most` of them."""

    async def remove(self, guild_id: int, phrase: str) -> bool:
        """Delete a phrase; False if there is none like it."""


class CharacterStateStore(Protocol):
    """What operators decided about a character while it runs."""

    async def is_frozen(self, character: str) -> bool:
        """Return whether the character is switched off for all activity."""

    async def set_frozen(self, character: str, frozen: bool) -> None:
        """Freeze or unfreeze."""

    async def tier(self, character: str) -> Tier | None:
        """Return the tier that operators chose; None where the pack's holds."""

    async def set_tier(self, character: str, tier: Tier | None) -> None:
        """Choose a tier; None goes by the pack again."""
