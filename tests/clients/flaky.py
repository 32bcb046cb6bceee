"""A way to the service that loses and refuses requests."""

import asyncio
import random

import httpx


class FlakyTransport(httpx.AsyncBaseTransport):
    """Passes requests on; a share of them is refused or lost, before or after the service has answered."""

    def __init__(self, inner: httpx.AsyncBaseTransport, share: float, seed: int) -> None:
        self._inner = inner
        self._share = share
        self._random = random.Random(seed)  # noqa: S311
        self._running: set[asyncio.Future[httpx.Response]] = set()
        self.faults: dict[str, int] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        fault = self._random.choice(["429", "503", "connect", "lost"]) if self._random.random() < self._share else ""
        self.faults[fault] = self.faults.get(fault, 0) + 1
        if fault == "connect":
            raise httpx.ConnectError("refused")
        if fault == "429":
            return _refused(429, "rate_limit_error", "rate_limited")
        if fault == "503":
            return _refused(503, "api_error", "service_unavailable")
        # A service finishes what it has received, also for a client that was killed.
        answering = asyncio.ensure_future(self._inner.handle_async_request(request))
        self._running.add(answering)
        answering.add_done_callback(self._running.discard)
        response = await asyncio.shield(answering)
        if fault == "lost":
            await response.aread()
            raise httpx.ReadError("reset")
        return response


def _refused(status: int, type: str, code: str) -> httpx.Response:
    error = {"type": type, "code": code, "message": "later", "param": None}
    return httpx.Response(status, json={"error": error}, headers={"Retry-After": "0"})
