"""What the levels are worth, put together for a caller and as a table."""

import csv
import io

from serve_app.domain.quality import HEADER, PROMISED_WRONG
from serve_app.domain.quality_answer import FieldQuality, LevelQuality, QualityAnswer, RaisedThreshold, VendorQuality
from serve_app.services.review.quality import Quality

_COLUMNS = ("field", "level", "values", "right", "stands_for", "share", "low", "high")


def quality_answer(quality: Quality) -> QualityAnswer:
    """The figures as the API answers them."""
    return QualityAnswer(
        promised=1 - PROMISED_WRONG,
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
    )


def quality_csv(quality: Quality) -> str:
    """The precision of every field and level, a row each."""
    table = io.StringIO()
    writer = csv.DictWriter(table, _COLUMNS, extrasaction="ignore", lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(level.model_dump(mode="json") for level in quality_answer(quality).levels)
    return table.getvalue()
