"""What coding and matching add to a document: `python -m benchmarks.coding.cost [FILE ...] [--rounds 30]`.

Each file is read in turns without and with the two steps, in one process, for an account with 2,000 coding decisions
and 1,000 open orders, among them the file's own. Processor time, without the reading of the store for coding.
"""

import argparse
import asyncio
import statistics
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import UUID

import numpy as np

from benchmarks.coding.firms import Firm, make_firm
from benchmarks.orders.generate import make_scene
from serve_app.coding.learn import example_of
from serve_app.coding.suggest import Coder
from serve_app.commands.model_options import load_pipeline
from serve_app.domain.account import Account, Plan
from serve_app.domain.batch import Section
from serve_app.domain.clock import utc_now
from serve_app.domain.coding import CodingDecision, CodingExample, DecidedPosting
from serve_app.domain.ids import new_id
from serve_app.domain.purchase_order import PurchaseOrder
from serve_app.services.coding.suggestions import MOST_EXAMPLES, suggestion_for
from serve_app.services.orders.matching import OrderMatcher
from serve_app.store.base import Store
from serve_app.store.sqlite.store import open_sqlite
from tests.support import NOON, Clock
from tests.support.orders import make_line, make_order

ORDERS = 1_000
FILES = ("samples/invoice.pdf", "samples/invoice.html", "samples/scan.jpg")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", default=FILES)
    parser.add_argument("--rounds", type=int, default=30)
    options = parser.parse_args(arguments)
    asyncio.run(_measure([Path(file) for file in options.files], options.rounds))


async def _measure(files: Sequence[Path], rounds: int) -> None:
    pipeline, firm = load_pipeline(None, None, None), make_firm(1_003)
    coder = Coder(firm.chart, _decided(firm)[:MOST_EXAMPLES])
    print("| File | Without, ms | With, ms | Of it coding, ms | Of it matching, ms |")
    print("|---|---:|---:|---:|---:|")
    with TemporaryDirectory() as folder:
        store = open_sqlite(Path(folder) / "invoices.db", 8, Clock())
        account = Account(new_id(), Plan.UNLIMITED, NOON)
        await store.accounts.add(account)
        await _add_orders(store, account.id)
        matcher = OrderMatcher(store, Clock())
        for file in files:
            data = file.read_bytes()
            sections = pipeline.extract(data)
            await store.purchase_orders.add(_ordered(account.id, sections[0]))
            without, whole, coding, matching = list[float](), list[float](), list[float](), list[float]()
            for _ in range(rounds):
                began = time.process_time()
                pipeline.extract(data)
                without.append(time.process_time() - began)
                began = time.process_time()
                sections = pipeline.extract(data)
                read = time.process_time()
                for section in sections:
                    suggestion_for(coder, section.extraction, None)
                coded = time.process_time()
                await matcher.apply(account.id, new_id(), sections)
                ended = time.process_time()
                whole.append(ended - began)
                coding.append(coded - read)
                matching.append(ended - coded)
            medians = (statistics.median(each) * 1000 for each in (without, whole, coding, matching))
            print(f"| {file.name} | {' | '.join(f'{each:.1f}' for each in medians)} |", flush=True)
        await store.connection.close()


def _decided(firm: Firm) -> list[CodingExample]:
    """What the firm's clerk has decided in a year, the newest first."""
    found = list[CodingExample]()
    for month in range(12):
        for extraction, entity, booked in firm.invoices(month):
            postings = [
                DecidedPosting(line=number, codes=parts[0][1]) for number, parts in enumerate(booked, 1) if parts
            ]
            decision = CodingDecision(postings=postings, by="clerk", at=utc_now())
            found.append(example_of(extraction, entity, decision, None))
    return found[::-1]


async def _add_orders(store: Store, account_id: UUID) -> None:
    for order in make_scene(np.random.default_rng(1), account_id, ORDERS).orders:
        await store.purchase_orders.add(order)


def _ordered(account_id: UUID, section: Section) -> PurchaseOrder:
    """An order of what the invoice bills."""
    items = [item for item in section.extraction.line_items if item.quantity and item.unit_price]
    lines = [
        make_line(number, item.description or "", str(item.quantity), str(item.unit_price))
        for number, item in enumerate(items, 1)
    ]
    vendor = section.extraction.vendor_name or ""
    return make_order(
        account_id, f"COST-{new_id()}", *lines, vendor=vendor, currency=section.extraction.currency or "EUR"
    )


if __name__ == "__main__":
    main()
