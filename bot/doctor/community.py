"""The community, where it is switched on: is there what it needs, may it do what it should, does it keep up."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Protocol

from bot.doctor.finding import Finding, ok, problem, warning
from bot.settings import Settings
from bot.social import open_embedder
from core.clock import Clock
from core.embedding.encoder import SentenceEncoder
from core.errors import CoreError
from core.social.types import Trouble

_TOPIC = "community"
_ROUNDS_MISSED = 3
_HOURS_BEHIND = 6
_PROBE = "The sea is calm."


class CommunityState(Protocol):
    """What is known of the community from the database."""

    @property
    def channels(self) -> int:
        """How many are open."""

    @property
    def troubles(self) -> Sequence[Trouble]:
        """Permissions that were found missing."""

    @property
    def waiting(self) -> int:
        """Posts that wait to be summarised."""

    @property
    def given_up(self) -> int:
        """Posts that are tried no more."""

    @property
    def oldest(self) -> datetime | None:
        """When the first that waits was sent."""

    @property
    def last_cycle(self) -> datetime | None:
        """When the last one ended."""

    @property
    def embedding_model(self) -> str | None:
        """The model that the vectors are of."""

    @property
    def outdated(self) -> int:
        """How many vectors are of another model than the one that is set."""


def embedding_model_of(settings: Settings) -> str:
    """Return the name of the embedding model that is set."""
    return SentenceEncoder.name if settings.embedding_model is None else settings.embedding_model.model


async def check_embedder(settings: Settings, *, clock: Clock) -> Finding:
    """Have one short text made into a vector."""
    name, topic = embedding_model_of(settings), "embedding model"
    try:
        async with open_embedder(settings, clock, SentenceEncoder()) as embedder:
            (vector,) = await embedder.embed([_PROBE])
    except (CoreError, ImportError) as error:
        fix = "Check YORISOI_EMBEDDING_MODEL and its server, or leave it out: the local one needs none."
        return problem(topic, f"{name}: {error}", fix)
    if not vector or not any(vector):
        return problem(topic, f"{name} gives no vectors", "Name a model for embeddings in YORISOI_EMBEDDING_MODEL.")
    return ok(topic, f"{name} answers")


def check_community(settings: Settings, state: CommunityState | None, *, now: datetime) -> list[Finding]:
    """Say what keeps characters from taking part, or holds them up."""
    found = [*_needs(settings, state), *_hindrances(settings, state, now)]
    told = f"a cycle every {settings.social_minutes:g} min"
    return found or [ok(_TOPIC, told if state is None else f"{told}; open channels: {state.channels}")]


def _needs(settings: Settings, state: CommunityState | None) -> Iterator[Finding]:
    if not settings.message_content:
        fix = "Switch the intent on in the developer portal and set YORISOI_MESSAGE_CONTENT=true."
        yield warning(_TOPIC, "without the message-content intent nothing can be read: characters stand still", fix)
    if state is None:
        return
    wanted, stored = embedding_model_of(settings), state.embedding_model
    if stored is not None and (stored != wanted or state.outdated):
        vectors = f"{state.outdated} vectors are not of '{wanted}'" if state.outdated else f"the model was '{stored}'"
        yield problem(_TOPIC, f"{vectors}: the program doesn't start", "Run `yorisoi reembed`, or set the model back.")
    if not state.channels:
        yield warning(_TOPIC, "no channel is open: there is nothing to read", "Open one with /social channels.")


def _hindrances(settings: Settings, state: CommunityState | None, now: datetime) -> Iterator[Finding]:
    if state is None:
        return
    for one in state.troubles:
        text = (
            f"{one.character} may not {one.action} in channel {one.channel_id} (since {one.since:%Y-%m-%d %H:%M} UTC)"
        )
        yield warning(_TOPIC, text, "Give its role that permission there, or close the channel with /social channels.")
    behind = state.oldest is not None and now - state.oldest > timedelta(hours=_HOURS_BEHIND)
    if state.oldest is not None and behind and state.waiting > settings.social_digests_at_once:
        text = f"{state.waiting} posts wait to be summarised, the oldest since {state.oldest:%Y-%m-%d %H:%M} UTC"
        fix = "See that the program runs and the basic model answers; or raise YORISOI_SOCIAL_DIGESTS_AT_ONCE."
        yield warning(_TOPIC, text, fix)
    if state.given_up:
        text = f"{state.given_up} posts were given up: no answer about them could be used"
        yield warning(_TOPIC, text, "They are not read. If there are many, use a stronger basic model.")
    rounds = timedelta(minutes=_ROUNDS_MISSED * settings.social_minutes)
    if state.last_cycle is not None and now - state.last_cycle > rounds:
        every = f"there is one every {settings.social_minutes:g} min"
        text = f"the last cycle was at {state.last_cycle:%Y-%m-%d %H:%M} UTC; {every}"
        yield warning(_TOPIC, text, "See that the program runs; /social status says what became of the last one.")
