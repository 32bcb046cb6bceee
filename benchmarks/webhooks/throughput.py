"""Deliveries per second to a receiver that answers at once, compared with the bare loop."""

import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.store.report import Result, table
from benchmarks.webhooks.bare import bare_loop
from benchmarks.webhooks.load import load
from benchmarks.webhooks.receiver import Receiver, receiving
from benchmarks.webhooks.replicas import Replica, replicas
from benchmarks.webhooks.site import SECRET, Site
from benchmarks.webhooks.speed import Speed, median_of

TARGET = 0.5
"""Of the bare loop's rate, by one replica."""
# As many as the service has for an endpoint that is prompt.
_IN_FLIGHT = 8
_WITHIN_S = 600.0


@dataclass(frozen=True, slots=True)
class _Case:
    endpoints: int
    accounts: int

    @property
    def name(self) -> str:
        return "one endpoint" if self.endpoints == 1 else f"{self.endpoints} endpoints of {self.accounts} accounts"


_CASES = (_Case(1, 1), _Case(20, 10))


def measure_throughput(deliveries: int, rounds: int) -> Result:
    """So many deliveries in each run; the runs of a round follow each other, and what is told is the rounds' median."""
    began, rows, kept = load(), [], True
    with receiving() as receiver:
        for case in _CASES:
            runs = [_round(receiver, case, deliveries // case.endpoints) for _ in range(rounds)]
            bare, one, two = (median_of(speeds) for speeds in zip(*runs, strict=True))
            kept = kept and one.rate >= TARGET * bare.rate
            rows.append((case.name, *(_shown(speed, bare) for speed in (bare, one, two))))
    lines = [
        f"### Deliveries a second: median of {rounds} runs of {deliveries:,} each ({began} before, {load()} after)",
        "",
        *table(("", "bare loop, one process", "one replica", "two replicas"), rows),
        f"One replica is to reach {TARGET:.0%} of the bare loop.",
        "",
    ]
    return Result(lines, kept)


def _round(receiver: Receiver, case: _Case, each: int) -> tuple[Speed, Speed, Speed]:
    urls = [receiver.prompt(number) for number in range(case.endpoints)]
    bare = bare_loop(urls, SECRET, each, _IN_FLIGHT)
    receiver.arrivals()
    return bare, _deliver(receiver, urls, case, each, 1), _deliver(receiver, urls, case, each, 2)


def _deliver(receiver: Receiver, urls: Sequence[str], case: _Case, each: int, count: int) -> Speed:
    with tempfile.TemporaryDirectory(prefix="bench-webhooks-") as folder:
        site = Site.at(Path(folder))
        site.owe(asyncio.run(site.endpoints(case.accounts, urls)), each)
        with replicas(site.settings, count) as started:
            seconds, cpu_seconds = _work_off(site, started)
    posts = Counter((arrival.path, arrival.event_id) for arrival in receiver.arrivals())
    assert len(posts) == posts.total() == each * len(urls), "something was sent twice, or not at all"
    return Speed(posts.total() / seconds, cpu_seconds * 1000 / posts.total())


def _work_off(site: Site, started: Sequence[Replica]) -> tuple[float, float]:
    """Seconds on the clock and of the cores until everything is delivered and written down."""
    cpu, began = sum(process.cpu_seconds() for process in started), time.perf_counter()
    for replica in started:
        replica.run()
    while site.is_anything_pending():
        assert time.perf_counter() < began + _WITHIN_S, "not done in time"
        time.sleep(0.05)
    return time.perf_counter() - began, sum(process.cpu_seconds() for process in started) - cpu


def _shown(speed: Speed, bare: Speed) -> str:
    share = "" if speed is bare else f" ({speed.rate / bare.rate:.0%})"
    return f"{speed.rate:,.0f}{share}, {speed.cpu_ms:.2f} ms of a core each"
