"""How many replicas the backlog needs."""

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from serve_app.domain.backlog import Backlog
from serve_app.domain.pace import Costs, Stage, work_of


@dataclass(frozen=True, slots=True)
class Demand:
    """`work` is in seconds of a worker, over everything that waits and runs. Of that, `documents` with `pages` can be
    in progress at a time: an account has only so many slots. The oldest has waited for `waited` seconds."""

    work: Mapping[Stage, float] = field(default_factory=dict)
    documents: int = 0
    pages: float = 0.0
    waited: float = 0.0


def demand_of(backlog: Backlog, costs: Costs, slots: int, now: datetime) -> Demand:
    """The demand, with `slots` for each account."""
    documents: defaultdict[UUID, int] = defaultdict(int)
    pages: defaultdict[UUID, int] = defaultdict(int)
    for share in backlog.shares:
        documents[share.account_id] += share.documents
        pages[share.account_id] += share.pages
    return Demand(
        {stage: sum(work_of(share, costs, stage) for share in backlog.shares) for stage in Stage},
        sum(min(count, slots) for count in documents.values()),
        sum(pages[account] * min(1.0, slots / count) for account, count in documents.items()),
        0.0 if backlog.oldest is None else max(0.0, (now - backlog.oldest).total_seconds()),
    )


@dataclass(frozen=True, slots=True)
class Rule:
    """As many workers are target as do the work in `drain_seconds`. No fewer than there are while a document has waited
    for more than `hold_seconds`: as long as a backlog lasts, nobody is sent home."""

    drain_seconds: float = 15.0
    hold_seconds: float = 3.0

    def workers(self, work: float, at_once: float, waited: float, now: int) -> int:
        """How many workers, of which `now` are there, `work` seconds need of which `at_once` pieces can be in progress
        at a time; a document has waited for `waited` seconds."""
        if work <= 0:
            return 0
        useful = max(1, math.ceil(at_once))
        target = min(math.ceil(work / self.drain_seconds), useful)
        if waited > self.hold_seconds:
            target = max(target, min(now, useful))
        return max(1, target)


def dispatchers(documents: int, calls: float, room: int) -> int:
    """How many dispatchers keep `calls` of workers busy, with `room` for documents in each, of which there are
    `documents` to be claimed."""
    return math.ceil(min(documents, calls) / room)
