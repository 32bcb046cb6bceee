"""Writes PDFs whose pages are one picture each."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Kind = Literal["fax", "grey", "colour"]
"""`fax` is CCITT group 4 with 1 for black, the others are JPEG."""
_CATALOG, _TREE, _FIRST = 1, 2, 3
_PER_PAGE = 3


@dataclass(frozen=True, slots=True)
class ImagePage:
    """`size` is in pixels, `points` the size of the paper in points (1/72 inch)."""

    size: tuple[int, int]
    points: tuple[float, float]
    kind: Kind
    data: bytes


def image_pdf(pages: Iterable[ImagePage]) -> bytes:
    """A PDF of these pages. It has no dates and no random ids: the same pages always give the same bytes."""
    objects: list[bytes] = []
    for page in pages:
        objects += _objects_of(page, _FIRST + len(objects))
    numbers = range(_FIRST, _FIRST + len(objects), _PER_PAGE)
    children = " ".join(f"{number} 0 R" for number in numbers)
    head = [
        f"<< /Type /Catalog /Pages {_TREE} 0 R >>".encode(),
        f"<< /Type /Pages /Kids [{children}] /Count {len(numbers)} >>".encode(),
    ]
    return _file([*head, *objects])


def _objects_of(page: ImagePage, number: int) -> list[bytes]:
    """The page, what it draws, and its picture, with consecutive numbers."""
    width, height = (f"{side:.2f}" for side in page.points)
    leaf = (
        f"<< /Type /Page /Parent {_TREE} 0 R /MediaBox [0 0 {width} {height}] /Contents {number + 1} 0 R "
        f"/Resources << /XObject << /P {number + 2} 0 R >> >> >>"
    )
    drawing = f"q {width} 0 0 {height} 0 0 cm /P Do Q".encode()
    return [leaf.encode(), _stream("", drawing), _stream(_picture_of(page), page.data)]


def _picture_of(page: ImagePage) -> str:
    width, height = page.size
    common = f"/Type /XObject /Subtype /Image /Width {width} /Height {height}"
    if page.kind == "fax":
        how = f"/Filter /CCITTFaxDecode /DecodeParms << /K -1 /BlackIs1 true /Columns {width} /Rows {height} >>"
        return f"{common} /ColorSpace /DeviceGray /BitsPerComponent 1 {how}"
    space = "DeviceGray" if page.kind == "grey" else "DeviceRGB"
    return f"{common} /ColorSpace /{space} /BitsPerComponent 8 /Filter /DCTDecode"


def _stream(entries: str, data: bytes) -> bytes:
    return f"<< {entries} /Length {len(data)} >>\nstream\n".encode() + data + b"\nendstream"


def _file(objects: list[bytes]) -> bytes:
    written, starts = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"), []
    for number, content in enumerate(objects, 1):
        starts.append(len(written))
        written += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % start for start in starts)
    size = len(objects) + 1
    end = b"xref\n0 %d\n0000000000 65535 f \n%btrailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n"
    return bytes(written) + end % (size, table, size, _CATALOG, len(written))
