"""One question to a character's model: the common profile and the task, then the data as JSON; JSON comes back."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from core.clock import Clock
from core.errors import AllModelsFailedError, ModelError, ModelUnavailableError
from core.language_model.deadline import within
from core.language_model.structured import ask_for
from core.language_model.types import ChatMessage, ChatRequest, Completion, Role
from core.ports import ChatModel, UsageRecord, UsageStore
from core.social.answers import Answer
from core.social.bounds import SocialBounds
from core.social.journal import StepError
from core.social.lengths import tag_limit
from core.social.orders import carries_orders
from core.social.tags import clean_tags
from core.social.tokens import cut
from core.social.types import Interest
from core.turn.quota import Quota
from core.values import Character
from prompts.loader import PromptLibrary

T = TypeVar("T", bound=Answer)

FEATURE = "social"
_NOBODY = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """Who the character is, for a prompt: fixed personality, public introduction, present interest."""

    character: Character
    locale: str
    interest: Interest | None = None

    def values(self, bounds: SocialBounds) -> dict[str, object]:
        """Return what `common-profile` is filled in with."""
        character = self.character
        locale = next((one for one in character.locales if one == self.locale), character.locale)
        return {
            "display_name": character.display_name[locale],
            "introduction": cut(character.introduction[locale], bounds.profile_tokens),
            "personality": cut(character.personality[locale], bounds.profile_tokens),
            "interest": None if self.interest is None else cut(self.interest.text, bounds.impression_tokens),
            "interest_tags": [] if self.interest is None else list(self.interest.tags),
        }


@dataclass(slots=True, kw_only=True)
class Asker:
    """Asks, counts (under the name of a character) and checks.

    After a call that found no model at all it asks no more: the cycle goes on without. `calls` counts the questions.
    `books` is None for a rehearsal, which leaves no trace.
    """

    character: str
    model: ChatModel
    prompts: PromptLibrary
    bounds: SocialBounds
    clock: Clock
    quota: Quota
    books: UsageStore | None
    calls: int = 0
    stands_still: bool = field(default=False)

    async def ask(
        self,
        prefix: str,
        shape: type[T],
        data: Mapping[str, Any],
        *,
        profile: Profile | None,
        locale: str,
        guild_id: int | None = None,
        **values: object,
    ) -> T:
        """Return a model's answer to a task.

        Raises:
            StepError: there is no model (`model`), no budget (`budget`), no answer in time (`timeout`), or none that
                may be kept (`answer`, `orders`).
        """
        await self._may_ask(guild_id)
        request = self._request(prefix, data, profile=profile, locale=locale, **values)
        self.calls += 1
        try:
            answer = await within(self.clock, self.bounds.patience_seconds, self._answered(shape, request, guild_id))
        except TimeoutError:
            raise StepError("timeout") from None
        except (AllModelsFailedError, ModelUnavailableError) as error:
            self.stands_still = True
            raise StepError("model") from error
        except ModelError as error:
            raise StepError("answer") from error
        if any(map(carries_orders, (*answer.texts(), *answer.tags))):
            raise StepError("orders")
        return answer

    def tags(self, answer: Answer, locale: str) -> tuple[str, ...]:
        """Return an answer's tags as they are kept."""
        limit = tag_limit(self.bounds, locale)
        return tuple(dict.fromkeys(tag[:limit] for tag in clean_tags(answer.tags, self.bounds.tags)))

    async def _may_ask(self, guild_id: int | None) -> None:
        if self.stands_still:
            raise StepError("model")
        now = self.clock.now()
        if await self.quota.exhausted(user_id=None, guild_id=guild_id, now=now) is not None:
            raise StepError("budget")

    async def _answered(self, shape: type[T], request: ChatRequest, guild_id: int | None) -> T:
        async def counted(completion: Completion) -> None:
            await self._count(completion, guild_id)

        return await ask_for(shape, self.model, request, count=counted)

    def _request(
        self, prefix: str, data: Mapping[str, Any], *, profile: Profile | None, locale: str, **values: object
    ) -> ChatRequest:
        common = {} if profile is None else profile.values(self.bounds)
        limits = {"most_tags": self.bounds.tags, "tag_length": tag_limit(self.bounds, locale)}
        task = self.prompts.render(prefix, locale, data=as_json(data), **limits, **common, **values)
        messages = [ChatMessage(Role.USER, task)]
        if profile is not None:
            messages.insert(0, ChatMessage(Role.SYSTEM, self.prompts.render("common-profile", locale, **common)))
        return ChatRequest(messages=tuple(messages), max_output_tokens=self.bounds.answer_tokens, temperature=0.8)

    async def _count(self, completion: Completion, guild_id: int | None) -> None:
        if self.books is None:
            return
        now = self.clock.now()
        await self.books.add(
            UsageRecord(
                at=now,
                day=self.quota.day(now),
                character=self.character,
                user_id=_NOBODY,
                guild_id=guild_id,
                feature=FEATURE,
                model=completion.model,
                input_tokens=completion.usage.input_tokens,
                output_tokens=completion.usage.output_tokens,
                cost_micros=completion.cost_micros,
                outcome="complete",
                estimated=completion.usage.estimated,
            )
        )


def as_json(data: Mapping[str, Any]) -> str:
    """Return data as JSON that no text in it can break out of: no angle bracket and no backquote is left."""
    text = json.dumps(data, ensure_ascii=False, indent=1)
    for char in "<>`":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text
