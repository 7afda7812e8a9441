"""The format of a draft: what may stand in the file. Its JSON Schema, for editors, is made of this."""

import re
from datetime import datetime
from typing import Annotated, Any

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from core.facts.zones import is_zone
from core.sandbox.draft import Facts
from core.values import LARGEST_ID, Locale

Text = Annotated[str, Field(min_length=1, max_length=20_000)]
Name = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,39}$")]
MOST_VARIANTS = 4
MOST_REPETITIONS = 100
YEARS = range(2000, 2100)


def _regex(text: str) -> str:
    try:
        re.compile(text)
    except re.error as error:
        raise ValueError(f"'{text}' is no regular expression: {error}") from error
    return text


def _zone(name: str) -> str:
    if not is_zone(name):
        raise ValueError(f"'{name}' is no time zone of the IANA database; write one like Asia/Tokyo")
    return name


def _moment(moment: datetime) -> datetime:
    if moment.year not in YEARS:
        raise ValueError(f"the year must be from {YEARS[0]} to {YEARS[-1]}")
    return moment


Moment = Annotated[AwareDatetime, AfterValidator(_moment)]
Regex = Annotated[Text, AfterValidator(_regex)]
Zone = Annotated[str, AfterValidator(_zone)]


class Strict(BaseModel):
    """What a table may hold; anything else is a problem."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class FlagsTable(Strict):
    """Stance integrity; what isn't given is as the settings say."""

    signal: bool | None = Field(None, description="Read what kind of turn it is.")
    policy: bool | None = Field(None, description="Add the posture block to the prompt.")
    gate: bool | None = Field(None, description="Hold replies against the stance gate.")
    inertia: bool | None = Field(None, description="Remember the stance within the session.")


class BaseTable(Strict):
    """What a variant can change; in `base`, what all variants share."""

    facts: Facts | None = Field(None, description="How facts get into the prompt; capsule, as in production.")
    flags: FlagsTable = Field(default_factory=FlagsTable)
    templates: dict[str, Text] = Field(
        default_factory=dict, description="Prompt templates written otherwise, by name, such as chat-frame-ja."
    )
    model: Text | None = Field(
        None, description="scripted, embedded, advanced, balanced, basic, or a model of the settings by its name."
    )
    temperature: float | None = Field(None, ge=0, le=2)


class VariantTable(BaseTable):
    """One side of the comparison: what it changes of `base`."""

    name: Name


class UserTable(Strict):
    """Who asks: somebody invented."""

    name: Text = "User"
    locale: Locale | None = None
    timezone: Zone | None = None
    last_seen: Moment | None = Field(None, description="When they last spoke; never if left out.")
    facts: list[Text] = Field(default_factory=list, description="What they asked to have remembered.")


class ConversationTable(Strict):
    """A conversation of the database in place of somebody invented."""

    channel_id: int = Field(gt=0, le=LARGEST_ID)
    user_id: int | None = Field(None, gt=0, le=LARGEST_ID, description="Who asks; whoever spoke last if left out.")


class SaidTable(Strict):
    """One turn of the talk before."""

    user: Text | None = None
    character: Text | None = None
    name: Text | None = Field(None, description="Who of several people in a server it was.")

    @model_validator(mode="after")
    def _one_of_them(self) -> "SaidTable":
        if (self.user is None) == (self.character is None):
            raise ValueError("holds either user or character")
        return self


class BudgetTable(Strict):
    """The most a comparison may use. It stops there and says so."""

    answers: int = Field(40, ge=1, le=10_000, description="Answers of models, repairs included.")
    tokens: int = Field(200_000, ge=1)
    seconds: float = Field(900.0, gt=0, le=86_400)
    money: float = Field(1.0, ge=0, description="In the currency of the settings.")


class ScriptTable(Strict):
    """What the scripted model says: the first rule that applies."""

    when: Regex | None = Field(None, description="A regular expression to be found in the prompt; always if left out.")
    repair: bool = Field(False, description="Only when it is asked to write again.")
    say: list[Text] = Field(min_length=1, description="Each repetition takes the next of them.")


class ExpectTable(Strict):
    """What a good answer is, by what is delivered."""

    must_not: list[Regex] = Field(default_factory=list)
    must_any: list[Regex] = Field(default_factory=list)


class CaseTable(Strict):
    """Written by --save-case: what the case has to show again."""

    holds: list[Name] = Field(min_length=1)
    shows: list[Name] = Field(default_factory=list)


class DraftFile(Strict):
    """A draft of the sandbox: the same question with 2 to 4 variants of the prompt."""

    model_config = ConfigDict(extra="forbid", frozen=True, title="Yorisoi sandbox draft")

    title: Text
    character: Name | None = Field(None, description="Who is asked; the character of the settings if left out.")
    at: Moment | None = Field(None, description="When it is; now if left out.")
    calendar_read_at: Moment | None = Field(
        None, description="With legacy_clocks: when the calendar was last read; as the last activity began if left out."
    )
    messages: list[Text] = Field(min_length=1, max_length=20, description="What the user says, one turn after another.")
    place: Annotated[str, Field(pattern="^(private|server)$")] = Field("private", description="private or server")
    server_timezone: Zone | None = None
    user: UserTable | None = None
    history: list[SaidTable] = Field(default_factory=list, max_length=200)
    conversation: ConversationTable | None = None
    base: BaseTable = Field(default_factory=BaseTable)
    variants: list[VariantTable] = Field(min_length=2, max_length=MOST_VARIANTS)
    repetitions: int = Field(1, ge=1, le=MOST_REPETITIONS)
    budget: BudgetTable = Field(default_factory=BudgetTable)
    script: list[ScriptTable] = Field(default_factory=list)
    expect: ExpectTable = Field(default_factory=ExpectTable)
    case: CaseTable | None = None


def json_schema() -> dict[str, Any]:
    """Return the JSON Schema of a draft."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | DraftFile.model_json_schema()
