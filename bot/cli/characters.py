"""`yorisoi character validate`, `show`, `import` and `export`."""

from pathlib import Path

import typer

from bot.cli.common import JSON_HELP, configured, print_json, say
from bot.speech.words import words
from core.values import Locale

_VALIDATE_HELP = """Check a character's pack, or all of them; every problem is told with file and line.

Example: [bold]yorisoi character validate hinata[/bold]
Example: [bold]yorisoi character validate ./my-characters/sora[/bold]
"""
_SHOW_HELP = """Show a character's public profile.

Example: [bold]yorisoi character show hinata --json[/bold]
"""

_IMPORT_HELP = """Make a pack of a character card: Character Card V1, V2 or V3 as PNG, APNG, JSON or CHARX.

What can't be carried over is listed. Instructions in a card have no effect: none outranks the program's policy.

Example: [bold]yorisoi character import aqua.png[/bold]
Example: [bold]yorisoi character import card.json --into ./my-characters --name sora --locale ja[/bold]
"""
_EXPORT_HELP = """Write a character as a card (V3) that other programs read.

Example: [bold]yorisoi character export hinata --to hinata.png[/bold]
"""
_CARD = typer.Argument(..., help="The card's file.")
_LOCALE = typer.Option(None, "--locale", help="What the card is written in; guessed if left out.")
_TO = typer.Option(..., "--to", help="The file to write, ending in .json or .png.")
_INTO = typer.Option(
    None, "--into", help="The folder of characters to put it into; YORISOI_CHARACTERS_DIR if left out."
)


def add_to(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(no_args_is_help=True, help="Look at characters and their packs.")
    group.command(name="validate", help=_VALIDATE_HELP)(validate)
    group.command(name="show", help=_SHOW_HELP)(show)
    group.command(name="import", help=_IMPORT_HELP)(import_)
    group.command(name="export", help=_EXPORT_HELP)(export)
    app.add_typer(group, name="character")


def validate(
    which: str | None = typer.Argument(None, help="A character's name or a pack's folder; all if left out."),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Check packs."""
    from bot.packs import folders_of_packs, pack_problems, pack_warnings, second_opinion  # noqa: PLC0415

    settings = configured(quiet=True).settings
    known = folders_of_packs(settings)
    folders = [_folder(which, known)] if which else list(known.values())
    opinion = second_opinion()
    problems = {folder: pack_problems(folder, opinion) for folder in folders}
    warnings = {folder: pack_warnings(folder) for folder, found in problems.items() if not found}
    if json:
        print_json(
            [
                {"pack": str(folder), "problems": found, "warnings": warnings.get(folder, ())}
                for folder, found in problems.items()
            ]
        )
    else:
        for folder, found in problems.items():
            say(f"{folder.name}: " + (words().label("ok") if not found else f"{len(found)} problem(s)"))
            for line in (*found, *(f"warning: {text}" for text in warnings.get(folder, ()))):
                say(f"  {line}")
    raise typer.Exit(1 if any(problems.values()) else 0)


def show(
    name: str = typer.Argument(..., help="The character's name."),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Show the public part of a pack."""
    from bot.packs import load_character  # noqa: PLC0415

    character = load_character(configured(quiet=True).settings, name).character
    # The personality is left out on purpose: it is for prompts only.
    profile = {
        "name": character.name,
        "display_name": {locale.value: text for locale, text in character.display_name.items()},
        "call_names": list(character.call_names),
        "locale": character.locale.value,
        "timezone": character.timezone,
        "tier": character.tier.value,
        "tags": list(character.tags),
        "introduction": {locale.value: text for locale, text in character.introduction.items()},
    }
    if json:
        print_json(profile)
        return
    for key, value in profile.items():
        typer.echo(f"{words().label(key)}: {value if isinstance(value, str) else _plain(value)}")


def import_(
    file: Path = _CARD,
    into: Path | None = _INTO,
    name: str | None = typer.Option(
        None, "--name", help="What the pack is called; made of the card's name if left out."
    ),
    locale: Locale | None = _LOCALE,
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Make a pack of a card."""
    from bot.packs import import_card  # noqa: PLC0415

    made = import_card(configured(quiet=True).settings, file, into, name=name, locale=locale)
    if json:
        print_json({"pack": str(made.folder), "notes": made.notes})
        return
    say(f"Imported into {made.folder}")
    for note in made.notes:
        say(f"  - {note}")
    say("Look it over, then write schedule.toml and candidates where wanted; it talks without them.")


def export(
    name: str = typer.Argument(..., help="The character's name."),
    to: Path = _TO,
    force: bool = typer.Option(False, "--force", help="Replace a file that is there already."),
) -> None:
    """Write a card."""
    from bot.packs import export_card  # noqa: PLC0415

    notes = export_card(configured(quiet=True).settings, name, to, overwrite=force)
    say(f"Wrote {to}")
    for note in notes:
        say(f"  - {note}")


def _plain(value: object) -> str:
    if isinstance(value, dict):
        return "".join(f"\n  {key}: {text}" for key, text in value.items())
    return ", ".join(value) if isinstance(value, list) else str(value)


def _folder(which: str, known: dict[str, Path]) -> Path:
    if which in known:
        return known[which]
    if Path(which).is_dir():
        return Path(which)
    raise typer.BadParameter(f"there is no character or folder '{which}'; there are: {', '.join(sorted(known))}")
