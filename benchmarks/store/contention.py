"""Many processes on one file: nothing is claimed twice, no count is lost."""

import asyncio
import multiprocessing
from collections import Counter
from collections.abc import Iterable
from itertools import chain
from multiprocessing.synchronize import Barrier
from pathlib import Path
from uuid import UUID

from benchmarks.store.filling import bulk, insert_accounts, insert_records
from benchmarks.store.invoices import records
from benchmarks.store.report import Result, table, times_of
from benchmarks.store.workload import COROUTINES, MONTH, Seen, Task, work
from serve_app.domain.account import Account, Plan, Scope, mint_key
from serve_app.domain.clock import utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Status
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.store.factory import open_store

TARGET = 3_000
"""Operations a second, all kinds and processes together."""
_SENDERS, _EACH = 400, 100
_QUOTAS, _LIMIT = 4, 500


def measure_contention(database: Path, processes: int, seconds: float, *, results: bool) -> Result:
    """Fill a queue, let all processes loose on it, and add up."""
    task = asyncio.run(_prepared(database, seconds, results))
    context = multiprocessing.get_context("spawn")
    # An executor would hand its tasks out as it likes; here every process gets one.
    barrier = context.Barrier(processes)
    answers = context.SimpleQueue()
    workers = [context.Process(target=_process, args=(task, seed, barrier, answers)) for seed in range(processes)]
    for worker in workers:
        worker.start()
    seen: list[Seen] = [answers.get() for _ in workers]
    for worker in workers:
        worker.join()
    return asyncio.run(_collect(task, seen))


def _process(task: Task, seed: int, barrier: Barrier, answers: "multiprocessing.SimpleQueue[Seen]") -> None:
    answers.put(asyncio.run(work(task, seed, barrier.wait)))


async def _prepared(database: Path, seconds: float, results: bool) -> Task:
    store = _open(database)
    accounts = [Account(new_id(), Plan.UNLIMITED, utc_now()) for _ in range(_SENDERS + _QUOTAS)]
    with bulk(database) as connection:
        insert_accounts(connection, accounts)
        for number, account in enumerate(accounts[:_SENDERS]):
            insert_records(connection, records(account.id, number * _EACH, _EACH, Status.QUEUED))
    await store.queue.repair()
    quotas = accounts[_SENDERS:]
    key, _ = mint_key(quotas[0].id, "counted", Scope.FULL, utc_now())
    await store.keys.add(key)
    await store.connection.close()
    return Task(database, seconds, tuple(account.id for account in quotas), _LIMIT, key.id, results)


async def _collect(task: Task, seen: list[Seen]) -> Result:
    store = _open(task.database)
    wrong = {
        "invoices claimed twice": _repeated(chain(*(each.claims for each in seen))),
        "claims that others ended": sum(len(each.claims) - each.ended for each in seen),
        "updates lost by the rate counter": await _lost_counts(store, task.counted_key, seen),
        "updates lost by the quotas, or units over the limit": await _lost_units(store, task, seen),
        "keys won by two": _repeated(chain(*(each.won for each in seen))),
        "calls answered 503": sum(len(each.errors) for each in seen),
    }
    await store.connection.close()
    total = sum(len(times) for each in seen for times in each.seconds.values())
    rate = total / task.seconds
    lines = [*_head(task, seen, rate), *table(["", ""], list(wrong.items())), *_times(task, seen)]
    return Result(lines, not any(wrong.values()) and rate >= TARGET)


def _head(task: Task, seen: list[Seen], rate: float) -> list[str]:
    refused = sum(each.refused for each in seen)
    uncounted = sum(each.uncounted for each in seen)
    what = "claims with results" if task.results else "claims given back"
    return [
        f"### Contention, {what}: {len(seen)} processes with {COROUTINES} coroutines each, {task.seconds:.0f} s",
        "",
        f"{rate:,.0f} operations a second in all (wanted: {TARGET:,}). The quotas' limits refused {refused:,} units;",
        f"{uncounted:,} requests went uncounted, since the counter could not be written within its short timeout.",
        "",
    ]


def _times(task: Task, seen: list[Seen]) -> list[str]:
    rows = []
    for kind in sorted({kind for each in seen for kind in each.seconds}):
        times = times_of([seconds for each in seen for seconds in each.seconds.get(kind, [])])
        rows.append(
            (kind, times.count, f"{times.count / task.seconds:,.0f}", f"{times.median:.1f}", f"{times.p99:.1f}")
        )
    return table(["", "calls", "a second", "p50, ms", "p99, ms"], rows)


def _repeated(things: Iterable[object]) -> int:
    """How many are there more than once."""
    return sum(count > 1 for count in Counter(things).values())


async def _lost_counts(store: Store, key_id: UUID, seen: list[Seen]) -> int:
    """Every count was answered once, from the first to the last."""
    counts = sorted(chain(*(each.counts for each in seen)))
    missing = len(set(range(1, len(counts) + 1)) - set(counts))
    return missing + abs(await store.rate_windows.count(key_id, MONTH) - len(counts) - 1)


async def _lost_units(store: Store, task: Task, seen: list[Seen]) -> int:
    taken = sum((each.taken for each in seen), Counter[UUID]())
    used = {account_id: await store.quotas.used(account_id, MONTH) for account_id in task.quotas}
    return sum(abs(used[quota] - taken[quota]) + max(0, used[quota] - task.quota_limit) for quota in task.quotas)


def _open(database: Path) -> Store:
    return open_store(Settings(database_url=f"sqlite:///{database}"))
