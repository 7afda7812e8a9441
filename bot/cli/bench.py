"""`yorisoi bench`."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from bot.cli.common import JSON_HELP, print_json, run_async

if TYPE_CHECKING:
    from bot.benches import Extent

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


_RANKING_HELP = """Measure comparing an interest with stored posts, beside the bare product of matrices (numpy).

Example: [bold]yorisoi bench ranking --size 1000 --size 25000 --json[/bold]
"""
_STANCE_HELP = """Measure reading a turn and judging a reply, also by words alone, beside one bare regular expression.

Example: [bold]yorisoi bench stance --size 60 --size 2000 --json[/bold]
"""
_TIME_HELP = """Measure the guard of time over a text, beside one bare regular expression.

Example: [bold]yorisoi bench time --size 60 --size 2000 --json[/bold]
"""
_MEMORY_HELP = """Measure what conversations add to the memory of the process.

Example: [bold]yorisoi bench memory --size 800 --json[/bold]
"""
_LOAD_HELP = """Measure many conversations at a steady pace: how long people wait for the program, and whether it grows.

Example: [bold]yorisoi bench load --conversations 200 --rate 50 --seconds 1800 --json[/bold]
"""
_LONG_HELP = """Measure messages as long as Discord takes them, of awkward kinds: how long the event loop is held up.

Example: [bold]yorisoi bench long --characters 4000 --json[/bold]
"""
_START_HELP = """Measure the start of the program, until it is ready on a loopback Discord, and what it uses idle.

Example: [bold]yorisoi bench start --size 8000 --idle-seconds 30 --json[/bold]
"""
_ALL_HELP = """Run the benchmarks with growth over three sizes (all but cycle, load and long); takes some minutes.

Example: [bold]yorisoi bench all --json[/bold]
"""
_Size = Annotated[
    list[int] | None,
    typer.Option("--size", min=1, max=1_000_000, help="How many, or how long; may be given repeatedly."),
]
_Posts = Annotated[
    list[int] | None,
    typer.Option(
        "--posts",
        min=1_000,
        max=5_000_000,
        help="Among how many posts; may be given repeatedly (10000 and 100000).",
    ),
]
_CYCLE_HELP = """Measure a cycle of the community among stored posts: a model that answers at once, a real database.

Example: [bold]yorisoi bench cycle --posts 10000 --posts 100000 --json[/bold]
"""


_REPORT_HELP = """Measure making the operator's report on so many messages, and telling the usage of everybody.

Example: [bold]yorisoi bench report --messages 1000000 --json[/bold]
"""


def add_to(app: typer.Typer) -> None:
    """Add the command group."""
    group = typer.Typer(no_args_is_help=True, help="Measure how fast the program itself is.")
    group.command(name="turn", help=_TURN_HELP)(turn)
    group.command(name="tick", help=_TICK_HELP)(tick)
    group.command(name="claim", help=_CLAIM_HELP)(claim)
    group.command(name="recall", help=_RECALL_HELP)(recall)
    group.command(name="ranking", help=_RANKING_HELP)(ranking)
    group.command(name="stance", help=_STANCE_HELP)(stance)
    group.command(name="time", help=_TIME_HELP)(time)
    group.command(name="memory", help=_MEMORY_HELP)(memory)
    group.command(name="load", help=_LOAD_HELP)(load)
    group.command(name="long", help=_LONG_HELP)(long)
    group.command(name="start", help=_START_HELP)(start)
    group.command(name="all", help=_ALL_HELP)(everything)
    group.command(name="cycle", help=_CYCLE_HELP)(cycle)
    group.command(name="report", help=_REPORT_HELP)(report)
    app.add_typer(group, name="bench")


def turn(
    turns: int = typer.Option(500, "--turns", min=10, max=100_000, help="How many turns to run."),
    stored: int = typer.Option(0, "--stored", min=0, max=10_000_000, help="Messages in the archive before."),
    database: str | None = typer.Option(
        None, "--database", help="The address of an empty PostgreSQL database to run them on, which is filled."
    ),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Run the bench of turns."""
    from bot.benches import bench_turns  # noqa: PLC0415

    _quiet()
    _show(run_async(bench_turns(turns, database, stored=stored)), json=json)


