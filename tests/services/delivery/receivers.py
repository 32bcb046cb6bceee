"""Receivers of webhooks that answer as a test tells them, at the end of lines that lead nowhere else."""

from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime

from serve_app.domain.clock import Clock
from serve_app.net.post import Answer, Line

OK = Answer(0.01, 200, body="thanks")
BROKEN = Answer(0.01, 500, body="no")
NOT_FOUND = Answer(0.01, 404)
GONE = Answer(0.01, 410)
REDIRECT = Answer(0.01, 302)
HUNG = Answer(10.0, error="no answer within 10 s")
CLOSED = Answer(0.02, error="the server closed the connection without a response")


@dataclass(frozen=True)
class Post:
    """What was sent, when."""

    at: datetime
    headers: Mapping[str, str]
    body: bytes


@dataclass
class Receivers:
    """Answers by URL, in turn and the last one for ever; `meanwhile` runs while an attempt is under way."""

    clock: Clock
    answers: dict[str, list[Answer]] = field(default_factory=dict)
    posts: dict[str, list[Post]] = field(default_factory=lambda: defaultdict(list))
    meanwhile: Callable[[str], Awaitable[None]] | None = None

    @asynccontextmanager
    async def open(self, text: str) -> AsyncIterator[Line]:
        yield _Line(self, text)


class _Line:
    def __init__(self, receivers: Receivers, url: str) -> None:
        self._receivers = receivers
        self._url = url

    async def post(self, headers: Mapping[str, str], body: bytes) -> Answer:
        one = self._receivers
        one.posts[self._url].append(Post(one.clock(), headers, body))
        number = len(one.posts[self._url])
        if one.meanwhile is not None:
            await one.meanwhile(self._url)
        answers = one.answers.get(self._url, [OK])
        return answers[min(number, len(answers)) - 1]
