"""`yorisoi character validate` and `yorisoi character show`."""

from pathlib import Path

import typer

from bot.cli.common import JSON_HELP, configured, print_json

_VALIDATE_HELP = """Check a character's pack, or all of them; every problem is told with file and line.

Example: [bold]yorisoi character validate hinata[/bold]
Example: [bold]yorisoi character validate ./my-characters/sora[/bold]
"""
_SHOW_HELP = """Show a character's public profile.

Example: [bold]yorisoi character show hinata --json[/bold]
"""


def add_to(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(no_args_is_help=True, help="Look at characters and their packs.")
    group.command(name="validate", help=_VALIDATE_HELP)(validate)
    group.command(name="show", help=_SHOW_HELP)(show)
    app.add_typer(group, name="character")


def validate(
    which: str | None = typer.Argument(None, help="A character's name or a pack's folder; all if left out."),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Check packs."""
    from bot.app import folders_of_packs, pack_problems, pack_warnings, second_opinion  # noqa: PLC0415

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
            typer.echo(f"{folder.name}: " + ("ok" if not found else f"{len(found)} problem(s)"))
            for line in (*found, *(f"warning: {text}" for text in warnings.get(folder, ()))):
                typer.echo(f"  {line}")
    raise typer.Exit(1 if any(problems.values()) else 0)


def show(
    name: str = typer.Argument(..., help="The character's name."),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Show the public part of a pack."""
    from bot.app import load_character  # noqa: PLC0415

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
        typer.echo(f"{key}: {value if isinstance(value, str) else _plain(value)}")


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
