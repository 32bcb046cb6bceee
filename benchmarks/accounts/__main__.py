"""Many accounts with limits of their own, all sending at once: none over a limit, none starved, sums as the documents.

Usage: python -m benchmarks.accounts [--accounts N] [--dispatchers N] [--senders N] [--seed N]

The application, the store (SQLite) and the dispatchers are the service's, in this process; reader and models are
stand-ins. Every third account has a budget, the others a quota. Each sends until that refuses, and waits when its rate
does. 1 if a promise was broken.
"""

import argparse
import asyncio
import math
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from itertools import chain
from pathlib import Path
from random import Random

import httpx
from pydantic import SecretStr

from actors.application import create_application
from benchmarks.accounts.observed import Observed, ObservedQueue
from benchmarks.store.report import table, times_of
from serve_app.domain.account import Account, AccountLimits, Plan, Scope, mint_key
from serve_app.domain.budget import Prices
from serve_app.domain.clock import month_start, utc_now
from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Invoice, Status
from serve_app.domain.query import InvoiceQuery
from serve_app.domain.usage import ComputeTime, UsageSums
from serve_app.services.processing.dispatch import Dispatcher
from serve_app.settings import Settings
from serve_app.store.base import Store
from serve_app.store.factory import open_files, open_store
from serve_app.wiring.dispatcher import build_dispatcher
from serve_app.wiring.services import build_services
from tests.support import PDF_BYTES, FakeCutter, FakeModels, FakeNotifier, FakeReader, FakeReconciler, interpreting

_READ_SECONDS = 0.05
_MOST_SECONDS = 600.0
_PRICES = Prices(page=Decimal("0.10"), core_hour=Decimal("0.05"))
_COST = _PRICES.cost_of(UsageSums(pages=1, cpu_ms=150))
"""Of each document."""


@dataclass(frozen=True, slots=True)
class Customer:
    """An account and its key."""

    account: Account
    key: str

    @property
    def has_budget(self) -> bool:
        """Whether its budget ends its month; else its quota does."""
        return self.account.limits.budget_per_month is not None

    @property
    def documents(self) -> int:
        """As many as use its month up."""
        limits = self.account.limits
        budget = 0 if limits.budget_per_month is None else math.ceil(limits.budget_per_month / _COST)
        return limits.documents_per_month or budget


def main() -> int:
    """Measure, and print what was seen."""
    arguments = _parser().parse_args()
    with tempfile.TemporaryDirectory(prefix="bench-accounts-") as folder:
        return asyncio.run(_measure(Path(folder), arguments))


async def _measure(folder: Path, arguments: argparse.Namespace) -> int:
    settings = Settings(
        database_url=f"sqlite:///{folder}/invoices.db",
        files_url=str(folder / "files"),
        mail_folder=str(folder / "mail"),
        signing_key=SecretStr("a secret of benchmarks, long enough for it"),
        encryption_key=SecretStr("MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="),
        price_page=_PRICES.page,
        price_core_hour=_PRICES.core_hour,
    )
    store, files, observed = open_store(settings), open_files(settings), Observed()
    customers = await _customers(store, arguments.accounts, Random(arguments.seed))  # noqa: S311 - variety
    # As in processes of their own.
    stores = [open_store(settings) for _ in range(arguments.dispatchers)]
    dispatchers = [_dispatcher(each, settings, observed) for each in stores]
    loops = [asyncio.create_task(dispatcher.run()) for dispatcher in dispatchers]
    notifier = FakeNotifier(lambda: _wake(dispatchers))
    app = create_application(build_services(store, files, notifier, FakeCutter(), FakeModels(), settings))
    began = time.monotonic()
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url="http://bench", timeout=_MOST_SECONDS) as client:
        senders = customers * arguments.senders
        await asyncio.gather(*(_send_all(client, customer, observed) for customer in senders))
    await _all_ended(store)
    seconds = time.monotonic() - began
    for dispatcher in dispatchers:
        await dispatcher.stop()
    await asyncio.gather(*loops)
    # Housekeeping ends them after an hour.
    observed.reserved.update(each.account_id for each in await store.intake.stale(utc_now(), 100_000) if each.month)
    broken, waits = Counter(_over(customers, observed)), list[list[float]]()
    for customer in customers:
        invoices = await _in_store(store, customer)
        broken.update(await _differences(store, customer, invoices, observed))
        waits.append([(each.updated_at - each.created_at).total_seconds() for each in invoices])
    _print(observed, customers, waits, seconds, broken)
    await asyncio.gather(*(each.connection.close() for each in (store, *stores)))
    return int(any(broken.values()))


def _wake(dispatchers: Sequence[Dispatcher]) -> None:
    for dispatcher in dispatchers:
        dispatcher.wake()


async def _customers(store: Store, count: int, rng: Random) -> list[Customer]:
    """Each with limits of its own."""
    customers = []
    for number in range(count):
        limits = _budget(rng) if number % 3 == 0 else AccountLimits(rng.randint(2, 5))
        limits = replace(limits, requests_per_minute=rng.randint(2, 6), running=rng.randint(1, 3))
        account = replace(Account(new_id(), Plan.UNLIMITED, utc_now()), limits=limits)
        await store.accounts.add(account)
        await store.accounts.set_limits(account.id, limits)
        key, raw = mint_key(account.id, "load", Scope.FULL, utc_now())
        await store.keys.add(key)
        customers.append(Customer(account, raw))
    return customers


