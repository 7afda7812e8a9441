"""Requests to and answers from a chat model."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Role(StrEnum):
    """Roles of the chat-completions format."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True)
class Image:
    """An image for a model that takes them."""

    media_type: str
    data: bytes


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a prompt."""

    role: Role
    text: str
    images: tuple[Image, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """What a model is asked. `schema` asks for JSON of that JSON Schema, named `schema_name`."""

    messages: tuple[ChatMessage, ...]
    max_output_tokens: int
    temperature: float = 0.7
    schema: Mapping[str, Any] | None = None
    schema_name: str = "answer"
    stop: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TokenUsage:
    """Tokens of one call. `estimated` when the endpoint did not say and they were counted here."""

    input_tokens: int
    output_tokens: int
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Delta:
    """A piece of the answer."""

    text: str


@dataclass(frozen=True, slots=True)
class Restarted:
    """The model failed half-way and another one begins anew: forget the text so far."""

    model: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The answer is complete."""

    model: str
    usage: TokenUsage
    cost_micros: int = 0
    cut_off: bool = False


ChatEvent = Delta | Restarted | Finished


@dataclass(frozen=True, slots=True)
class Completion:
    """A whole answer."""

    text: str
    model: str
    usage: TokenUsage
    cost_micros: int = 0
    cut_off: bool = False
