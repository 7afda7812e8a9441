"""The chat models: does each one answer, and is the embedded one all there."""

import asyncio
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

from bot.doctor.finding import Finding, ok, problem, warning
from bot.embedded import WeightsState, weights_path, weights_state
from bot.settings import Settings
from bot.tiers import endpoints_of
from core.clock import Clock
from core.errors import ModelError, ModelOutputError, ModelRejectedError
from core.language_model.client import OpenAIChatModel
from core.language_model.endpoint import Endpoint
from core.language_model.types import ChatMessage, ChatRequest, Role
from core.values import Tier

# As little as can be asked; models that think first may not get to a word with it, which is an answer, too.
_REQUEST = ChatRequest(messages=(ChatMessage(Role.USER, "Say hi."),), max_output_tokens=16, temperature=0.0)
_RUNTIME = "xllamacpp"
_LOADING_SECONDS = 60.0
_NO_LIBRARY = re.compile(r"(\S+\.so[.\d]*): cannot open shared object file")
_LIBRARIES = {
    "libgomp.so.1": "Debian, Ubuntu: `sudo apt install libgomp1`; Fedora: `sudo dnf install libgomp`; Alpine: "
    "`sudo apk add libgomp`.",
}
_REINSTALL = "Run `make install` again (it installs the extra 'embedded'), or use another model: see the README."
_INSTALL = (
    "Run `yorisoi models install`; or set OPENAI_API_KEY or YORISOI_BASIC_MODELS; "
    "or set YORISOI_LOCAL_GGUF to a file of your own."
)


async def check_tiers(settings: Settings, *, clock: Clock) -> list[Finding]:
    """Ask every configured model one tiny question, each model once."""
    tiers = {tier: endpoints_of(settings, tier) for tier in Tier}
    distinct = list(dict.fromkeys(endpoint for endpoints in tiers.values() for endpoint in endpoints))
    answers = dict(zip(distinct, await asyncio.gather(*(_ask(endpoint, clock) for endpoint in distinct)), strict=True))
    findings = []
    for tier, endpoints in tiers.items():
        topic = f"model ({tier.value})"
        findings += [_finding(topic, endpoint, answers[endpoint]) for endpoint in endpoints]
        if not endpoints:
            findings.append(ok(topic, "the embedded model"))
    return findings


async def check_embedded(settings: Settings) -> list[Finding]:
    """Look whether the runtime can be loaded and the weights are whole."""
    topic = "embedded model"
    findings = [await _runtime(topic)]
    path = weights_path(settings)
    match await weights_state(settings):
        case WeightsState.GOOD:
            findings.append(ok(topic, f"{path.name} is there and its hash is right"))
        case WeightsState.OWN_FILE:
            findings.append(ok(topic, f"{path} is there (a file of your own: its hash is not known)"))
        case WeightsState.MISSING:
            findings.append(_missing(topic, path, settings))
        case WeightsState.WRONG:
            findings.append(problem(topic, f"{path} is not the file it should be (its hash differs)", _INSTALL))
    return findings


async def _runtime(topic: str) -> Finding:
    """Load the runtime in a process of its own: what it is linked to may be missing, and take the process with it."""
    if importlib.util.find_spec(_RUNTIME) is None:
        return problem(topic, "its runtime is missing", _REINSTALL)
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", f"import {_RUNTIME}", stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    try:
        async with asyncio.timeout(_LOADING_SECONDS):
            _, said = await process.communicate()
    except TimeoutError:
        process.kill()
        await process.wait()
        return warning(topic, f"its runtime did not load within {_LOADING_SECONDS:.0f} seconds", "Try again.")
    return loaded(topic, process.returncode or 0, said.decode(errors="replace"))


def loaded(topic: str, code: int, said: str) -> Finding:
    """Return what it means how a process ended that loaded the runtime."""
    if code == 0:
        return ok(topic, "its runtime is installed and loads")
    if missing := _NO_LIBRARY.search(said):
        fix = _LIBRARIES.get(missing[1], "Install the package of the system that has it.")
        return problem(topic, f"its runtime needs {missing[1]}, which this system lacks", fix)
    if code < 0:
        text = f"its runtime was ended by signal {-code}: this processor may lack what it was built for"
        return problem(topic, text, "Use another model: docs/models.md says how.")
    last = (said.strip().splitlines() or ["no reason given"])[-1]
    return problem(topic, f"its runtime can't be loaded ({last})", _REINSTALL)


def _missing(topic: str, path: Path, settings: Settings) -> Finding:
    if settings.local_gguf is not None:
        return problem(topic, f"{path} is not there", "Correct YORISOI_LOCAL_GGUF or leave it out.")
    return warning(topic, f"{path} is not there: the first start fetches it (1.1 GB)", _INSTALL)


async def _ask(endpoint: Endpoint, clock: Clock) -> ModelError | None:
    model = OpenAIChatModel(endpoint, clock=clock)
    try:
        await model.complete(_REQUEST)
    except ModelOutputError:
        return None  # It answered, if with nothing: enough to know that it is reached.
    except ModelError as error:
        return error
    finally:
        await model.aclose()
    return None


def _finding(topic: str, endpoint: Endpoint, error: ModelError | None) -> Finding:
    if error is None:
        return ok(topic, f"{endpoint.label} answers")
    if isinstance(error, ModelRejectedError):
        return problem(topic, str(error), f"Check the model's name, the key and the address of {endpoint.address}.")
    return problem(topic, str(error), f"Start the server at {endpoint.address}, or check the network and the address.")
