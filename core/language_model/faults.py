"""What a server's refusal means, told for the operator: which endpoint, what to check; never keys or texts."""

from core.errors import ModelError, ModelRejectedError, ModelUnavailableError
from core.language_model.endpoint import Endpoint

_OUT_OF_CREDIT = frozenset({"insufficient_quota", "billing_hard_limit_reached"})

_ADVICE = {
    400: "the request was refused as invalid: check that the model takes chat requests of this length",
    401: "the API key was refused: check the key of this endpoint",
    402: "the account has no credit left: check its billing",
    403: "access was refused: check that the key may use this model",
    404: "not found: check the base_url (it usually ends in /v1) and the name of the model",
    413: "the request is too large: lower YORISOI_HISTORY_TOKENS or use a model with a larger context",
    422: "the request was refused as invalid: check that the endpoint is OpenAI-compatible",
}
_WORTH_ANOTHER_TRY = frozenset({408, 409, 425, 429})


def from_status(endpoint: Endpoint, status: int, *, code: str | None, retry_after: float | None) -> ModelError:
    """Return the error for an HTTP status, the server's own error code and its Retry-After in seconds."""
    if code in _OUT_OF_CREDIT:
        return ModelRejectedError(f"{endpoint.label}: {_ADVICE[402]} (HTTP {status})")
    if code == "context_length_exceeded":
        return ModelRejectedError(f"{endpoint.label}: {_ADVICE[413]} (HTTP {status})")
    if status in _WORTH_ANOTHER_TRY or status >= 500:
        reason = "over its rate limit" if status == 429 else "failing"
        return ModelUnavailableError(f"{endpoint.label}: {reason} (HTTP {status})", retry_after=retry_after)
    advice = _ADVICE.get(status, "the request was refused")
    return ModelRejectedError(f"{endpoint.label}: {advice} (HTTP {status})")
