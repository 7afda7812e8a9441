"""An OpenAI-compatible server on a real socket whose answers and faults are scripted."""

from tests.model_server.script import (
    Answer,
    Behaviour,
    Broken,
    Empty,
    Failure,
    Garbage,
    Hang,
    ReceivedRequest,
)
from tests.model_server.server import ModelServer, model_server

__all__ = [
    "Answer",
    "Behaviour",
    "Broken",
    "Empty",
    "Failure",
    "Garbage",
    "Hang",
    "ModelServer",
    "ReceivedRequest",
    "model_server",
]
