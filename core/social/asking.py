"""One question to a character's model: the common profile and the task, then the data as JSON; JSON comes back."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from core.analysis.orders import carries_orders
from core.errors import AllModelsFailedError, ModelError, ModelUnavailableError
from core.language_model.types import ChatMessage, ChatRequest, Role
from core.ports import ChatModel
from core.social.answers import Answer
from core.social.bounds import SocialBounds
from core.social.journal import StepError
from core.social.lengths import tag_limit
from core.social.tags import clean_tags
from core.social.tokens import cut
from core.social.types import Interest
from core.turn.counting import CallBook, Payer
from core.turn.quota import BudgetSpentError
from core.values import Character
from prompts.loader import PromptLibrary

T = TypeVar("T", bound=Answer)

FEATURE = "social"


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
    """Asks, has every call paid for and counted (under the name of a character), and checks what comes back.

    After a call that found no model at all it asks no more: the cycle goes on without. `calls` counts the questions.
    A rehearsal's calls are counted as well: they cost as much.
    """

    character: str
    model: ChatModel
    prompts: PromptLibrary
    bounds: SocialBounds
    book: CallBook
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
        if self.stands_still:
            raise StepError("model")
        request = self._request(prefix, data, profile=profile, locale=locale, **values)
        answer = await self._answered(shape, request, Payer(character=self.character, guild_id=guild_id))
        if any(map(carries_orders, (*answer.texts(), *answer.tags))):
            raise StepError("orders")
        return answer

    def tags(self, answer: Answer, locale: str) -> tuple[str, ...]:
        """Return an answer's tags as they are kept."""
        limit = tag_limit(self.bounds, locale)
        return tuple(dict.fromkeys(tag[:limit] for tag in clean_tags(answer.tags, self.bounds.tags)))

    async def _answered(self, shape: type[T], request: ChatRequest, payer: Payer) -> T:
        self.calls += 1
        try:
            return await self.book.ask(
                shape, payer, FEATURE, model=self.model, request=request, patience=self.bounds.patience_seconds
            )
        except BudgetSpentError as error:
            self.calls -= 1
            raise StepError("budget") from error
        except TimeoutError:
            raise StepError("timeout") from None
        except (AllModelsFailedError, ModelUnavailableError) as error:
            self.stands_still = True
            raise StepError("model") from error
        except ModelError as error:
            raise StepError("answer") from error

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


def as_json(data: Mapping[str, Any]) -> str:
    """Return data as JSON that no text in it can break out of: no angle bracket and no backquote is left."""
    text = json.dumps(data, ensure_ascii=False, indent=1)
    for char in "<>`":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return text
