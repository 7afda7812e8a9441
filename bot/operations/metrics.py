"""Prometheus metrics, in a registry of their own: numbers and names of characters, features and models; no people."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from core.ports import UsageRecord

if TYPE_CHECKING:
    from bot.operations.vitals import Status

_MICROS = 1_000_000


class Metrics:
    """Counts, and tells the counts and a status in Prometheus' text format."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._turns = Counter("yorisoi_turns", "Turns that ended.", ["character", "outcome"], registry=self._registry)
        call = ["character", "feature", "model"]
        self._calls = Counter("yorisoi_model_calls", "Model calls.", [*call, "outcome"], registry=self._registry)
        self._tokens = Counter("yorisoi_tokens", "Tokens.", [*call, "direction"], registry=self._registry)
        self._cost = Counter("yorisoi_cost", "Money, in the currency of the settings.", call, registry=self._registry)

    def count_turn(self, character: str, outcome: str) -> None:
        """Count a turn."""
        self._turns.labels(character, str(outcome)).inc()

    def count_call(self, record: UsageRecord) -> None:
        """Count a model call."""
        call = (record.character, record.feature, record.model)
        self._calls.labels(*call, record.outcome).inc()
        self._tokens.labels(*call, "input").inc(record.input_tokens)
        self._tokens.labels(*call, "output").inc(record.output_tokens)
        self._cost.labels(*call).inc(record.cost_micros / _MICROS)

    def watch(self, status: "Callable[[], Status]", database_bytes: Callable[[], int | None]) -> None:
        """Tell also how things are whenever the metrics are asked for."""
        self._registry.register(_Gauges(status, database_bytes))

    def text(self) -> bytes:
        """Return everything in Prometheus' text format."""
        return generate_latest(self._registry)


class _Gauges(Collector):
    def __init__(self, status: "Callable[[], Status]", database_bytes: Callable[[], int | None]) -> None:
        self._status = status
        self._database_bytes = database_bytes

    def describe(self) -> list[GaugeMetricFamily]:
        """Return nothing: what there is to tell is asked for each time."""
        return []

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the gauges."""
        status = self._status()
        ready = GaugeMetricFamily("yorisoi_gateway_ready", "1 while a character is connected.", labels=["character"])
        for character, gateway in status.gateways.items():
            ready.add_metric([character], float(gateway.state == "ready"))
        yield ready
        up = GaugeMetricFamily("yorisoi_model_up", "1 if a model's newest call was answered.", labels=["model"])
        for model, health in status.models.items():
            up.add_metric([model], float(health.up))
        yield up
        yield GaugeMetricFamily("yorisoi_backlog", "Conversations being answered or waiting.", status.backlog)
        yield GaugeMetricFamily("yorisoi_start_time_seconds", "When the program began.", status.started_at.timestamp())
        for name, at in (("turn", status.last_turn_at), ("tick", status.last_tick_at)):
            if at is not None:
                yield GaugeMetricFamily(
                    f"yorisoi_last_{name}_time_seconds", f"When the last {name} ended.", at.timestamp()
                )
        if (size := self._database_bytes()) is not None:
            yield GaugeMetricFamily("yorisoi_database_bytes", "Size of the database.", size)
