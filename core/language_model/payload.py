"""A request as the body of a chat-completions call."""

import base64
from typing import Any

from core.language_model.dialect import Dialect
from core.language_model.endpoint import Endpoint
from core.language_model.markers import inert
from core.language_model.types import ChatMessage, ChatRequest

_UNSEEN_IMAGE = "[image not visible]"


def request_body(request: ChatRequest, endpoint: Endpoint, dialect: Dialect) -> dict[str, Any]:
    """Return the body of a streaming call in the server's dialect."""
    body: dict[str, Any] = {
        "model": endpoint.model,
        "messages": [_message(message, images=endpoint.accepts_images) for message in request.messages],
        "stream": True,
        "max_tokens" if dialect.limit_as_max_tokens else "max_completion_tokens": request.max_output_tokens,
    }
    if dialect.usage_in_stream:
        body["stream_options"] = {"include_usage": True}
    if dialect.temperature:
        body["temperature"] = request.temperature
    if request.stop and dialect.stop:
        body["stop"] = list(request.stop)
    response_format = _response_format(request, dialect)
    if response_format is not None:
        body["response_format"] = response_format
    return body


def prompt_text(request: ChatRequest) -> str:
    """Return all text of the prompt, for an estimate of its tokens."""
    return "\n".join(message.text for message in request.messages)


def _response_format(request: ChatRequest, dialect: Dialect) -> dict[str, Any] | None:
    if request.schema is None:
        return None
    if dialect.json_schema:
        schema = {"name": request.schema_name, "schema": dict(request.schema), "strict": True}
        return {"type": "json_schema", "json_schema": schema}
    return {"type": "json_object"} if dialect.json_object else None


def _message(message: ChatMessage, *, images: bool) -> dict[str, Any]:
    text = inert(message.text)
    if not message.images:
        return {"role": message.role.value, "content": text}
    if not images:
        marks = "\n".join([text, *[_UNSEEN_IMAGE] * len(message.images)])
        return {"role": message.role.value, "content": marks}
    pictures = [
        {"type": "image_url", "image_url": {"url": _data_url(image.media_type, image.data)}} for image in message.images
    ]
    return {"role": message.role.value, "content": [{"type": "text", "text": text}, *pictures]}


def _data_url(media_type: str, data: bytes) -> str:
    return f"data:{media_type};base64,{base64.b64encode(data).decode('ascii')}"
