"""How long the web application takes for its pages with 100,000 invoices in an account, beside a handler that does
nothing: `make bench-web`."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import quantiles
from tempfile import TemporaryDirectory

import httpx
from fastapi import FastAPI
from starlette.responses import Response

from benchmarks.web.account import fill, served_app

INVOICES = 100_000
REQUESTS = 100
LIMIT_MS = 60.0

PAGES = {
    "list": "/app/invoices",
    "list, vendor": "/app/invoices?vendor=sup",
    "list, number": "/app/invoices?number=0004242",
    "list, 101 hits": "/app/invoices?number=00042",
    "list, unpaid": "/app/invoices?status=complete&paid=false",
    "list, overdue": "/app/invoices?overdue=true",
    "list, to check": "/app/invoices?to_check=true",
    "list, amount": "/app/invoices?min_amount=990000",
    "invoice": "",
    "review queue": "/app/review",
    "send": "/app/send",
    "start": "/app/",
    "palette": "/app/find?q=0042",
}


@dataclass(frozen=True, slots=True)
class Timing:
    """Milliseconds a request: the 50th and 95th percentile of the time by the clock, and the mean of the CPU's."""

    p50: float
    p95: float
    cpu: float


async def main() -> None:
    with TemporaryDirectory(prefix="bench-web-") as folder:
        app, cookie, invoice = await served_app(Path(folder))
        await fill(Path(folder), INVOICES)
        await report(app, cookie, invoice)


async def report(app: FastAPI, cookie: str, invoice: str) -> None:
    @app.get("/trivial")
    async def trivial() -> Response:
        return Response("ok")

    # Before the mount of the application, which has a route for everything below it.
    app.router.routes.insert(0, app.router.routes.pop())
    transport = httpx.ASGITransport(app=app)
    headers = {"Cookie": cookie, "Accept-Language": "en-GB"}
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", headers=headers) as client:
        print(f"{INVOICES:,} invoices, {REQUESTS} requests each, one after the other; load {os.getloadavg()[0]:.1f}")
        print(f"{'':<16}{'p50 ms':>9}{'p95 ms':>9}{'CPU ms':>9}{'kB':>7}")
        review = invoice.replace("/invoices/", "/review/")
        for name, path in {"trivial": "/trivial", **PAGES, "review": review}.items():
            address = path or invoice
            answer = await client.get(address)
            answer.raise_for_status()
            timing = await timed(lambda address=address: client.get(address))  # type: ignore[misc]
            flag = "  over the limit" if timing.p95 > LIMIT_MS else ""
            size = len(answer.content) / 1000
            print(f"{name:<16}{timing.p50:>9.1f}{timing.p95:>9.1f}{timing.cpu:>9.1f}{size:>7.0f}{flag}")


async def timed(ask: Callable[[], Awaitable[httpx.Response]]) -> Timing:
    for _ in range(5):
        await ask()
    clock, cpu = [], time.process_time()
    for _ in range(REQUESTS):
        started = time.perf_counter()
        await ask()
        clock.append(1000 * (time.perf_counter() - started))
    used = 1000 * (time.process_time() - cpu) / REQUESTS
    cuts = quantiles(clock, n=20)
    return Timing(cuts[9], cuts[18], used)


if __name__ == "__main__":
    print(datetime.now(UTC).isoformat(timespec="seconds"))
    asyncio.run(main())
