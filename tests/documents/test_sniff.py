"""The type of a document is told from its bytes alone."""

import gzip
import tarfile
import time
import zipfile
from io import BytesIO

import pytest

from serve_app.documents.sniff import HEIC, HTML, JPEG, PDF, PNG, XML, sniff


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
        (b"BMW Finance<br><p>Invoice 17</p><table><tr><td>Total</td></tr></table>", HTML),
        (b"Total: <b>12.50</b><br><p>Thank you</p>", HTML),
        (b"<title>How to read %PDF-1.4</title><p>Text", HTML),
        (b"<html><!-- %PDF-1.7\n1 0 obj <<>> endobj\ntrailer startxref 0 %%EOF", HTML),
        (b"\xff\xd8\xff\xe1 %PDF-1.4 endobj startxref", JPEG),
        (b"\xef\xbb\xbf%PDF-1.4", PDF),
        (b"<svg xmlns='http://www.w3.org/2000/svg'><text>Invoice</text></svg>", None),
        (b"<?xml version='1.0'?><!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN'><svg>", None),
        (b"<?xml version='1.0'?><table><tr/></table>", XML),
        (b"<?php echo '<html>'; ?>", None),
        (b'{"html": "<p>Invoice</p><p>17</p>"}', None),
        (b"From: a@b.example\nContent-Type: text/html\n\n<html><p>Invoice</p></html>", None),
        (b"# Invoices\n\n<p>Text</p>", None),
        (b"The tag <p> opens a paragraph, </p> ends it. " + b"This is plain text about HTML. " * 20, None),
        (b"12 < 17 and 17 > 12", None),
        (b'<?xml version="1.0"?><Invoice/>', XML),
        (b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- made by hand -->\n<rsm:Invoice>", XML),
        ('<?xml version="1.0" encoding="utf-16"?><Invoice/>'.encode("utf-16"), XML),
        (b"<ubl:Invoice xmlns:ubl='urn:example'>", XML),
        (b'<Invoice schemeVersion="2"\n xmlns="urn:example">', XML),
        (b"<Invoice/>", None),
        (b"<Max Muster> wrote: xmlns= is an attribute", None),
        (b"<?xml version='1.0'?>", None),
        (b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'>", None),
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


A_PDF = b"%PDF-1.7\n1 0 obj <<>> endobj\nstartxref 9 %%EOF\n"


def stored_zip(*files: bytes, name: str = "a.pdf") -> bytes:
    memory = BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_STORED) as archive:
        for number, data in enumerate(files):
            archive.writestr(f"{number}{name}", data)
    return memory.getvalue()


def tarred(*files: bytes, kind: int) -> bytes:
    memory = BytesIO()
    with tarfile.open(fileobj=memory, mode="w", format=kind) as archive:
        for number, data in enumerate(files):
            entry = tarfile.TarInfo(f"<html>{number}.pdf")
            entry.size = len(data)
            archive.addfile(entry, BytesIO(data))
    return memory.getvalue()


def old_tar() -> bytes:
    """Without the mark `ustar`, as the first version of the program wrote it."""
    whole = bytearray(tarred(A_PDF, kind=tarfile.USTAR_FORMAT))
    whole[257:512] = bytes(255)
    whole[148:156] = b"%06o\0 " % (sum(whole[:148]) + 8 * 32 + sum(whole[156:512]))
    return bytes(whole)


CONTAINERS = {
    "ZIP of one": stored_zip(A_PDF),
    "ZIP of two": stored_zip(A_PDF, A_PDF),
    "ZIP after other bytes": b"\n\njunk" + stored_zip(A_PDF),
    "split ZIP": b"PK\x07\x08" + stored_zip(A_PDF),
    "ZIP of a page": stored_zip(b"<html><body><table><td>Invoice</td></table>", name=".html"),
    "RAR": b"Rar!\x1a\x07\x01\0" + bytes(40) + A_PDF,
    "7-Zip": b"7z\xbc\xaf\x27\x1c\0\x04" + bytes(24) + A_PDF,
    "tar": tarred(A_PDF, kind=tarfile.PAX_FORMAT),
    "GNU tar": tarred(A_PDF, A_PDF, kind=tarfile.GNU_FORMAT),
    "first kind of tar": old_tar(),
    "gzip that stores": gzip.compress(A_PDF, 0),
    "OLE": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + A_PDF,
    "RTF": b"{\\rtf1 {\\object " + A_PDF + b"}}",
    "CAB": b"MSCF" + bytes(60) + A_PDF,
    "cpio": b"070701" + b"0" * 104 + b"a.pdf\0\0" + A_PDF,
    "LHA": b"\x1a\x20-lh0-" + bytes(20) + A_PDF,
    "winmail.dat": b"\x78\x9f\x3e\x22" + bytes(80) + A_PDF,
    "TIFF": b"II*\0" + bytes(60) + A_PDF,
    "program": b"MZ" + bytes(100) + A_PDF,
    "mail": b"From: a@b.example\r\nContent-Type: application/pdf\r\n\r\n" + A_PDF,
    "mailbox": b"From a@b.example Sat Nov 28 06:00:00 2026\nSubject: x\n\n" + A_PDF,
    "part of a mail": b"Content-Type: application/pdf\r\n\r\n" + A_PDF,
    "body of a mail": b"--b\r\nContent-Type: text/html\r\n\r\n<html><body><p>x</p></body></html>\r\n--b\r\n" + A_PDF,
    "unknown one of two": b"ARCHIVE\x01" + A_PDF + b"\x02" + A_PDF,
}


@pytest.mark.parametrize("data", CONTAINERS.values(), ids=CONTAINERS)
def test_a_file_in_another_is_never_taken_for_the_whole(data: bytes) -> None:
    assert sniff(data) is None


@pytest.mark.parametrize(
    "junk", [b"\x1b%-12345X@PJL JOB\r\n", b"HTTP/1.1 200 OK\r\nServer: x\r\n\r\n", b"\x80\x01junk", b"\0" * 128]
)
def test_junk_before_a_pdf_does_not_hide_it(junk: bytes) -> None:
    assert sniff(junk + A_PDF) == PDF


def test_what_follows_a_document_does_not_change_its_type() -> None:
    assert sniff(A_PDF + stored_zip(A_PDF)) == PDF


@pytest.mark.parametrize("part", [b"<!---->", b"<!-- ", b"<?xml ", b" ", b"<!-- --> ", b"a<p ", b"</p "])
def test_no_input_takes_long(part: bytes) -> None:
    started = time.monotonic()
    assert sniff(part * 100_000) is None
    assert time.monotonic() - started < 0.5
