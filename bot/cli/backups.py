"""`yorisoi backup` and `yorisoi restore`."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from bot.cli.common import JSON_HELP, configured, print_json, run_async, say
from bot.speech.words import words

if TYPE_CHECKING:
    from bot.backups import Restored

_BACKUP_HELP = """Copy the database to one file, also while the bot runs; the copy is checked, and only you can read it.

Example: [bold]yorisoi backup[/bold]
Example: [bold]yorisoi backup --to /mnt/usb/yorisoi.db[/bold]
"""
_RESTORE_HELP = """Put a backup in the place of the database, while no bot runs. What people had deleted stays deleted.

Example: [bold]yorisoi restore yorisoi-data/backups/yorisoi-20261130T103000Z.db --force[/bold]
"""
_SLACK = timedelta(minutes=1)  # the list begins with the first backup, a moment after it was asked for
_TO = typer.Option(None, "--to", help="The file to write; among the other backups if left out.")
_FILE = typer.Argument(..., help="The backup.")
_NO_LIST = (
    "There is no list of deletions here: what people had deleted since the backup was made is back. If this machine is "
    "new, copy yorisoi-deletions.jsonl from the old one beside the database and restore again."
)


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(name="backup", help=_BACKUP_HELP)(backup)
    app.command(name="restore", help=_RESTORE_HELP)(restore)


def backup(to: Path | None = _TO, json: bool = typer.Option(False, "--json", help=JSON_HELP)) -> None:
    """Make a backup."""
    from bot.backups import back_up  # noqa: PLC0415

    made = run_async(back_up(configured(quiet=True).settings, to))
    if json:
        print_json({"file": str(made.path), "bytes": made.size, "schema": made.schema, "rows": made.rows})
        return
    say(f"Backed up {_rows(made.rows)} into {made.path} ({made.size:,} bytes), checked.")
    if to is not None:
        say("Nobody looks after it there: delete it yourself when it is older than anything may be kept.")


def restore(
    file: Path = _FILE,
    force: bool = typer.Option(False, "--force", help="Put the database that is there aside."),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Restore a backup."""
    from bot.backups import restore_backup  # noqa: PLC0415

    restored = run_async(restore_backup(configured(quiet=True).settings, file, force=force))
    if json:
        print_json(
            {
                "made_at": restored.made_at,
                "rows": restored.rows,
                "aside": restored.aside,
                "deleted_again": restored.deleted_again,
                "deletions_known_since": restored.known_since,
            }
        )
        return
    for line in _told(restored):
        say(line)


def _rows(by_table: Mapping[str, int]) -> str:
    count = sum(by_table.values())
    return "1 row" if count == 1 else f"{count:,} rows"


def _restored(restored: "Restored") -> str:
    rows = _rows(restored.rows)
    if restored.made_at is None:
        return f"Restored {rows} of the backup made at a moment it doesn't say."
    return f"Restored {rows} of the backup made {restored.made_at:%Y-%m-%d %H:%M} UTC."


def _told(restored: "Restored") -> list[str]:
    lines = [_restored(restored)]
    if restored.deleted_again:
        label = words().label
        counts = ", ".join(f"{label(kind.replace('_', ' '))} {count}" for kind, count in restored.deleted_again.items())
        lines.append(f"Deleted again what was deleted since: {counts}.")
    if restored.known_since is None:
        lines.append(_NO_LIST)
    elif restored.made_at is None or restored.known_since - restored.made_at > _SLACK:
        since = f"{restored.known_since:%Y-%m-%d %H:%M} UTC"
        lines.append(f"What was deleted between the backup and {since} is not on the list of deletions, and came back.")
    if restored.aside is not None:
        lines.append(f"What was there before is in {restored.aside}, and goes with the old backups.")
    return lines
