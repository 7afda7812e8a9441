"""`yorisoi run` and `yorisoi chat`."""

import typer

from bot.cli.common import configured, quieten, run_async
from core.values import Locale

_RUN_HELP = """Start the companion: on Discord if a token is set, else as a chat in this terminal.

Ctrl-C stops it in order (exit code 0).

Example: [bold]YORISOI_DISCORD_TOKEN=... yorisoi run[/bold]
Example: [bold]YORISOI_SHARDS=0-3/16 yorisoi run --wait[/bold]
"""
_CHAT_HELP = """Talk with a character in this terminal.

Piped input is answered line by line: replies on stdout, everything else on stderr.
Ctrl-C stops a reply, or leaves at the prompt; so do Ctrl-D and /quit (exit code 0).

Example: [bold]yorisoi chat --character hinata --locale en[/bold]
Example: [bold]printf 'Hello!\\n' | yorisoi chat[/bold]
"""
_LOCALE = typer.Option(None, "--locale", "-l", help="The language to be answered in.")


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    app.command(name="run", help=_RUN_HELP)(run)
    app.command(name="chat", help=_CHAT_HELP)(chat)


def run(
    wait: bool = typer.Option(False, "--wait", help="Wait while another process has the shards, then take its place."),
) -> None:
    """Start on Discord, or in the terminal when there is no token."""
    from bot.loading import loading  # noqa: PLC0415

    with loading():
        from bot.app import has_tokens, serve_discord, talk_in_terminal  # noqa: PLC0415

    configuration = configured()
    if has_tokens(configuration):
        run_async(serve_discord(configuration, wait_for_shards=wait))
        return
    quieten(configuration)
    run_async(talk_in_terminal(configuration, character=None, locale=None))


def chat(
    character: str | None = typer.Option(None, "--character", "-c", help="Who to talk with (a character's name)."),
    locale: Locale | None = _LOCALE,
) -> None:
    """Talk in the terminal."""
    from bot.loading import loading  # noqa: PLC0415

    with loading():
        from bot.app import talk_in_terminal  # noqa: PLC0415

    configuration = configured(quiet=True)
    run_async(talk_in_terminal(configuration, character=character, locale=locale))
