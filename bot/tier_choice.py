"""A character's model: of the tier its pack names, or of the one that operators chose meanwhile."""

from collections.abc import AsyncIterator, Mapping

from core.language_model.types import ChatEvent, ChatRequest, Completion, TokenUsage
from core.ports import CharacterStateStore, ChatModel
from core.values import Tier


class ChosenModel:
    """`core.ports.ChatModel` that looks up the tier before each call; one that is not open counts as not chosen."""

    def __init__(
        self, *, character: str, tier: Tier, models: Mapping[Tier, ChatModel], states: CharacterStateStore
    ) -> None:
        self._character = character
        self._tier = tier
        self._models = models
        self._states = states
        self._model = models[tier]

    @property
    def name(self) -> str:
        """The name of the model that was asked last."""
        return self._model.name

    @property
    def accepts_images(self) -> bool:
        """Whether images may be put into a request."""
        return self._model.accepts_images

    @property
    def can_look_up(self) -> bool:
        """Whether it can tell which of many messages answer a question."""
        return self._model.can_look_up

    def cost_micros(self, usage: TokenUsage) -> int:
        """Return what a call costs."""
        return self._model.cost_micros(usage)

    async def stream(self, request: ChatRequest) -> AsyncIterator[ChatEvent]:
        """Yield text as it is written, then exactly one `Finished`."""
        async for event in (await self._chosen()).stream(request):
            yield event

    async def complete(self, request: ChatRequest) -> Completion:
        """Return the whole answer at once."""
        return await (await self._chosen()).complete(request)

    async def _chosen(self) -> ChatModel:
        tier = await self._states.tier(self._character) or self._tier
        self._model = self._models.get(tier, self._models[self._tier])
        return self._model
