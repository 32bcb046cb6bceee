"""Counting right and wrong values over a dataset."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field

from models.evaluation.compare import HEADER, is_absent, is_right, matched_lines
from models.evaluation.dataset import Case, Truth
from models.evaluation.outcome import Outcome
from models.evaluation.pairing import paired
from models.evaluation.presence import present
from serve_app.domain.document import Document
from serve_app.domain.invoice import Confidence, Extraction, Field

CONFIDENCE_KEY = {name: Field("vendor" if name == "vendor_name" else name) for name in HEADER}


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
    read_seconds: float = 0.0
    fields: dict[str, FieldCount] = field(default_factory=lambda: defaultdict(FieldCount))
    true_lines: int = 0
    predicted_lines: int = 0
    matched: int = 0
    # Printed values, and those of them that are among the words read.
    printed: Counter[str] = field(default_factory=Counter)
    present: Counter[str] = field(default_factory=Counter)
    # Files without an invoice, and how many of them gave values.
    no_invoice: int = 0
    invented: int = 0
    invented_high: int = 0

    @property
    def line_f1(self) -> float | None:
        """F1 of line items; None if there are none."""
        total = self.true_lines + self.predicted_lines
        return 2 * self.matched / total if total else None

    @property
    def header(self) -> tuple[int, int]:
        """How many header fields are right, and how many are scored: printed ones and absent ones alike."""
        return sum(count.right for count in self.fields.values()), sum(count.scored for count in self.fields.values())

    def add(self, case: Case, outcome: Outcome) -> None:
        """Count one file."""
        self.seconds += outcome.seconds
        self.read_seconds += outcome.read_seconds
        self.pages += len(outcome.document.pages) if outcome.document else 0
        if not case.truths:
            self.no_invoice += 1
            self.invented += bool(outcome.values)
            self.invented_high += outcome.high
            return
        self.failed += outcome.failure is not None
        pairs = paired(case.truths, outcome.sections)
        for index, truth in enumerate(case.truths):
            found = outcome.extraction(pairs.get(index))
            self._add_invoice(truth, found)
            self._add_presence(truth, outcome.document)

    def _add_presence(self, truth: Truth, document: Document | None) -> None:
        pages = document.pages if document else ()
        chosen = [page for page in pages if page.number in truth.get("_pages", [page.number])]
        for name, is_present in present(truth, chosen).items():
            self.printed[name] += 1
            self.present[name] += is_present

    def _add_invoice(self, truth: Truth, extraction: Extraction | None) -> None:
        self.documents += 1
        hidden = truth.get("_not_printed", [])
        for name in HEADER:
            if name in truth and name not in hidden:
                self._add_field(name, truth, extraction)
        if "line_items" in truth and "line_items" not in hidden:
            self.true_lines += len(truth["line_items"])
            found = extraction.line_items if extraction else []
            self.predicted_lines += len(found)
            self.matched += len(matched_lines(truth["line_items"], found))

    def _add_field(self, name: str, truth: Truth, extraction: Extraction | None) -> None:
        count = self.fields[name]
        # An invoice that was not found at all is wrong in its empty fields, too.
        right = extraction is not None and is_right(name, truth, getattr(extraction, name))
        count.scored += 1
        count.right += right
        if not is_absent(truth[name]):
            count.printed += 1
            count.printed_right += right
        levels = extraction.field_confidence if extraction else None
        confidence = (levels or {}).get(CONFIDENCE_KEY[name])
        if confidence is not None:
            count.levels[confidence] += 1
            count.right_levels[confidence] += right
