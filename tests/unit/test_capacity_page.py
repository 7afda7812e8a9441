"""The tables of docs/capacity.md: what comes out is worked out of what goes in, in both languages."""

import math
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
SERVERS = (100, 2_500, 10_000, 100_000)


def tables(page: Path) -> list[list[list[str]]]:
    """The cells of each table, without its head."""
    found: list[list[list[str]]] = [[]]
    for line in page.read_text(encoding="utf-8").splitlines():
        if line.startswith("|"):
            found[-1].append([cell.strip() for cell in line.strip("|").split("|")])
        elif found[-1]:
            found.append([])
    return [table[2:] for table in found if table]


def number(cell: str) -> float:
    return float(cell.replace(",", ""))


def worked_out(inputs: list[float], servers: int) -> list[float]:
    """What comes out for so many servers, in the order of the page."""
    (people, talking, turns, busiest, calls, tokens, requests, milliseconds, kilobytes, days, connections, percent,
     per_shard, per_process, start_seconds, starts, _) = inputs  # fmt: skip
    per_day = servers * people * talking / 100 * turns
    peak = per_day / 86_400 * busiest
    cores = peak * milliseconds / 1000
    shards = math.ceil(servers / per_shard)
    processes = max(math.ceil(shards / per_process), math.ceil(cores / (percent / 100)))
    return [
        servers * people,
        per_day,
        peak,
        peak * calls,
        per_day * calls * tokens / 1e6,
        peak * requests,
        cores,
        shards,
        shards * start_seconds,
        starts // shards,
        processes,
        processes * connections,
        per_day * days * kilobytes * 1e3 / 1e9,
    ]


@pytest.mark.parametrize("name", ["capacity.md", "capacity.ja.md"])
def test_what_comes_out_follows_from_what_goes_in(name: str) -> None:
    going_in, coming_out = tables(DOCS / name)
    inputs = [number(row[1]) for row in going_in]

    for place, servers in enumerate(SERVERS, start=1):
        shown = [row[place] for row in coming_out]
        expected = worked_out(inputs, servers)
        assert len(shown) == len(expected)
        for cell, value in zip(shown, expected, strict=True):
            assert number(cell) == pytest.approx(value, rel=0.05, abs=0.005), cell


def test_both_languages_go_by_the_same_numbers() -> None:
    english, japanese = (
        [[row[1:2] for row in table] for table in tables(DOCS / name)] for name in ("capacity.md", "capacity.ja.md")
    )

    assert english == japanese


def test_the_limit_of_requests_is_reached_where_the_page_says() -> None:
    inputs = [number(row[1]) for row in tables(DOCS / "capacity.md")[0]]

    assert worked_out(inputs, 29_000)[5] == pytest.approx(inputs[-1], rel=0.02)
