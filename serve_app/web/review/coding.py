"""What an invoice is booked on, as rows of the review screen."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from serve_app.domain.booked_lines import booked_lines, whole_invoice
from serve_app.domain.chart import Chart, Dimension, active_codes
from serve_app.domain.coding import WHOLE, CodingStatus, Posting, PostingCode, by_line
from serve_app.domain.confidence import Confidence
from serve_app.domain.invoice import Invoice
from serve_app.domain.review_values import number_of
from serve_app.services.coding.decisions import NewPosting

_NAME = re.compile(r"coding-(\d{1,4})-(.+)", re.ASCII)
_NOTHING = PostingCode(value=None, confidence=None, score=None, reason=None)


@dataclass(frozen=True, slots=True)
class CodingRow:
    """A posting: the number of its line (empty: the whole invoice), the words of the line, and its codes by
    dimension. `share` is empty for a whole line."""

    line: str
    text: str
    share: str
    codes: Mapping[str, PostingCode]

    def is_doubtful(self, key: str) -> bool:
        """Whether a person should look at the code: it is suggested, and not `high`."""
        return self.codes[key].confidence in (Confidence.MID, Confidence.LOW)


@dataclass(frozen=True, slots=True)
class CodingView:
    """The rows of an invoice, and what can be entered."""

    dimensions: Sequence[Dimension]
    rows: Sequence[CodingRow]
    note: str

    def codes_of(self, dimension: Dimension) -> Mapping[str, str]:
        """The codes that can be entered, with their names."""
        return active_codes(dimension)


def coding_view(invoice: Invoice, chart: Chart) -> CodingView | None:
    """The rows of the invoice; None without a chart."""
    if not chart.dimensions:
        return None
    coding, texts = invoice.coding, {line.number: line.text for line in booked_lines(invoice)}
    postings: Sequence[Posting] = (
        coding.postings
        if coding is not None
        else [Posting(line=number, share=WHOLE, amount=None, codes={}) for number in texts]
    )
    texts[None] = whole_invoice(invoice).text or "Whole invoice"
    parts = {number: len(each) for number, each in by_line(postings).items()}
    rows = [_row(each, texts[each.line], parts[each.line] > 1, chart) for each in postings]
    note = ""
    if coding is not None and coding.status is CodingStatus.CONFIRMED:
        note = f"Confirmed by {coding.by}."
    elif coding is not None and coding.auto_coded:
        note = "All codes are sure."
    return CodingView(chart.dimensions, rows, note)


def _row(posting: Posting, text: str, is_split: bool, chart: Chart) -> CodingRow:
    codes = {each.key: posting.codes.get(each.key, _NOTHING) for each in chart.dimensions}
    share = format(posting.share.normalize(), "f") if is_split else ""
    return CodingRow(str(posting.line or ""), text, share, codes)


def postings_in(form: Mapping[str, str]) -> list[NewPosting] | None:
    """The postings that a form has; None if it has none, or no code at all. Raises InvalidParameter."""
    rows: dict[int, dict[str, str]] = {}
    for name, value in form.items():
        if found := _NAME.fullmatch(name):
            rows.setdefault(int(found[1]), {})[found[2]] = value.strip()
    postings = [_posting(row) for _, row in sorted(rows.items())]
    return postings if any(any(each.codes.values()) for each in postings) else None


def _posting(row: Mapping[str, str]) -> NewPosting:
    share = row.get("share", "").replace(",", ".")
    line = row.get("line", "")
    return NewPosting(
        codes={name.removeprefix("code-"): code or None for name, code in row.items() if name.startswith("code-")},
        line=int(line) if line.isdecimal() else None,
        share=Decimal(number_of("Share", share)) if share else None,
    )
