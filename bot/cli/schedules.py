"""`yorisoi schedule show`."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import typer

from bot.cli.common import JSON_HELP, configured, print_json
from bot.cli.moments import AT, moment_in
from bot.errors import StartError
from core.values import Locale

if TYPE_CHECKING:
    from core.facts.schedule.week import ScheduleRow
    from prompts.messages import Messages

_HELP = """Show what a character does on some days, on its own clocks.

Public holidays and days with an exception are marked, and so is what is under way at the moment.

Example: [bold]yorisoi schedule show --character hinata --at 2026-11-30T16:08 --days 7[/bold]
Example: [bold]yorisoi schedule show -c hinata --days 1 --locale en --json[/bold]
"""
_CHARACTER = typer.Option(None, "--character", "-c", help="Whose schedule (a character's name).")
_DAYS = typer.Option(7, "--days", "-d", min=1, max=366, help="How many days, from the day of the moment on.")
_LOCALE = typer.Option(None, "--locale", "-l", help="The language; the character's own if left out.")


def add_to(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(no_args_is_help=True, help="Look at what characters do all day.")
    group.callback()(lambda: None)  # a group of one command would else be that command
    group.command(name="show", help=_HELP)(show)
    app.add_typer(group, name="schedule")


def show(
    character: str | None = _CHARACTER,
    at: str | None = AT,
    days: int = _DAYS,
    locale: Locale | None = _LOCALE,
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Show days."""
    from bot.packs import load_character  # noqa: PLC0415
    from core.facts.capsule.inspection import timetable_of  # noqa: PLC0415
    from core.facts.schedule.week import schedule_rows  # noqa: PLC0415
    from prompts.messages import Messages  # noqa: PLC0415

    pack = load_character(configured(quiet=True).settings, character)
    timetable = timetable_of(pack)
    name = pack.character.name
    if timetable is None:
        raise StartError(
            f"{name} has no schedule: its folder has neither a schedule.toml nor a schedule.ics (see docs/schedule.md)."
        )
    moment, spoken = moment_in(pack.character.timezone, at), locale or pack.character.locale
    rows = list(schedule_rows(timetable, at=moment, days=days, locale=spoken))
    if json:
        print_json(
            {
                "character": name,
                "timezone": pack.character.timezone,
                "at": moment.isoformat(),
                "days": days,
                "rows": [row.as_dict() for row in rows],
            }
        )
        return
    display_name = pack.character.display_name.get(spoken) or pack.character.display_name[pack.character.locale]
    _print(rows, Messages.load(), spoken, {"name": display_name, "zone": pack.character.timezone})


def _print(rows: Sequence["ScheduleRow"], messages: "Messages", locale: Locale, heading: dict[str, Any]) -> None:
    from rich.console import Console  # noqa: PLC0415
    from rich.text import Text  # noqa: PLC0415

    console = Console(highlight=False, soft_wrap=True)
    console.print(Text(messages.text("schedule.heading", locale, **heading), style="bold"))
    shown = None
    for row in rows:
        if row.day != shown:
            console.print()
            console.print(Text.assemble((row.day_text, "bold cyan"), (_marks(row, messages, locale), "magenta")))
            shown = row.day
        later = _later(row, messages, locale)
        title = row.title or messages.text("schedule.free", locale)
        now = messages.text("schedule.now", locale) if row.is_now else ""
        console.print(
            Text.assemble(
                ("→ " if row.is_now else "  ", "bold green"),
                (f"{row.start:%H:%M}-{row.end:%H:%M}  ", ""),
                (title, "bold" if row.is_now else ("" if row.title else "dim")),
                (later, "dim"),
                (now, "green"),
            )
        )


def _later(row: "ScheduleRow", messages: "Messages", locale: Locale) -> str:
    if not row.ends_later:
        return ""
    key = "schedule.next_day" if row.ends_later == 1 else "schedule.later"
    return messages.text(key, locale, day=row.last_day_text)


def _marks(row: "ScheduleRow", messages: "Messages", locale: Locale) -> str:
    holiday = messages.text("schedule.holiday", locale, name=row.holiday) if row.holiday else ""
    return holiday + (messages.text("schedule.exception", locale) if row.is_exception else "")
