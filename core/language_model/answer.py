"""An answer as it comes in, piece by piece."""

from dataclasses import dataclass

from core.errors import ModelOutputError, ModelUnavailableError
from core.language_model.endpoint import Endpoint
from core.language_model.payload import prompt_text
from core.language_model.tokens import estimate_tokens
from core.language_model.types import ChatRequest, Finished, TokenUsage

_OPEN, _CLOSE = "<think>", "</think>"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """What one chunk of a stream holds. `alive`: it shows that the model is writing, if only thoughts."""

    text: str = ""
    alive: bool = False
    finish_reason: str | None = None
    usage: TokenUsage | None = None


class ThoughtFilter:
    """Takes out the thoughts that some models write between <think> tags before the answer."""

    def __init__(self) -> None:
        self._held = ""
        self._thinking = False
        self._passed = False

    def take(self, text: str) -> str:
        """Return what of the text so far may be shown and was not yet."""
        if self._passed:
            return text
        self._held += text
        if not self._thinking and self._held.lstrip().startswith(_OPEN):
            self._thinking = True
        if self._thinking:
            _, closed, after = self._held.partition(_CLOSE)
            return self._pass_on(after.lstrip()) if closed and after.strip() else ""
        return "" if _OPEN.startswith(self._held.lstrip()) else self._pass_on(self._held)

    def rest(self) -> str:
        """Return what was held back, at the end of the answer; thoughts that never ended are dropped."""
        return "" if self._thinking or self._passed else self._held

    def _pass_on(self, text: str) -> str:
        self._passed, self._held = True, ""
        return text


class Answer:
    """Gathers the pieces of one answer and says in the end what it was."""

    def __init__(self, request: ChatRequest, endpoint: Endpoint) -> None:
        self._request = request
        self._endpoint = endpoint
        self._filter = ThoughtFilter()
        self._written: list[str] = []
        self._shown = False
        self._reason: str | None = None
        self._usage: TokenUsage | None = None

    def take(self, piece: Piece) -> str:
        """Return the text to pass on, "" for none."""
        self._reason = piece.finish_reason or self._reason
        self._usage = piece.usage or self._usage
        self._written.append(piece.text)
        return self._show(self._filter.take(piece.text))

    def rest(self) -> str:
        """Return text that was held back until the end."""
        return self._show(self._filter.rest())

    def finish(self) -> Finished:
        """Return the end of the answer; raise a `ModelError` when it broke off or is empty."""
        label = self._endpoint.label
        if self._reason is None:
            raise ModelUnavailableError(f"{label}: the answer broke off")
        if not self._shown:
            raise ModelOutputError(f"{label}: the answer is empty (finish_reason {self._reason!r})")
        usage = self._usage or self._estimate()
        return Finished(
            model=self._endpoint.model,
            usage=usage,
            cost_micros=self._endpoint.cost_micros(usage),
            cut_off=self._reason == "length",
        )

    def _show(self, text: str) -> str:
        self._shown = self._shown or bool(text.strip())
        return text

    def _estimate(self) -> TokenUsage:
        return TokenUsage(
            input_tokens=estimate_tokens(prompt_text(self._request)),
            output_tokens=estimate_tokens("".join(self._written)),
            estimated=True,
        )
