import json
import unicodedata

import pytest

from core.sandbox.draft import Facts, Flags
from core.sandbox.draft_file import json_schema
from core.sandbox.draft_reading import parse_draft
from core.sandbox.draft_source import LARGEST
from core.sandbox.errors import DraftError
from data.sandbox import FOLDER
from tests.unit.sandbox.stage import MINIMAL, PROMPTS, draft, shipped_files

AS_YAML = """
variants:
  - {name: now}
  - name: changed
messages: ["What are you up to?"]
at: 2026-11-30T07:08:00+00:00
title: A question
"""


def test_the_same_draft_has_the_same_hash_however_it_is_written() -> None:
    hashes = {
        draft().digest,
        draft(AS_YAML, "draft.yaml").digest,
        draft(MINIMAL.replace("\n", "\r\n")).digest,
        draft(f"repetitions = 1\nplace = 'private'\n{MINIMAL}").digest,
        draft(f"{MINIMAL}[base]\nfacts = 'capsule'\n[user]\nname = 'User'\n[budget]\nanswers = 40\n").digest,
    }
    assert len(hashes) == 1


def test_what_variants_take_of_the_base_may_as_well_be_written_in_each() -> None:
    each = MINIMAL.replace('name = "now"', 'name = "now"\ntemperature = 0.2') + "temperature = 0.2\n"
    assert draft(f"{MINIMAL}[base]\ntemperature = 0.2\n").digest == draft(each).digest


def test_composed_and_decomposed_letters_are_the_same_text() -> None:
    text = MINIMAL.replace("What are you up to?", "がんばってる？")
    assert draft(text).digest == draft(unicodedata.normalize("NFD", text)).digest
    assert draft(unicodedata.normalize("NFD", text)).messages == ("がんばってる？",)


@pytest.mark.parametrize(
    "changed",
    [
        MINIMAL.replace("up to", "about"),
        MINIMAL.replace("16:08", "16:09"),
        MINIMAL + "temperature = 0.1\n",
        f"repetitions = 2\n{MINIMAL}",
    ],
)
def test_another_draft_has_another_hash(changed: str) -> None:
    assert draft(changed).digest != draft().digest


def test_a_variant_says_only_what_it_changes_of_the_base() -> None:
    of = draft(
        """
        title = "t"
        messages = ["m"]
        [base]
        facts = "none"
        model = "balanced"
        temperature = 0.2
        flags = {gate = true, policy = true}
        [[variants]]
        name = "a"
        [[variants]]
        name = "b"
        facts = "capsule"
        model = "basic"
        flags.policy = false
        """
    )
    first, second = of.variants
    assert (first.facts, first.model, first.temperature, first.flags) == (
        Facts.NONE,
        "balanced",
        0.2,
        Flags(gate=True, policy=True),
    )
    assert (second.facts, second.model, second.temperature, second.flags) == (
        Facts.CAPSULE,
        "basic",
        0.2,
        Flags(gate=True, policy=False),
    )


