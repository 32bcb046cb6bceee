"""`python -m benchmarks.orders`: match generated invoices with orders that have planted differences, in a new store."""

import argparse
import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.orders.generate import PLANTED, Bill, Scene, make_scene
from serve_app.domain.account import Account, Plan
from serve_app.domain.batch import Section
from serve_app.domain.evidence import Evidence, PageWords, pack
from serve_app.domain.ids import new_id
from serve_app.domain.order_match import OrderMatch, OrderMatchStatus
from serve_app.services.orders.matching import OrderMatcher
from serve_app.store.base import Store
from serve_app.store.sqlite.store import open_sqlite
from tests.support import NOON, Clock, claim_next, queue_new


@dataclass(slots=True)
class Result:
    """Counts by planted kind; None is no difference."""

    planted: Counter[str | None] = field(default_factory=Counter)
    found: Counter[str | None] = field(default_factory=Counter)
    alone: Counter[str | None] = field(default_factory=Counter)
    without_order: Counter[str | None] = field(default_factory=Counter)
    wrong_order: Counter[str | None] = field(default_factory=Counter)
    false_kinds: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def note(self, bill: Bill, match: OrderMatch | None) -> None:
        kind = bill.kind
        kinds = [each.kind for each in match.findings if each.is_difference] if match else []
        self.planted[kind] += 1
        if match is None or match.status is OrderMatchStatus.NOT_FOUND:
            self.without_order[kind] += 1
        elif [order.id for order in match.orders] != [bill.order_id]:
            self.wrong_order[kind] += 1
        self.found[kind] += kind in kinds if kind else not kinds
        self.alone[kind] += set(kinds) == ({kind} if kind else set())
        self.false_kinds.update(each for each in kinds if each != kind)

    def table(self) -> str:
        rows = ["| planted | invoices | found | nothing else reported | no order found |", "|---|---|---|---|---|"]
        for kind in (*PLANTED, None):
            counts = (self.planted[kind], self.found[kind], self.alone[kind], self.without_order[kind])
            rows.append(f"| {f'`{kind}`' if kind else 'nothing'} | {' | '.join(map(str, counts))} |")
        return "\n".join(rows)


async def match_all(store: Store, scene: Scene) -> Result:
    """Read, match and save each invoice, one after the other."""
    await store.accounts.add(Account(scene.account_id, Plan.UNLIMITED, NOON))
    for order in scene.orders:
        assert await store.purchase_orders.add(order)
    matcher, result = OrderMatcher(store, Clock()), Result()
    for bill in scene.bills:
        await queue_new(store, scene.account_id)
        claim = await claim_next(store)
        page = PageWords(1, 595.0, 842.0, " ".join(bill.words), ())
        section = Section(1, 1, bill.extraction, evidence=pack(Evidence((page,))))
        started = time.perf_counter()
        (matched,) = await matcher.apply(scene.account_id, claim.invoice.id, [section])
        result.seconds.append(time.perf_counter() - started)
        await store.queue.save_result(claim, matched.extraction, NOON)
        if bill.is_measured:
            result.note(bill, matched.extraction.order_match)
    return result


async def run(count: int, seed: int) -> Result:
    """The result for a new scene in a new store."""
    scene = make_scene(np.random.default_rng(seed), new_id(), count)
    with TemporaryDirectory() as folder:
        store = open_sqlite(Path(folder) / "invoices.db", 8, Clock())
        try:
            return await match_all(store, scene)
        finally:
            await store.connection.close()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--invoices", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    result = asyncio.run(run(options.invoices, options.seed))
    print(result.table())
    print(f"\nreported besides: {dict(result.false_kinds)}; another order: {sum(result.wrong_order.values())}")
    times = np.array(result.seconds) * 1000
    print(f"matching: median {np.median(times):.1f} ms, 99 % within {np.quantile(times, 0.99):.1f} ms")


if __name__ == "__main__":
    main()
