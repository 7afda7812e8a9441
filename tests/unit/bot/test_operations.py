"""Looking after a running program: status, metrics, health, notices."""

import asyncio
import io
import json
import logging
import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import structlog
from aiohttp import ClientSession

from bot import logs
from bot.cli.program import run
from bot.errors import SettingsError, StartError
from bot.operations.metrics import Metrics
from bot.operations.notices import Due, ErrorsToNotices, Notice, Notices, notice_of, of_cap
from bot.operations.status_file import EVERY_SECONDS, kept, read, write
from bot.operations.vitals import Connection, Vitals
from bot.operations.web import serve
from bot.settings import load
from core.clock import SimulatedClock, SystemClock
from core.ports import CapWarning
from core.turn.trace import TraceRecord, TurnOutcome
from core.values import ConversationKey
from tests.unit.bot.test_usage_report import CALL

NOW = datetime(2026, 11, 30, 7, 8, tzinfo=UTC)
SECRET_TEXT = "わたしの秘密"


def trace(outcome: TurnOutcome) -> TraceRecord:
    return TraceRecord(
        turn_id="turn-a",
        at=NOW,
        conversation=ConversationKey("mio", 10),
        user_id=1,
        message_ids=(5,),
        reply_ids=(6,),
        outcome=outcome,
        model="m",
        steps=(),
    )


class NotingClock(SimulatedClock):
    """Tells when somebody lies down to sleep."""

    def __init__(self, start: datetime) -> None:
        super().__init__(start)
        self._lies_down = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        self._lies_down.set()
        await super().sleep(seconds)

    async def slept(self) -> None:
        """Wait for the next one."""
        await self._lies_down.wait()
        self._lies_down.clear()


def vitals(clock: SimulatedClock | None = None, **options: object) -> Vitals:
    made = Vitals(clock=clock or SimulatedClock(NOW), pid=os.getpid(), metrics=Metrics(), **options)  # type: ignore[arg-type]
    made.metrics.watch(made.status, lambda: 4096)
    return made


async def test_a_status_tells_connections_models_the_last_turn_and_tick_and_what_waits() -> None:
    clock = SimulatedClock(NOW)
    watched = vitals(clock)
    assert not watched.status().is_well
    watched.connected("mio", Connection.CONNECTING)
    await clock.advance(5)
    watched.connected("mio", Connection.READY)
    watched.call_ended(CALL)
    watched.turn_ended(trace(TurnOutcome.BEGUN))
    assert watched.status().last_turn_at is None
    watched.turn_ended(trace(TurnOutcome.ANSWERED))
    watched.ticked()
    watched.count_backlog("mio", lambda: 3)

    status = watched.status()

    assert status.is_well
    assert status.gateways["mio"].since == NOW + timedelta(seconds=5)
    assert status.models["m"].up
    assert (status.last_turn_at, status.last_tick_at, status.backlog) == (clock.now(), clock.now(), 3)
    watched.connected("ren", Connection.LOST)
    assert not watched.status().is_well


def test_a_model_is_down_after_a_failure_and_a_dropped_call_tells_nothing() -> None:
    watched = vitals()
    watched.call_ended(replace(CALL, outcome="failed:AllModelsFailedError"))
    watched.call_ended(replace(CALL, outcome="dropped"))
    assert not watched.status().models["m"].up


async def test_health_and_metrics_are_served_on_loopback() -> None:
    watched = vitals()
    watched.turn_ended(trace(TurnOutcome.ANSWERED))
    watched.call_ended(CALL)
    async with serve(watched, host="127.0.0.1", port=0) as port, ClientSession() as session:
        base = f"http://127.0.0.1:{port}"
        async with session.get(f"{base}/healthz") as answer:
            assert (answer.status, (await answer.json())["well"]) == (503, False)
        watched.connected("mio", Connection.READY)
        async with session.get(f"{base}/healthz") as answer:
            assert (answer.status, await answer.json()) == (
                200,
                {"well": True, "gateways": {"mio": "ready"}, "backlog": 0},
            )
        async with session.get(f"{base}/metrics") as answer:
            text = await answer.text()
        with pytest.raises(StartError, match="YORISOI_HTTP_PORT"):
            async with serve(watched, host="127.0.0.1", port=port):
                pass
    for line in (
        'yorisoi_turns_total{character="mio",outcome="answered"} 1.0',
        'yorisoi_tokens_total{character="mio",direction="input",feature="chat",model="m"} 100.0',
        'yorisoi_cost_total{character="mio",feature="chat",model="m"} 0.0015',
        'yorisoi_gateway_ready{character="mio"} 1.0',
        'yorisoi_model_up{model="m"} 1.0',
        "yorisoi_database_bytes 4096.0",
    ):
        assert line in text


