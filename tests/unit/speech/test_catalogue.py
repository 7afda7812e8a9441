"""The catalogue of what is said to operators goes with what the code says."""

import re
import tomllib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from string import Formatter

from bot.speech.japanese import Japanese
from tests.unit.speech.said import GAP, said_in

# Everything in these that is meant for people has to be in the catalogue.
_COVERED = (
    "bot/doctor",
    "bot/settings.py",
    "bot/settings_problems.py",
    "bot/cast.py",
    "bot/backups.py",
    "bot/embedded.py",
    "bot/packs.py",
    "bot/operations/disk.py",
    "bot/discord/refusals.py",
    "bot/discord/service.py",
    "bot/cli/models.py",
    "bot/cli/moments.py",
    "core/complaints.py",
    "core/facts/zones.py",
    "core/sharding/shards.py",
    "core/sharding/tenure.py",
    "core/language_model/faults.py",
    "core/language_model/weights.py",
    "core/social/reembedding.py",
    "core/stance/resources.py",
    "data/backups",
    "data/cards",
    "data/copying",
    "data/packs",
    "data/sqlite/failures.py",
    "data/sqlite/health.py",
    "data/postgresql/address.py",
    "data/postgresql/failures.py",
    "data/postgresql/receiving.py",
    "data/migrations.py",
    "data/state.py",
)
# Parts of the catalogue are said here, among what isn't.
_ELSEWHERE = (
    "bot/app.py",
    "bot/application.py",
    "bot/errands.py",
    "bot/operations/web.py",
    "bot/report/sandbox_results.py",
    "bot/sandbox/cases.py",
    "bot/sandbox/files.py",
    "bot/sandbox/order.py",
    "bot/sandboxes.py",
    "bot/cli",
    "core/errors.py",
    "core/facts/schedule/holidays.py",
    "core/language_model",
    "core/stance/evaluation/floors.py",
    "core/turn/checks",
    "data/sqlite/connection.py",
    "data/postgresql/connection.py",
)
# Single words, and what libraries and the system say.
_OF_OTHERS = frozenset({"labels", "usage", "system"})
# A gap or a mark.
_BETWEEN = re.compile(rf"[{GAP};:.()\"',\n]|{{\w*}}")
_NOT_FOR_PEOPLE = (
    "[{",
    '{"',
    "Bot \0",
    "テキスト: \0",
    "\n",
    "SELECT ",
    "PRAGMA ",
    "INSERT ",
    "DELETE ",
    "TRUNCATE ",
    "COPY ",
    "BEGIN ",
    "WHERE ",
    "UPDATE ",
    "CREATE ",
    "DROP ",
)
_AS_THEY_ARE = frozenset(
    {
        # names of Discord's settings, as the documentation has them in both languages
        "View Channels",
        "Send Messages",
        "Read Message History",
        "Send Messages in Threads",
        # asked of a model
        "The sea is calm.",
        "Say hi.",
        # not said, but looked for in what a server says
        "password authentication failed",
        "no password supplied",
        "no pg_hba.conf entry",
        "peer authentication failed",
        '" does not exist',
        "too many clients",
        "too many connections",
        "remaining connection slots",
        "starting up",
        "shutting down",
        "permission denied",
        "no such file",
        "could not translate host name",
        "name or service not known",
        "failed to resolve host",
        # what nobody meets but who changes the program
        "\0 is not named like 0001_what_it_does.sql",
        "migrations in \0 are not numbered \0, \0, \0, …",
        "tables refer to each other in a circle",
        # parts of files: of cards and of packs that are made of them
        "## Personality",
        "## Scenario",
        "## 性格",
        "## 状況",
        "Hello, I'm {name}, an AI character.",
        "{name} is easy to talk to.",
        "the other person",
        "@@scan_depth \0\n",
        # commands, and the examples of settings
        "import \0",
        "the token of the portal's Bot page",
        "cdn.discordapp.com, media.discordapp.net",
    }
)


@cache
def _tables() -> dict[str, dict[str, str]]:
    return tomllib.loads((files("bot.speech") / "words-ja.toml").read_text("utf-8"))


def _entries() -> list[str]:
    return [english for name, table in _tables().items() if name != "labels" for english in table]


def _pieces(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield texts with each of their pieces: values and marks stand between them, and code may put them together."""
    for text in texts:
        yield from ((text, piece) for piece in map(str.strip, _BETWEEN.split(text)) if len(piece) > 2)


def _gapped(entry: str) -> str:
    return "".join(literal + (GAP if name else "") for literal, name, *_ in Formatter().parse(entry))


def _for_people(texts: Iterable[str]) -> Iterator[str]:
    """Yield what has a space in it and is neither a statement of SQL nor a type."""
    for text in texts:
        aside = text in _AS_THEY_ARE or text.startswith(_NOT_FOR_PEOPLE) or text.endswith((" | None", "[/bold]\n"))
        if " " in text.strip() and not aside:
            yield text


def test_everything_that_is_said_has_an_entry() -> None:
    known = "\n".join((*map(_gapped, _entries()), *_tables()["labels"], *_helps()))
    assert not {text for text, piece in _pieces(_for_people(said_in(*_COVERED))) if piece not in known}


def test_no_entry_stands_for_what_nobody_says() -> None:
    said = "\n".join(said_in(*_COVERED, *_ELSEWHERE))
    entries = [entry for name, table in _tables().items() if name not in _OF_OTHERS for entry in table]
    assert not {entry for entry, piece in _pieces(map(_gapped, entries)) if piece not in said}


def test_a_translation_has_the_values_of_its_text() -> None:
    for name, table in _tables().items():
        for english, japanese in table.items():
            if name != "labels" and "{" in english:
                assert _names(japanese) <= _names(english), english


def test_no_text_has_two_entries() -> None:
    assert len(set(_entries())) == len(_entries())


def test_every_entry_is_found_by_the_text_it_stands_for() -> None:
    entries = {text: table[text] for name, table in _tables().items() if name != "labels" for text in table}
    hidden = {text: _words()(_filled(text)) for text in entries if _words()(_filled(text)) != _expected(text, entries)}
    assert not hidden


def _filled(text: str) -> str:
    names = _names(text)
    return text.format(**{name: "is empty" if name == "reason" else f"«{name}»" for name in names}) if names else text


def _expected(text: str, entries: dict[str, str]) -> str:
    names = _names(text)
    values = {name: "空です" if name == "reason" else f"«{name}»" for name in names}
    return entries[text].format(**values) if names else entries[text]


@cache
def _words() -> Japanese:
    return Japanese.load()


@cache
def _helps() -> frozenset[str]:
    return frozenset(tomllib.loads((files("bot.speech") / "help-ja.toml").read_text("utf-8")))


def _names(text: str) -> set[str]:
    return {name for _, name, *_ in Formatter().parse(text) if name}
