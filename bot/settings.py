"""Everything an operator can choose, read from the environment and `.env`; built in `main()` and nowhere else."""

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from dotenv import dotenv_values
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    HttpUrl,
    SecretStr,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic_settings import NoDecode, SettingsConfigDict

from bot.discord.file_limits import DISCORDS_HOSTS
from bot.errors import SettingsError
from bot.masking import secrets_in
from bot.settings_problems import describe, misspellings
from bot.settings_social import SocialSettings
from core.sharding.shards import EVERYTHING, Shards
from core.values import Locale

PREFIX = "YORISOI_"
_URL = TypeAdapter(HttpUrl)
# A name of at least two parts, or a whole origin.
_HOST = re.compile(r"(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*|https?://[a-z0-9.\[\]:-]+")

# Of an id: a number of 64 bits.
_MOST_DIGITS = 20

_MODEL_EXAMPLE = '[{"base_url": "http://localhost:11434/v1", "api_key": "", "model": "qwen3:8b"}]'

_PRICES_EXAMPLE = '{"gpt-4.1-mini": {"input": 0.4, "output": 1.6}}'


class ModelEntry(BaseModel):
    """One model of a tier.

    Prices are per million tokens in `YORISOI_CURRENCY`; where they are left out, `YORISOI_MODEL_PRICES` says them.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    base_url: str = Field(repr=False)
    api_key: SecretStr = SecretStr("")
    model: str = Field(min_length=1)
    images: bool = False
    input_price: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    output_price: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    context_tokens: int | None = Field(default=None, ge=512)

    @field_validator("base_url")
    @classmethod
    def _is_url(cls, value: str) -> str:
        return _plain_url(value)


class Price(BaseModel):
    """What a model costs per million tokens, in `YORISOI_CURRENCY`."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    input: float = Field(ge=0, allow_inf_nan=False)
    output: float = Field(ge=0, allow_inf_nan=False)


ModelList = Annotated[tuple[ModelEntry, ...], NoDecode]


