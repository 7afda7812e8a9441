"""A comparison as somebody wrote it down: what is asked, of whom, when, and what each variant changes."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from core.values import Locale

SCRIPTED = "scripted"
"""The name of the model that says what the draft's own rules tell it to."""


class Facts(StrEnum):
    """How facts get into the prompt: as in production, as they once did (clocks here and there), or not at all."""

    CAPSULE = "capsule"
    LEGACY_CLOCKS = "legacy_clocks"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class Flags:
    """The stance flags of a variant; None: as the settings say."""

    signal: bool | None = None
    policy: bool | None = None
    gate: bool | None = None
    inertia: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Variant:
    """What one side of a comparison runs with, the draft's base filled in.

    `templates` are sources by name (`chat-frame-ja`). `model` None: that of the character's tier; `temperature` None:
    that of the program.
    """

    name: str
    facts: Facts = Facts.CAPSULE
    flags: Flags = field(default_factory=Flags)
    templates: Mapping[str, str] = field(default_factory=dict)
    model: str | None = None
    temperature: float | None = None


@dataclass(frozen=True, slots=True)
class SaidBefore:
    """One turn of the talk before. `name` tells people in a server apart."""

    by_user: bool
    text: str
    name: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Who asks, as the draft invents them. `last_seen` None: never before. `facts`: what they asked to have kept."""

    name: str = "User"
    locale: Locale | None = None
    timezone: str | None = None
    last_seen: datetime | None = None
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RealConversation:
    """A conversation of the database. `user_id` None: whoever of the people in it spoke last."""

    channel_id: int
    user_id: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The most a comparison may use; `money` in the operator's currency."""

    answers: int = 40
    tokens: int = 200_000
    seconds: float = 900.0
    money: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptRule:
    """What the scripted model says where `when` is found in the prompt (None: always).

    Of several texts each repetition takes the next. `repair`: only when asked to write again.
    """

    say: tuple[str, ...]
    when: re.Pattern[str] | None = None
    repair: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """What a good answer is: none of `must_not` is found in what is delivered, and one of `must_any` is."""

    must_not: tuple[re.Pattern[str], ...] = ()
    must_any: tuple[re.Pattern[str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What a regression case has to show again: variants that hold, and variants that have the fault."""

    holds: tuple[str, ...]
    shows: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A draft that can be used. `digest` is the same for all that say the same.

    `at` None: the moment it is run. `calendar_read_at`: for `legacy_clocks`, when the calendar was last read.
    """

    digest: str
    title: str
    messages: tuple[str, ...]
    variants: tuple[Variant, ...]
    character: str | None = None
    at: datetime | None = None
    calendar_read_at: datetime | None = None
    in_server: bool = False
    server_timezone: str | None = None
    person: Person = field(default_factory=Person)
    history: tuple[SaidBefore, ...] = ()
    conversation: RealConversation | None = None
    repetitions: int = 1
    budget: Budget = field(default_factory=Budget)
    script: tuple[ScriptRule, ...] = ()
    expect: Expectation = field(default_factory=Expectation)
    case: Case | None = None
