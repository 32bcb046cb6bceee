"""Small PDFs made on the spot."""

from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.lib.utils import ImageReader
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
        write_lines(canvas, lines)
        canvas.showPage()
    canvas.save()
    return path


def write_lines(canvas: Canvas, lines: tuple[str, ...] = LINES, mode: int = 0) -> None:
    """`lines` on the open page, in text render mode `mode` (3: not painted)."""
    for row, line in enumerate(lines):
        text = canvas.beginText(72, 770 - 24 * row)
        text.setTextRenderMode(mode)
        text.textOut(line)
        canvas.drawText(text)


def drawn(*pages: Callable[[Canvas], None], size: tuple[float, float] = A4) -> bytes:
    """A PDF whose pages are drawn by `pages`."""
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=size, invariant=True)
    for draw in pages:
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def picture_of(data: bytes, dpi: int = 150) -> Image.Image:
    """The first page of a PDF as a scanner would see it."""
    file = pdfium.PdfDocument(data)
    try:
        picture: Image.Image = file[0].render(scale=dpi / 72).to_pil()
        return picture
    finally:
        file.close()


def place(canvas: Canvas, picture: Image.Image, x: float = 0, y: float = 0, width: float = A4[0]) -> None:
    """A picture on the open page: lower left corner and width in points."""
    canvas.drawImage(ImageReader(picture), x, y, width, width * picture.height / picture.width)


def file_of(objects: list[str], *, xref: bool = True) -> bytes:
    """A PDF of raw objects, numbered from 1; the first is the catalogue. Without `xref`, readers must mend it."""
    body, places = b"%PDF-1.7\n", []
    for number, content in enumerate(objects, 1):
        places.append(len(body))
        body += f"{number} 0 obj\n{content}\nendobj\n".encode("latin-1")
    start = len(body)
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    if xref:
        body += f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}".encode()
    return body + f"trailer\n<</Size {len(objects) + 1}/Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n".encode()


def stream(content: str, entries: str = "") -> str:
    """A stream object."""
    return f"<<{entries}/Length {len(content)}>>\nstream\n{content}\nendstream"


def page_of(content: str, *, page: str = "", font: str = "", more: tuple[str, ...] = (), xref: bool = True) -> bytes:
    """A PDF of one page of 600 by 800 points with Helvetica as /F1; objects in `more` are numbered from 6."""
    return file_of(
        [
            "<</Type/Catalog/Pages 2 0 R>>",
            "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>{page}>>",
            stream(content),
            font or "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
            *more,
        ],
        xref=xref,
    )


def updated(data: bytes, objects: dict[int, str]) -> bytes:
    """The file with newer versions of some objects appended, as editors save it."""
    body, previous = data, data.rpartition(b"startxref\n")[2].split()[0].decode()
    rows = ""
    for number, content in sorted(objects.items()):
        rows += f"{number} 1\n{len(body):010d} 00000 n \n"
        body += f"{number} 0 obj\n{content}\nendobj\n".encode("latin-1")
    size = max(data.count(b" 0 obj"), *objects) + 1
    trailer = f"trailer\n<</Size {size}/Root 1 0 R/Prev {previous}>>\nstartxref\n{len(body)}\n%%EOF\n"
    return body + f"xref\n{rows}{trailer}".encode()
