"""What the levels are worth, as `GET /v1/quality` answers it."""

from datetime import datetime
from typing import Literal

from serve_app.domain.invoice import Confidence, Field
from serve_app.domain.resource import Resource


class LevelQuality(Resource):
    """Values of one field and level on which people have decided. `share` of them was right, weighted by how many
    values each stands for; `low` and `high` are its 95 % interval."""

    field: Field
    level: Confidence
    values: int
    right: int
    stands_for: float
    share: float
    low: float
    high: float


class FieldQuality(Resource):
    """One field: how many of its values people have corrected, and the share of invoices on which it was `high`."""

    field: Field
    corrected: int
    coverage: float | None


class VendorQuality(Resource):
    """A vendor, and how many values of its invoices were corrected."""

    name: str
    corrected: int


class RaisedThreshold(Resource):
    """A field whose `high` values were wrong too often: since then they are `high` from this probability on, or never
    (null)."""

    field: Field
    chance: float | None
    since: datetime


class TimeSaved(Resource):
    """`seconds` is the median of the `measured` reviews, from opening one in the web application to the verdict; null
    without any. `unseen` invoices came `since` then, were verified automatically, and nobody had to look at them: to
    review them would have taken `minutes_saved`."""

    measured: int
    seconds: float | None
    since: datetime
    unseen: int
    minutes_saved: float | None


class QualityAnswer(Resource):
    """What people's decisions on an account's invoices say about the levels of confidence. `promised` is the least
    share of `high` values of a field that is to be right. `drawn` is how many of the decided invoices were of the audit
    sample."""

    object: Literal["quality"] = "quality"
    promised: float
    decided: int
    confirmed: int
    rejected: int
    drawn: int
    levels: list[LevelQuality]
    fields: list[FieldQuality]
    vendors: list[VendorQuality]
    thresholds: list[RaisedThreshold]
    time: TimeSaved
