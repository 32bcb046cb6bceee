"""The type of a document is told from its bytes alone."""

import time

import pytest

from serve_app.documents.sniff import HEIC, HTML, JPEG, PDF, PNG, sniff


def ftyp(*brands: bytes) -> bytes:
    return (16 + 4 * len(brands[1:])).to_bytes(4, "big") + b"ftyp" + brands[0] + bytes(4) + b"".join(brands[1:])


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"%PDF-1.4\n", PDF),
        (b"\n" * 1000 + b"%PDF-1.4", PDF),
        (b"\n" * 1030 + b"%PDF-1.4", None),
        (b"\xff\xd8\xff\xe1....", JPEG),
        (b"\x89PNG\r\n\x1a\n....", PNG),
        (ftyp(b"heic", b"mif1", b"heic"), HEIC),
        (ftyp(b"mif1", b"mif1", b"heic"), HEIC),
        (ftyp(b"msf1", b"hevc"), HEIC),
        (ftyp(b"mif1", b"mif1", b"avif"), None),
        (ftyp(b"avif", b"mif1"), None),
        (ftyp(b"isom", b"mp42"), None),
        (b"<!DOCTYPE html><html>", HTML),
        (b"\xef\xbb\xbf \r\n<!doctype HTML>", HTML),
        (b"<!-- saved --> <!-- again -->\n<html lang='de'>", HTML),
        (b'<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0//EN">', HTML),
        ("<html>".encode("utf-16"), HTML),
        (b"<table><tr><td>Invoice", HTML),
        ("<html>".encode("utf-16-le"), HTML),
        ("\ufeff<html>".encode("utf-16-be"), HTML),
        (b"<?xml version='1.0'?><!-- saved --><html xmlns='http://www.w3.org/1999/xhtml'>", HTML),
        (b"<![if !mso]><center><font size=2>Invoice 17</font></center>", HTML),
        (b"<span>Invoice</span>", HTML),
        (b"<!--" + b"x" * 20_000 + b"--><body>", HTML),
        (b"Dear Ms Roe,<br><p>your <b>invoice</b> 17:</p><table><tr><td>Total</td></tr></table>", HTML),
        (b"Total: <b>12.50</b><br><p>Thank you</p>", HTML),
        (b"<title>How to read %PDF-1.4</title><p>Text", HTML),
        (b"<html><!-- %PDF-1.7\n1 0 obj <<>> endobj\ntrailer startxref 0 %%EOF", PDF),
        (b"\xff\xd8\xff\xe1 %PDF-1.4 endobj startxref", JPEG),
        (b"\xef\xbb\xbf%PDF-1.4", PDF),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><text>Invoice</text></svg>", None),
        (b"<?xml version='1.0'?><!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN'><svg>", None),
        (b"<?xml version='1.0'?><table><tr/></table>", None),
        (b"<?php echo '<html>'; ?>", None),
        (b'{"html": "<p>Invoice</p><p>17</p>"}', None),
        (b"From: a@b.example\nContent-Type: text/html\n\n<html><p>Invoice</p></html>", None),
        (b"# Invoices\n\n<p>Text</p>", None),
        (b"The tag <p> opens a paragraph, </p> ends it. " + b"This is plain text about HTML. " * 20, None),
        (b"12 < 17 and 17 > 12", None),
        (b'<?xml version="1.0"?><Invoice/>', None),
        (b"<htmlish>", None),
        (b"{}", None),
        (b"PK\x03\x04", None),
        (b"Dear Sir", None),
        (b"", None),
        (b"\x00", None),
        (b"\x00\x00\x00\x08ftyp", None),
    ],
)
def test_types(data: bytes, expected: str | None) -> None:
    assert sniff(data) == expected


@pytest.mark.parametrize("part", [b"<!---->", b"<!-- ", b"<?xml ", b" ", b"<!-- --> ", b"a<p ", b"</p "])
def test_no_input_takes_long(part: bytes) -> None:
    started = time.monotonic()
    assert sniff(part * 100_000) is None
    assert time.monotonic() - started < 0.5