class Settings(SocialSettings):
    """The settings. A field is read from `YORISOI_` and its name in capitals, or from its alias where it has one."""

    model_config = SettingsConfigDict(
        env_prefix=PREFIX, env_ignore_empty=True, frozen=True, extra="ignore", hide_input_in_errors=True
    )

    # Where it runs
    environment: Literal["production", "staging"] = Field(default="production", examples=["staging"])

    # Where things are kept
    data_dir: Path = Field(default=Path("yorisoi-data"), examples=["/var/lib/yorisoi"])
    database_url: SecretStr | None = Field(default=None, examples=["postgresql://user:password@localhost/yorisoi"])
    shards: Annotated[Shards, NoDecode] = Field(default=EVERYTHING, examples=["0-3/16"])
    lease_seconds: float = Field(default=15.0, ge=2, le=300, examples=["15"])
    characters_dir: Path | None = Field(default=None, examples=["/srv/characters"])
    character: str | None = Field(default=None, examples=["hinata"])
    timezone: str = Field(default="UTC", examples=["Asia/Tokyo"])

    # Discord
    discord_token: SecretStr | None = Field(default=None, examples=["the token of the portal's Bot page"])
    discord_api_base: str = Field(default="https://discord.com/api/v10", examples=["https://discord.com/api/v10"])
    discord_gateway: str | None = Field(default=None, examples=["wss://gateway.discord.gg"])
    message_content: bool = Field(default=True, examples=["true"])
    welcome: bool = Field(default=True, examples=["true"])
    owner_ids: Annotated[frozenset[int], NoDecode] = Field(default=frozenset(), examples=["80351110224678912"])
    catch_up_minutes: int = Field(default=5, ge=0, le=60, examples=["5"])

    # Files that people send
    attachment_hosts: Annotated[frozenset[str], NoDecode] = Field(
        default=DISCORDS_HOSTS,
        examples=["cdn.discordapp.com, media.discordapp.net"],
    )
    attachment_images: int = Field(default=4, ge=0, le=10, examples=["4"])
    attachment_image_kb: int = Field(default=8192, ge=1, le=51_200, examples=["8192"])
    attachment_texts: int = Field(default=4, ge=0, le=10, examples=["4"])
    attachment_text_kb: int = Field(default=1024, ge=1, le=51_200, examples=["1024"])
    attachment_seconds: float = Field(default=20.0, gt=0, le=300, examples=["20"])

    # Models
    openai_api_key: SecretStr | None = Field(default=None, validation_alias="OPENAI_API_KEY", examples=["sk-..."])
    openai_base_url: str = Field(
        default="https://api.openai.com/v1", validation_alias="OPENAI_BASE_URL", examples=["https://api.openai.com/v1"]
    )
    openai_advanced_model: str = Field(default="gpt-4.1", min_length=1, examples=["gpt-4.1"])
    openai_balanced_model: str = Field(default="gpt-4.1-mini", min_length=1, examples=["gpt-4.1-mini"])
    openai_basic_model: str = Field(default="gpt-4.1-nano", min_length=1, examples=["gpt-4.1-nano"])
    advanced_models: ModelList = Field(default=(), examples=[_MODEL_EXAMPLE])
    balanced_models: ModelList = Field(default=(), examples=[_MODEL_EXAMPLE])
    basic_models: ModelList = Field(default=(), examples=[_MODEL_EXAMPLE])
    model_prices: Annotated[dict[str, Price], NoDecode] = Field(default={}, examples=[_PRICES_EXAMPLE])
    embedding_model: Annotated[ModelEntry | None, NoDecode] = Field(default=None, examples=["local"])
    local_gguf: Path | None = Field(default=None, examples=["/models/my-model.gguf"])
    model_connect_seconds: float = Field(default=10.0, gt=0, le=120, examples=["10"])
    model_piece_seconds: float = Field(default=60.0, gt=0, le=900, examples=["60"])
    model_total_seconds: float = Field(default=180.0, gt=0, le=1800, examples=["180"])

    # The turn
    history_tokens: int = Field(default=1500, ge=0, le=200_000, examples=["1500"])
    lore_tokens: int = Field(default=400, ge=0, le=50_000, examples=["400"])
    reply_max_tokens: int = Field(default=500, ge=16, le=16_000, examples=["500"])
    debounce_seconds: float = Field(default=1.2, ge=0, le=30, examples=["1.2"])
    continuation_seconds: int = Field(default=120, ge=0, le=3600, examples=["120"])
    session_hours: float = Field(default=6.0, gt=0, le=168, examples=["6"])
    max_bot_exchanges: int = Field(default=3, ge=0, le=50, examples=["3"])

    # Limits: for tokens and costs 0 means no limit
    messages_per_minute: int = Field(default=12, ge=1, le=600, examples=["12"])
    user_daily_tokens: int = Field(default=200_000, ge=0, examples=["200000"])
    guild_daily_tokens: int = Field(default=2_000_000, ge=0, examples=["2000000"])
    global_daily_tokens: int = Field(default=10_000_000, ge=0, examples=["10000000"])
    user_daily_cost: float = Field(default=0.0, ge=0, allow_inf_nan=False, examples=["0.50"])
    guild_daily_cost: float = Field(default=0.0, ge=0, allow_inf_nan=False, examples=["5"])
    global_daily_cost: float = Field(default=0.0, ge=0, allow_inf_nan=False, examples=["20"])
    user_monthly_tokens: int = Field(default=0, ge=0, examples=["4000000"])
    guild_monthly_tokens: int = Field(default=0, ge=0, examples=["40000000"])
    global_monthly_tokens: int = Field(default=0, ge=0, examples=["200000000"])
    user_monthly_cost: float = Field(default=0.0, ge=0, allow_inf_nan=False, examples=["5"])
    guild_monthly_cost: float = Field(default=0.0, ge=0, allow_inf_nan=False, examples=["50"])
    global_monthly_cost: float = Field(default=0.0, ge=0, allow_inf_nan=False, examples=["200"])
    currency: str = Field(default="USD", examples=["USD"])

    # Speaking first
    proactive_choice: Literal["model", "seed"] = Field(default="model", examples=["model"])
    proactive_look_seconds: float = Field(default=0.5, gt=0, le=60, examples=["0.5"])
    proactive_at_once: int = Field(default=8, ge=1, le=100, examples=["8"])
    proactive_reserve_days: int = Field(default=7, ge=1, le=365, examples=["7"])

    # What is kept
    archive_messages: bool = Field(default=True, examples=["true"])
    conversation_summaries: bool = Field(default=True, examples=["true"])
    retention_days: int = Field(default=30, ge=1, le=3650, examples=["30"])
    recall_messages: int = Field(default=200, ge=0, le=500, examples=["200"])

    # Backups
    backup_hours: float = Field(default=0.0, ge=0, le=8760, examples=["24"])
    backups_kept: int = Field(default=7, ge=1, le=1000, examples=["7"])
    backup_dir: Path | None = Field(default=None, examples=["/mnt/backups/yorisoi"])

    # Stance integrity
    enable_reflective_support_signal: bool = Field(default=False, examples=["true"])
    enable_stance_integrity_policy: bool = Field(default=False, examples=["true"])
    enable_stance_integrity_gate: bool = Field(default=False, examples=["true"])
    enable_stance_inertia_state: bool = Field(default=False, examples=["true"])
    resources_file: Path | None = Field(default=None, examples=["/srv/resources.toml"])

    # Looking after it
    operator_channel: int | None = Field(default=None, ge=1, examples=["1188250094871289876"])
    operator_language: Locale = Field(default=Locale.EN, examples=["en"])
    gateway_watch_minutes: float = Field(default=5.0, ge=2, le=120, examples=["5"])
    gateway_exit_minutes: float = Field(default=0.0, ge=0, le=1440, examples=["30"])
    http_port: int = Field(default=0, ge=0, le=65535, examples=["9464"])
    http_allow_remote: bool = Field(default=False, examples=["true"])
    http_host: str = Field(default="127.0.0.1", examples=["127.0.0.1"])

    # Logs
    log_level: Literal["debug", "info", "warning", "error"] = Field(default="info", examples=["info"])
    log_format: Literal["text", "json"] = Field(default="text", examples=["text"])

    @field_validator("advanced_models", "balanced_models", "basic_models", "model_prices", mode="before")
    @classmethod
    def _read_list(cls, value: object) -> object:
        return _json(value) if isinstance(value, str) else value

    @field_validator("embedding_model", mode="before")
    @classmethod
    def _read_embedding_model(cls, value: object) -> object:
        return _embedding_model(value) if isinstance(value, str) else value

    @field_validator("owner_ids", mode="before")
    @classmethod
    def _read_ids(cls, value: object) -> object:
        return _ids(value) if isinstance(value, str) else value

    @field_validator("attachment_hosts", mode="before")
    @classmethod
    def _read_hosts(cls, value: object) -> object:
        return _hosts(value) if isinstance(value, str) else value

    @field_validator("currency", mode="before")
    @classmethod
    def _is_currency(cls, value: object) -> object:
        from babel.numbers import list_currencies  # noqa: PLC0415 - takes a tenth of a second, and few set one

        code = value.strip().upper() if isinstance(value, str) else value
        if code not in list_currencies():
            raise ValueError("is not a currency of ISO 4217")
        return code

    @field_validator("discord_api_base", "openai_base_url")
    @classmethod
    def _is_url(cls, value: str) -> str:
        return _plain_url(value)

    @field_validator("database_url")
    @classmethod
    def _is_server(cls, value: SecretStr | None) -> SecretStr | None:
        if value is not None and not value.get_secret_value().startswith(("postgresql://", "postgres://")):
            raise ValueError("is not a postgresql:// address")
        return value

    @field_validator("shards", mode="before")
    @classmethod
    def _read_shards(cls, value: object, info: ValidationInfo) -> object:
        shards = Shards.read(value) if isinstance(value, str) else value
        if isinstance(shards, Shards) and not shards.is_everything and info.data.get("database_url") is None:
            raise ValueError(
                "leaves shards to other processes, which have to share a PostgreSQL server: set YORISOI_DATABASE_URL"
            )
        return shards

    @field_validator("discord_gateway")
    @classmethod
    def _is_socket_url(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("ws://", "wss://")):
            raise ValueError("is not a ws:// or wss:// address")
        return value

    @field_validator("timezone")
    @classmethod
    def _is_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (KeyError, ValueError, OSError) as error:
            raise ValueError("is not a time zone of the IANA database") from error
        return value

    @field_validator("http_host")
    @classmethod
    def _is_near(cls, value: str, info: ValidationInfo) -> str:
        try:
            address = ip_address(value)
        except ValueError:
            raise ValueError("is not an IP address") from None
        if not address.is_loopback and not info.data.get("http_allow_remote"):
            raise ValueError(
                "can be reached from other machines; that has to be wanted: YORISOI_HTTP_ALLOW_REMOTE=true"
            )
        return value

    @field_validator("environment", "log_level", "log_format", "proactive_choice", mode="before")
    @classmethod
    def _lower(cls, value: object) -> object:
        return value.lower() if isinstance(value, str) else value

    @field_validator("data_dir", "characters_dir", "local_gguf", "resources_file", "backup_dir")
    @classmethod
    def _expand(cls, value: Path | None) -> Path | None:
        return value.expanduser() if value is not None else None

    @property
    def database_path(self) -> Path:
        """The SQLite file."""
        return self.data_dir / "yorisoi.db"

    @property
    def status_path(self) -> Path:
        """The file in which a running program writes down how it is."""
        return self.data_dir / "status.json"

    @property
    def sandbox_results_path(self) -> Path:
        """The folder of the sandbox's results that were kept for reports."""
        return self.data_dir / "sandbox-results"

    @property
    def backups_path(self) -> Path:
        """The folder of backups."""
        return self.backup_dir or self.data_dir / "backups"

    @property
    def database(self) -> Path | str:
        """Where everything is kept: the address of a server, or the SQLite file where none is set."""
        return self.database_path if self.database_url is None else self.database_url.get_secret_value()