def problems(text: str, name: str = "draft.toml") -> list[str]:
    with pytest.raises(DraftError) as caught:
        draft(text, name)
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("title = ", "draft.toml: is not valid TOML: Invalid value (at end of document)"),
        (MINIMAL.replace("messages", "mesages"), "draft.toml:4: mesages: is unknown; write messages"),
        (MINIMAL + "fact = 'none'\n", "draft.toml:9: variants.1.fact: is unknown; write facts"),
        (MINIMAL.replace("+09:00", ""), "draft.toml:3: at: needs an offset: write it like 2026-11-30T16:08:00+09:00"),
        (MINIMAL.replace('"changed"', '"now"'), "draft.toml:8: there is a variant 'now' already"),
        (MINIMAL + "model = 'scripted'\n", "draft.toml:9: the scripted model has nothing to say: add [[script]]"),
        (MINIMAL + "[user]\ntimezone = 'Tokyo'\n", "draft.toml:10: user.timezone: 'Tokyo' is no time zone"),
        (MINIMAL + "[expect]\nmust_not = ['(']\n", "draft.toml:10: expect.must_not.0: '(' is no regular expression"),
        (
            MINIMAL + "templates = {chat-fram-ja = 'x'}\n",
            "draft.toml:9: there is no prompt template 'chat-fram-ja': write chat-frame-ja",
        ),
        (
            MINIMAL + "templates = {chat-frame-ja = '{% if %}'}\n",
            "draft.toml:9: prompt template 'chat-frame-ja', line 1",
        ),
        (
            MINIMAL + "[conversation]\nchannel_id = 5\n[[history]]\nuser = 'x'\n",
            "draft.toml:11: history: a real conversation has its own; leave it out",
        ),
        (MINIMAL + "[case]\nholds = ['nobody']\n", "draft.toml:10: case.holds: there is no variant 'nobody'"),
        (
            "place = 'server'\n" + MINIMAL + "[conversation]\nchannel_id = 5\n",
            "draft.toml:1: place: a real conversation has its own; leave it out",
        ),
        ("server_timezone = 'Asia/Tokyo'\n" + MINIMAL, "draft.toml:1: server_timezone: is for place"),
        (MINIMAL + "[user]\nlast_seen = 2026-12-01T00:00:00Z\n", "draft.toml:10: user.last_seen: is after `at`"),
        (MINIMAL.replace("2026-", "0001-"), "draft.toml:3: at: the year must be from 2000 to 2099"),
        (
            MINIMAL + f"[conversation]\nchannel_id = {2**63}\n",
            "draft.toml:10: conversation.channel_id: must be at most 9223372036854775807",
        ),
        (
            MINIMAL + "templates = {chat-frame-ja = '{{ x|nothing }}'}\n",
            "draft.toml:9: prompt template 'chat-frame-ja'",
        ),
        ("x = " + "[" * 3000 + "]" * 3000, "draft.toml: is nested too deeply"),
        ("repetitions = " + "9" * 5000, "draft.toml: holds a number of too many digits"),
    ],
)
def test_a_problem_is_told_with_its_line(text: str, told: str) -> None:
    assert any(line.startswith(told) for line in problems(text)), problems(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("title: [", "draft.yaml:1: is not valid YAML: "),
        (AS_YAML + "titel: x\n", "draft.yaml:8: titel: is unknown; write title"),
        (AS_YAML + "title: again\n", "draft.yaml:8: 'title' is there already"),
        (AS_YAML.replace("{name: now}", "&a {name: now}\n  - *a"), "draft.yaml:4: aliases (*name) can't be used here"),
        ("- a list", "draft.yaml:1: a draft is a table"),
        (AS_YAML.replace("11-30", "02-30"), "draft.yaml:6: day is out of range for month"),
        ("x: " + "[" * 3000 + "]" * 3000, "draft.yaml:1: is nested too deeply"),
    ],
)
def test_a_problem_in_yaml_is_told_with_its_line(text: str, told: str) -> None:
    assert any(line.startswith(told) for line in problems(text, "draft.yaml")), problems(text, "draft.yaml")


def test_what_is_no_toml_is_called_so() -> None:
    assert problems("{")[0].startswith("draft.toml:1: is not valid TOML: ")


def test_every_problem_is_told_at_once() -> None:
    assert len(problems(MINIMAL.replace("title", "titel") + "[budget]\nanswers = 0\n")) == 3


@pytest.mark.parametrize("content", [b"\xff", b"#" * (LARGEST + 1)])
def test_what_is_no_text_or_too_large_is_refused(content: bytes) -> None:
    with pytest.raises(DraftError):
        parse_draft(content, "draft.toml", PROMPTS)


def test_one_variant_is_no_comparison_and_five_are_too_many() -> None:
    more = "".join(f'[[variants]]\nname = "v{number}"\n' for number in range(3))
    assert problems(MINIMAL[: MINIMAL.rindex("[[variants]]")])
    assert problems(MINIMAL + more)


def test_the_schema_for_editors_is_the_one_of_the_program() -> None:
    stored = json.loads((FOLDER / "draft.schema.json").read_text("utf-8"))
    assert stored == json_schema(), "write it again: yorisoi sandbox schema > data/sandbox/draft.schema.json"


def test_the_shipped_drafts_are_cases_in_both_languages() -> None:
    assert [path.stem for path in shipped_files()] == ["16-08-en", "16-08-ja"]
    for path in shipped_files():
        of = draft(path.read_text("utf-8"))
        assert of.case is not None
        assert (of.case.holds, of.case.shows) == (("capsule",), ("legacy",))
