"""What is shipped to run Yorisoi with, and the pages about it, name only what there is."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import typer
import yaml

from bot.cli.program import build
from bot.errors import SettingsError
from bot.settings import variable_names
from core.sharding.tenure import ShardsLostError

ROOT = Path(__file__).parents[3]
FILES = ("Dockerfile", "compose.yaml", "deploy/yorisoi.service")
TOPICS = ("README", "install", "discord-portal", "models", "troubleshooting", "privacy-notice")
PAGES = ("SECURITY.md", *(f"docs/{topic}{ending}" for topic in TOPICS for ending in (".md", ".ja.md")))
DOCKERFILE = (ROOT / "Dockerfile").read_text("utf-8")
UNIT = (ROOT / "deploy/yorisoi.service").read_text("utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
_SETTING = re.compile(r"\b(?:YORISOI|OPENAI)_[A-Z_]+[A-Z]\b")
_COMMAND = re.compile(r"(?<![\w/@-])yorisoi ((?:--)?[a-z][a-z-]+)(?: ([a-z][a-z-]+))?")
_MESSAGE = re.compile(r"^\| `([^`]+)`", re.MULTILINE)


def text_of(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


@pytest.mark.parametrize("name", [*FILES, *PAGES])
def test_every_setting_that_is_named_exists(name: str) -> None:
    assert set(_SETTING.findall(text_of(name))) <= set(variable_names().values())


def test_every_command_that_is_named_exists() -> None:
    known = set(typer.main.get_command(build()).commands) | {"--version"}  # type: ignore[attr-defined]
    for name in PAGES:
        named = {first for code in re.findall(r"`([^`\n]+)`", text_of(name)) for first, _ in _COMMAND.findall(code)}
        # `docker compose exec yorisoi yorisoi usage`: the first is the service's name
        assert named - {"yorisoi"} <= known, name
    assert re.search(r'^CMD \["run"\]$', DOCKERFILE, re.MULTILINE)
    assert {"run", "status"} <= known


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_to_files_and_headings(name: str) -> None:
    page = ROOT / name
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", text_of(name)):
        path, _, heading = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        assert other.exists(), target
        if heading:
            assert heading in {anchor(line) for line in other.read_text("utf-8").splitlines() if line.startswith("#")}


def anchor(heading: str) -> str:
    words = heading.lstrip("#").strip().lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def test_the_messages_to_look_up_are_those_of_the_program() -> None:
    folders = ("bot", "core", "data")
    code = "".join(path.read_text("utf-8") for folder in folders for path in (ROOT / folder).rglob("*.py"))
    joined = re.sub(r'"\s*\n\s*f?"', "", code)
    english, japanese = (_MESSAGE.findall(text_of(f"docs/troubleshooting{ending}")) for ending in (".md", ".ja.md"))
    assert len(english) == len(japanese)
    for messages, said in ((english, joined), (japanese, joined + text_of("bot/speech/words-ja.toml"))):
        for message in messages:
            for part in re.split(r"\.\.\.|…|YORISOI_[A-Z_]+", message):
                words = part.strip(" '?.:")
                assert words in said, message


def test_the_image_holds_what_the_project_ships_and_runs_as_nobody_in_particular() -> None:
    sources = [path for line in re.findall(r"^COPY (?!--)(.+) \S+$", DOCKERFILE, re.MULTILINE) for path in line.split()]
    assert all((ROOT / path).exists() for path in sources)
    shipped = tomllib.loads(text_of("pyproject.toml"))["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert set(shipped) <= set(sources)
    let_in = {line.removeprefix("!") for line in text_of(".dockerignore").splitlines() if line.startswith("!")}
    assert let_in == set(sources)
    assert "--require-hashes" in DOCKERFILE
    assert re.search(r"^USER 10001:10001$", DOCKERFILE, re.MULTILINE)
    assert 'CMD ["yorisoi", "status"]' in DOCKERFILE


def test_the_container_can_write_in_its_volume_alone() -> None:
    service = COMPOSE["services"]["yorisoi"]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    folder = service["environment"]["YORISOI_DATA_DIR"]
    assert service["volumes"] == [f"data:{folder}"]
    assert f"YORISOI_DATA_DIR={folder}" in DOCKERFILE
    assert service["healthcheck"]["test"] == ["CMD", "yorisoi", "status"]
    assert COMPOSE["services"]["postgres"]["profiles"] == ["postgres"]


def test_the_unit_starts_again_after_a_lost_lease_and_not_after_a_bad_setting() -> None:

    entries = dict(line.split("=", 1) for line in UNIT.splitlines() if "=" in line and not line.startswith("#"))
    assert entries["Restart"] == "on-failure"
    assert entries["RestartForceExitStatus"] == str(ShardsLostError.exit_code)
    assert entries["RestartPreventExitStatus"] == str(SettingsError.exit_code)
    assert entries["ExecStart"].endswith("/yorisoi run")
