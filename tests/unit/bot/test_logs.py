import asyncio
import gc
import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from bot import logs
from bot.masking import MASK

_SECRET = "token-abcdef-123456"
_SAID = "what a person wrote"


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield io.StringIO()
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def test_an_event_is_one_line_of_keys_and_values(stream: io.StringIO) -> None:
    logs.configure(stream=stream)
    structlog.get_logger("x").info("turn.done", turn_id="abc", milliseconds=3)
    (line,) = stream.getvalue().splitlines()
    assert "event='turn.done'" in line
    assert "turn_id='abc'" in line
    assert "level='info'" in line


def test_json_lines_can_be_read_back(stream: io.StringIO) -> None:
    logs.configure(form="json", stream=stream)
    structlog.get_logger("x").warning("turn.late", turn_id="あ")
    event = json.loads(stream.getvalue())
    assert event["event"] == "turn.late"
    assert event["turn_id"] == "あ"
    assert event["level"] == "warning"


def test_the_level_holds_back_what_is_below_it(stream: io.StringIO) -> None:
    logs.configure(level="warning", stream=stream)
    structlog.get_logger("x").info("quiet")
    assert stream.getvalue() == ""


@pytest.mark.parametrize("form", ["text", "json"])
def test_secrets_are_masked_wherever_they_sit(stream: io.StringIO, form: str) -> None:
    logs.configure(form="json" if form == "json" else "text", secrets=[_SECRET], stream=stream)
    log = structlog.get_logger("x")
    log.info(f"called with {_SECRET}", header=f"Bot {_SECRET}", deep={"a": [_SECRET, (_SECRET,)]}, e=OSError(_SECRET))
    try:
        raise ValueError(f"https://host/?key={_SECRET}")
    except ValueError:
        log.exception("failed")
    logging.getLogger("discord.client").warning("token %s refused", _SECRET)
    assert _SECRET not in stream.getvalue()
    assert MASK in stream.getvalue()


@pytest.mark.parametrize("form", ["text", "json"])
def test_of_an_exception_its_kind_and_its_way_are_logged_but_not_what_it_says(stream: io.StringIO, form: str) -> None:
    logs.configure(form="json" if form == "json" else "text", stream=stream)

    def fail() -> None:
        try:
            raise KeyError(_SAID)
        except KeyError as error:
            raise ValueError(f"can't read {_SAID}") from error

    try:
        fail()
    except ValueError as error:
        structlog.get_logger("x").exception("failed")
        structlog.get_logger("x").error("failed", exc_info=error)
        logging.getLogger("discord.client").exception("failed")
    told = stream.getvalue()
    assert told.count("which led to") == 3
    assert "in fail" in told
    assert _SAID not in told


async def test_what_asyncio_says_of_a_failed_task_does_not_quote_its_exception(stream: io.StringIO) -> None:
    logs.configure(stream=stream)

    async def fail() -> None:
        raise ValueError(_SAID)

    task = asyncio.ensure_future(fail())
    await asyncio.wait({task})
    del task
    gc.collect()
    assert "Task exception was never retrieved" in stream.getvalue()
    assert "ValueError" in stream.getvalue()
    assert _SAID not in stream.getvalue()


def test_a_short_value_is_not_taken_for_a_secret(stream: io.StringIO) -> None:
    logs.configure(secrets=["a", ""], stream=stream)
    structlog.get_logger("x").info("a.plain.event")
    assert "a.plain.event" in stream.getvalue()


@pytest.mark.parametrize(
    "library", ["discord.gateway", "openai._base_client", "httpx", "apscheduler.scheduler", "markdown_it.rules_block"]
)
def test_libraries_are_held_to_warnings_and_routed(stream: io.StringIO, library: str) -> None:
    logs.configure(level="debug", stream=stream)
    logging.getLogger(library).info("chatter")
    logging.getLogger(library).warning("trouble")
    assert "chatter" not in stream.getvalue()
    assert "trouble" in stream.getvalue()


def test_configuring_twice_does_not_log_twice(stream: io.StringIO) -> None:
    logs.configure(stream=stream)
    logs.configure(stream=stream)
    structlog.get_logger("x").info("once")
    assert len(stream.getvalue().splitlines()) == 1
