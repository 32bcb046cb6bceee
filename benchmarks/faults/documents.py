"""The documents that are sent: small invoices, each different, files of several invoices, and files that are broken."""

from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from io import BytesIO
from random import Random

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

_VENDORS = (
    "Northwind Traders Ltd", "Brightwater Supplies Inc", "Alder & Sons Joinery Ltd", "Castellan Office GmbH",
    "Harbour Light Electrical", "Pemberton Print Works", "Riverside Catering Ltd", "Quarry Hill Plant Hire",
    "Meridian Freight LLC", "Oakfield Stationers", "Silverline Telecom Ltd", "Tamarind Foods Ltd",
)  # fmt: skip
_GOODS = ("Printer paper A4", "Toner cartridge", "Site survey", "Cable drum 50 m", "Catering, lunch", "Pallet delivery")
_BROKEN_SHARE, _BATCH_SHARE, _REPEATED_SHARE = 0.06, 0.10, 0.06


class Kind(StrEnum):
    """What a document is, and so how it must end."""

    INVOICE = "invoice"
    BATCH = "file of several invoices"
    BROKEN = "broken file"


@dataclass(frozen=True, slots=True)
class Document:
    """One file to send; `number` is its place in the run. A repeated one prints the same invoice as another."""

    number: int
    kind: Kind
    data: bytes


@dataclass(frozen=True, slots=True)
class _Paper:
    vendor: str
    number: str
    day: str
    lines: tuple[tuple[str, int, Decimal], ...]


def documents(count: int, seed: int) -> list[Document]:
    """The documents of a run, the same for the same seed."""
    rng = Random(seed)  # noqa: S311 - variety, not secrecy
    return [_document(number, seed, rng) for number in range(count)]


def _document(number: int, seed: int, rng: Random) -> Document:
    share = rng.random()
    if share < _BROKEN_SHARE:
        return Document(number, Kind.BROKEN, b"%PDF-1.7 cut off " + str(number).encode())
    if share < _BROKEN_SHARE + _BATCH_SHARE:
        papers = [_paper(rng, f"{seed}-{number}-{part}") for part in range(rng.randint(2, 4))]
        return Document(number, Kind.BATCH, _pdf(papers))
    if share > 1 - _REPEATED_SHARE:
        # The same invoice again and again, so that accounts have duplicates.
        return Document(number, Kind.INVOICE, _pdf([_paper(Random(seed), f"{seed}-again")]))  # noqa: S311
    return Document(number, Kind.INVOICE, _pdf([_paper(rng, f"{seed}-{number}")]))


def _paper(rng: Random, number: str) -> _Paper:
    lines = tuple(
        (rng.choice(_GOODS), rng.randint(1, 12), Decimal(rng.randint(250, 45_000)) / 100)
        for _ in range(rng.randint(1, 4))
    )
    day = f"{rng.randint(1, 28):02d}/{rng.randint(1, 9):02d}/2026"
    return _Paper(rng.choice(_VENDORS), f"INV-{number}", day, lines)


def _pdf(papers: list[_Paper]) -> bytes:
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=A4, invariant=True)
    for paper in papers:
        _draw(canvas, paper)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def _draw(canvas: Canvas, paper: _Paper) -> None:
    canvas.setFont("Helvetica-Bold", 16)
    canvas.drawString(56, 780, paper.vendor)
    canvas.drawRightString(540, 780, "INVOICE")
    canvas.setFont("Helvetica", 10)
    for row, line in enumerate(("12 Harbour Road", "Bristol BS1 4QA", "VAT No. GB 980 7806 84")):
        canvas.drawString(56, 760 - 13 * row, line)
    for row, (name, value) in enumerate((("Invoice number", paper.number), ("Invoice date", paper.day))):
        canvas.drawString(360, 740 - 14 * row, f"{name}:")
        canvas.drawRightString(540, 740 - 14 * row, value)
    for row, line in enumerate(("Bill to", "Fenwick Holdings plc", "8 Castle Street", "Leeds LS1 2AB")):
        canvas.drawString(56, 690 - 13 * row, line)
    _draw_table(canvas, paper)


def _draw_table(canvas: Canvas, paper: _Paper) -> None:
    columns = ((300, "Quantity"), (420, "Unit price"), (540, "Total"))
    canvas.setFont("Helvetica-Bold", 10)
    canvas.drawString(56, 600, "Description")
    for x, title in columns:
        canvas.drawRightString(x, 600, title)
    canvas.setFont("Helvetica", 10)
    for row, (goods, quantity, price) in enumerate(paper.lines):
        canvas.drawString(56, 580 - 16 * row, goods)
        for (x, _), value in zip(columns, (str(quantity), f"{price:,.2f}", f"{quantity * price:,.2f}"), strict=True):
            canvas.drawRightString(x, 580 - 16 * row, value)
    net = sum((quantity * price for _, quantity, price in paper.lines), Decimal(0))
    tax = (net / 5).quantize(Decimal("0.01"))
    for row, (name, amount) in enumerate((("Subtotal", net), ("VAT 20%", tax), ("Total due GBP", net + tax))):
        canvas.drawString(360, 490 - 16 * row, name)
        canvas.drawRightString(540, 490 - 16 * row, f"{amount:,.2f}")
    canvas.drawString(56, 60, f"{paper.vendor} - registered in England 4455667")
    canvas.drawRightString(540, 60, "Page 1 of 1")
