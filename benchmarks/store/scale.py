"""One account with a thousand invoices, then with a million, beside ten thousand others: what grows."""

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.store.filling import FIRST_MOMENT, bulk, id_at, insert_accounts, insert_records
from benchmarks.store.invoices import records
from benchmarks.store.questions import Question, questions
from benchmarks.store.report import Result, Times, table, times_of
from benchmarks.store.vendor_rows import write_vendors
from serve_app.domain.account import Account, Plan
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Status
from serve_app.domain.record import InvoiceRecord
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.store.factory import open_store
from serve_app.store.sqlite.engine.driver import sqlite3
from serve_app.store.sqlite.vendors import vendors

SMALL = 1_000
MAY_GROW = 1.5
"""How much more of the processor's time what must not grow may take at the larger size, at the median. Other work on
the machine delays calls, but does not add to this time."""
_OTHERS, _OTHERS_EACH, _WAITING = 10_000, 3, 200
_ROUNDS, _SECONDS = 400, 8.0


@dataclass(frozen=True, slots=True)
class Taken:
    """What one kind of call takes; `cpu_ms` is the processor's time at the median, in all threads."""

    times: Times
    cpu_ms: float


async def measure_scale(database: Path, large: int) -> Result:
    """Fill, ask, fill up, ask again."""
    store = _open(database)
    account = Account(new_id(), Plan.UNLIMITED, FIRST_MOMENT)
    filling = _fill_others(database, account, large)
    await store.queue.repair()
    filling += _fill(database, account, 0, SMALL)
    small = await _answer_times(store, account, SMALL)
    filling += _fill(database, account, SMALL, large - SMALL)
    grown = await _answer_times(store, account, large)
    await store.connection.close()
    size = sum(path.stat().st_size for path in database.parent.glob(f"{database.name}*"))
    plan = _plan(database, account)
    return _result(small, grown, large, plan, f"file {size / 2**30:.1f} GiB, filled in {filling:.0f} s")


def _result(
    small: dict[Question, Taken], grown: dict[Question, Taken], large: int, plan: list[str], notes: str
) -> Result:
    rows, bad = [], [line for line in plan if "invoices" in line]
    for question, times in grown.items():
        before, factor = small[question], times.cpu_ms / small[question].cpu_ms
        allowed = f"{MAY_GROW}" if question.must_not_grow else ""
        if question.must_not_grow and factor > MAY_GROW:
            allowed, bad = f"{MAY_GROW} BROKEN", [*bad, question.name]
        rows.append((question.name, *_cells(before), *_cells(times), f"{factor:.2f}", allowed))
    head = ("", *_head(SMALL), *_head(large), "processor's time grows by", "may grow by")
    lines = [f"### Scale: one account beside {_OTHERS:,} others, {notes}", "", *table(head, rows)]
    lines += ["Vendors by spend, `EXPLAIN QUERY PLAN`:", "", *(f"    {line}" for line in plan), ""]
    return Result(lines, not bad)


def _head(size: int) -> tuple[str, str, str]:
    return f"{size:,}: processor, ms", "p50", "p99"


def _cells(taken: Taken) -> tuple[str, str, str]:
    return f"{taken.cpu_ms:.2f}", f"{taken.times.median:.2f}", f"{taken.times.p99:.2f}"


async def _answer_times(store: Store, account: Account, size: int) -> dict[Question, Taken]:
    return {question: await _times_of(question) for question in questions(store, account.id, id_at(size // 2))}


async def _times_of(question: Question) -> Taken:
    """Of many repetitions, fewer where one takes long."""
    seconds: list[float] = []
    cpu_seconds: list[float] = []
    end = time.monotonic() + _SECONDS
    await question.ask()
    while len(seconds) < _ROUNDS and (time.monotonic() < end or len(seconds) < 5):
        began, cpu_began = time.perf_counter(), time.process_time()
        await question.ask()
        seconds.append(time.perf_counter() - began)
        cpu_seconds.append(time.process_time() - cpu_began)
        await question.undo()
    return Taken(times_of(seconds), statistics.median(cpu_seconds) * 1000)


def _fill_others(database: Path, account: Account, first: int) -> float:
    """The other accounts; some of them have documents that wait."""
    began = time.monotonic()
    others = [Account(new_id(), Plan.FREE, FIRST_MOMENT) for _ in range(_OTHERS)]
    with bulk(database) as connection:
        insert_accounts(connection, [account, *others])
        insert_records(connection, _of_others(others, first))
    return time.monotonic() - began


def _of_others(others: list[Account], first: int) -> Iterator[InvoiceRecord]:
    for place, account in enumerate(others):
        number = first + place * (_OTHERS_EACH + 1)
        yield from records(account.id, number, _OTHERS_EACH)
        if place < _WAITING:
            yield from records(account.id, number + _OTHERS_EACH, 1, Status.QUEUED)


def _fill(database: Path, account: Account, first: int, count: int) -> float:
    began = time.monotonic()
    with bulk(database) as connection:
        insert_records(connection, records(account.id, first, count))
        write_vendors(connection, account.id)
    return time.monotonic() - began


def _plan(database: Path, account: Account) -> list[str]:
    """How SQLite answers the store's own question for vendors by spend."""
    connection = sqlite3.connect(database)
    try:
        rows = connection.execute(f"EXPLAIN QUERY PLAN {vendors._BY_SPEND}", (str(account.id), 25)).fetchall()
    finally:
        connection.close()
    return [str(row[3]) for row in rows]


def _open(database: Path) -> Store:
    return open_store(Settings(database_url=f"sqlite:///{database}"))
