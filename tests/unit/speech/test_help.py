"""Help in Japanese: everything of it, and nothing of it in English."""

import itertools
import re
from collections.abc import Iterator
from typing import Any

import pytest
from typer import rich_utils
from typer.main import get_command

from bot.cli.japanese_help import paragraphs, put_into_japanese, read_texts
from bot.cli.japanese_lines import breaks
from bot.cli.program import build, run

_JAPANESE = re.compile(r"[ぁ-んァ-ヴ一-龠]")


def _commands(command: Any) -> Iterator[Any]:
    yield command
    for below in getattr(command, "commands", {}).values():
        yield from _commands(below)


def _paragraphs() -> set[str]:
    texts = (
        text
        for command in _commands(get_command(build()))
        for text in (command.help, command.short_help, command.epilog, *(option.help for option in command.params))
    )
    return {paragraph for text in texts for paragraph in paragraphs(text)}


def test_every_help_text_has_a_japanese_one_and_none_is_left_over() -> None:
    assert _paragraphs() == set(read_texts())


def test_every_japanese_help_text_is_japanese() -> None:
    assert not [text for text in read_texts().values() if not _JAPANESE.search(text)]


def test_what_is_typed_is_the_same_in_both() -> None:
    typed = re.compile(r"`[^`]+`|--[a-z-]+|YORISOI_[A-Z_]+|[a-z-]+\.(?:toml|md|json|env)\b|\{\"[a-z]+\"")
    for english, japanese in read_texts().items():
        for token in typed.findall(english):
            assert token.removesuffix(".md") in japanese, english


def test_all_of_a_tree_is_put_into_japanese() -> None:
    tree = get_command(build())
    put_into_japanese(tree, read_texts())
    for command in _commands(tree):
        assert _JAPANESE.search(command.help)
        assert all(_JAPANESE.search(option.help) for option in command.params)
        assert "Example:" not in command.help


@pytest.mark.usefixtures("bare_environment")
class TestRun:
    def test_help_speaks_japanese_with_its_titles(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
        assert run(["export-user", "--help"]) == 0
        shown = capsys.readouterr().out
        for text in ("使い方: yorisoi export-user [オプション]", "引数", "オプション", "[必須]", "この説明を表示"):
            assert text in shown
        for text in ("Usage", "Options", "Arguments", "required", "Example"):
            assert text not in shown

    def test_help_is_english_again_after_it_was_japanese(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        before = dict(vars(rich_utils))
        monkeypatch.setenv("LC_ALL", "ja_JP.UTF-8")
        run(["usage", "--help"])
        monkeypatch.setenv("LC_ALL", "C.UTF-8")
        capsys.readouterr()
        run(["usage", "--help"])
        assert not _JAPANESE.search(capsys.readouterr().out)
        assert dict(vars(rich_utils)) == before


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("費用は、設定した価格です。", 8, ["費用は、", "設定した", "価格", "です。"]),
        ("必ず--markdownを付ける", 12, ["必ず", "--markdownを", "付ける"]),
        ("一つのデータベース", 12, ["一つの", "データベース"]),
        ("（終了）は（開始）", 10, ["（終了）は", "（開始）"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("短い", 80, ["短い"]),
    ],
)
def test_lines_keep_words_and_marks_together(text: str, width: int, lines: list[str]) -> None:
    places = [0, *breaks(text, width), len(text)]
    assert [text[begin:end] for begin, end in itertools.pairwise(places)] == lines
