"""Retries in place while a worker is out of reach."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Iterator
from itertools import chain, repeat
from typing import TypeVar

from serve_app.services.ports import TransientError
from serve_app.telemetry.meter import count
from serve_app.telemetry.series import RETRIES

T = TypeVar("T")

_FIRST_DELAYS = (0.5, 1.0, 2.0, 4.0, 8.0)
_DELAY = 15.0

log = logging.getLogger(__name__)


async def with_retries(
    call: Callable[[], Awaitable[T]], seconds: float, needs: str, on: type[Exception] = TransientError
) -> T:
    """The result of `call`, retried after each error of type `on` until `seconds` after the first one. `needs` names
    what is out of reach then: a label of the retries that are counted."""
    delays: Iterator[float] = chain(_FIRST_DELAYS, repeat(_DELAY))
    give_up: float | None = None
    while True:
        try:
            return await call()
        except on as error:
            now = time.monotonic()
            give_up = now + seconds if give_up is None else give_up
            if now >= give_up:
                raise
            count(RETRIES, needs=needs)
            log.warning("out of reach, trying again: %r", error, extra={"needs": needs})
            await asyncio.sleep(min(next(delays), give_up - now))