def _budget(rng: Random) -> AccountLimits:
    return AccountLimits(budget_per_month=Decimal(rng.randint(15, 45)) / 100)


def _dispatcher(store: Store, settings: Settings, observed: Observed) -> Dispatcher:
    async def read() -> None:
        await asyncio.sleep(_READ_SECONDS)

    reader = FakeReader(before=read, spent=ComputeTime(cpu=0.12))
    watched = replace(store, queue=ObservedQueue(store.queue, observed))
    reconciler = FakeReconciler(cpu_seconds=0.03)
    return build_dispatcher(watched, open_files(settings), reader, interpreting(reconciler), settings)


async def _send_all(client: httpx.AsyncClient, customer: Customer, observed: Observed) -> None:
    """One request after the other, until the quota or the budget refuses one."""
    header, account_id = {"Authorization": f"Bearer {customer.key}"}, customer.account.id
    while True:
        minute, is_used_up = _minute(), observed.ended[account_id] >= customer.documents
        answer = await client.post("/v1/invoices", files={"file": ("a.pdf", PDF_BYTES)}, headers=header)
        code = "accepted" if answer.is_success else str(answer.json()["error"]["code"])
        if answer.status_code == 503 or code == "rate_limited":
            observed.refused[code] += 1
            await asyncio.sleep(float(answer.headers["Retry-After"]))
            continue
        # One that was sent in a minute and answered in the next may have been counted in either.
        observed.passed[account_id, minute] += minute == _minute()
        if code != "accepted":
            observed.refused[code] += 1
            return
        observed.accepted[account_id] += 1
        observed.accepted_late[account_id] += is_used_up


def _minute() -> int:
    return int(time.time() // 60)


async def _all_ended(store: Store) -> None:
    async with asyncio.timeout(_MOST_SECONDS):
        while (await store.queue.backlog()).shares:  # noqa: ASYNC110 - the dispatchers have loops of their own
            await asyncio.sleep(0.2)


def _over(customers: Sequence[Customer], observed: Observed) -> dict[str, int]:
    accepted, most = observed.accepted, observed.most_running
    rates = {customer.account.id: customer.account.limits.requests_per_minute or 0 for customer in customers}
    return {
        "accounts over their quota": sum(
            accepted[each.account.id] > each.documents for each in customers if not each.has_budget
        ),
        "documents accepted after a quota or budget was used up": observed.accepted_late.total(),
        "accounts with less than their quota or budget": sum(
            accepted[each.account.id] + observed.reserved[each.account.id] < each.documents for each in customers
        ),
        "accounts over their documents at once": sum(
            most[each.account.id] > (each.account.limits.running or 0) for each in customers
        ),
        "keys over their requests in a minute": sum(
            count > rates[account_id] for (account_id, _), count in observed.passed.items()
        ),
    }


async def _in_store(store: Store, customer: Customer) -> list[Invoice]:
    return list((await store.invoices.page(customer.account.id, InvoiceQuery(), 1000)).items)


async def _differences(
    store: Store, customer: Customer, invoices: Sequence[Invoice], observed: Observed
) -> dict[str, int]:
    """What of an account's sums is not as its invoices are."""
    accepted, reserved = observed.accepted[customer.account.id], observed.reserved[customer.account.id]
    month = month_start(invoices[0].created_at)
    sums = (await store.quotas.usage_by_month(customer.account.id, month)).values()
    return {
        "accounts whose documents are not complete": any(each.status is not Status.COMPLETE for each in invoices),
        "accounts with other documents than were accepted": len(invoices) != accepted,
        "accounts whose quota differs from their documents": accepted + reserved
        != sum((await store.quotas.by_month(customer.account.id, month)).values()),
        "accounts whose usage by month differs from their invoices": UsageSums.of(each.usage for each in invoices)
        != UsageSums(*(sum(numbers) for numbers in zip(*sums, strict=True))),
    }


def _print(
    observed: Observed,
    customers: Sequence[Customer],
    waits: Sequence[Sequence[float]],
    seconds: float,
    broken: Counter[str],
) -> None:
    every = times_of(list(chain.from_iterable(waits)))
    slowest = sorted(statistics.median(each) for each in waits)
    excess = sorted(observed.accepted[each.account.id] - each.documents for each in customers if each.has_budget)
    rows = [
        ("seconds", f"{seconds:.0f}"),
        ("documents", every.count),
        ("requests refused by the rate", observed.refused["rate_limited"]),
        ("requests to repeat, because the store did not answer in time", observed.refused["service_unavailable"]),
        ("from acceptance to result, p50, p99, s", f"{every.median / 1000:.2f}, {every.p99 / 1000:.2f}"),
        ("an account's median: the middle one, the slowest, s", f"{statistics.median(slowest):.2f}, {slowest[-1]:.2f}"),
        ("accounts with a budget", len(excess)),
        (
            "accepted while the last of a budget was read: median, most",
            f"{excess[len(excess) // 2]}, {excess[-1]}",
        ),
        ("units taken by requests to repeat, until housekeeping", observed.reserved.total()),
        *broken.items(),
    ]
    print(*table([f"{len(waits)} accounts", ""], rows), sep="\n")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accounts", description=__doc__)
    parser.add_argument("--accounts", type=int, default=500)
    parser.add_argument("--dispatchers", type=int, default=3, help="each with a store of its own")
    parser.add_argument("--senders", type=int, default=1, help="of each account, at once")
    parser.add_argument("--seed", type=int, default=1)
    return parser


if __name__ == "__main__":
    sys.exit(main())