def tick(
    subscriptions: _Sizes = None,
    due: int = typer.Option(1000, "--due", min=1, max=1000, help="How many of them are due at once."),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Run the bench of ticks."""
    from bot.benches import bench_tick  # noqa: PLC0415

    _quiet()
    _show_all([run_async(bench_tick(size, due)) for size in subscriptions or _SIZES], json=json)


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
    posts: _Posts = None,
    cycles: int = typer.Option(10, "--cycles", min=2, max=10_000, help="How many cycles to run."),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Run the bench of cycles."""
    from bot.benches import bench_cycle  # noqa: PLC0415

    _quiet()
    _show_all([run_async(bench_cycle(count, cycles)) for count in posts or (10_000, 100_000)], json=json)


def report(
    messages: int = typer.Option(100_000, "--messages", min=1_000, max=5_000_000, help="How many messages to store."),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Run the bench of the report."""
    from bot.benches import bench_report  # noqa: PLC0415

    _quiet()
    _show(run_async(bench_report(messages)), json=json)


def _show(result: Mapping[str, float], *, json: bool) -> None:
    if json:
        print_json(result)
        return
    for name, value in result.items():
        typer.echo(f"{name:28} {value}")


def ranking(size: _Size = None, json: bool = typer.Option(False, "--json", help=JSON_HELP)) -> None:
    """Run the bench of ranking."""
    from bot.benches import Extent, bench_ranking  # noqa: PLC0415

    _quiet()
    _show_all(run_async(bench_ranking(size or Extent().vectors)), json=json)


def stance(size: _Size = None, json: bool = typer.Option(False, "--json", help=JSON_HELP)) -> None:
    """Run the bench of signal and gate."""
    from bot.benches import Extent, bench_stance  # noqa: PLC0415

    _quiet()
    _show_all(run_async(bench_stance(size or Extent().characters)), json=json)


def time(size: _Size = None, json: bool = typer.Option(False, "--json", help=JSON_HELP)) -> None:
    """Run the bench of the guard of time."""
    from bot.benches import Extent, bench_time  # noqa: PLC0415

    _quiet()
    _show_all(run_async(bench_time(size or Extent().characters)), json=json)


def memory(size: _Size = None, json: bool = typer.Option(False, "--json", help=JSON_HELP)) -> None:
    """Run the bench of memory."""
    from bot.benches import Extent, bench_memory  # noqa: PLC0415

    _quiet()
    _show_all(run_async(bench_memory(sorted(size or Extent().conversations))), json=json)


def load(
    conversations: int = typer.Option(200, "--conversations", min=1, max=10_000, help="How many talk."),
    rate: float = typer.Option(50.0, "--rate", min=0.1, max=10_000, help="What they say together in a second."),
    seconds: float = typer.Option(60.0, "--seconds", min=1, max=86_400, help="For how long."),
    database: str | None = typer.Option(
        None, "--database", help="The address of an empty PostgreSQL database to run them on, which is filled."
    ),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Run the bench of many conversations."""
    from bot.bench_load import Load  # noqa: PLC0415
    from bot.benches import bench_load  # noqa: PLC0415

    _quiet()
    _show(run_async(bench_load(Load(conversations, rate, seconds), database)), json=json)


def long(
    characters: int = typer.Option(4000, "--characters", min=10, max=100_000, help="How long the messages are."),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Run the bench of long messages."""
    from bot.benches import bench_long  # noqa: PLC0415

    _quiet()
    results = run_async(bench_long(characters))
    if json:
        print_json(results)
        return
    figures = [name for name in results[0] if name != "message"]
    typer.echo("".join(f"{name:>17}" for name in figures) + "  message")
    for result in results:
        typer.echo("".join(f"{result[name]:>17}" for name in figures) + f"  {result['message']}")


def start(
    size: _Size = None,
    idle_seconds: float = typer.Option(30.0, "--idle-seconds", min=1, max=86_400, help="How long to watch it idle."),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Run the bench of the start."""
    from bot.benches import Extent, bench_start  # noqa: PLC0415

    _quiet()
    _show_all(run_async(bench_start(size or Extent().stored, idle_seconds)), json=json)


def everything(
    quick: bool = typer.Option(False, "--quick", help="A little of everything, to see that it runs."),
    json: bool = typer.Option(False, "--json", help=JSON_HELP),
) -> None:
    """Run all benches."""
    from bot.benches import QUICK, Extent  # noqa: PLC0415

    _quiet()
    results = run_async(_each(QUICK if quick else Extent(), shown=not json))
    if json:
        print_json(results)


async def _each(extent: "Extent", *, shown: bool) -> dict[str, list[dict[str, float]]]:
    """Run all benches, with the figures of each `shown` as soon as they are there."""
    from bot.benches import bench_all  # noqa: PLC0415

    results = {}
    async for name, results[name] in bench_all(extent):
        if shown:
            typer.echo(name)
            _show_all(results[name], json=False)
    return results


def _show_all(results: Sequence[Mapping[str, float]], *, json: bool) -> None:
    """Show a row for each size."""
    if json:
        print_json(list(results))
        return
    for name in results[0]:
        typer.echo(f"  {name:28} " + " ".join(f"{result[name]:>12}" for result in results))
