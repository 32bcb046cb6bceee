"""What a dispatcher knows about the backlog and tells others, by clocks that the test moves."""

from dataclasses import dataclass, field, replace
from datetime import timedelta

from serve_app.domain.account import Account
from serve_app.domain.backlog import Backlog
from serve_app.domain.load import Load, PageKind
from serve_app.domain.pace import Stage
from serve_app.services.capacity.backlog_monitor import LOOK_SECONDS, BacklogMonitor
from serve_app.services.capacity.costs import StageCosts
from serve_app.store.base import Store
from tests.support import NOON, Clock, make_record, queue_invoice

SCAN = Load(PageKind.SCAN, 2)


def monitor_of(store: Store, clock: Clock, costs: StageCosts | None = None) -> BacklogMonitor:
    monotonic = lambda: clock.now.timestamp()  # noqa: E731
    return BacklogMonitor(store.queue, store.paces, costs or StageCosts(), 8, clock, monotonic)


async def test_the_demand_is_that_of_the_latest_look(store: Store, account: Account, clock: Clock) -> None:
    costs = StageCosts()
    monitor = monitor_of(store, clock, costs)
    assert monitor.demand.documents == 0
    await queue_invoice(store, replace(make_record(account.id), load=SCAN))
    clock.advance(LOOK_SECONDS)
    await monitor.look()
    clock.advance(5)
    demand = monitor.demand
    assert (demand.documents, demand.pages, demand.waited) == (1, 2, LOOK_SECONDS + 5)
    assert demand.work[Stage.READ] == 2 * costs.means[Stage.READ, PageKind.SCAN]


async def test_the_pace_is_reported_every_ten_seconds_with_the_speed(
    store: Store, account: Account, clock: Clock
) -> None:
    for _ in range(3):
        await queue_invoice(store, replace(make_record(account.id), load=SCAN))
    costs = StageCosts()
    monitor = monitor_of(store, clock, costs)
    await monitor.look()
    (first,) = await store.paces.since(NOON)
    assert (first.at, first.speed) == (NOON, None)
    for _ in range(20):
        clock.advance(1)
        monitor.ended(SCAN)
        await monitor.look()
    (published,) = await store.paces.since(NOON)
    assert (published.worker, published.at) == (first.worker, NOON + timedelta(seconds=20))
    # A document a second.
    assert published.speed is not None
    assert abs(published.speed - costs.work_of(SCAN)) < 0.2 * costs.work_of(SCAN)


@dataclass
class _SlowQueue:
    """A look takes a second of the clock."""

    clock: Clock
    looks: list[float] = field(default_factory=list)

    async def backlog(self) -> Backlog:
        self.looks.append((self.clock.now - NOON).total_seconds())
        self.clock.advance(1)
        return Backlog()


async def test_a_slow_look_is_followed_by_a_long_pause(store: Store, clock: Clock) -> None:
    queue = _SlowQueue(clock)
    monitor = BacklogMonitor(queue, store.paces, StageCosts(), 8, clock, lambda: clock.now.timestamp())  # type: ignore[arg-type]
    while clock.now < NOON + timedelta(seconds=60):
        await monitor.look()
        clock.advance(LOOK_SECONDS)
    assert len(queue.looks) <= 4
