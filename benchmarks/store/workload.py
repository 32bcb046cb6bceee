"""What each process of the contention does, and what it saw."""

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from random import Random
from uuid import UUID

from benchmarks.store.filling import FIRST_MOMENT, created_at
from benchmarks.store.invoices import extraction
from serve_app.domain.account import ApiKey, Scope
from serve_app.domain.clock import month_start, utc_now
from serve_app.domain.errors import QuotaReached, ServiceError
from serve_app.domain.idempotency import IdempotencyRecord
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import FileInfo, Invoice, Source
from serve_app.domain.record import Release, new_record
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.store.factory import open_store

COROUTINES = 4
MONTH = month_start(FIRST_MOMENT)
_LEASE = timedelta(seconds=60)


@dataclass(frozen=True, slots=True)
class Task:
    """What all processes share. Units are taken from each account of `quotas` until `quota_limit`; requests are counted
    for `counted_key`. With `results` a claim's run is ended by its result, else the claim is given back at once."""

    database: Path
    seconds: float
    quotas: tuple[UUID, ...]
    quota_limit: int
    counted_key: UUID
    results: bool


@dataclass
class Seen:
    """What one process did. `claims` are pairs of invoice and attempt, `taken` units by account, `won` the keys that
    it was the one to hold or to insert, `counts` what the counter answered, `uncounted` how often it gave up."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    claims: list[tuple[UUID, int]] = field(default_factory=list)
    ended: int = 0
    taken: Counter[UUID] = field(default_factory=Counter)
    refused: int = 0
    won: list[str] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)
    uncounted: int = 0
    errors: list[str] = field(default_factory=list)


async def work(task: Task, seed: int, began: Callable[[], object]) -> Seen:
    """Open the store, say so by `began`, which waits for the others, and work until the time is over."""
    store, seen = open_store(Settings(database_url=f"sqlite:///{task.database}")), Seen()
    await asyncio.to_thread(began)
    end = time.monotonic() + task.seconds
    workers = [_Worker(task, store, seen, Random(f"{seed}/{number}")) for number in range(COROUTINES)]  # noqa: S311
    await asyncio.gather(*(worker.run(end) for worker in workers))
    await store.connection.close()
    return seen


class _Worker:
    """One coroutine: one call after the other, of random kinds."""

    def __init__(self, task: Task, store: Store, seen: Seen, rng: Random) -> None:
        self._task, self._store, self._seen, self._rng = task, store, seen, rng
        self._next = 0

    async def run(self, end: float) -> None:
        kinds = (self._run_one, self._reserve, self._count, self._hold, self._insert)
        while time.monotonic() < end:
            try:
                await self._rng.choices(kinds, weights=(3, 2, 2, 1, 1))[0]()
            except ServiceError as error:
                self._seen.errors.append(type(error).__name__)

    async def _timed(self, kind: str, call: Awaitable[object]) -> object:
        began = time.perf_counter()
        try:
            return await call
        finally:
            self._seen.seconds[kind].append(time.perf_counter() - began)

    async def _run_one(self) -> None:
        queue = self._store.queue
        began = time.perf_counter()
        claim = await queue.claim_due_invoice(_LEASE)
        self._seen.seconds["claim"].append(time.perf_counter() - began)
        if claim is None:
            return
        self._seen.claims.append((claim.invoice.id, claim.attempt))
        if self._task.results:
            read = extraction(self._rng.randrange(10**6), self._rng)
            ended = await self._timed("save_result", queue.save_result(claim, read, utc_now())) is not None
        else:
            ended = bool(await self._timed("release", queue.release(claim, timedelta(0), Release.HANDED_BACK)))
        self._seen.ended += ended

    async def _reserve(self) -> None:
        account_id = self._rng.choice(self._task.quotas)
        now = created_at(0)
        invoice = Invoice(id=new_id(), source=Source.API, created_at=now, updated_at=now, file=_FILE)
        record = new_record(invoice, account_id)
        try:
            await self._timed("reserve (quota)", self._store.intake.reserve(record, MONTH, self._task.quota_limit))
        except QuotaReached:
            self._seen.refused += 1
        else:
            self._seen.taken[account_id] += 1

    async def _count(self) -> None:
        try:
            counted = await self._timed("count (rate)", self._store.rate_windows.count(self._task.counted_key, MONTH))
        except ServiceError:
            # It waits shortly only, and the service then goes on without it.
            self._seen.uncounted += 1
        else:
            self._seen.counts.append(int(str(counted)))

    async def _hold(self) -> None:
        holder, now = new_id(), utc_now()
        key = self._fresh("hold")
        record = IdempotencyRecord(self._task.quotas[0], key, new_id(), holder, now, now)
        held = await self._timed("hold (idempotency)", self._store.idempotency.hold(record))
        if held == record:
            self._seen.won.append(key)

    async def _insert(self) -> None:
        key = ApiKey(new_id(), self._rng.choice(self._task.quotas), "k", "inv_live_x", Scope.FULL, new_id().hex, MONTH)
        await self._timed("insert (key)", self._store.keys.add(key))
        self._seen.won.append(key.hash)

    def _fresh(self, kind: str) -> str:
        """The next of the keys that every coroutine wants."""
        self._next += 1
        return f"{kind}-{self._next}"


_FILE = FileInfo(name="invoice.pdf", mime_type="application/pdf", size_bytes=1)
