"""How long healthy endpoints wait: beside dead ones, and beside one with a long backlog."""

import asyncio
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.store.report import Result, table, times_of
from benchmarks.webhooks.load import load
from benchmarks.webhooks.receiver import Receiver, receiving
from benchmarks.webhooks.replicas import replicas
from benchmarks.webhooks.site import Site
from benchmarks.webhooks.stream import Stream
from serve_app.domain.webhook import WebhookEndpoint

TARGET_S = 2.0
"""The delay that 99 of 100 deliveries to healthy endpoints stay below."""
_REPLICAS = 2
# Of the last deliveries of a stream.
_ARRIVED_WITHIN_S = 10.0


@dataclass(frozen=True, slots=True)
class _Scene:
    """So many healthy and dead endpoints of so many accounts, and deliveries due to another one."""

    name: str
    healthy: int
    dead: int
    accounts: int
    a_second: float
    backlog: int = 0


def measure_dead(seconds: float) -> Result:
    """Half of the endpoints accept connections and never answer."""
    scenes = [_Scene(f"50 dead of 100 endpoints, {name}", 50, 50, accounts, 40.0) for name, accounts in _OWNERS]
    return _measured("Delays beside dead endpoints", scenes, seconds)


def measure_backlog(backlog: int, seconds: float) -> Result:
    """One endpoint has a long backlog."""
    scenes = [
        _Scene(f"{backlog:,} due to one other, {name}", 20, 0, accounts, 10.0, backlog) for name, accounts in _OWNERS
    ]
    return _measured("Delays beside a backlog", scenes, seconds)


_OWNERS = (("of 10 accounts", 10), ("all of one account", 1))


def _measured(title: str, scenes: Sequence[_Scene], seconds: float) -> Result:
    began, rows, kept = load(), [], True
    for scene in scenes:
        delays, others = _delays(scene, seconds)
        times = times_of(delays)
        kept = kept and times.p99 < TARGET_S * 1000
        rows.append((scene.name, times.count, _ms(times.median), _ms(times.p99), _ms(max(delays) * 1000), others))
    lines = [
        f"### {title}: {_REPLICAS} replicas, {seconds:.0f} s ({began} before, {load()} after)",
        "",
        "From the moment a delivery to a healthy endpoint is due to the arrival of its post.",
        "",
        *table(("", "deliveries", "p50", "p99", "longest", "posts to the others meanwhile"), rows),
        f"To be kept: p99 below {TARGET_S:.0f} s.",
        "",
    ]
    return Result(lines, kept)


def _delays(scene: _Scene, seconds: float) -> tuple[list[float], int]:
    """Of the healthy endpoints in seconds, and how many posts the others had."""
    with tempfile.TemporaryDirectory(prefix="bench-webhooks-") as folder, receiving() as receiver:
        site = Site.at(Path(folder))
        healthy = [receiver.prompt(number) for number in range(scene.healthy)]
        others = [receiver.dead(number) for number in range(scene.dead)] or [receiver.prompt(scene.healthy)]
        made = asyncio.run(site.endpoints(scene.accounts, [*healthy, *others]))
        site.owe(made[scene.healthy :], scene.backlog)
        return _streamed(scene, site, receiver, made, seconds)


def _streamed(
    scene: _Scene, site: Site, receiver: Receiver, made: Sequence[WebhookEndpoint], seconds: float
) -> tuple[list[float], int]:
    healthy = made[: scene.healthy]
    # To dead ones, too; not to one that has enough already.
    mixed = (
        healthy
        if scene.backlog
        else [endpoint for pair in zip(healthy, made[scene.healthy :], strict=True) for endpoint in pair]
    )
    with replicas(site.settings, _REPLICAS) as started:
        stream = Stream(site.settings, started)
        for replica in started:
            replica.run()
        asyncio.run(stream.run(mixed, scene.a_second, seconds))
        arrivals = receiver.arrivals()
        end = time.monotonic() + _ARRIVED_WITHIN_S
        while max(stream.delays(healthy, arrivals)) == float("inf") and time.monotonic() < end:
            time.sleep(0.2)
            arrivals += receiver.arrivals()
    urls = {endpoint.url for endpoint in healthy}
    return stream.delays(healthy, arrivals), sum(receiver.url + arrival.path not in urls for arrival in arrivals)


def _ms(milliseconds: float) -> str:
    return f"{milliseconds:,.0f} ms"
