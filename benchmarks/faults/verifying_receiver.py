"""A receiver of webhooks in a process of its own, written with the `standardwebhooks` package and nothing of the
service's. It takes its time, and answers 500 now and then."""

import asyncio
import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection

import httpx
from aiohttp import web
from standardwebhooks import Webhook, WebhookVerificationError

from benchmarks.own_process import serving

_POSTS = "/posts"
_SECONDS = (0.01, 0.3)
_FAILS = 0.02


@dataclass(frozen=True, slots=True)
class Post:
    """A post that was answered, and how; `is_signed`: the library verified it."""

    path: str
    event_id: str
    is_signed: bool
    status: int


@dataclass(frozen=True, slots=True)
class Receiver:
    """Where it listens."""

    url: str

    def posts(self) -> list[Post]:
        """All that came so far, in order."""
        return [Post(*post) for post in httpx.get(self.url + _POSTS, timeout=60).json()]


@contextmanager
def receiving(secret: str) -> Iterator[Receiver]:
    """A receiver that knows the secret, until the end of the block."""
    with serving(_serve, secret) as port:
        yield Receiver(f"http://127.0.0.1:{port}")


def _serve(secret: str, parent: Connection) -> None:
    asyncio.run(_answer(Webhook(secret), parent))


async def _answer(webhook: Webhook, parent: Connection) -> None:
    posts: list[tuple[str, str, bool, int]] = []

    async def handle(request: web.BaseRequest) -> web.Response:
        if request.path == _POSTS:
            return web.json_response(posts)
        body = await request.read()
        await asyncio.sleep(random.uniform(*_SECONDS))  # noqa: S311 - variety, not secrecy
        status = 500 if random.random() < _FAILS else 200  # noqa: S311
        headers = {name.lower(): value for name, value in request.headers.items()}
        posts.append((request.path, headers["webhook-id"], _verifies(webhook, body, headers), status))
        return web.Response(status=status)

    runner = web.ServerRunner(web.Server(handle, access_log=None))
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    parent.send(runner.addresses[0][1])
    await asyncio.Event().wait()


def _verifies(webhook: Webhook, body: bytes, headers: dict[str, str]) -> bool:
    try:
        webhook.verify(body, headers)
    except WebhookVerificationError:
        return False
    return True
