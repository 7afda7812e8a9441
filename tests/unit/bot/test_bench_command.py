"""`yorisoi bench`: what is shown while it runs, and what a program reads."""

import json
from collections.abc import AsyncIterator

import pytest

from bot import benches
from bot.cli import bench

FIGURES = [{"size": 10, "cpu_ms": 1.5}, {"size": 100, "cpu_ms": 2.5}]


class BrokenOffError(Exception):
    """What keeps the second bench from its end."""


@pytest.fixture(autouse=True)
def loud(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the tests' logs as they are."""
    monkeypatch.setattr(bench, "_quiet", lambda: None)


def test_the_figures_of_each_bench_are_shown_as_soon_as_they_are_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def two(extent: benches.Extent) -> AsyncIterator[tuple[str, list[dict[str, float]]]]:
        assert extent == benches.QUICK
        yield "ranking", FIGURES
        raise BrokenOffError

    monkeypatch.setattr(benches, "bench_all", two)
    with pytest.raises(BrokenOffError):
        bench.everything(quick=True, json=False)

    assert [line.split() for line in capsys.readouterr().out.splitlines()] == [
        ["ranking"],
        ["size", "10", "100"],
        ["cpu_ms", "1.5", "2.5"],
    ]


def test_all_benches_are_one_json_document(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    async def two(_: benches.Extent) -> AsyncIterator[tuple[str, list[dict[str, float]]]]:
        yield "ranking", FIGURES
        yield "turn", FIGURES[:1]

    monkeypatch.setattr(benches, "bench_all", two)
    bench.everything(quick=False, json=True)

    assert json.loads(capsys.readouterr().out) == {"ranking": FIGURES, "turn": FIGURES[:1]}


def test_ticks_of_several_sizes_are_one_json_document(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def measured(size: int, due: int) -> dict[str, float]:
        return {"subscriptions": size, "due": due}

    monkeypatch.setattr(benches, "bench_tick", measured)
    bench.tick(subscriptions=None, due=7, json=True)

    told = json.loads(capsys.readouterr().out)
    assert [(each["subscriptions"], each["due"]) for each in told] == [(10_000, 7), (100_000, 7), (1_000_000, 7)]
