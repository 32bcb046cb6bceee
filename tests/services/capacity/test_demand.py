"""How many replicas the backlog needs."""

from datetime import timedelta
from uuid import UUID

import pytest

from serve_app.domain.backlog import Backlog, Share
from serve_app.domain.invoice import Status
from serve_app.domain.load import PageKind
from serve_app.domain.pace import Stage
from serve_app.services.capacity.demand import Rule, demand_of, dispatchers
from tests.support import NOON

ONE, OTHER = UUID(int=1), UUID(int=2)
COSTS = {(Stage.READ, PageKind.SCAN): 2.0, (Stage.READ, PageKind.TEXT): 0.01, (Stage.EXTRACT, PageKind.SCAN): 0.1}
RULE = Rule(drain_seconds=15, hold_seconds=3)


def test_the_work_is_pages_times_what_a_page_of_the_kind_costs() -> None:
    backlog = Backlog(
        (
            Share(ONE, Status.QUEUED, PageKind.SCAN, documents=10, pages=30),
            Share(ONE, Status.PROCESSING, PageKind.TEXT, documents=2, pages=100),
            Share(OTHER, Status.QUEUED, PageKind.SCAN, documents=1, pages=1),
        ),
        oldest=NOON - timedelta(seconds=7),
    )
    demand = demand_of(backlog, COSTS, 8, NOON)
    assert demand.waited == 7
    assert demand.work[Stage.READ] == pytest.approx(30 * 2 + 100 * 0.01 + 2)
    assert demand.work[Stage.EXTRACT] == pytest.approx(31 * 0.1)
    assert demand.work[Stage.RECONCILE] == 0
    # Of one account's twelve documents, eight can be in progress.
    assert demand.documents == 8 + 1
    assert demand.pages == pytest.approx(130 * 8 / 12 + 1)


@pytest.mark.parametrize(
    ("work", "at_once", "waited", "now", "wanted"),
    [
        (0, 0, 0, 4, 0),
        (0.1, 1, 0, 0, 1),
        (150, 100, 0, 1, 10),
        # More readers than pages that can be read at a time would idle.
        (150, 4, 0, 1, 4),
        # As long as documents wait, nobody is sent home; in the end, what is left decides.
        (29, 100, 4, 10, 10),
        (29, 100, 2, 10, 2),
        (29, 3, 4, 10, 3),
    ],
)
def test_workers(work: float, at_once: float, waited: float, now: int, wanted: int) -> None:
    assert RULE.workers(work, at_once, waited, now) == wanted


@pytest.mark.parametrize(
    ("documents", "calls", "wanted"), [(1000, 64, 8), (1000, 65, 9), (10, 64, 2), (0, 64, 0), (1000, 0, 0)]
)
def test_as_many_dispatchers_as_keep_the_workers_busy(documents: int, calls: float, wanted: int) -> None:
    assert dispatchers(documents, calls, room=8) == wanted
