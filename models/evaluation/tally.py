"""Counting right and wrong values over a dataset."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from models.evaluation.compare import HEADER, is_absent, is_right, matched_lines
from models.evaluation.dataset import Truth
from serve_app.domain.invoice import Confidence, Extraction, Field

_CONFIDENCE_KEY = {name: Field("vendor" if name == "vendor_name" else name) for name in HEADER}


@dataclass(slots=True)
class FieldCount:
    """One field: documents that print it, how many of these were read right, and how many of all were right, with
    "nothing" as the right answer where nothing is printed. `levels` counts values by confidence, `right_levels` the
    right ones among them."""

    printed: int = 0
    printed_right: int = 0
    scored: int = 0
    right: int = 0
    levels: Counter[Confidence] = field(default_factory=Counter)
    right_levels: Counter[Confidence] = field(default_factory=Counter)


@dataclass(slots=True)
class Tally:
    """Counts of a set of documents."""

    documents: int = 0
    failed: int = 0
    pages: int = 0
    seconds: float = 0.0
    fields: dict[str, FieldCount] = field(default_factory=lambda: defaultdict(FieldCount))
    true_lines: int = 0
    predicted_lines: int = 0
    matched: int = 0
    # Files that hold no invoice, and how many of them gave values.
    no_invoice: int = 0
    invented: int = 0

    @property
    def line_f1(self) -> float | None:
        """F1 of line items, None where there are none."""
        total = self.true_lines + self.predicted_lines
        return 2 * self.matched / total if total else None

    def add_file(self, truths: tuple[Truth, ...], extraction: Extraction | None, seconds: float) -> None:
        """Count one file; `extraction` is None for a file whose reading failed."""
        self.seconds += seconds
        self.pages += (extraction.pages or 0) if extraction else 0
        if not truths:
            self._add_no_invoice(extraction)
            return
        self.failed += extraction is None
        for index, truth in enumerate(truths):
            # A file of several invoices gives one extraction, held against the first of them.
            self._add_invoice(truth, (extraction or Extraction()) if index == 0 else Extraction())

    def _add_no_invoice(self, extraction: Extraction | None) -> None:
        self.no_invoice += 1
        values = [getattr(extraction, name, None) for name in HEADER if name != "currency"]
        self.invented += any(value is not None for value in values)

    def _add_invoice(self, truth: Truth, extraction: Extraction) -> None:
        self.documents += 1
        hidden = truth.get("_not_printed", [])
        for name in HEADER:
            if name in truth and name not in hidden:
                self._add_field(name, truth, extraction)
        if "line_items" in truth and "line_items" not in hidden:
            self.true_lines += len(truth["line_items"])
            self.predicted_lines += len(extraction.line_items)
            self.matched += matched_lines(truth["line_items"], extraction.line_items)

    def _add_field(self, name: str, truth: Truth, extraction: Extraction) -> None:
        count = self.fields[name]
        predicted = getattr(extraction, name)
        right = is_right(name, truth, predicted)
        count.scored += 1
        count.right += right
        if not is_absent(name, truth[name]):
            count.printed += 1
            count.printed_right += right
        confidence = (extraction.field_confidence or {}).get(_CONFIDENCE_KEY[name])
        if confidence is not None:
            count.levels[confidence] += 1
            count.right_levels[confidence] += right
