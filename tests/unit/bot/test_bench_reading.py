"""The benchmarks of looks at texts and vectors run, and show how they grow beside the bare limit."""

from bot.bench_reading import measure_ranking, measure_time_guard, texts


def test_texts_are_as_long_as_asked_for_and_differ() -> None:
    made = texts(70, 6)

    assert [len(text) for text in made] == [70] * 6
    assert len(set(made)) == 6


def test_each_size_is_measured_beside_its_bare_limit() -> None:
    for results, what in ((measure_ranking((50, 100, 200)), "vectors"), (measure_time_guard((20, 40)), "characters")):
        assert [result[what] for result in results] == sorted(result[what] for result in results)
        assert all(result["cpu_ms"] > 0 and result["bare_cpu_ms"] > 0 for result in results)
        assert all(result["ratio"] > 1 for result in results)
