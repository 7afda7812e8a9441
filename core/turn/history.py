"""What was said in a conversation, held in memory and read again from its source after a restart.

Nothing here touches the disk: turns that must not be stored stay available to the session all the same.
"""

from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from core.language_model.tokens import estimate_tokens
from core.ports import HistorySource
from core.stance.policy import Said
from core.values import ConversationKey, Surface, Utterance

# A window that overflows is cut back to this share at once, so that the start of the prompt, which models keep
# cached, stays the same for several turns instead of moving with each.
_SHARE_AFTER_CUT = 0.6


class ConversationHistory:
    """The newest messages of one conversation, oldest first, each id once."""

    def __init__(self, surface: Surface, *, limit: int) -> None:
        self.surface = surface
        self.loaded = False
        self._limit = limit
        self._entries: list[Utterance] = []
        self._first_in_prompt = 0

    def add(self, *utterances: Utterance) -> None:
        """Put messages where their ids place them; one that is known already is replaced."""
        newest = self._entries[-1].id if self._entries else 0
        if len(utterances) == 1 and utterances[0].id > newest:
            self._entries = [*self._entries, *utterances][-self._limit :]
        elif utterances:
            self._put(utterances)

    def _put(self, utterances: Iterable[Utterance]) -> None:
        by_id = {entry.id: entry for entry in (*self._entries, *utterances)}
        self._entries = [by_id[key] for key in sorted(by_id)][-self._limit :]

    def edit(self, message_id: int, text: str) -> None:
        """Change a message's text, if it is here."""
        self._entries = [replace(e, text=text) if e.id == message_id else e for e in self._entries]

    def delete(self, message_ids: Collection[int]) -> None:
        """Drop messages."""
        self._entries = [entry for entry in self._entries if entry.id not in message_ids]

    def delete_author(self, author_id: int) -> None:
        """Drop all that somebody wrote; in private the character's side goes too, being about them."""
        kept = [] if self.surface.is_private else self._entries
        self._entries = [entry for entry in kept if entry.author.id != author_id]

    def window(self, *, before: int, without: Collection[int], tokens: int) -> tuple[Utterance, ...]:
        """Return the newest messages before an id that fit into `tokens`, oldest first.

        The beginning of the window stays where it is from call to call until the window is too large.
        """
        candidates = [
            entry
            for entry in self._entries
            if self._first_in_prompt <= entry.id < before and entry.id not in without and entry.text.strip()
        ]
        if _size(candidates) > tokens:
            candidates = _newest_within(candidates, int(tokens * _SHARE_AFTER_CUT))
            self._first_in_prompt = candidates[0].id if candidates else 0
        return tuple(candidates)


class Histories:
    """The histories of a character's conversations; the least recently used are let go."""

    def __init__(self, *, source: HistorySource, conversations: int, messages: int) -> None:
        self._source = source
        self._conversations = conversations
        self._messages = messages
        self._by_key: OrderedDict[ConversationKey, ConversationHistory] = OrderedDict()

    def of(self, key: ConversationKey, surface: Surface) -> ConversationHistory:
        """Return a conversation's history as far as it is in memory."""
        history = self._by_key.get(key)
        if history is None:
            history = self._by_key[key] = ConversationHistory(surface, limit=self._messages)
            while len(self._by_key) > self._conversations:
                self._by_key.popitem(last=False)
        self._by_key.move_to_end(key)
        return history

    def known(self, key: ConversationKey) -> ConversationHistory | None:
        """Return a history only if it is in memory."""
        return self._by_key.get(key)

    async def read_earlier(self, history: ConversationHistory, *, before: int) -> Sequence[Utterance]:
        """Read what was said before the first message seen; once a conversation."""
        if history.loaded:
            return ()
        history.loaded = True
        return await self._source.history(history.surface, before=before, limit=self._messages)

    def forget_channel(self, channel_id: int) -> None:
        """Let go of a channel's history."""
        for key in [key for key in self._by_key if key.channel_id == channel_id]:
            del self._by_key[key]

    def forget_guild(self, guild_id: int) -> None:
        """Let go of a server's histories."""
        for key in [key for key, history in self._by_key.items() if history.surface.guild_id == guild_id]:
            del self._by_key[key]

    def forget_author(self, author_id: int) -> None:
        """Let go of everything somebody wrote."""
        for history in self._by_key.values():
            history.delete_author(author_id)


def _size(utterances: Sequence[Utterance]) -> int:
    return sum(estimate_tokens(utterance.text) for utterance in utterances)


def _newest_within(utterances: Sequence[Utterance], tokens: int) -> list[Utterance]:
    kept: list[Utterance] = []
    for utterance in reversed(utterances):
        tokens -= estimate_tokens(utterance.text)
        if tokens < 0:
            break
        kept.append(utterance)
    return kept[::-1]


def said_between(user_id: int, utterances: Iterable[Utterance]) -> list[Said]:
    """Return what a user and the character said; what others said in company is not theirs."""
    return [(not u.is_self, u.text) for u in utterances if u.is_self or u.author.id == user_id]
