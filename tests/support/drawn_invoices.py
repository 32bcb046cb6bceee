"""Invoices as HTML whose sums are written in any notation."""

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from html import escape

from models.pipeline import Pipeline
from serve_app.documents.html import read_html
from serve_app.documents.options import ReadOptions
from serve_app.domain.invoice import Confidence, Extraction, Field

Write = Callable[[Decimal], str]
_STYLE = "body{font-family:sans-serif;font-size:11pt}table{width:100%}td+td,th+th{text-align:right}"


@dataclass(frozen=True, slots=True)
class Sums:
    """An invoice of two rows (quantity, price), whose tax is a fifth of the net sum; `cents` are its decimals."""

    rows: tuple[tuple[int, Decimal], tuple[int, Decimal]]
    cents: Decimal = Decimal("0.01")

    @property
    def net(self) -> Decimal:
        return sum((count * price for count, price in self.rows), Decimal(0))

    @property
    def tax(self) -> Decimal:
        return (self.net / 5).quantize(self.cents)

    @property
    def total(self) -> Decimal:
        return self.net + self.tax


SUMS = Sums(((6, Decimal("640.50")), (3, Decimal("415.25"))))


def invoice_of(
    sums: Sums, write: Write, *, title: str = "Invoice", date: str = "12 May 2025", number: str = "KS/3381"
) -> str:
    """The page, on which every sum is what `write` makes of it: markup."""
    rows = "".join(
        f"<tr><td>{name}<td>{count}<td>{write(price)}<td>{write(count * price)}"
        for name, (count, price) in zip(("Topographic survey", "Drawing office"), sums.rows, strict=True)
    )
    lines = (("Net", sums.net), ("VAT 20%", sums.tax), ("Total payable", sums.total))
    return (
        f"<style>{_STYLE}</style><h2>Kestrel Survey Partners Ltd</h2><p>7 Quarry Lane, Leeds LS9 8AG<h1>{title}</h1>"
        f"<p>Invoice number: {escape(number)}<br>Invoice date: {date}<p>Bill to<br>Brackenfield Homes plc"
        f"<table><tr><th>Description<th>Quantity<th>Unit price<th>Amount{rows}</table><table>"
        + "".join(f"<tr><td>{caption}<td>{write(value)}" for caption, value in lines)
        + "</table>"
    )


def read_back(pipeline: Pipeline, markup: str) -> Extraction:
    """What the bundled models and all rules read on the page."""
    (section,) = pipeline.extract_document(read_html(markup.encode(), ReadOptions()))
    return section.extraction


def is_right_or_unsure(extraction: Extraction, sums: Sums) -> bool:
    """Whether total and tax are right, each unless it is not certain."""
    levels = extraction.field_confidence or {}
    given = ((Field.AMOUNT, extraction.amount, sums.total), (Field.TAX, extraction.tax, sums.tax))
    return all(value == true or levels.get(field) is not Confidence.HIGH for field, value, true in given)
