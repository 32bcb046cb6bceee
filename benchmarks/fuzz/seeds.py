"""Sound files of every type, small so that reading thousands of their children takes minutes."""

import io
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont
from pypdf import PdfReader, PdfWriter
from reportlab.lib.pagesizes import A6
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

SAMPLES = Path(__file__).parents[2] / "samples"
_LINES = ("Northwind Traders Ltd", "Invoice INV-2024-0117", "Date 2024-03-05", "Paper 10 x 4.50", "Total GBP 54.00")
_CII = """<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100"
 xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100"
 xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
<rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter>
<ram:ID>urn:cen.eu:en16931:2017</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>
<rsm:ExchangedDocument><ram:ID>INV-2024-0117</ram:ID><ram:TypeCode>380</ram:TypeCode><ram:IssueDateTime>
<udt:DateTimeString format="102">20240305</udt:DateTimeString></ram:IssueDateTime></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction><ram:ApplicableHeaderTradeSettlement>
<ram:InvoiceCurrencyCode>GBP</ram:InvoiceCurrencyCode>
<ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:TaxTotalAmount currencyID="GBP">9.00</ram:TaxTotalAmount>
<ram:GrandTotalAmount>54.00</ram:GrandTotalAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation>
</ram:ApplicableHeaderTradeSettlement></rsm:SupplyChainTradeTransaction></rsm:CrossIndustryInvoice>"""


def seeds() -> dict[str, list[bytes]]:
    """By kind; those that are costly to read come last in their list."""
    text = text_pdf()
    return {
        "pdf": [text, text_pdf(pages=3), hybrid_pdf(text), _sample("invoice.pdf"), _sample("batch.pdf")],
        "scan": [scanned_pdf()],
        "png": [picture("PNG"), picture("PNG", "P"), picture("PNG", "L")],
        "jpeg": [picture("JPEG"), picture("JPEG", "L"), _small(_sample("scan.jpg"))],
        "heic": [_sample("photo.heic")],
        "html": [_sample("invoice.html")],
        "xml": [_CII.encode()],
    }


def text_pdf(pages: int = 1) -> bytes:
    """A text layer, its streams compressed."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=A6, invariant=True, pageCompression=1)
    for _ in range(pages):
        for row, line in enumerate(_LINES):
            canvas.drawString(30, 370 - 24 * row, line)
        canvas.linkURL("http://127.0.0.1:1/", (30, 30, 90, 60))
        canvas.showPage()
    canvas.save()
    return buffer.getvalue()


def scanned_pdf() -> bytes:
    """A page that is one picture."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(200, 100), invariant=True)
    canvas.drawImage(ImageReader(io.BytesIO(picture("JPEG"))), 0, 0, 200, 100)
    canvas.save()
    return buffer.getvalue()


def hybrid_pdf(pdf: bytes, xml: str = _CII) -> bytes:
    """The same with an electronic invoice embedded."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(pdf)))
    writer.add_attachment("factur-x.xml", xml.encode())
    buffer = io.BytesIO()
    writer.write(buffer)
    return buffer.getvalue()


def picture(kind: str, mode: str = "RGB") -> bytes:
    """Some lines of print, 420 by 200 pixels."""
    image = Image.new("RGB", (420, 200), "white")
    font = ImageFont.load_default(24)
    for row, line in enumerate(_LINES):
        ImageDraw.Draw(image).text((10, 10 + 36 * row), line, "black", font)
    buffer = io.BytesIO()
    image.convert(mode).save(buffer, kind)
    return buffer.getvalue()


def _sample(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()


def _small(data: bytes) -> bytes:
    image = Image.open(io.BytesIO(data))
    buffer = io.BytesIO()
    image.crop((0, 0, image.width, image.height // 4)).reduce(2).save(buffer, "JPEG")
    return buffer.getvalue()