@dataclass(frozen=True, slots=True, kw_only=True)
class Configuration:
    """Settings, and the whole environment for the tokens that packs name."""

    settings: Settings
    environment: Mapping[str, str]

    def secret(self, name: str) -> str | None:
        """Return a variable named by a character pack (`token_env`), from the environment or `.env`."""
        return self.environment.get(name) or None

    def warnings(self, *, also_known: Iterable[str] = ()) -> tuple[str, ...]:
        """Return a line for each `YORISOI_` variable that neither a setting nor a pack (`also_known`) has."""
        ours = (name for name in self.environment if name.startswith(PREFIX))
        return misspellings(ours, {*variable_names().values(), *also_known}, prefix=PREFIX)

    def secrets(self, *, token_names: Iterable[str] = ()) -> frozenset[str]:
        """Return every secret value there is, for masking."""
        settings = self.settings
        entries = (*settings.advanced_models, *settings.balanced_models, *settings.basic_models)
        if settings.embedding_model is not None:
            entries = (*entries, settings.embedding_model)
        held = [settings.discord_token, settings.openai_api_key, *(entry.api_key for entry in entries)]
        values = [secret.get_secret_value() for secret in held if secret is not None]
        addresses = [settings.openai_base_url, settings.discord_api_base, settings.discord_gateway or ""]
        addresses += [entry.base_url for entry in entries]
        values += [secret for address in addresses for secret in secrets_in(address)]
        if settings.database_url is not None:
            address = settings.database_url.get_secret_value()
            values += [address, *secrets_in(address)]
        return frozenset(value for value in (*values, *(self.secret(name) for name in token_names)) if value)

    def __repr__(self) -> str:
        return f"Configuration(settings={self.settings!r})"


