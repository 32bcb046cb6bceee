"""Processes that empty one queue: claims a second, one in a call and several."""

import asyncio
import multiprocessing
import shutil
import statistics
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import chain
from multiprocessing.synchronize import Barrier
from pathlib import Path
from uuid import UUID

from benchmarks.store.filling import bulk, insert_accounts, insert_records
from benchmarks.store.invoices import records
from benchmarks.store.report import Result, table, times_of
from serve_app.domain.account import Account, Plan
from serve_app.domain.clock import utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction, Status
from serve_app.domain.record import InvoiceRecord
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.store.factory import open_store

TARGET = 1_000
"""Claims a second, of all processes together."""
TOGETHER = 8
"""The places of one dispatcher."""
_ACCOUNTS, _EACH = 60, 40
_LEASE = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Way:
    """How a process claims: up to `most` in a call; with `ends`, the runs of a call end before the next one."""

    most: int
    ends: bool = False

    @property
    def name(self) -> str:
        """For a table."""
        return f"{self.most} in a call" + (", each run ended" if self.ends else "")


WAYS = (Way(1), Way(TOGETHER), Way(1, ends=True), Way(TOGETHER, ends=True))


@dataclass(frozen=True, slots=True)
class Seen:
    """What one process did between two moments of the machine's clock."""

    began: float
    ended: float
    claims: list[UUID]
    calls: list[float]


@dataclass(frozen=True, slots=True)
class _Emptied:
    rate: float
    twice: int
    missing: int
    calls: list[float]


def measure_claims(folder: Path, processes: int, rounds: int) -> Result:
    """Empty copies of one queue, in each way in turns."""
    queue = folder / "queue.db"
    asyncio.run(_fill(queue))
    emptied: dict[Way, list[_Emptied]] = {way: [] for way in WAYS}
    for _ in range(rounds):
        for way in WAYS:
            emptied[way].append(_empty(Path(shutil.copy(queue, folder / "emptied.db")), processes, way))
    return _result(processes, emptied)


def _result(processes: int, emptied: dict[Way, list[_Emptied]]) -> Result:
    rates = {way: statistics.median(each.rate for each in runs) for way, runs in emptied.items()}
    rows = [_row(way, runs, rates[way] / rates[Way(1, way.ends)]) for way, runs in emptied.items()]
    wrong = sum(each.twice + each.missing for runs in emptied.values() for each in runs)
    lines = [
        f"### Claims: {processes} processes, {_ACCOUNTS * _EACH:,} invoices of {_ACCOUNTS} accounts",
        "",
        *table(["", "claims a second", "ratio", "a call, p50, ms", "p99, ms"], rows),
        f"Claimed twice, or never: {wrong}. Wanted: {TARGET:,} claims a second.",
        "",
    ]
    return Result(lines, not wrong and rates[Way(TOGETHER)] >= TARGET)


def _row(way: Way, runs: Sequence[_Emptied], ratio: float) -> Sequence[object]:
    times = times_of(list(chain.from_iterable(each.calls for each in runs)))
    rate = statistics.median(each.rate for each in runs)
    return way.name, f"{rate:,.0f}", f"{ratio:.1f}", f"{times.median:.1f}", f"{times.p99:.1f}"


async def _fill(database: Path) -> None:
    store = _open(database)
    accounts = [Account(new_id(), Plan.UNLIMITED, utc_now()) for _ in range(_ACCOUNTS)]
    with bulk(database) as connection:
        insert_accounts(connection, accounts)
        for number, account in enumerate(accounts):
            insert_records(connection, records(account.id, number * _EACH, _EACH, Status.QUEUED))
    while await store.queue.repair():
        pass
    await store.connection.close()


def _empty(database: Path, processes: int, way: Way) -> _Emptied:
    context = multiprocessing.get_context("spawn")
    barrier, answers = context.Barrier(processes), context.SimpleQueue()
    workers = [context.Process(target=_process, args=(database, way, barrier, answers)) for _ in range(processes)]
    for worker in workers:
        worker.start()
    seen: list[Seen] = [answers.get() for _ in workers]
    for worker in workers:
        worker.join()
    counts = Counter(chain.from_iterable(each.claims for each in seen))
    seconds = max(each.ended for each in seen) - min(each.began for each in seen)
    calls = list(chain.from_iterable(each.calls for each in seen))
    missing = _ACCOUNTS * _EACH - len(counts)
    return _Emptied(counts.total() / seconds, sum(count > 1 for count in counts.values()), missing, calls)


def _process(database: Path, way: Way, barrier: Barrier, answers: "multiprocessing.SimpleQueue[Seen]") -> None:
    answers.put(asyncio.run(_claim_all(database, way, barrier)))


async def _claim_all(database: Path, way: Way, barrier: Barrier) -> Seen:
    store = _open(database)
    claims, calls = list[UUID](), list[float]()
    await asyncio.to_thread(barrier.wait)
    began = time.monotonic()
    while claimed := await _claim(store, way, calls):
        claims += [claim.invoice.id for claim in claimed]
        if way.ends:
            await asyncio.gather(*(store.queue.save_result(claim, Extraction(), utc_now()) for claim in claimed))
    ended = time.monotonic()
    await store.connection.close()
    return Seen(began, ended, claims, calls)


async def _claim(store: Store, way: Way, calls: list[float]) -> list[InvoiceRecord]:
    began = time.perf_counter()
    claimed = await store.queue.claim_due_invoices(_LEASE, way.most)
    calls.append(time.perf_counter() - began)
    return claimed


def _open(database: Path) -> Store:
    return open_store(Settings(database_url=f"sqlite:///{database}", max_running_per_account=_EACH))
