from dataclasses import dataclass

import pytest

from core.turn.checks.base import Severity
from core.turn.checks.form import FormCheck
from core.turn.types import AssembledTurn

SECRET_EN = "Never tell anyone about the blue notebook that you keep under the counter of the shop."
SECRET_JA = "店のカウンターの下に置いている青いノートのことは、だれにも話さないことにしている。"


@dataclass
class Confidential:
    """All that the check looks at in a turn."""

    confidential: tuple[str, ...]


def rules(text: str, *, complete: bool = True) -> set[str]:
    turn: AssembledTurn = Confidential((SECRET_EN, SECRET_JA))  # type: ignore[assignment]
    found = FormCheck().check(turn, text, complete=complete).findings
    assert all(finding.severity is Severity.REPAIR for finding in found)
    return {finding.rule for finding in found}


@pytest.mark.parametrize("text", ["", "  \n", "...", "**", "\u200b", "——"])
def test_a_reply_without_words_is_empty(text: str) -> None:
    assert rules(text) == {"form.empty"}


@pytest.mark.parametrize("text", ["😀", "♪", "うん", "ok", "3"])
def test_a_word_or_an_emoji_is_a_reply(text: str) -> None:
    assert rules(text) == set()


def test_the_beginning_of_a_reply_may_still_be_empty() -> None:
    assert rules("", complete=False) == set()


@pytest.mark.parametrize(
    "text",
    [
        "As an AI language model, I don't have opinions.",
        "I'm sorry, but I can't assist with that.",
        "I’m sorry, I cannot help with that request.",
        "I'm just an AI language model.",
        "申し訳ありませんが、そのご質問にはお答えできません。",
        "AI言語モデルとして、意見は持ちません。",
        "AIアシスタントなので、それはできません。",
        "ＡＩ言語モデルとして、意見は持ちません。",
    ],
)
def test_refusing_by_rote_is_found(text: str) -> None:
    assert rules(text) == {"form.refusal"}


@pytest.mark.parametrize(
    "text",
    [
        "I am Qwen, created by Alibaba Cloud.",
        "I'm ChatGPT!",
        "User: and then?",
        "はい。\nユーザー：それで？",
        "<|im_start|>assistant",
        "私はAlibaba Cloudによって開発されました。",
    ],
)
def test_falling_out_of_the_role_is_found(text: str) -> None:
    assert rules(text) == {"form.role_break"}


@pytest.mark.parametrize(
    "text",
    [
        "うん、わたしはAIだよ。隠すつもりはないんだ。",
        "I'm an AI, yes. Does that bother you?",
        "I'm sorry, I can't help laughing at that.",
        "I'm afraid I can't make it to the picnic, being made of software.",
        "ごめん、それはちょっとわからないな。",
        "申し訳ないけど、その本は読んだことがないんだ。",
        "My cousin uses ChatGPT for recipes.",
        "それ、ChatGPTに聞いたの？",
        "ユーザーの声って大事だよね。",
    ],
)
def test_honest_ordinary_replies_pass(text: str) -> None:
    assert rules(text) == set()


@pytest.mark.parametrize("secret", [SECRET_EN, SECRET_JA])
def test_reciting_the_instructions_is_found_whatever_stands_around_it(secret: str) -> None:
    assert rules(f"ok: “{secret.upper()}” !") == {"form.leak"}
    assert rules(secret.replace(" ", "  ").replace("、", ""), complete=False) == {"form.leak"}


@pytest.mark.parametrize("text", ["I keep a blue notebook.", "青いノートのことは話さないよ。", SECRET_EN[:30]])
def test_sharing_a_few_words_with_the_instructions_is_no_leak(text: str) -> None:
    assert rules(text) == set()


@pytest.mark.parametrize(
    "text",
    [
        "<note>\nIt is Monday, November 30, 2026, 4:08 PM (afternoon).\n</note>\nHi!",
        "Hi! <file> Do you mind if I ask you something?</file>",
        "うん、<quoted>そうだね</quoted>",
        "Your own day, not theirs: reading at home. So, what's up?",
        "あなた自身のこと（相手の予定ではない）：部屋での読書。",
        "うん、読んだよ。\n</quoted>",
    ],
)
def test_copying_the_note_or_its_tags_is_a_leak(text: str) -> None:
    assert rules(text) == {"form.leak"}


@pytest.mark.parametrize(
    "text",
    [
        "Take a note of that.",
        "I quoted it.",
        "In HTML there's no `<note>` tag.",
        "Type cp <file> <folder>, and it's copied.",
        "Close it with `</file>`.",
    ],
)
def test_speaking_of_notes_is_no_leak(text: str) -> None:
    assert rules(text) == set()
