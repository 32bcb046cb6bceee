"""Pictures of receipts, and of what goes with mails, drawn for tests."""

# ruff: noqa: E501 - a table

import io
from functools import cache

from PIL import Image, ImageDraw, ImageFont

_FONT = "/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf"
RECEIPTS = {
    "en": ("CORNER CAFE", "12 Mill Lane, Leeds", "Flat white 3.40", "Croissant 2.95", "Subtotal 6.35", "VAT 20% 1.06", "TOTAL 6.35"),
    "de": ("BLUMEN KRAUSE", "Hauptstr. 4, 50667 Köln", "Rosen 14,90", "Vase 22,50", "Summe 37,40", "MwSt 19% 5,97", "Bar 40,00"),
    "fr": ("BOULANGERIE PAUL", "8 rue Verte, Lyon", "Pain 2,40", "Tarte 18,90", "TVA 5,5% 1,11", "TOTAL TTC 21,30", "CB 21,30"),
    "es": ("FERRETERIA SOL", "Calle Mayor 3, Madrid", "Tornillos 4,20", "Pintura 31,95", "IVA 21% 6,27", "TOTAL 36,15"),
    "it": ("TRATTORIA DA GINO", "Via Roma 5, Torino", "Pasta 12,00", "Vino 18,50", "IVA 10% 2,77", "TOTALE 30,50"),
    "nl": ("BAKKERIJ JANSEN", "Dorpsstraat 1, Utrecht", "Brood 3,20", "Taart 24,95", "BTW 9% 2,32", "TOTAAL 28,15"),
    "pl": ("SKLEP ZIELONY", "ul. Polna 7, Krakow", "Chleb 4,99", "Ser 18,40", "PTU A 4,37", "SUMA PLN 23,39"),
}  # fmt: skip


@cache
def receipt(width: int = 480, height: int = 640, language: str = "en", kind: str = "JPEG") -> bytes:
    """A receipt that fills a picture of this size."""
    lines = RECEIPTS[language]
    step = height // (len(lines) + 1)
    return _drawn(width, height, [(line, 12, step // 2 + number * step) for number, line in enumerate(lines)], kind)


@cache
def signature(width: int = 480, height: int = 160, kind: str = "JPEG") -> bytes:
    """What people put below their mails: a name, a telephone number, an address."""
    lines = ("Anna Berg", "Head of Sales", "+49 221 123 45 67", "www.example.com", "Ring 12, Köln")
    step = height // (len(lines) + 1)
    return _drawn(width, height, [(line, 12, 6 + number * step) for number, line in enumerate(lines)], kind)


@cache
def logo(width: int = 400, height: int = 300, kind: str = "PNG") -> bytes:
    """A word and a shape."""
    image = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(image)
    draw.ellipse((20, 20, width // 3, width // 3), fill="teal")
    draw.text((width // 3, height // 3), "ACME", fill="black", font=ImageFont.truetype(_FONT, height // 4))
    return _saved(image, kind)


def _drawn(width: int, height: int, texts: list[tuple[str, int, int]], kind: str) -> bytes:
    image = Image.new("RGB", (width, height), "white")
    draw = ImageDraw.Draw(image)
    longest = max(len(text) for text, _, _ in texts)
    size = max(12, min(int((width - 24) / longest / 0.62), 40))
    for text, x, y in texts:
        draw.text((x, y), text, fill="black", font=ImageFont.truetype(_FONT, size))
    return _saved(image, kind)


def _saved(image: Image.Image, kind: str) -> bytes:
    out = io.BytesIO()
    image.save(out, kind)
    return out.getvalue()
