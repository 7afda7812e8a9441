"""`yorisoi bench`."""

from collections.abc import Mapping
from typing import Annotated

import typer

from bot.cli.common import JSON_HELP, print_json, run_async

_TURN_HELP = """Measure the program's own time per turn: a model that answers at once, real pipeline, real database.

Example: [bold]yorisoi bench turn --turns 500 --json[/bold]
"""
_TICK_HELP = """Measure speaking first: finding and judging who is due among many, and how soon they are written to.

Example: [bold]yorisoi bench tick --subscriptions 1000000 --due 1000 --json[/bold]
"""
_CLAIM_HELP = """Measure claims of slots beside a bare SQLite loop that stores as much as safely.

Example: [bold]yorisoi bench claim --claims 1000 --json[/bold]
"""
_SIZES = (10_000, 100_000, 1_000_000)
_Sizes = Annotated[
    list[int] | None,
    typer.Option("--subscriptions", min=2_000, max=10_000_000, help="Among how many people; may be given repeatedly."),
]


_RECALL_HELP = """Measure the archive at a size: finding messages by words, choosing what a model is shown, deleting.

Example: [bold]yorisoi bench recall --messages 1000000 --json[/bold]
"""


_CYCLE_HELP = """Measure a cycle of the community among stored posts: a model that answers at once, a real database.

Example: [bold]yorisoi bench cycle --posts 100000 --json[/bold]
"""


def add_to(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(no_args_is_help=True, help="Measure how fast the program itself is.")
    group.command(name="turn", help=_TURN_HELP)(turn)
    group.command(name="tick", help=_TICK_HELP)(tick)
    group.command(name="claim", help=_CLAIM_HELP)(claim)
    group.command(name="recall", help=_RECALL_HELP)(recall)
    group.command(name="cycle", help=_CYCLE_HELP)(cycle)
    app.add_typer(group, name="bench")


def turn(
    turns: int = typer.Option(500, "--turns", min=10, max=100_000, help="How many turns to run."),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Run the bench of turns."""
    from bot.benches import bench_turns  # noqa: PLC0415

    _quiet()
    _show(run_async(bench_turns(turns)), json=json)


def tick(
    subscriptions: _Sizes = None,
    due: int = typer.Option(1000, "--due", min=1, max=1000, help="How many of them are due at once."),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Run the bench of ticks."""
    from bot.benches import bench_tick  # noqa: PLC0415

    _quiet()
    for size in subscriptions or _SIZES:
        _show(run_async(bench_tick(size, due)), json=json)


def claim(
    claims: int = typer.Option(1000, "--claims", min=10, max=100_000, help="How many claims to make."),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Run the bench of claims."""
    from bot.benches import bench_claims  # noqa: PLC0415

    _quiet()
    _show(run_async(bench_claims(claims)), json=json)


def _quiet() -> None:
    from bot import logs  # noqa: PLC0415

    logs.configure(level="error")


def recall(
    messages: int = typer.Option(100_000, "--messages", min=1_000, max=5_000_000, help="How many messages to store."),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Run the bench."""
    from bot import logs  # noqa: PLC0415
    from bot.benches import bench_recall  # noqa: PLC0415

    logs.configure(level="error")
    _show(run_async(bench_recall(messages)), json=json)


def cycle(
    posts: int = typer.Option(100_000, "--posts", min=1_000, max=5_000_000, help="How many posts to store."),
    cycles: int = typer.Option(10, "--cycles", min=2, max=10_000, help="How many cycles to run."),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Run the bench of cycles."""
    from bot.benches import bench_cycle  # noqa: PLC0415

    _quiet()
    _show(run_async(bench_cycle(posts, cycles)), json=json)


def _show(result: Mapping[str, float], *, json: bool) -> None:
    if json:
        print_json(result)
        return
    for name, value in result.items():
        typer.echo(f"{name:28} {value}")
