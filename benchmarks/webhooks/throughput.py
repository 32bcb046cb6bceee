"""Deliveries a second to a receiver that answers at once, beside the bare loop."""

import asyncio
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks.store.report import Result, table
from benchmarks.webhooks.bare import bare_rate
from benchmarks.webhooks.load import load
from benchmarks.webhooks.receiver import Receiver, receiving
from benchmarks.webhooks.replicas import replicas
from benchmarks.webhooks.site import SECRET, Site

TARGET = 0.5
"""Of the bare loop's rate, by one replica."""
# As the service does it where an endpoint is prompt.
_IN_FLIGHT = 8
_WITHIN_S = 600.0
_CASES = ((1, 1), (20, 10))


def measure_throughput(deliveries: int) -> Result:
    """So many deliveries in each case, and as many posts of the bare loop."""
    rows, lowest, began = [], 1.0, load()
    with receiving() as receiver:
        for endpoints, accounts in _CASES:
            urls = [receiver.prompt(number) for number in range(endpoints)]
            bare = bare_rate(urls, SECRET, deliveries // endpoints, _IN_FLIGHT)
            receiver.arrivals()
            one, two = (_rate(receiver, urls, accounts, deliveries // endpoints, number) for number in (1, 2))
            lowest = min(lowest, one / bare)
            rows.append(
                (_case(endpoints, accounts), _shown(bare), *(f"{_shown(it)} ({it / bare:.0%})" for it in (one, two)))
            )
    lines = [
        f"### Deliveries a second, {deliveries:,} in each run ({began} at the start, {load()} at the end)",
        "",
        *table(("", "bare loop, one process", "one replica", "two replicas"), rows),
        f"One replica is to reach {TARGET:.0%} of the bare loop.",
        "",
    ]
    return Result(lines, lowest >= TARGET)


def _rate(receiver: Receiver, urls: list[str], accounts: int, each: int, count: int) -> float:
    with tempfile.TemporaryDirectory(prefix="bench-webhooks-") as folder:
        site = Site.at(Path(folder))
        site.owe(asyncio.run(site.endpoints(accounts, urls)), each)
        with replicas(site.settings, count) as started:
            began = time.perf_counter()
            for replica in started:
                replica.run()
            _wait_until_delivered(site, began + _WITHIN_S)
            seconds = time.perf_counter() - began
    posts = Counter((one.path, one.event_id) for one in receiver.arrivals())
    assert len(posts) == posts.total() == each * len(urls), "something was sent twice, or not at all"
    return posts.total() / seconds


def _wait_until_delivered(site: Site, end: float) -> None:
    while site.is_anything_pending():
        assert time.perf_counter() < end, "not done in time"
        time.sleep(0.05)


def _case(endpoints: int, accounts: int) -> str:
    return f"{endpoints} endpoint{'s' * (endpoints > 1)} of {accounts} account{'s' * (accounts > 1)}"


def _shown(rate: float) -> str:
    return f"{rate:,.0f}"
