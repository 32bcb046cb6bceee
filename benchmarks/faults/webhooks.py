"""Deliveries while their replicas, and once the whole node, are killed: every event arrives, few arrive again."""

import asyncio
import random
import time
from collections import Counter
from pathlib import Path

from benchmarks.faults.lines import Line, promise
from benchmarks.faults.processes import kill
from benchmarks.faults.service import Service
from benchmarks.faults.verifying_receiver import Post, receiving
from benchmarks.webhooks.site import SECRET, Site
from serve_app.domain.webhook import WebhookEndpoint
from serve_app.settings import Settings

DELIVERIES, ENDPOINTS, ACCOUNTS = 2000, 8, 4
_FEED_SECONDS = 100
_KILL_EVERY_S = (3.0, 7.0)
_SETTLED_WITHIN_S = 150.0


async def run_webhooks(folder: Path) -> list[Line]:
    """The run in `folder`; NotReady where the service does not start."""
    site = Site.at(folder / "data")
    service = Service(folder, extra=_environment(site.settings))
    kills = Counter[str]()
    with receiving(SECRET) as receiver:
        endpoints = await site.endpoints(ACCOUNTS, [f"{receiver.url}/{number}" for number in range(ENDPOINTS)])
        await asyncio.to_thread(service.start)
        fed = asyncio.Event()
        async with asyncio.TaskGroup() as group:
            group.create_task(_kill(service, fed, kills))
            await _feed(site, endpoints)
            fed.set()
        await _settled(site)
        left_behind = await asyncio.to_thread(service.stop)
        posts = await asyncio.to_thread(receiver.posts)
    return _audit(site, kills, posts, left_behind)


def _environment(settings: Settings) -> dict[str, str]:
    assert settings.encryption_key is not None
    key = settings.encryption_key.get_secret_value()
    return {"WEBHOOK_NETWORKS": settings.webhook_networks, "ENCRYPTION_KEY": key}


async def _feed(site: Site, endpoints: list[WebhookEndpoint]) -> None:
    """A little each second, so that kills find some on their way."""
    each = DELIVERIES // ENDPOINTS
    for second in range(_FEED_SECONDS):
        count = each * (second + 1) // _FEED_SECONDS - each * second // _FEED_SECONDS
        await asyncio.to_thread(site.owe, endpoints, count)
        await asyncio.sleep(1)


async def _kill(service: Service, fed: asyncio.Event, kills: Counter[str]) -> None:
    end_of_node = time.monotonic() + _FEED_SECONDS / 2
    while not fed.is_set():
        await asyncio.sleep(random.uniform(*_KILL_EVERY_S))  # noqa: S311 - variety, not secrecy
        if not kills["whole node"] and time.monotonic() > end_of_node:
            kills["whole node"] += 1
            await asyncio.to_thread(service.kill_node)
            await asyncio.to_thread(service.start)
        elif (replica := await asyncio.to_thread(service.replica, "Coordinator")) is not None:
            kills["Coordinator"] += 1
            kill([replica])


async def _settled(site: Site) -> None:
    end = time.monotonic() + _SETTLED_WITHIN_S
    # The service is watched from outside.
    while time.monotonic() < end and await asyncio.to_thread(site.is_anything_pending):  # noqa: ASYNC110
        await asyncio.sleep(0.5)


def _audit(site: Site, kills: Counter[str], posts: list[Post], left_behind: list[str]) -> list[Line]:
    taken = Counter((post.path, post.event_id) for post in posts if post.status == 200)
    due = {(f"/{path}", event_id) for path, event_id in site.owed()}
    unsigned = [post.event_id for post in posts if not post.is_signed]
    repeats = sum(taken.values()) - len(taken)
    return [
        Line("killed with SIGKILL", ", ".join(f"{count} {name}" for name, count in sorted(kills.items()))),
        Line("deliveries due", str(len(due))),
        Line("posts, of them answered 500 on purpose", f"{len(posts)}, {sum(post.status == 500 for post in posts)}"),
        Line("posts of what had arrived before (at least once)", f"{repeats}: {repeats / max(1, len(due)):.1%}"),
        promise("events that never arrived", [str(pair) for pair in due - taken.keys()]),
        promise("posts that the standard's own library does not verify", unsigned),
        promise("deliveries that are still pending, or abandoned", site.not_delivered()),
        promise("processes left behind by an ordinary stop", left_behind),
    ]
