"""Secrets that are easy to recognise, everywhere a secret can be set; afterwards they stand nowhere else."""

import asyncio
import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import discord
import httpx2
import pytest
import structlog
import yarl
from multidict import CIMultiDict

from bot import logs, settings
from bot.cli.program import run
from bot.doctor.discord_api import TokenToCheck, check_tokens
from bot.doctor.finding import Level
from bot.doctor.models import check_tiers
from bot.masking import MASK, Mask
from bot.models import model_status
from bot.operations.metrics import Metrics
from bot.tiers import endpoints_of
from core.clock import SystemClock
from core.errors import ModelError
from core.language_model.client import OpenAIChatModel
from core.language_model.types import ChatMessage, ChatRequest, Role
from core.values import Tier
from data.opening import open_database
from data.stores import open_stores
from tests.fakes.stores import casefolded_words
from tests.model_server import Failure, model_server

# With what JSON, addresses and Python's own quoting would spell otherwise.
TOKEN = 'canary-"discord"\\token/é'
PACK_TOKEN = "canary-pack-token"
OPENAI_KEY = "sk-canary-openai"
MODEL_KEY = "canary-model-key"
MODEL_PASSWORD = "canary-model-password"
MODEL_QUERY = "canary-model-query"
EMBEDDING_KEY = "canary-embedding-key"
DATABASE_PASSWORD = "canary database+password"
WORD = "canary"


def models(origin: str, query: str = f"?api_key={MODEL_QUERY}") -> str:
    with_secrets = origin.replace("://", f"://user:{MODEL_PASSWORD}@") + query
    return json.dumps([{"base_url": with_secrets, "api_key": MODEL_KEY, "model": "m"}])