def load(env_file: Path = Path(".env")) -> Configuration:
    """Read the settings; raise `SettingsError` with one line for each bad value."""
    environment = {**_read_env_file(env_file), **os.environ}
    try:
        settings = Settings(_env_file=env_file if env_file.is_file() else None)
    except ValidationError as error:
        raise SettingsError(describe(error, Settings.model_fields, variable_names())) from None
    return Configuration(settings=settings, environment=environment)


def load_what_is_good(env_file: Path = Path(".env")) -> Configuration:
    """Read the settings with their defaults in place of bad values, to look at the rest where `load` refuses them.

    Raises:
        SettingsError: `.env` can't be read.
    """
    environment = {**_read_env_file(env_file), **os.environ}
    file = env_file if env_file.is_file() else None
    try:
        settings = Settings(_env_file=file)
    except ValidationError as error:
        settings = Settings(_env_file=file, **_defaults(error))
    return Configuration(settings=settings, environment=environment)


def _defaults(error: ValidationError) -> dict[str, Any]:
    """Return the defaults of the fields with a bad value, by the names that pydantic takes them by."""
    fields = {str(field.validation_alias or name): field for name, field in Settings.model_fields.items()}
    names = {str(detail["loc"][0]) for detail in error.errors(include_input=False, include_url=False)}
    by_variable = {variable: name for name, variable in variable_names().items() if name in fields}
    return {(name := by_variable.get(named, named)): fields[name].default for named in names}


def variable_names() -> dict[str, str]:
    """Return the environment variable of each field."""
    return {
        name: str(field.validation_alias) if field.validation_alias else PREFIX + name.upper()
        for name, field in Settings.model_fields.items()
    }


def _read_env_file(path: Path) -> dict[str, str]:
    try:
        values = dotenv_values(path) if path.is_file() else {}
    except (OSError, UnicodeDecodeError) as error:
        line = f"{path} can't be read ({type(error).__name__}): make it a readable UTF-8 file."
        raise SettingsError((line,)) from error
    return {name: value for name, value in values.items() if value is not None}


def _json(text: str) -> object:
    try:
        parsed: object = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(f"is not JSON: {error.msg} at character {error.pos + 1}") from None
    return parsed


def _embedding_model(text: str) -> object:
    if text.strip().lower() == "local":
        return None
    parsed = _json(text)
    if not isinstance(parsed, dict):
        raise ValueError('is neither "local" nor a JSON object with "base_url" and "model"')
    return parsed


def _ids(text: str) -> frozenset[int]:
    parts = text.strip("[] ").replace(",", " ").split()
    if not all(part.isascii() and part.isdigit() and len(part) <= _MOST_DIGITS for part in parts):
        raise ValueError("is not a list of user ids (numbers with commas between them)")
    return frozenset(int(part) for part in parts)


def _hosts(text: str) -> frozenset[str]:
    hosts = frozenset(text.lower().replace(",", " ").split())
    if not hosts or not all(_HOST.fullmatch(host) for host in hosts):
        raise ValueError("is not a list of host names (with commas between them)")
    return hosts


def _plain_url(value: str) -> str:
    try:
        _URL.validate_python(value)
    except ValidationError:
        raise ValueError("is not an http:// or https:// address") from None
    return value.rstrip("/")
