"""A character's place in the community, for the transport that it is connected by."""

from dataclasses import dataclass

from bot.application import App
from core.characters.pack import CharacterPack
from core.ports import PostSource, SocialActions
from core.social.cycle import CycleReport
from core.social.factory import SocialParts, make_cycle
from scheduler.social import CommunityTick


@dataclass(frozen=True, slots=True)
class Membership:
    """`bot.discord.seats.Community`: one character's place in the community."""

    app: App
    parts: SocialParts
    community: CommunityTick
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
