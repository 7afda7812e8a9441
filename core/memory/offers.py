"""What somebody asked to have kept, offered to be kept: nothing is stored before they say yes."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.memory.asking import asked_to_keep, asks_too_much
from core.memory.offer import KeepOffer
from core.ports import KeptFactStore
from core.stance.policy import Caution
from core.values import FactSource, InboundMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepOffers:
    """Finds what may be offered. What weighs on somebody never is, whatever the stance flags say."""

    kept_facts: KeptFactStore
    caution: Caution

    async def of(
        self, messages: Sequence[InboundMessage], history: Sequence[tuple[bool, str]] = ()
    ) -> KeepOffer | None:
        """Return the newest wish in messages of one person, None where there is none that may be kept.

        `history` is the talk before them: whether that person said it (else the character), and the text.
        """
        for message in reversed(messages):
            wish = None if message.author.is_bot or message.content_hidden else asked_to_keep(message.text)
            if wish is not None:
                return await self._offer(message, wish) if await self._may(messages, wish, history) else None
        return None

    async def is_too_long(self, messages: Sequence[InboundMessage], history: Sequence[tuple[bool, str]] = ()) -> bool:
        """Return whether the newest message asks for something that could be kept if it were shorter."""
        newest = messages[-1]
        if newest.author.is_bot or newest.content_hidden or not asks_too_much(newest.text):
            return False
        return await self._may(messages, newest.text, history)

    async def _may(self, messages: Sequence[InboundMessage], wish: str, history: Sequence[tuple[bool, str]]) -> bool:
        """Judge the wish by itself, too: the request around it makes it sound lighter than it is."""
        said = "\n".join(message.text for message in messages)
        return await self.caution.may_be_kept(wish) and await self.caution.may_be_kept(said, history)

    async def _offer(self, message: InboundMessage, wish: str) -> KeepOffer | None:
        user_id = message.author.id
        if any(fact.text == wish for fact in await self.kept_facts.of(user_id)):
            return None
        source = FactSource.of(message.id, message.surface)
        return KeepOffer(text=wish, user_id=user_id, source=source, told_at=message.sent_at)

    async def follow_edit(self, message_id: int, text: str) -> None:
        """Let the facts that were told in a message follow its edit: to other words, or away with them."""
        told = await self.kept_facts.told_in(message_id)
        wish = asked_to_keep(text) if told else None
        keeps = wish is not None and await self.caution.may_be_kept(wish) and await self.caution.may_be_kept(text)
        for user_id, fact in told:
            if wish is None or not keeps:
                await self.kept_facts.delete(user_id, fact.number)
            elif wish != fact.text:
                await self.kept_facts.retell(user_id, fact.number, wish)
