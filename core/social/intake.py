"""New posts come in: from allowed channels, of those who agreed to be remembered, and never a sensitive one."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from core.clock import Clock
from core.errors import DeliveryError, UnreachableError
from core.ports import PostSource, PostStore, SocialStore, UserStore
from core.social.bounds import SocialBounds
from core.social.context import IsSensitive
from core.social.journal import Journal, StepError
from core.social.language import language_of
from core.social.stage import note_trouble
from core.social.types import Access, Action, AllowedChannel, Post, Trouble


@dataclass(frozen=True, slots=True, kw_only=True)
class Intake:
    """Reads what is new in the allowed channels and keeps what may be kept."""

    character: str
    source: PostSource
    posts: PostStore
    social: SocialStore
    users: UserStore
    is_sensitive: IsSensitive
    bounds: SocialBounds
    clock: Clock

    async def accesses(self) -> dict[int, Access]:
        """Return the allowed channels that the character can read, with what else it may do there.

        A permission that is missing is noted, one that is there again is not missing any more.
        """
        found = await self.source.access(await self.social.channels())
        known = {(trouble.channel_id, trouble.action) for trouble in await self.social.troubles(self.character)}
        for access in found:
            for action in Action:
                await self._compare(access, action, known)
        return {access.channel.channel_id: access for access in found if access.may(Action.READ)}

    async def take_in(self, accesses: Iterable[Access], journal: Journal) -> int:
        """Keep what is new; return how much. A channel that can't be read leaves the others."""
        new = 0
        for access in accesses:
            async with journal.step("fetch"):
                new += await self._from(access.channel)
        return new

    async def admit(self, posts: Iterable[Post]) -> int:
        """Keep those of some posts that may be kept, wherever they come from; return how many are new."""
        kept = [post for post in posts if await self._may_be_kept(post)]
        return await self.posts.add([replace(post, language=post.language or language_of(post.text)) for post in kept])

    async def _from(self, channel: AllowedChannel) -> int:
        after = await self.posts.newest_id(channel.channel_id)
        try:
            posts = await self.source.newest(channel, after=after, limit=self.bounds.fetch_posts)
        except DeliveryError as error:
            if isinstance(error, UnreachableError) and error.forbidden:
                await self._note(channel.channel_id, Action.READ)
                raise StepError("forbidden") from error
            raise
        return await self.admit(posts)

    async def _may_be_kept(self, post: Post) -> bool:
        if not post.text.strip():
            return False
        if post.character is not None:
            return True
        if post.author.is_bot or (await self.users.get(post.author.id)).opted_out:
            return False
        return not await self.is_sensitive(post.text)

    async def _compare(self, access: Access, action: Action, known: Collection[tuple[int, Action]]) -> None:
        channel_id = access.channel.channel_id
        wanted = action is not Action.POST or access.channel.may_post
        missing, was_missing = wanted and not access.may(action), (channel_id, action) in known
        if was_missing and not missing:
            await self.social.clear_trouble(self.character, channel_id, action)
        elif missing and not was_missing:
            await self._note(channel_id, action)

    async def _note(self, channel_id: int, action: Action) -> None:
        trouble = Trouble(character=self.character, channel_id=channel_id, action=action, since=self.clock.now())
        await note_trouble(self.social, trouble)
