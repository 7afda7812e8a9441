"""The models under evaluation: scripted ones, the embedded one, and whatever the settings name."""

import random
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from bot.embedded import ensure_weights
from bot.errors import StartError
from bot.models import open_embedded
from bot.settings import Settings
from bot.tiers import endpoints_of
from core.clock import Clock
from core.language_model.chain import ModelChain
from core.language_model.client import OpenAIChatModel
from core.language_model.endpoint import Endpoint
from core.ports import ChatModel
from core.stance.evaluation.fixtures import Fixture
from core.stance.evaluation.judging import Label
from core.stance.evaluation.personas import Persona, ScriptedTalk
from core.stance.evaluation.scripts import Scripts
from core.values import Tier

SCRIPTED = "scripted"
EMBEDDED = "embedded"
_MANY = 1000


class UnknownModelError(StartError):
    """No model of that name is known; the text lists those that are."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Subject:
    """A model under evaluation. `for_talk` returns it as it is in one talk, with what labels its texts.

    `at_once` is how many talks it can be in at a time: the embedded model has one ear.
    """

    name: str
    scripted: bool
    at_once: int
    for_talk: Callable[[Fixture], tuple[ChatModel, Label]]


@dataclass(frozen=True, slots=True)
class Choice:
    """What was asked for by a name: a persona, or models of the settings (none: the embedded one)."""

    name: str
    persona: Persona | None = None
    endpoints: tuple[Endpoint, ...] = ()
    tier: Tier = Tier.BASIC


def choose(settings: Settings, names: Iterable[str]) -> tuple[Choice, ...]:
    """Return what names ask for, each once.

    Raises:
        UnknownModelError: a name means nothing.
    """
    wanted = [single for name in names for single in (list(Persona) if name == SCRIPTED else [name])]
    return tuple(_choice(settings, name) for name in dict.fromkeys(wanted))


@asynccontextmanager
async def open_subjects(
    settings: Settings, choices: Sequence[Choice], scripts: Scripts, clock: Clock, rng: random.Random
) -> AsyncIterator[tuple[Subject, ...]]:
    """Open what was chosen; fetch the embedded model's weights first where it is among it.

    Raises:
        StartError: the operator's own file of weights is not there.
        WeightsError: the weights can't be had.
    """
    async with AsyncExitStack() as stack:
        subjects = []
        for choice in choices:
            if choice.persona is not None:
                subjects.append(_scripted(choice.persona, scripts))
                continue
            model = await open_model(settings, choice, stack, clock, rng)
            subjects.append(Subject(choice.name, False, _MANY if choice.endpoints else 1, _same(model)))
        yield tuple(subjects)


def _choice(settings: Settings, name: str) -> Choice:
    if name in set(Persona):
        return Choice(name, persona=Persona(name))
    return model_named(settings, name, others=(SCRIPTED, *Persona))


def model_named(settings: Settings, name: str, *, others: Iterable[str] = ()) -> Choice:
    """Return what a name means: the embedded model, a tier, or a model of the settings.

    Raises:
        UnknownModelError: it means nothing; the text lists what there is, `others` among it.
    """
    if name == EMBEDDED:
        return Choice(name)
    if name in set(Tier):
        return Choice(name, endpoints=endpoints_of(settings, Tier(name)), tier=Tier(name))
    named = {endpoint.model: (endpoint, tier) for tier in Tier for endpoint in endpoints_of(settings, tier)}
    if name not in named:
        known = ", ".join((*others, EMBEDDED, *Tier, *named))
        raise UnknownModelError(f"There is no model '{name}'. There are: {known}.")
    endpoint, tier = named[name]
    return Choice(name, endpoints=(endpoint,), tier=tier)


async def open_model(
    settings: Settings, choice: Choice, stack: AsyncExitStack, clock: Clock, rng: random.Random
) -> ChatModel:
    """Open what a name of the settings means; the embedded model's weights are fetched first where it is that.

    Raises:
        StartError: the operator's own file of weights is not there.
        WeightsError: the weights can't be had.
    """
    if not choice.endpoints:
        await ensure_weights(settings)
        embedded = await stack.enter_async_context(open_embedded(settings, clock))
        return ModelChain(tier=choice.tier, models=[embedded], clock=clock, rng=rng)
    models = [OpenAIChatModel(endpoint, clock=clock) for endpoint in choice.endpoints]
    for model in models:
        stack.push_async_callback(model.aclose)
    return ModelChain(tier=choice.tier, models=models, clock=clock, rng=rng)


def _scripted(persona: Persona, scripts: Scripts) -> Subject:
    def for_talk(fixture: Fixture) -> tuple[ChatModel, Label]:
        model = ScriptedTalk(persona, fixture, scripts)
        return model, model.label

    return Subject(persona.value, True, _MANY, for_talk)


def _same(model: ChatModel) -> Callable[[Fixture], tuple[ChatModel, Label]]:
    return lambda _: (model, lambda _: None)
