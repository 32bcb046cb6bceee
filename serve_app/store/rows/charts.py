"""Charts as both stores keep them: one JSON text."""

from typing import Any

from serve_app.domain.chart import Chart
from serve_app.store.base.reviews import NewReview
from serve_app.store.rows.codec import to_micros


def chart_from(revision: int, text: str) -> Chart:
    """The chart of a row, without fields that a later version has added."""
    chart = Chart.model_validate_json(text, extra="ignore")
    return chart.model_copy(update={"revision": revision})


def chart_text(chart: Chart) -> str:
    """The chart as it is stored, without the revision, which has its own field."""
    return chart.model_dump_json(exclude={"object", "revision"})


def coding_fields(new: NewReview) -> dict[str, Any]:
    """The fields of an invoice whose coding teaches what the review says."""
    if new.coding is None:
        return {"coding_example": None, "coded_at": None}
    return {"coding_example": new.coding.encoded(), "coded_at": to_micros(new.at)}
