"""Puts the commands together and turns what they raise into one line and an exit code."""

import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any

import typer
from typer.exceptions import TyperException
from typer.main import get_command

from bot.cli import (
    backups,
    bench,
    characters,
    community,
    doctor,
    evaluations,
    inspections,
    migrate,
    models,
    report,
    sandboxes,
    schedules,
    simulate,
    status,
    talk,
    usage,
    users,
)
from bot.cli.common import say
from bot.errors import BotError
from bot.speech.language import operator_language
from bot.speech.words import words
from core.values import Locale

_INTERRUPTED = 130
_EPILOG = (
    "Exit codes: 0 done, 1 failed, 2 wrong usage or a bad setting, "
    "75 another process has the shards, 130 interrupted. "
    "Settings are environment variables or lines in .env; see .env.example."
)


def build() -> typer.Typer:
    """Return the command line with every command."""
    app = typer.Typer(
        name="yorisoi",
        help="A companion who stays close beside you: on Discord, or here in the terminal.",
        epilog=_EPILOG,
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    talk.add_to(app)
    doctor.add_to(app)
    characters.add_to(app)
    schedules.add_to(app)
    inspections.add_to(app)
    models.add_to(app)
    users.add_to(app)
    migrate.add_to(app)
    backups.add_to(app)
    usage.add_to(app)
    status.add_to(app)
    report.add_to(app)
    community.add_to(app)
    bench.add_to(app)
    evaluations.add_to(app)
    sandboxes.add_to(app)
    simulate.add_to(app)
    return app


def run(arguments: Sequence[str]) -> int:
    """Run a command; return the exit code. Errors are one line on stderr; `--debug` adds the traceback."""
    debug = "--debug" in arguments
    rest = [argument for argument in arguments if argument != "--debug"]
    try:
        result = _spoken()(args=rest, prog_name="yorisoi", standalone_mode=False)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _INTERRUPTED
    except typer.Abort:
        say("Cancelled.", err=True)
        return 1
    except (BrokenPipeError, SystemExit):  # Typer turns a reader that went away into a SystemExit
        _discard_output()
        return 0
    except Exception as error:  # noqa: BLE001 - whatever it is, it ends in a line and an exit code
        _tell(error, debug=debug)
        return _exit_code(error)
    return result if isinstance(result, int) else 0


def _spoken() -> Any:  # noqa: ANN401 - what Typer makes has no public type
    """Return the commands, with their help in the operator's language."""
    command = get_command(build())
    if operator_language() is Locale.JA:
        from bot.cli.japanese_help import put_into_japanese, read_texts  # noqa: PLC0415

        put_into_japanese(command, read_texts())
    return command


def _tell(error: Exception, *, debug: bool) -> None:
    spoken = words()
    if debug:
        typer.echo(_masked("".join(traceback.format_exception(error)).rstrip()), err=True)
    elif isinstance(error, TyperException):
        told = _wrong_use(error)
        if told:  # nothing is wrong where a group without a command has shown its help
            typer.echo(spoken(told) + spoken(f" (try `{_command_of(error)} --help`)"), err=True)
    else:
        typer.echo(spoken(_masked(_line(error))), err=True)


def _wrong_use(error: TyperException) -> str:
    """Return what is wrong with how a command was used; what pydantic has against a value in plain words."""
    from pydantic import ValidationError  # noqa: PLC0415

    from core.complaints import complaint  # noqa: PLC0415

    told = error.format_message().replace(": Value error, ", ": ")
    if not isinstance(error.__cause__, ValidationError):
        return told
    first = error.__cause__.errors(include_url=False)[0]
    return told.replace(first["msg"], f"it {complaint(first)}")


def _masked(text: str) -> str:
    """Return a text without the secrets of the settings: errors of libraries may quote addresses and headers."""
    from bot import settings  # noqa: PLC0415
    from bot.masking import Mask  # noqa: PLC0415
    from bot.packs import known_token_variables  # noqa: PLC0415

    try:
        configuration = settings.load()
        return Mask(configuration.secrets(token_names=known_token_variables(configuration.settings)))(text)
    except Exception:  # noqa: BLE001 - the settings are what is wrong: no command got to use a secret
        return text


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version  # noqa: PLC0415

        typer.echo(f"yorisoi {version('yorisoi')}")
        raise typer.Exit


def _options(
    debug: bool = typer.Option(False, "--debug", help="Show the traceback of an error."),
    version: bool = typer.Option(
        False, "--version", help="Show the version and exit.", is_eager=True, callback=_version
    ),
) -> None:
    # Both have done their work by now: --debug was taken out of the arguments, so that it may stand anywhere.
    del debug, version


def _command_of(error: TyperException) -> str:
    """Return the command that was used wrongly, as far as the error knows it; the program itself otherwise."""
    context = getattr(error, "ctx", None)  # a wrong use has one; Typer has no public type for it
    return "yorisoi" if context is None else context.command_path


def _line(error: Exception) -> str:
    text = str(error)
    if _is_ours(error):
        return text
    if isinstance(error, PermissionError) and error.filename is not None:
        return (
            f"{error.filename}: this user may not use it ({error.strerror}): run the command as "
            "the user the bot runs as, or correct the owner and the mode"
        )
    return f"Something unexpected went wrong: {type(error).__name__}: {text} (run again with --debug for details)"


def _is_ours(error: Exception) -> bool:
    if isinstance(error, BotError):
        return True
    from core.errors import CoreError  # noqa: PLC0415

    return isinstance(error, CoreError)


def _exit_code(error: Exception) -> int:
    code = getattr(error, "exit_code", 1)
    return code if isinstance(code, int) else 1


def _discard_output() -> None:
    # The interpreter flushes stdout at exit; without a reader that would be one more error message.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
