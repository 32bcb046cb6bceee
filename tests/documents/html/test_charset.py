"""Text is decoded as browsers do it."""

import codecs

import pytest

from serve_app.documents.html.charset import decode

TEXT = "Überweisung 12,50 €"


@pytest.mark.parametrize(
    "data",
    [
        TEXT.encode(),
        codecs.BOM_UTF8 + TEXT.encode(),
        codecs.BOM_UTF16_LE + TEXT.encode("utf-16-le"),
        codecs.BOM_UTF16_BE + TEXT.encode("utf-16-be"),
        TEXT.encode("windows-1252"),
    ],
)
def test_undeclared_text(data: bytes) -> None:
    assert decode(data) == TEXT


@pytest.mark.parametrize(
    ("declaration", "encoding"),
    [
        ("<meta charset=iso-8859-15>", "iso-8859-15"),
        ('<META http-equiv="Content-Type" content="text/html; charset=ISO-8859-1">', "windows-1252"),
        ("<?xml version='1.0' encoding='iso-8859-15'?>", "iso-8859-15"),
        ("<!-- <meta charset=koi8-r> --><meta charset='windows-1252'>", "windows-1252"),
        ("<meta charset=utf-16>", "utf-8"),
        ("<meta charset=iso-8859-1>", "utf-8"),
        ("<meta charset=utf-8>", "windows-1252"),
        ("<meta charset=nonsense>", "windows-1252"),
    ],
)
def test_declared_text(declaration: str, encoding: str) -> None:
    assert decode((declaration + TEXT).encode(encoding)) == declaration + TEXT


def test_other_scripts() -> None:
    assert decode("<meta charset=shift_jis>請求書".encode("shift_jis")).endswith("請求書")
    assert decode("<meta charset=iso-2022-jp>請求書".encode("iso-2022-jp")).endswith("請求書")
    assert decode("<p>請".encode("utf-16-le")) == "<p>請"


def test_bytes_of_no_encoding_become_replacement_characters() -> None:
    assert decode(b"<meta charset=euc-jp>Total \xff 12") == "<meta charset=euc-jp>Total \ufffd 12"
