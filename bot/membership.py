"""A character's place in the community, for the transport that it is connected by."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from bot.application import App
from core.characters.pack import CharacterPack
from core.ports import PostSource, SocialActions
from core.social.cycle import Cycle, CycleReport
from core.social.factory import SocialParts, make_cycle


class Rounds(Protocol):
    """The rounds that a community goes (`scheduler.social.CommunityTick`)."""

    def join(self, character: str, make: Callable[[bool], Cycle]) -> None:
        """Let a character take part from now on."""

    def leave(self, character: str) -> None:
        """Let it take part no more."""

    async def run(self, character: str, *, rehearsal: bool = False) -> CycleReport | None:
        """Go through a cycle of one character when it is its turn; None if it takes no part."""


@dataclass(frozen=True, slots=True)
class Membership:
    """`bot.discord.seats.Community`: one character's place in the community."""

    app: App
    parts: SocialParts
    community: Rounds
    pack: CharacterPack

    @property
    def most_calls(self) -> int:
        """How often a cycle asks a model at most."""
        return self.parts.bounds.most_calls

    @property
    def minutes(self) -> float:
        """How long it is from one round to the next."""
        return self.app.settings.social_minutes

    def join(self, source: PostSource, actions: SocialActions) -> None:
        """Let the character take part from now on."""
        who = self.app.participant(self.pack, source=source, actions=actions)
        self.community.join(
            self.pack.character.name, lambda rehearsal: make_cycle(self.parts, who, rehearsal=rehearsal)
        )

    def leave(self) -> None:
        """Let it take part no more."""
        self.community.leave(self.pack.character.name)

    async def run(self, *, rehearsal: bool) -> CycleReport | None:
        """Go through a cycle when it is its turn; None if it takes no part."""
        return await self.community.run(self.pack.character.name, rehearsal=rehearsal)
