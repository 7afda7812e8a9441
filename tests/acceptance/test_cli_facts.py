import asyncio
import json
import re
import shutil
import sys
from pathlib import Path

import pytest

import tests
from data.packs.loader import SHIPPED
from tests.acceptance.program import clean_environment, run

pytestmark = pytest.mark.acceptance


_CORPUS = Path(tests.__file__).parent / "corpus" / "time_claims.jsonl"


_WEEK = ("schedule", "show", "--character", "hinata", "--at", "2026-12-29T16:08", "--days", "7")


async def test_a_week_is_shown_day_by_day_with_what_is_special(tmp_path: Path) -> None:
    shown = await run(*_WEEK, folder=tmp_path)
    assert shown.code == 0
    days = [line for line in shown.out.splitlines() if line.startswith("202")]
    assert len(days) == 8  # and the one before, whose night goes on
    assert "2027年1月1日金曜日　祝日：元日　ふだんと違う日" in days
    (now,) = [line for line in shown.out.splitlines() if line.startswith("→")]
    assert "13:00-16:40" in now
    assert "睡眠　（翌日まで）" in shown.out
    assert "\x1b" not in shown.out
    english = await run(*_WEEK, "--locale", "en", folder=tmp_path)
    assert "Friday, January 1, 2027  public holiday: New Year's Day  not an ordinary day" in english.out


async def test_a_week_as_json_has_every_row(tmp_path: Path) -> None:
    shown = json.loads((await run(*_WEEK, "--json", folder=tmp_path)).out)
    assert (shown["character"], shown["timezone"], shown["days"]) == ("hinata", "Asia/Tokyo", 7)
    assert shown["at"] == "2026-12-29T16:08:00+09:00"
    (now,) = [row for row in shown["rows"] if row["now"]]
    assert (now["start"], now["end"]) == ("2026-12-29T13:00:00+09:00", "2026-12-29T16:40:00+09:00")
    assert {row["date"] for row in shown["rows"] if row["exception"]} == {"2026-12-31", "2027-01-01"}


async def test_a_character_without_a_schedule_is_told_how_to_get_one(tmp_path: Path) -> None:
    pack = tmp_path / "characters" / "sora"
    pack.mkdir(parents=True)
    (pack / "personality.en.md").write_text("Calm and curious.", "utf-8")
    (pack / "character.toml").write_text(
        'name = "sora"\nlocale = "en"\ntimezone = "Europe/Rome"\n'
        '[display_name]\nen = "Sora"\n[introduction]\nen = "An AI character who likes kites."\n',
        "utf-8",
    )
    done = await run("schedule", "show", folder=tmp_path, YORISOI_CHARACTERS_DIR=str(pack.parent))
    assert done.code == 1
    assert "sora has no schedule" in done.err
    assert "docs/schedule.md" in done.err


async def test_a_fault_in_a_schedule_names_file_line_and_entry(tmp_path: Path) -> None:
    pack = tmp_path / "characters" / "hinata"
    shutil.copytree(SHIPPED / "hinata", pack)
    text = (pack / "schedule.toml").read_text("utf-8")
    (pack / "schedule.toml").write_text(text.replace('activity = "sleep"', 'activity = "slep"', 1), "utf-8")
    done = await run("schedule", "show", folder=tmp_path, YORISOI_CHARACTERS_DIR=str(pack.parent))
    assert done.code == 1
    assert re.search(r"schedule\.toml:\d+: .*slep", done.err)


async def test_the_capsule_of_a_moment_is_shown_as_the_model_reads_it(tmp_path: Path) -> None:
    at = ("inspect", "capsule", "--character", "hinata", "--at", "2026-11-30T16:08")
    shown = await run(*at, folder=tmp_path)
    assert shown.code == 0
    assert "2026年11月30日月曜日、16:08" in shown.out
    assert len(re.findall(r"\d:\d\d", shown.out)) == 1
    told = json.loads((await run(*at, "--user-tz", "Europe/Rome", "--locale", "en", "--json", folder=tmp_path)).out)
    assert told["facts"]["world"]["time"] == "08:08"
    assert told["facts"]["character"]["lives_elsewhere"]
    assert told["facts"]["user"]["timezone"] == "Europe/Rome"
    assert "8:08 AM" in told["text"]


async def test_labelled_lines_go_through_inspect_time_one_by_one(tmp_path: Path) -> None:
    lines = _CORPUS.read_text("utf-8").splitlines()
    done = await run("inspect", "time", folder=tmp_path, typed="\n".join([*lines[:3], "nonsense", *lines[3:]]))
    assert done.code == 0
    found = [json.loads(line) for line in done.out.splitlines()]
    assert found[3] == {"line": 4, "error": found[3]["error"]}
    assert [one["id"] for one in found if "id" in one] == [json.loads(line)["id"] for line in lines]
    assert {frozenset(one) for one in found if "id" in one} == {
        frozenset({"id", "claims", "contradicts", "implicit_activity_claim"})
    }


async def test_inspecting_and_showing_load_nothing_of_discord_and_openai(tmp_path: Path) -> None:
    commands = (["inspect", "time"], ["inspect", "capsule"], ["schedule", "show"])
    code = f"import sys\nfrom bot.cli.program import run\nfor command in {commands}: assert run(command) == 0\n"
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-c",
        f"{code}print([name for name in ('discord', 'openai', 'sudachipy') if name in sys.modules])",
        cwd=tmp_path,
        env=clean_environment(tmp_path),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
    )
    out, _ = await process.communicate()
    assert process.returncode == 0
    assert out.decode().splitlines()[-1] == "[]"
