"""How long a capsule takes: from a snapshot to the note, on the shipped character's schedule."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from pytest_benchmark.fixture import BenchmarkFixture

from core.facts.capsule.compiling import compile_capsule
from core.facts.capsule.inspection import timetable_of
from core.facts.capsule.rendering import render_capsule
from core.values import Locale, UserProfile
from data.packs.loader import SHIPPED, load_pack
from prompts.loader import PromptLibrary


def test_compiling_and_rendering_a_capsule(benchmark: BenchmarkFixture) -> None:
    pack = load_pack(SHIPPED / "hinata")
    timetable = timetable_of(replace(pack, schedule=replace(pack.schedule, holidays="JP")))
    prompts = PromptLibrary.load()
    now = datetime(2026, 11, 30, 7, 8, tzinfo=UTC)
    user = UserProfile(id=1, timezone="America/New_York")

    def note() -> str:
        capsule = compile_capsule(
            observed_at=now,
            timezone="America/New_York",
            timetable=timetable,
            user=user,
            last_seen_at=now - timedelta(days=3),
            private=True,
            kept=("Likes ferns.", "Works in a bakery."),
        )
        return render_capsule(capsule, prompts, Locale.JA)

    assert "2026" in benchmark(note)


def test_working_out_a_new_day(benchmark: BenchmarkFixture) -> None:
    pack = load_pack(SHIPPED / "hinata")
    timetable = timetable_of(replace(pack, schedule=replace(pack.schedule, holidays="JP")))
    assert timetable is not None
    moments = [datetime(2026, 1, 1, 7, 8, tzinfo=UTC) + timedelta(days=n) for n in range(300)]

    def ask() -> None:
        timetable.at(moments[0])
        moments.append(moments.pop(0))

    benchmark(ask)
