"""What happened when."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field

from benchmarks.scaling.application import MOST


@dataclass(frozen=True, slots=True)
class Sample:
    """`at` is in seconds since the documents were queued; `replicas` are those that run, `asked` those
    that Serve wants to run, by deployment."""

    at: float
    waiting: int
    running: int
    replicas: Mapping[str, int]
    asked: Mapping[str, int]


@dataclass
class Timeline:
    """Samples of one run over a backlog."""

    samples: list[Sample] = field(default_factory=list)
    started: float = field(default_factory=time.monotonic)

    def add(self, waiting: int, running: int, replicas: Mapping[str, int], asked: Mapping[str, int]) -> None:
        """Note how it is now."""
        self.samples.append(Sample(time.monotonic() - self.started, waiting, running, replicas, asked))

    def reached(self, name: str) -> float | None:
        """When the deployment had all its replicas for the first time."""
        return next((sample.at for sample in self.samples if sample.replicas.get(name, 0) >= MOST[name]), None)

    def asked_for(self, name: str) -> float | None:
        """When Serve wanted all of them for the first time."""
        return next((sample.at for sample in self.samples if sample.asked.get(name, 0) >= MOST[name]), None)

    def first(self, name: str) -> float | None:
        """When it had the first one."""
        return next((sample.at for sample in self.samples if sample.replicas.get(name, 0)), None)

    def lowest_after(self, name: str) -> int | None:
        """The fewest that it had from then on while documents waited."""
        at = self.reached(name)
        later = [s.replicas.get(name, 0) for s in self.samples if at is not None and s.at >= at and s.waiting]
        return min(later, default=None)

    @property
    def drained(self) -> float | None:
        """When the last document had ended."""
        return next((s.at for s in self.samples if s.at > 1 and not s.waiting and not s.running), None)

    def back(self, name: str, fewest: int) -> float | None:
        """How long after that the deployment was down to its fewest replicas."""
        end = self.drained
        down = [s.at for s in self.samples if end is not None and s.at >= end and s.replicas.get(name, 0) <= fewest]
        return down[0] - end if down and end is not None else None

    def table(self, fewest: int) -> str:
        """The figures of all deployments, in Markdown."""
        lines = [
            "| | most | first after | all wanted after | all after | fewest while documents waited | down after |",
            "|---|---|---|---|---|---|---|",
        ]
        for name in MOST:
            least = 1 if name == "Dispatcher" else fewest
            times = [_seconds(at) for at in (self.first(name), self.asked_for(name), self.reached(name))]
            lines.append(
                f"| {name} | {MOST[name]} | {' | '.join(times)} | {self.lowest_after(name)} "
                f"| {_seconds(self.back(name, least))} |"
            )
        return "\n".join(lines)


def _seconds(value: float | None) -> str:
    return "never" if value is None else f"{value:.0f} s"
