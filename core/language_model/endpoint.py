"""Where a chat model is reached."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit, urlunsplit

from core.language_model.types import TokenUsage


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeouts:
    """How long an answer may take, in seconds.

    `piece` limits the wait for the first piece of text and for each further one, `total` the whole answer
    (and the wait for a free place where only so many requests may run at once).
    """

    connect: float = 10.0
    piece: float = 60.0
    total: float = 180.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An OpenAI-compatible server and a model on it.

    Prices are per million tokens. `context_tokens` is how much prompt and answer the model takes together, None
    if unknown. `max_concurrency` requests run at once, the rest wait in order; None for no limit.
    """

    base_url: str = field(repr=False)
    model: str
    api_key: str = field(default="", repr=False)
    accepts_images: bool = False
    input_price: float = 0.0
    output_price: float = 0.0
    context_tokens: int | None = None
    max_concurrency: int | None = None
    timeouts: Timeouts = Timeouts()

    @property
    def label(self) -> str:
        """How the endpoint is called in errors and logs."""
        return f"model '{self.model}' at {self.address}"

    @property
    def address(self) -> str:
        """Where it is, without what an address may hold of user, password and keys."""
        parts = urlsplit(self.base_url)
        return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))

    def cost_micros(self, usage: TokenUsage) -> int:
        """Return what a call cost, in millionths of the currency."""
        return round(usage.input_tokens * self.input_price + usage.output_tokens * self.output_price)
