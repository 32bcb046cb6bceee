"""What the levels of confidence are worth, for people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from serve_app.domain.invoice import Confidence, Field
from serve_app.domain.quality_answer import LevelQuality, QualityAnswer, RaisedThreshold
from serve_app.web.formats import Formats
from serve_app.web.review.fields import HEADER


@dataclass(frozen=True, slots=True)
class Share:
    """A share with the interval that it lies in with 95 % certainty, and of how many values it is. `breaks` is whether
    even the upper end is below what is promised."""

    text: str
    interval: str
    values: int
    breaks: bool


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One field: how often each level was right, how often the field was `high`, how often people changed it, and
    its threshold, if that rose."""

    name: Field
    label: str
    levels: Mapping[Confidence, Share]
    coverage: str
    corrected: int
    threshold: RaisedThreshold | None


@dataclass(frozen=True, slots=True)
class QualityView:
    """The page."""

    answer: QualityAnswer
    rows: Sequence[FieldRow]
    promised: str

    @property
    def minutes(self) -> Decimal | None:
        """What was saved; None as long as no review was measured."""
        saved = self.answer.time.minutes_saved
        return None if saved is None else Decimal(str(saved)).quantize(Decimal(1))

    @property
    def is_new(self) -> bool:
        """Whether nobody has decided on anything yet."""
        return self.answer.decided == 0


def view_of(answer: QualityAnswer, formats: Formats) -> QualityView:
    """The page for these figures."""
    shares: dict[Field, dict[Confidence, Share]] = {}
    for each in answer.levels:
        shares.setdefault(each.field, {})[each.level] = _share(each, answer.promised, formats)
    thresholds = {each.field: each for each in answer.thresholds}
    rows = [
        FieldRow(
            name=each.field,
            label=HEADER[each.field][0],
            levels=shares.get(each.field, {}),
            coverage=percent(each.coverage, formats),
            corrected=each.corrected,
            threshold=thresholds.get(each.field),
        )
        for each in answer.fields
    ]
    return QualityView(answer, rows, percent(answer.promised, formats))


def _share(found: LevelQuality, promised: float, formats: Formats) -> Share:
    return Share(
        text=percent(found.share, formats),
        interval=f"{percent(found.low, formats)} to {percent(found.high, formats)}",
        values=found.values,
        breaks=found.level is Confidence.HIGH and found.high < promised,
    )


def percent(share: float | None, formats: Formats) -> str:
    """A share in percent, with a decimal where that matters."""
    if share is None:
        return "–"
    return f"{formats.number(round(Decimal(str(share)) * 100, 1).normalize() + 0)} %"