@pytest.fixture
def secretive(bare_environment: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder, and settings full of secrets; nobody answers at any of the addresses."""
    nowhere = "http://127.0.0.1:9/v1"
    for name, value in {
        "YORISOI_DISCORD_TOKEN": TOKEN,
        "YORISOI_DISCORD_API_BASE": "http://127.0.0.1:9",
        "YORISOI_CHARACTER": "hinata",
        "OPENAI_API_KEY": OPENAI_KEY,
        "OPENAI_BASE_URL": nowhere,
        "YORISOI_BASIC_MODELS": models(nowhere),
        "YORISOI_EMBEDDING_MODEL": json.dumps({"base_url": nowhere, "api_key": EMBEDDING_KEY, "model": "e"}),
        "YORISOI_LOG_LEVEL": "debug",
    }.items():
        monkeypatch.setenv(name, value)
    return bare_environment


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield io.StringIO()
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


def spills() -> Iterator[Exception]:
    """Yield errors as libraries raise them, with everything they know in their texts."""
    address = f"https://user:{MODEL_PASSWORD}@host/v1?api_key={MODEL_QUERY}"
    request = httpx2.Request("POST", address, headers={"Authorization": f"Bearer {MODEL_KEY}"})
    yield httpx2.HTTPStatusError(f"401 for {address}", request=request, response=httpx2.Response(401, request=request))
    yield httpx2.ConnectError(f"{request.headers!r} {dict(request.headers)}", request=request)
    yield aiohttp.InvalidURL(address)
    yield discord.LoginFailure(f"Improper token {TOKEN} has been passed.")
    yield OSError(f"connection to postgresql://me:{DATABASE_PASSWORD}@db/yorisoi failed", {"token": TOKEN})
    yield ValueError({"Authorization": f"Bot {TOKEN}", TOKEN: [TOKEN.encode()]})


@pytest.mark.parametrize("form", ["text", "json"])
def test_no_log_holds_one_however_it_gets_there(
    form: Any, secretive: Path, stream: io.StringIO, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YORISOI_DATABASE_URL", "postgresql://me:canary%20database%2Bpassword@db/yorisoi")
    configuration = settings.load()
    logs.configure(level="debug", form=form, secrets=configuration.secrets(), stream=stream)
    ours, theirs = structlog.get_logger("bot.x"), logging.getLogger("discord.http")
    for level in ("debug", "info", "warning", "error"):
        for spill in spills():
            getattr(ours, level)("event", error=spill, reason=str(spill), deep={"a": [(repr(spill), {TOKEN: spill})]})
            getattr(ours, level)(str(spill), exc_info=spill)
            getattr(theirs, level)("%s with %r", spill, {TOKEN: TOKEN}, exc_info=spill)
    address = yarl.URL(f"https://host/?token={TOKEN}")
    ours.error(
        "odd", url=address, headers=CIMultiDict(Authorization=f"Bot {TOKEN}"), raw=TOKEN.encode(), path=Path(TOKEN)
    )
    theirs.error("too few %s %s", TOKEN)
    ours.error("settings", all=configuration.settings, configuration=configuration)

    told = stream.getvalue()
    assert WORD not in told
    assert MASK in told
    assert "could not be logged" in told


async def test_an_endpoint_that_quotes_the_key_is_not_quoted(secretive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with model_server() as server:
        monkeypatch.setenv("YORISOI_BASIC_MODELS", models(server.url, query=""))
        server.respond = lambda _: Failure(status=401, echo=f"wrong key {MODEL_KEY} {MODEL_PASSWORD} {MODEL_QUERY}")
        (endpoint,) = endpoints_of(settings.load().settings, Tier.BASIC)
        model = OpenAIChatModel(endpoint, clock=SystemClock())
        with pytest.raises(ModelError) as raised:
            await model.complete(ChatRequest(messages=(ChatMessage(Role.USER, "hi"),), max_output_tokens=9))
        await model.aclose()
    assert "401" in str(raised.value)
    assert WORD not in f"{raised.value}{raised.value!r}{endpoint!r}{endpoint.label}{model!r}"


async def test_a_database_that_is_not_reached_is_named_without_its_password(secretive: Path) -> None:
    for address in (
        "postgresql://me:canary%20database%2Bpassword@127.0.0.1:9/yorisoi",
        "postgresql://me@127.0.0.1:9/yorisoi?password=canary%20database%2Bpassword&connect_timeout=2",
        "postgresql://me:canary database+password@[/yorisoi",
    ):
        with pytest.raises(Exception, match=r"^(?!.*canary)") as raised:
            await open_database(address)
        assert WORD not in repr(raised.value)


def test_no_command_shows_one(secretive: Path, capfd: pytest.CaptureFixture[str]) -> None:
    async def lived_in() -> None:
        async with open_stores(Path("yorisoi-data/yorisoi.db"), casefolded_words) as stores:
            await stores.kept_facts.add(1, "I have two cats", now=SystemClock().now())

    asyncio.run(lived_in())
    for command in (
        ["models", "status"], ["models", "status", "--json"], ["status"], ["status", "--json"], ["usage"],
        ["usage", "--json"], ["backup", "--to", "copy.db"], ["export-user", "1"], ["migrate"],
        ["report", "--html", "page.html"], ["sandbox", "compare", "nowhere.toml", "--debug"],
    ):  # fmt: skip
        run(command)
        told = "".join(capfd.readouterr())
        assert told, command
        assert WORD not in told, command

    found = [path for path in secretive.rglob("*") if path.is_file() and WORD.encode() in path.read_bytes()]
    assert Path("copy.db").exists()
    assert Path("page.html").exists()
    assert found == []


@pytest.mark.parametrize("debug", [[], ["--debug"]])
def test_an_error_that_nobody_foresaw_ends_in_a_line_without_one(
    debug: list[str], secretive: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for spill in spills():
        monkeypatch.setattr("bot.models.model_status", _raises(spill))
        assert run(["models", "status", *debug]) == 1
        told = capfd.readouterr().err
        assert type(spill).__name__ in told
        assert [name for name in (TOKEN, MODEL_KEY, MODEL_PASSWORD, MODEL_QUERY, OPENAI_KEY) if name in told] == []


def _raises(error: Exception) -> Any:
    def fail(*_: object) -> None:
        raise error

    return fail


async def test_the_doctor_says_who_did_not_answer_and_no_more(secretive: Path) -> None:
    loaded = settings.load().settings
    token = TokenToCheck(character="hinata", variable="YORISOI_DISCORD_TOKEN", token="canary-discord-token")
    found = [
        *await check_tiers(loaded, clock=SystemClock()),
        *await check_tokens(loaded.discord_api_base, [token], clock=SystemClock(), wants_content=True),
    ]
    assert [finding for finding in found if finding.level is Level.PROBLEM]
    assert WORD not in repr(found)


def test_figures_and_lists_of_models_hold_names_only(secretive: Path) -> None:
    loaded = settings.load().settings
    metrics = Metrics()
    for tier in Tier:
        for endpoint in endpoints_of(loaded, tier):
            metrics.count_turn("hinata", "answered")
            assert WORD not in endpoint.label
    assert WORD not in metrics.text().decode() + json.dumps(model_status(loaded)) + repr(loaded)


def test_a_masked_text_keeps_everything_else() -> None:
    assert Mask(["abcdef", "abcdefgh", "xyz", ""])("abcdefgh abcdef xyz") == f"{MASK} {MASK} xyz"
    assert Mask([])("a text") == "a text"
