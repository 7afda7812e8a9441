import json
import re
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from bot.errors import SettingsError
from bot.settings import Settings, load, load_what_is_good, variable_names

ROOT = Path(__file__).parents[3]
_SECRET = "sk-very-secret-value-123"


def test_nothing_configured_gives_the_defaults(bare_environment: Path) -> None:
    settings = load().settings
    assert settings.discord_token is None
    assert settings.basic_models == ()
    assert settings.retention_days == 30
    assert settings.database_path == Path("yorisoi-data/yorisoi.db")


def test_an_empty_variable_counts_as_unset(bare_environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YORISOI_DISCORD_TOKEN", "")
    monkeypatch.setenv("YORISOI_RETENTION_DAYS", "")
    assert load().settings.discord_token is None


def test_settings_are_read_from_the_env_file(bare_environment: Path) -> None:
    (bare_environment / ".env").write_text("YORISOI_RETENTION_DAYS=7\nOPENAI_API_KEY=k-abcdef\nSORA_TOKEN=t\n", "utf-8")
    configuration = load()
    assert configuration.settings.retention_days == 7
    assert configuration.settings.openai_api_key is not None
    assert configuration.secret("SORA_TOKEN") == "t"
    assert configuration.secret("NOBODY_TOKEN") is None


def test_the_environment_wins_over_the_env_file(bare_environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (bare_environment / ".env").write_text("YORISOI_RETENTION_DAYS=7\n", "utf-8")
    monkeypatch.setenv("YORISOI_RETENTION_DAYS", "9")
    assert load().settings.retention_days == 9


def test_an_env_file_that_is_no_text_is_told_in_one_line(bare_environment: Path) -> None:
    (bare_environment / ".env").write_bytes(b"YORISOI_RETENTION_DAYS=\xff\xfe7\n")
    with pytest.raises(SettingsError, match=r"\.env can't be read") as caught:
        load()
    assert len(caught.value.lines) == 1


@pytest.mark.parametrize(
    ("variable", "value", "complaint"),
    [
        ("YORISOI_RETENTION_DAYS", "soon", "is not a whole number"),
        ("YORISOI_RETENTION_DAYS", "9" * 5000, "is too large a number"),
        ("YORISOI_RETENTION_DAYS", "0", "must be at least 1"),
        ("YORISOI_DATABASE_URL", "mysql://user:pw@host/db", "is not a postgresql:// address"),
        ("YORISOI_SHARDS", "0-3", "is not a range of shards"),
        ("YORISOI_SHARDS", "0-4/4", "names a shard that isn't there"),
        ("YORISOI_SHARDS", "0-3/16", "set YORISOI_DATABASE_URL"),
        ("YORISOI_LEASE_SECONDS", "1", "must be at least 2"),
        ("YORISOI_SESSION_HOURS", "-1", "must be more than 0"),
        ("YORISOI_CATCH_UP_MINUTES", "999", "must be at most 60"),
        ("YORISOI_DEBOUNCE_SECONDS", "abc", "is not a number"),
        ("YORISOI_ARCHIVE_MESSAGES", "perhaps", "is neither true nor false"),
        ("YORISOI_TIMEZONE", "Mars/Olympus", "is not a time zone"),
        ("YORISOI_LOG_FORMAT", "xml", "must be one of 'text' or 'json'"),
        ("YORISOI_CURRENCY", "Yen", "is not a currency of ISO 4217"),
        ("YORISOI_GLOBAL_MONTHLY_COST", "inf", "is not a number"),
        ("YORISOI_USER_MONTHLY_TOKENS", "-1", "must be at least 0"),
        ("YORISOI_MODEL_PRICES", "[]", "is not an object"),
        ("YORISOI_MODEL_PRICES", '{"m": 3}', '("m") is not an object'),
        ("YORISOI_MODEL_PRICES", '{"m": {"input": 1}}', '("m", "output") is missing'),
        ("YORISOI_MODEL_PRICES", '{"m": {"input": -1, "output": 1}}', '("m", "input") must be at least 0'),
        ("YORISOI_MODEL_PRICES", '{"m": {"input": NaN, "output": 1}}', '("m", "input") is not a number'),
        ("YORISOI_MODEL_PRICES", '{"m": {"input": 1, "output": 1, "per": 1}}', '("m", "per") is not known'),
        ("YORISOI_MODEL_PRICES", '{"m": {"input": null, "output": 1}}', '("m", "input") is not a number'),
        ("YORISOI_DISCORD_API_BASE", "discord.com", "is not an http:// or https:// address"),
        ("YORISOI_DISCORD_GATEWAY", "https://x", "is not a ws:// or wss:// address"),
        ("OPENAI_BASE_URL", "nonsense", "is not an http:// or https:// address"),
        ("YORISOI_OWNER_IDS", "me, you", "is not a list of user ids"),
        ("YORISOI_OWNER_IDS", "9" * 5000, "is not a list of user ids"),
        ("YORISOI_OPERATOR_LANGUAGE", "fr", "must be one of 'ja' or 'en'"),
        ("YORISOI_SESSION_HOURS", "200", "must be at most 168."),
        ("YORISOI_BASIC_MODELS", "[", "is not JSON"),
        ("YORISOI_BASIC_MODELS", '{"model": "x"}', "is not a list"),
        ("YORISOI_BASIC_MODELS", '["x"]', "(entry 1) is not an object"),
        ("YORISOI_BASIC_MODELS", '[{"base_url": "http://h/v1"}]', '(entry 1, "model") is missing'),
        (
            "YORISOI_BASIC_MODELS",
            '[{"base_url": "http://h", "model": "m", "url": "x"}]',
            '(entry 1, "url") is not known',
        ),
        (
            "YORISOI_BASIC_MODELS",
            '[{"base_url": "http://h", "model": "m", "context_tokens": []}]',
            '(entry 1, "context_tokens") is not a whole number',
        ),
        (
            "YORISOI_BASIC_MODELS",
            '[{"base_url": "http://h", "model": "m", "images": []}]',
            '(entry 1, "images") is neither true nor false',
        ),
        ("YORISOI_BASIC_MODELS", '[{"base_url": "h", "model": "m"}]', '(entry 1, "base_url") is not an http'),
    ],
)
def test_a_bad_value_is_named_explained_and_shown_right(
    variable: str, value: str, complaint: str, bare_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError) as caught:
        load()
    (line,) = caught.value.lines
    assert line.startswith(variable)
    assert complaint in line
    assert f"A good value: {variable}=" in line
    assert "\n" not in line


def test_every_bad_value_is_told_not_only_the_first(bare_environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YORISOI_RETENTION_DAYS", "soon")
    monkeypatch.setenv("YORISOI_BASIC_MODELS", "[")
    monkeypatch.setenv("YORISOI_TIMEZONE", "Nowhere")
    with pytest.raises(SettingsError) as caught:
        load()
    assert len(caught.value.lines) == 3


def test_what_is_good_is_read_though_other_values_are_bad(
    bare_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YORISOI_RETENTION_DAYS", "soon")
    monkeypatch.setenv("YORISOI_MODEL_PRICES", "[")
    monkeypatch.setenv("OPENAI_BASE_URL", "nonsense")
    monkeypatch.setenv("YORISOI_BACKUPS_KEPT", "3")
    monkeypatch.setenv("YORISOI_RETENTION", "3")
    found = load_what_is_good()
    assert (found.settings.retention_days, found.settings.model_prices, found.settings.backups_kept) == (30, {}, 3)
    assert found.settings.openai_base_url == "https://api.openai.com/v1"
    (line,) = found.warnings()
    assert line.startswith("YORISOI_RETENTION is not a setting")


def test_no_value_is_met_with_words_of_a_library(bare_environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    odd = ("abc", "1e999", "9" * 5000, "-1", "[]", "{}", "null", '[{"model": 3, "images": [], "input_price": "x"}]')
    told = []
    for variable in variable_names().values():
        for value in odd:
            monkeypatch.setenv(variable, value)
            told += _complaints()
        monkeypatch.delenv(variable)

    assert len(told) > 100
    assert not [line for line in told if re.search(r"Input should|\bparse|\bvalid\b|exceed", line)]


def _complaints() -> list[str]:
    try:
        load()
    except SettingsError as error:
        return str(error).splitlines()
    return []


def test_the_example_of_every_setting_is_itself_a_good_value(
    bare_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, variable in variable_names().items():
        examples = Settings.model_fields[name].examples
        assert examples, f"{variable} has no example"
        monkeypatch.setenv(variable, str(examples[0]))
    load()


def test_a_secret_is_never_repeated(bare_environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = {"base_url": "no address", "model": "", "api_key": _SECRET, "extra": _SECRET}
    monkeypatch.setenv("YORISOI_BASIC_MODELS", json.dumps([entry]))
    monkeypatch.setenv("YORISOI_DISCORD_TOKEN", _SECRET)
    with pytest.raises(SettingsError) as caught:
        load()
    assert _SECRET not in str(caught.value)


def test_settings_don_t_show_secrets_when_printed(bare_environment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("YORISOI_DISCORD_TOKEN", _SECRET)
    monkeypatch.setenv("OPENAI_API_KEY", _SECRET + "2")
    monkeypatch.setenv(
        "YORISOI_BASIC_MODELS", json.dumps([{"base_url": "http://h/v1", "model": "m", "api_key": _SECRET + "3"}])
    )
    configuration = load()
    assert _SECRET not in repr(configuration)
    assert _SECRET not in str(configuration.settings)
    assert configuration.secrets() == {_SECRET, _SECRET + "2", _SECRET + "3"}


def test_the_address_of_a_database_and_its_password_are_secrets(
    bare_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = "postgresql://yorisoi:top%40secret@localhost/yorisoi"
    monkeypatch.setenv("YORISOI_DATABASE_URL", address)
    configuration = load()
    assert configuration.settings.database == address
    assert configuration.secrets() == {address, "top%40secret", "top@secret"}
    assert "secret@" not in repr(configuration)


def test_without_an_address_everything_is_in_the_file(bare_environment: Path) -> None:
    assert load().settings.database == Path("yorisoi-data/yorisoi.db")


def test_an_unknown_variable_is_answered_with_the_nearest_one(
    bare_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("YORISOI_DISCORD_TOKN", "x")
    monkeypatch.setenv("YORISOI_FOO", "x")
    monkeypatch.setenv("YORISOI_XYZZY", "x")
    monkeypatch.setenv("YORISOI_SORA_TOKEN", "x")
    near, short, far = load().warnings(also_known=["YORISOI_SORA_TOKEN"])
    assert near == "YORISOI_DISCORD_TOKN is not a setting and is ignored. Did you mean YORISOI_DISCORD_TOKEN?"
    assert short == "YORISOI_FOO is not a setting and is ignored."
    assert far == "YORISOI_XYZZY is not a setting and is ignored."


def test_settings_can_t_be_changed(bare_environment: Path) -> None:
    settings = load().settings
    with pytest.raises(ValueError, match="frozen"):
        settings.retention_days = 1  # type: ignore[misc]


@hypothesis_settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(alphabet=st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1))
def test_whatever_a_model_list_holds_it_is_read_or_explained(bare_environment: Path, text: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("YORISOI_BASIC_MODELS", text)
        assert _first_words() in {"", "YORISOI_BASIC_MODELS"}


def _first_words() -> str:
    try:
        load()
    except SettingsError as error:
        return error.lines[0][: len("YORISOI_BASIC_MODELS")]
    return ""


def _example_lines() -> dict[str, str]:
    pattern = re.compile(r"^#?((?:YORISOI|OPENAI)_[A-Z_]+)=(.*)$")
    matches = (pattern.match(line) for line in (ROOT / ".env.example").read_text("utf-8").splitlines())
    return {match[1]: match[2] for match in matches if match}


def test_the_example_file_has_exactly_the_settings_there_are() -> None:
    assert set(_example_lines()) == set(variable_names().values())


def test_the_example_file_shows_the_default_of_every_setting(
    bare_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    defaults = load().settings
    for variable, value in _example_lines().items():
        monkeypatch.setenv(variable, value)
    assert load().settings == defaults


def test_every_setting_in_the_example_file_stands_under_a_comment() -> None:
    paragraphs = (ROOT / ".env.example").read_text("utf-8").split("\n\n")
    for paragraph in paragraphs:
        if re.search(r"^#?[A-Z]+_[A-Z_]+=", paragraph, re.MULTILINE):
            assert paragraph.startswith("# "), paragraph


def test_every_setting_is_read_somewhere() -> None:
    program = "\n".join(
        path.read_text("utf-8")
        for folder in ("bot", "scheduler")
        for path in (ROOT / folder).rglob("*.py")
        if path.name != "settings.py"
    )
    own = (ROOT / "bot" / "settings.py").read_text("utf-8")
    unread = [
        name for name in Settings.model_fields if not re.search(rf"\.{name}\b", program) and f"self.{name}" not in own
    ]
    assert unread == []
