"""How fast documents are worked off, as measured."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from serve_app.domain.backlog import Share
from serve_app.domain.load import PageKind

PACE_LIFE = timedelta(seconds=60)
"""A dispatcher that has not told its pace for this long is taken for gone."""


class Stage(StrEnum):
    """A step of a run that has workers of its own."""

    READ = "read"
    EXTRACT = "extract"
    VERIFY = "verify"
    RECONCILE = "reconcile"


Costs = Mapping[tuple[Stage, PageKind], float]
"""Seconds of a worker for each expected page."""


@dataclass(frozen=True, slots=True)
class Pace:
    """What one dispatcher (`worker`) has measured. `speed` is how many seconds of work it gets done in a second while
    something waits, over all stages; None if nothing has waited lately."""

    worker: str
    at: datetime
    costs: Costs
    speed: float | None = None


def work_of(share: Share, costs: Costs, stage: Stage | None = None) -> float:
    """The seconds of work that the documents are, in one stage or all."""
    stages = Stage if stage is None else (stage,)
    return share.pages * sum(costs.get((each, share.kind), 0.0) for each in stages)
