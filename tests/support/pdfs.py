"""Small PDFs made on the spot."""

from pathlib import Path

from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

LINES = (
    "Northwind Traders Ltd",
    "12 Harbour Road, Bristol",
    "INVOICE",
    "Invoice number: INV-2024-0117",
    "Invoice date: 2024-03-05",
    "Due date: 2024-04-04",
    "Description   Quantity   Unit price   Total",
    "Paper, A4, 500 sheets   10   4.50   45.00",
    "Subtotal: 45.00",
    "VAT 20%: 9.00",
    "Total: GBP 54.00",
)


def write_invoice_pdf(path: Path, lines: tuple[str, ...] = LINES, pages: int = 1) -> Path:
    """A text-layer PDF with `lines` on every page."""
    canvas = Canvas(str(path), pagesize=A4, invariant=True)
    for _ in range(pages):
        for row, line in enumerate(lines):
            canvas.drawString(72, 770 - 24 * row, line)
        canvas.showPage()
    canvas.save()
    return path
