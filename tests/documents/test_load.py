"""What a look at a document's bytes lets expect."""

from pathlib import Path

import pytest

from serve_app.documents.load import MOST_PAGES, expected_load
from serve_app.documents.sniff import HTML, JPEG, PDF, PNG, sniff
from serve_app.domain.load import Load, PageKind

PAGE = b"1 0 obj <</Type/Page /Parent 2 0 R>> endobj\n"
PICTURE = b"3 0 obj <</Type/XObject/Subtype/Image/Width 2480/Height 3508/Filter/DCTDecode>> stream\nendstream\n"
LOGO = PICTURE.replace(b"2480", b"300")


@pytest.mark.parametrize(
    ("data", "mime_type", "load"),
    [
        (PAGE * 3, PDF, Load(PageKind.TEXT, 3)),
        (b"<</Type /Pages /Count 1>>" + PAGE + LOGO, PDF, Load(PageKind.TEXT, 1)),
        (PAGE * 2 + PICTURE * 2, PDF, Load(PageKind.SCAN, 2)),
        (PAGE * 4 + PICTURE, PDF, Load(PageKind.TEXT, 4)),
        # The pages are in a compressed object.
        (PICTURE * 5, PDF, Load(PageKind.SCAN, 5)),
        (b"%PDF-1.7", PDF, Load(PageKind.TEXT, 1)),
        (PAGE * 100_000, PDF, Load(PageKind.TEXT, MOST_PAGES)),
        (b"\xff\xd8\xff", JPEG, Load(PageKind.PHOTO, 1)),
        (b"\x89PNG", PNG, Load(PageKind.PHOTO, 1)),
        (b"<html>", HTML, Load(PageKind.TEXT, 1)),
    ],
)
def test_kind_and_pages(data: bytes, mime_type: str, load: Load) -> None:
    assert expected_load(data, mime_type) == load


@pytest.mark.parametrize(
    ("name", "kind"), [("invoice.pdf", PageKind.TEXT), ("scan.jpg", PageKind.PHOTO), ("invoice.html", PageKind.TEXT)]
)
def test_the_samples(name: str, kind: PageKind) -> None:
    data = (Path(__file__).parents[2] / "samples" / name).read_bytes()
    assert expected_load(data, sniff(data)).kind is kind
