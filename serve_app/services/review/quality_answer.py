"""What the levels are worth, put together for a caller and as a table."""

import csv
import io
from collections.abc import Sequence

from serve_app.domain.quality import HEADER
from serve_app.domain.quality_answer import (
    FieldQuality,
    LevelQuality,
    QualityAnswer,
    RaisedThreshold,
    TimeSaved,
    VendorQuality,
)
from serve_app.domain.resource import Resource
from serve_app.domain.target_precision import TargetPrecision
from serve_app.services.review.quality import Quality

_COLUMNS = ("field", "level", "values", "right", "stands_for", "share", "low", "high")


def quality_answer(quality: Quality, target: TargetPrecision = TargetPrecision.STANDARD) -> QualityAnswer:
    """The figures as the API answers them, for an account with this target precision."""
    return QualityAnswer(
        promised=1 - target.allowed_wrong_of_field,
        decided=quality.decided,
        confirmed=quality.confirmed,
        rejected=quality.rejected,
        drawn=quality.drawn,
        levels=[
            LevelQuality(
                field=field,
                level=level,
                values=found.values,
                right=found.right,
                stands_for=round(found.stands_for, 2),
                share=round(found.share or 0.0, 4),
                low=round(found.low, 4),
                high=round(found.high, 4),
            )
            for (field, level), found in quality.precision.items()
        ],
        fields=[
            FieldQuality(field=field, corrected=quality.corrections.get(field, 0), coverage=quality.coverage.get(field))
            for field in HEADER
        ],
        vendors=[VendorQuality(name=name, corrected=count) for name, count in quality.vendors],
        thresholds=[
            RaisedThreshold(
                field=field, chance=threshold.chance if threshold.chance <= 1 else None, since=threshold.since
            )
            for field, threshold in quality.thresholds.items()
        ],
        time=_time_of(quality),
    )


def _time_of(quality: Quality) -> TimeSaved:
    time = quality.time
    return TimeSaved(
        measured=time.measured,
        seconds=None if time.seconds is None else round(time.seconds, 1),
        since=time.since,
        unseen=time.unseen,
        minutes_saved=None if time.minutes is None else round(time.minutes, 1),
    )


def quality_csv(quality: Quality) -> str:
    """The precision of every field and level, a row each."""
    return _csv_of(_COLUMNS, quality_answer(quality).levels)


def time_csv(quality: Quality) -> str:
    """The time that was saved, as one row."""
    return _csv_of(tuple(TimeSaved.model_fields), [_time_of(quality)])


def _csv_of(columns: Sequence[str], rows: Sequence[Resource]) -> str:
    table = io.StringIO()
    writer = csv.DictWriter(table, columns, extrasaction="ignore", lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(row.model_dump(mode="json") for row in rows)
    return table.getvalue()
