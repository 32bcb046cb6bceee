"""`invoices data samples`: write the project's sample documents, made by the generator."""

import argparse
import random
from html import escape
from io import BytesIO
from pathlib import Path

import pillow_heif
import pypdfium2 as pdfium
from PIL import Image, ImageFilter

from models.training.generator.compose import draw
from models.training.generator.core.profile import Profile
from models.training.generator.families import FAMILIES
from models.training.render import render_pdf
from models.training.sample import Sample

# Layout family and seed of each document. The families are held out of training: the bundled models never saw them.
PLAIN = ("workshop", 1)
SCANNED = ("footer_only", 1)
PHOTOGRAPHED = ("fuel_and_taxi", 3)
MAILED = ("title_band", 1)
BATCH = (("workshop", 3), ("footer_only", 5), ("title_band", 8))
DPI = 150


def main() -> None:
    """Write every sample."""
    parser = argparse.ArgumentParser(prog="invoices data samples", description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=Path("samples"))
    folder = parser.parse_args().folder
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in documents().items():
        (folder / name).write_bytes(data)


def documents() -> dict[str, bytes]:
    """The files by name."""
    return {
        "invoice.pdf": render_pdf(sample(*PLAIN).document),
        "scan.jpg": scan_like(render_pdf(sample(*SCANNED).document)),
        "photo.heic": photo_like(render_pdf(sample(*PHOTOGRAPHED).document)),
        "invoice.html": as_html(sample(*MAILED)).encode(),
        "batch.pdf": joined([render_pdf(sample(*source).document) for source in BATCH]),
    }


def sample(family: str, seed: int) -> Sample:
    """A clean document of one layout family."""
    return draw(FAMILIES[family], random.Random(f"sample/{seed}"), Profile.EXTRACTOR, noisy=False)


def scan_like(pdf: bytes) -> bytes:
    """The first page as a JPEG from an office scanner: grey, a little skewed, soft and speckled."""
    page = _picture(pdf).convert("L").rotate(0.6, fillcolor=255, resample=Image.Resampling.BICUBIC)
    speckles = Image.effect_noise(page.size, 18)
    return _saved(Image.blend(page.filter(ImageFilter.GaussianBlur(0.5)), speckles, 0.08), "JPEG", quality=80)


def photo_like(pdf: bytes) -> bytes:
    """The first page as a HEIC from a phone: on a dark table, turned, unevenly lit."""
    pillow_heif.register_heif_opener()
    page = _picture(pdf)
    table = Image.new("RGB", (page.width + 260, page.height + 300), (74, 62, 52))
    turned = page.convert("RGBA").rotate(-2.2, expand=True, resample=Image.Resampling.BICUBIC)
    table.paste(turned, (120, 140), turned)
    light = Image.linear_gradient("L").resize(table.size).point(lambda value: 255 - value // 3)
    return _saved(Image.composite(table, Image.new("RGB", table.size), light), "HEIF", quality=60)


def _picture(pdf: bytes) -> Image.Image:
    file = pdfium.PdfDocument(pdf)
    try:
        picture: Image.Image = file[0].render(scale=DPI / 72).to_pil()
        return picture
    finally:
        file.close()


def _saved(picture: Image.Image, format: str, quality: int) -> bytes:
    buffer = BytesIO()
    picture.save(buffer, format, quality=quality)
    return buffer.getvalue()


def joined(pdfs: list[bytes]) -> bytes:
    """One PDF with the pages of all."""
    whole = pdfium.PdfDocument.new()
    for data in pdfs:
        part = pdfium.PdfDocument(data)
        whole.import_pages(part)
        part.close()
    buffer = BytesIO()
    whole.save(buffer)
    whole.close()
    return buffer.getvalue()


def as_html(document: Sample) -> str:
    """The document's facts as the HTML of an invoice sent by e-mail."""
    truth = document.truth
    head = [("Invoice number", truth.invoice_number), ("Invoice date", truth.issued_at), ("Due date", truth.due_at)]
    sums = [("Tax", truth.tax), ("Total", truth.amount)]
    rows = "\n".join(_row("td", line.description, line.quantity, line.unit_price) for line in truth.line_items)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Invoice {escape(truth.invoice_number or "")}</title></head>
<body style="font-family: Arial, sans-serif">
<h1>{escape(truth.vendor_name or "")}</h1>
<h2>Invoice</h2>
<table>{"".join(_row("td", *pair) for pair in head if pair[1])}</table>
<table border="1">{_row("th", "Description", "Quantity", "Unit price")}
{rows}</table>
<table>{"".join(_row("td", name, f"{value} {truth.currency or ''}") for name, value in sums if value)}</table>
<p>Thank you for your business.</p>
</body></html>
"""


def _row(cell: str, *values: object) -> str:
    cells = (f"<{cell}>{'' if value is None else escape(str(value))}</{cell}>" for value in values)
    return f"<tr>{''.join(cells)}</tr>"


if __name__ == "__main__":
    main()
