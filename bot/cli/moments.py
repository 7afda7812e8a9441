"""Moments as options."""

from datetime import datetime

import typer

_HELP = "The moment (2026-11-30T16:08), on the character's clocks unless it has an offset; the present if left out."
AT = typer.Option(None, "--at", help=_HELP)
# Beyond these, clocks and calendars mean little.
FIRST_YEAR, LAST_YEAR = 1900, 2199


def moment_in(timezone: str, text: str | None) -> datetime:
    """Return the aware moment of an option, read on the clocks of a zone; the present one where none was given."""
    from core.clock import SystemClock  # noqa: PLC0415
    from core.facts.errors import FactsError  # noqa: PLC0415
    from core.facts.zones import find_zone, read_moment  # noqa: PLC0415

    zone = find_zone(timezone)
    if text is None:
        return SystemClock().now().astimezone(zone)
    try:
        moment = read_moment(text, zone)
    except FactsError as error:
        raise typer.BadParameter(f"--at: {error}") from error
    if not FIRST_YEAR <= moment.year <= LAST_YEAR:
        raise typer.BadParameter(f"--at: {text} is not between {FIRST_YEAR} and {LAST_YEAR}")
    return moment
