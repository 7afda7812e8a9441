"""`yorisoi export-user` and `yorisoi forget-user`."""

import typer

from bot.cli.common import JSON_HELP, configured, print_json, run_async, say
from bot.export import as_markdown
from bot.speech.words import words
from core.values import LARGEST_ID, Locale
from prompts.messages import Messages

_EXPORT_HELP = """Write everything kept about a user as JSON to stdout, or with --markdown en (or ja) as a text to read.

The terminal's user has the id 1. It is what the user gets with /privacy export.

Example: [bold]yorisoi export-user 80351110224678912 > user.json[/bold]
"""
_FORGET_HELP = """Delete everything kept about a user, at once and for good.

Asks first, unless --yes is given. An opt-out is kept: forgetting it would begin storing again.

Example: [bold]yorisoi forget-user 80351110224678912 --yes[/bold]
"""
_MARKDOWN = typer.Option(None, "--markdown", help="A text to read, in this language, instead of JSON.")
_USER = typer.Argument(..., min=1, max=LARGEST_ID, help="The user's Discord id.")


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(name="export-user", help=_EXPORT_HELP)(export_user)
    app.command(name="forget-user", help=_FORGET_HELP)(forget_user)


def export_user(
    user_id: int = _USER,
    markdown: Locale | None = _MARKDOWN,
) -> None:
    """Export."""
    from bot.errands import export_user as export  # noqa: PLC0415

    found = run_async(export(configured(quiet=True).settings, user_id))
    if markdown is None:
        print_json(found)
    else:
        typer.echo(as_markdown(found, Messages.load(), markdown), nl=False)


def forget_user(
    user_id: int = _USER,
    yes: bool = typer.Option(False, "--yes", "-y", help="Don't ask."),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Delete."""
    from bot.errands import forget_user as forget  # noqa: PLC0415

    if not yes:
        typer.confirm(words()(f"Delete everything about user {user_id}?"), abort=True, err=True)
    gone, left = run_async(forget(configured(quiet=True).settings, user_id))
    if json:
        print_json(dict(gone))
        return
    say(f"Entries about user {user_id} deleted: {sum(gone.values())}. Left: {left}.")
    if left:
        say("What is left is only that they opted out.")
    say("A bot that is running has the newest talk in memory until it is restarted.")
    say("Backups hold it until they are deleted (docs/backup.md).")