@pytest.mark.parametrize(
    ("host", "complaint"),
    [("0.0.0.0", "YORISOI_HTTP_ALLOW_REMOTE"), ("::", "YORISOI_HTTP_ALLOW_REMOTE"), ("localhost", "is not an IP")],
)
def test_an_address_others_can_reach_has_to_be_allowed(
    host: str, complaint: str, bare_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YORISOI_HTTP_HOST", host)
    with pytest.raises(SettingsError) as caught:
        load()
    assert complaint in str(caught.value)
    assert str(caught.value).startswith("YORISOI_HTTP_HOST")
    if host != "localhost":
        monkeypatch.setenv("YORISOI_HTTP_ALLOW_REMOTE", "true")
        assert load().settings.http_host == host


async def test_the_status_file_is_there_while_the_program_runs_and_for_its_owner_only(tmp_path: Path) -> None:
    path, clock = tmp_path / "status.json", NotingClock(NOW)
    watched = vitals(clock)
    watched.connected("mio", Connection.READY)
    async with kept(path, watched.status, clock):
        await clock.slept()
        assert path.stat().st_mode & 0o777 == 0o600
        found = read(path, now=NOW)
        assert (found.running, found.is_well) == (True, True)
        assert not read(path, now=NOW + timedelta(minutes=2)).running
        watched.connected("mio", Connection.LOST)
        await clock.advance(EVERY_SECONDS)
        await clock.slept()
        assert not read(path, now=clock.now()).is_well
    assert not path.exists()


@pytest.mark.parametrize("text", ["", "{", "[]", '{"at": "x", "pid": 1}', '{"pid": 1}'])
def test_a_status_file_that_is_no_status_is_as_none(tmp_path: Path, text: str) -> None:
    (tmp_path / "status.json").write_text(text)
    assert not read(tmp_path / "status.json", now=NOW).running


def test_the_command_says_whether_it_runs_by_its_exit_code(
    bare_environment: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["status", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told == {"running": False, "well": False, "database_bytes": 0, "status": None}
    assert run(["status"]) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("not running")
    assert "none yet at" in shown

    (bare_environment / "yorisoi-data").mkdir()
    clock = SystemClock()
    watched = Vitals(clock=clock, pid=os.getpid(), metrics=Metrics())
    watched.connected("mio", Connection.READY)
    write(bare_environment / "yorisoi-data" / "status.json", watched.status())
    assert run(["status"]) == 0
    assert "mio: ready since" in capsys.readouterr().out
    watched.connected("mio", Connection.LOST)
    write(bare_environment / "yorisoi-data" / "status.json", watched.status())
    assert run(["status"]) == 1


def told(notices: Notices) -> list[Due]:
    held = []
    while not notices._due.empty():
        held.append(notices._due.get_nowait())
    return held


async def test_the_same_is_told_once_an_hour_and_then_how_often_it_came_up() -> None:
    clock = SimulatedClock(NOW)
    notices, notice = Notices(clock), Notice("operator.problem", (("event", "turn.failed"),))
    for _ in range(4):
        notices.put(notice)
    assert told(notices) == [Due(notice=notice, repeated=0, left_out=0)]
    await clock.advance(3601)
    notices.put(notice)
    assert told(notices) == [Due(notice=notice, repeated=3, left_out=0)]


async def test_of_many_things_at_once_some_are_told_and_the_others_counted() -> None:
    clock = SimulatedClock(NOW)
    notices = Notices(clock)
    for number in range(20):
        notices.put(Notice("operator.problem", (("event", f"e{number}"),)))
    assert len(told(notices)) == 6
    await clock.advance(601)
    notices.put(Notice("operator.problem", (("event", "later"),)))
    (due,) = told(notices)
    assert due.left_out == 14


async def test_what_can_not_be_told_does_not_stop_what_comes_after() -> None:
    notices, heard = Notices(SimulatedClock(NOW)), asyncio.Queue[Due]()

    async def tell(due: Due) -> None:
        if due.notice.key == "bad":
            raise OSError
        heard.put_nowait(due)

    handing_on = asyncio.create_task(notices.hand_on(tell))
    for key in ("bad", "good"):
        notices.put(Notice(key))
    assert (await heard.get()).notice.key == "good"
    handing_on.cancel()


async def test_errors_of_the_log_become_notices_without_any_text_and_warnings_do_not() -> None:
    stream, notices = io.StringIO(), Notices(SimulatedClock(NOW))
    logs.configure(level="info", form="json", stream=stream)
    handler = ErrorsToNotices(notices)
    logging.getLogger().addHandler(handler)
    try:
        log = structlog.get_logger("x")
        log.warning("turn.slow", character="mio")
        log.error("turn.failed", character="mio", error="StorageError", reason=SECRET_TEXT)
        log.error("operator.not_told", error="OSError")
        logging.getLogger("asyncio").error("Task exception was never retrieved: %s", SECRET_TEXT)
        await asyncio.sleep(0)
    finally:
        logging.getLogger().removeHandler(handler)
    notes = [due.notice for due in told(notices)]
    assert notes == [
        Notice("operator.problem", (("event", "turn.failed"), ("about", "mio, StorageError"))),
        Notice("operator.problem", (("event", "asyncio"), ("about", ""))),
    ]
    assert SECRET_TEXT not in repr(notes)


def test_a_stalled_gateway_and_caps_have_texts_of_their_own() -> None:
    record = logging.LogRecord("x", logging.ERROR, "f", 1, {"event": "gateway.stalled", "character": "mio"}, None, None)
    assert notice_of(record) == Notice("operator.gateway", (("character", "mio"),))
    assert of_cap(CapWarning(guild_id=None, period="day", percent=80)).key == "operator.cap.all.day"
    assert of_cap(CapWarning(guild_id=70, period="month", percent=100)).values == (("percent", "100"), ("guild", "70"))


async def test_a_cap_that_nears_is_handed_to_the_operator() -> None:
    heard: list[CapWarning] = []
    warning = CapWarning(guild_id=None, period="day", percent=80)
    vitals(warn=heard.append).cap_nears(warning)
    assert heard == [warning]


async def test_turns_and_calls_are_logged_with_ids_and_numbers_as_json() -> None:
    stream = io.StringIO()
    logs.configure(level="debug", form="json", stream=stream)
    watched = vitals()
    watched.turn_ended(trace(TurnOutcome.ANSWERED))
    watched.call_ended(CALL)
    ended, called = (json.loads(line) for line in stream.getvalue().splitlines())
    assert (ended["event"], ended["turn_id"], ended["outcome"]) == ("turn.ended", "turn-a", "answered")
    assert (called["event"], called["feature"], called["input_tokens"]) == ("model.called", "chat", 100)
