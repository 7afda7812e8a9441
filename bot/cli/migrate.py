"""`yorisoi migrate`: the database brought up to date, or copied to PostgreSQL."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

from bot.cli.common import JSON_HELP, configured, print_json, run_async, say
from bot.speech.words import words

_HELP = """Bring the database up to date, or copy the SQLite file to a PostgreSQL server.

Without --to the database in use gets the newest schema, as it would at the next start. With --to everything in the
file is copied to an empty database and compared there; the file is only read. Stop the program first. When the copy is
interrupted, the same command goes on where it stopped. The address may leave the password to ~/.pgpass or PGPASSWORD.

Example: [bold]yorisoi migrate --to postgresql://yorisoi@localhost/yorisoi[/bold]
"""
_TO = typer.Option(None, "--to", metavar="ADDRESS", help="The PostgreSQL database to copy to.")
_RESTART = typer.Option(False, "--restart", help="Begin an interrupted copy anew: what it brought is deleted first.")


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(name="migrate", help=_HELP)(migrate)


def migrate(
    to: str | None = _TO,
    restart: bool = _RESTART,
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Migrate."""
    from bot.errands import bring_up_to_date, copy_database  # noqa: PLC0415

    settings = configured(quiet=True).settings
    if to is None:
        schema = run_async(bring_up_to_date(settings))
        print_json({"schema": schema}) if json else say(f"The database has schema {schema}.")
        return
    with _progress() as progress:
        copied = copy_database(settings, to, restart=restart, progress=progress)
    if json:
        print_json({"rows": dict(copied.rows), "brought_before": copied.before})
        return
    for table, rows in copied.rows.items():
        typer.echo(f"{table:26} {rows:>12,}")
    say("Copied, and the same on both sides. Set YORISOI_DATABASE_URL to this address to use it.")


@contextmanager
def _progress() -> Iterator[Callable[[str, int, int], None]]:
    """Show a bar on a terminal, nothing elsewhere."""
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    spoken = words()
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(spoken("Copying"), total=None)

        def show(table: str, done: int, total: int) -> None:
            doing = "Copying" if 2 * done <= total else "Comparing"
            bar.update(task, description=spoken(f"{doing} {table}"), completed=done, total=total)

        yield show
