"""Hundreds of dispatchers on one queue: no row twice, no account over its slots, and how long a document waits."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from random import Random
from uuid import UUID

from benchmarks.store.report import Result, table, times_of
from serve_app.domain.account import Account, Plan
from serve_app.domain.clock import month_start, utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Extraction, FileInfo, Invoice, Source
from serve_app.domain.record import InvoiceRecord, new_record
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.store.factory import open_store

_LEASE = timedelta(minutes=10)
_POLL_SECONDS, _REPAIR_SECONDS = 1.0, 1.0
_RUN_SECONDS = (0.1, 0.4)
_FILE = FileInfo(name="invoice.pdf", mime_type="application/pdf", size_bytes=1)


@dataclass(frozen=True, slots=True)
class Load:
    """What comes: a heap of one account at once, smaller heaps of others, and single documents meanwhile, each of an
    account of its own. A dispatcher has `places`, an account `slots`."""

    dispatchers: int = 500
    places: int = 4
    slots: int = 40
    heap: int = 2_000
    small_heaps: int = 20
    small_heap: int = 50
    singles: int = 200
    seconds: float = 8.0

    @property
    def documents(self) -> int:
        """All of them."""
        return self.heap + self.small_heaps * self.small_heap + self.singles


@dataclass
class Book:
    """What the dispatchers saw, of all accounts."""

    load: Load
    added: dict[UUID, float] = field(default_factory=dict)
    claims: Counter[UUID] = field(default_factory=Counter)
    waits: dict[str, list[float]] = field(default_factory=lambda: {"heap": [], "small heaps": [], "singles": []})
    kinds: dict[UUID, str] = field(default_factory=dict)
    running: Counter[UUID] = field(default_factory=Counter)
    most_running: int = 0
    lost: int = 0
    calls: list[float] = field(default_factory=list)
    ended: int = 0

    @property
    def is_done(self) -> bool:
        """Whether every document has ended."""
        return self.ended >= self.load.documents

    def claimed(self, claim: InvoiceRecord) -> None:
        """Note a claim."""
        self.claims[claim.invoice.id] += 1
        self.running[claim.account_id] += 1
        self.most_running = max(self.most_running, self.running[claim.account_id])
        self.waits[self.kinds[claim.account_id]].append(time.monotonic() - self.added[claim.invoice.id])


async def measure_dispatchers(database: Path, load: Load, processes: int = 8) -> Result:
    """On SQLite; `processes` are stores, each with connections and threads of its own, as in processes."""
    settings = Settings(database_url=f"sqlite:///{database}", max_running_per_account=load.slots)
    stores = [open_store(settings) for _ in range(processes)]
    began = time.monotonic()
    book = await simulate(stores, load)
    seconds = time.monotonic() - began
    await asyncio.gather(*(store.connection.close() for store in stores))
    return report(f"SQLite, {processes} stores", book, seconds)


async def simulate(stores: Sequence[Store], load: Load) -> Book:
    """Let the dispatchers loose on the stores, which are of one database, until every document has ended."""
    book = Book(load)
    await _add_heaps(stores[0], book)
    await stores[0].queue.repair()
    dispatchers = [_dispatch(stores[number % len(stores)], book, number) for number in range(load.dispatchers)]
    await asyncio.gather(*dispatchers, _add_singles(stores[0], book), _repair(stores[0], book))
    return book


def report(title: str, book: Book, seconds: float) -> Result:
    """The figures; kept if no row was claimed twice, and no account ran more than its slots."""
    twice = sum(count > 1 for count in book.claims.values())
    rows = [_wait_row(kind, waits) for kind, waits in book.waits.items()]
    calls = times_of(book.calls)
    lines = [
        f"### {title}: {book.load.dispatchers} dispatchers with {book.load.places} places each",
        "",
        f"{book.load.documents:,} documents in {seconds:.0f} s; {len(book.calls):,} calls found some,",
        f"{sum(book.claims.values()) / len(book.calls):.1f} each; p50 {calls.median:.0f} ms, p99 {calls.p99:.0f} ms.",
        f"Claimed twice: {twice}. Claims that others ended: {book.lost}. Most running of one account: "
        f"{book.most_running} of {book.load.slots}.",
        "",
        *table(["seconds from arrival to claim", "documents", "p50", "p99"], rows),
    ]
    return Result(lines, not twice and not book.lost and book.most_running <= book.load.slots)


def _wait_row(kind: str, waits: Iterable[float]) -> Sequence[object]:
    times = times_of(list(waits))
    return kind, times.count, f"{times.median / 1000:.2f}", f"{times.p99 / 1000:.2f}"


async def _dispatch(store: Store, book: Book, seed: int) -> None:
    rng, running = Random(seed), set[asyncio.Task[None]]()  # noqa: S311 - variety, not secrecy
    await asyncio.sleep(rng.uniform(0, _POLL_SECONDS))
    while not book.is_done:
        claimed = await _claim(store, book, book.load.places - len(running))
        running |= {asyncio.create_task(_run(store, book, claim, rng.uniform(*_RUN_SECONDS))) for claim in claimed}
        if running and (len(running) == book.load.places or not claimed):
            _, running = await asyncio.wait(running, timeout=_POLL_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        elif not claimed:
            await asyncio.sleep(_POLL_SECONDS)
    await asyncio.gather(*running)


async def _claim(store: Store, book: Book, most: int) -> list[InvoiceRecord]:
    if most == 0:
        return []
    began = time.perf_counter()
    claimed = await store.queue.claim_due_invoices(_LEASE, most)
    if claimed:
        book.calls.append(time.perf_counter() - began)
    for claim in claimed:
        book.claimed(claim)
    return claimed


async def _run(store: Store, book: Book, claim: InvoiceRecord, seconds: float) -> None:
    await asyncio.sleep(seconds)
    # Before the write: it frees the slot for the next one.
    book.running[claim.account_id] -= 1
    if await store.queue.save_result(claim, Extraction(), utc_now()) is None:
        book.lost += 1
    book.ended += 1


async def _add_heaps(store: Store, book: Book) -> None:
    heaps = [("heap", book.load.heap)] + [("small heaps", book.load.small_heap)] * book.load.small_heaps
    for kind, documents in heaps:
        account_id = await _account(store, book, kind)
        await asyncio.gather(*(_add(store, book, account_id) for _ in range(documents)))
    now = time.monotonic()
    book.added = dict.fromkeys(book.added, now)


async def _add_singles(store: Store, book: Book) -> None:
    for _ in range(book.load.singles):
        await _add(store, book, await _account(store, book, "singles"))
        await asyncio.sleep(book.load.seconds / book.load.singles)


async def _account(store: Store, book: Book, kind: str) -> UUID:
    account = Account(new_id(), Plan.UNLIMITED, utc_now())
    book.kinds[account.id] = kind
    await store.accounts.add(account)
    return account.id


async def _add(store: Store, book: Book, account_id: UUID) -> None:
    now = utc_now()
    invoice = Invoice(id=new_id(), source=Source.API, created_at=now, updated_at=now, file=_FILE)
    record = new_record(invoice, account_id)
    book.added[invoice.id] = time.monotonic()
    await store.intake.reserve(record, month_start(now), None)
    await store.intake.add(record)


async def _repair(store: Store, book: Book) -> None:
    while not book.is_done:
        await store.queue.repair()
        await asyncio.sleep(_REPAIR_SECONDS)
