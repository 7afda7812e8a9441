"""Puts the help of a finished tree of commands into Japanese. English is what stands in the code, and needs none of it.

Each paragraph and each option's help is looked up in `bot/speech/help-ja.toml` by its English text.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.resources import files
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typer import Context
    from typer.core import TyperCommand, TyperGroup

    Command = TyperCommand | TyperGroup

_EXAMPLE, _EXAMPLE_JAPANESE = "Example: ", "例: "
_USAGE, _USAGE_JAPANESE = "Usage:", "使い方:"
_METAVARS = {
    "options_metavar": {"[OPTIONS]": "[オプション]"},
    "subcommand_metavar": {"COMMAND [ARGS]...": "コマンド [引数]..."},
}
_SHOW_HELP = "この説明を表示して終了します。"
# By the names they have in typer.rich_utils.
_MAKE_TEXT = "_make_rich_text"
_TITLES = {
    "ARGUMENTS_PANEL_TITLE": "引数",
    "OPTIONS_PANEL_TITLE": "オプション",
    "COMMANDS_PANEL_TITLE": "コマンド",
    "REQUIRED_LONG_STRING": "[必須]",
    "DEFAULT_STRING": "[既定値: {}]",
}


def read_texts() -> dict[str, str]:
    """Return the Japanese of each English paragraph."""
    return tomllib.loads((files("bot.speech") / "help-ja.toml").read_text("utf-8"))


def put_into_japanese(command: Any, texts: Mapping[str, str]) -> None:  # noqa: ANN401 - Typer's classes share no type
    """Replace every text of a command and of those below it; what is not among the texts stays English."""
    command.help, command.epilog = _translated(command.help, texts), _translated(command.epilog, texts)
    for name, known in _METAVARS.items():
        if hasattr(command, name):
            setattr(command, name, known.get(getattr(command, name), getattr(command, name)))
    for parameter in command.params:
        parameter.help = _translated(parameter.help, texts)
    command.format_help = _with_japanese_titles(command)
    command.get_usage = _with_japanese_usage(command.get_usage)
    for below in getattr(command, "commands", {}).values():
        put_into_japanese(below, texts)


def paragraphs(text: str | None) -> Iterator[str]:
    """Yield the paragraphs of a help text that are looked up, each on one line; examples are the same in all."""
    for paragraph in (text or "").strip().split("\n\n"):
        if paragraph and not paragraph.startswith(_EXAMPLE):
            yield " ".join(paragraph.split())


def _translated(text: str | None, texts: Mapping[str, str]) -> str | None:
    if not text:
        return text
    return "\n\n".join(_paragraph(paragraph, texts) for paragraph in text.strip().split("\n\n"))


def _paragraph(paragraph: str, texts: Mapping[str, str]) -> str:
    if paragraph.startswith(_EXAMPLE):
        return paragraph.replace(_EXAMPLE, _EXAMPLE_JAPANESE)
    return texts.get(" ".join(paragraph.split()), paragraph)


def _with_japanese_titles(command: Any) -> Callable[..., None]:  # noqa: ANN401
    plain = command.format_help

    def format_help(context: "Context", formatter: object) -> None:
        option = command.get_help_option(context)
        if option is not None:
            option.help = _SHOW_HELP
        with _titles():
            plain(context, formatter)

    return format_help


def _with_japanese_usage(plain: Callable[["Context"], str]) -> Callable[["Context"], str]:
    return lambda context: plain(context).replace(_USAGE, _USAGE_JAPANESE, 1)


@contextmanager
def _titles() -> Iterator[None]:
    """Have Typer write our titles and lines; it takes them from its module, which is as it was afterwards."""
    from typer import rich_utils  # noqa: PLC0415 - takes long, and only help needs it

    from bot.cli.japanese_lines import JapaneseText  # noqa: PLC0415

    ours: dict[str, Any] = dict(_TITLES)
    before = {name: getattr(rich_utils, name) for name in (*_TITLES, _MAKE_TEXT)}
    ours[_MAKE_TEXT] = lambda **options: JapaneseText.of(before[_MAKE_TEXT](**options))
    try:
        for name, value in ours.items():
            setattr(rich_utils, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(rich_utils, name, value)
