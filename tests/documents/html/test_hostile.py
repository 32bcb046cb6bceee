"""Whatever HTML does, it ends as pages or as a clear error, and reaches nothing outside the file."""

import base64
import logging
import socket
import struct
import tempfile
import zlib
from pathlib import Path
from typing import Any

import pytest

from serve_app.documents.html.markup import MAX_ELEMENTS
from serve_app.domain.errors import DocumentError
from serve_app.domain.invoice import FailureCode
from tests.documents.html.reading import read, text_of


def huge_png() -> str:
    """A picture of 3.6 gigapixels by its header."""
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    chunks = [(b"IHDR", header), (b"IDAT", zlib.compress(bytes(99))), (b"IEND", b"")]
    body = b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + body).decode()


@pytest.mark.parametrize(
    "markup",
    [
        "<div>" * 3000,
        "<table><tr><td>" * 300,
        "<font color=red><b>" * 2000,
        "<div style='display:flex'>" * 100,
        "<div style='display:grid;grid-template-columns:1fr 1fr'>" * 100,
        "<div style='columns:2'>" * 100,
        f"<p {' '.join(f'a{number}=1' for number in range(50_000))}>",
        "<table><tr><td colspan=1000000000><td rowspan=9999999></table>",
        "<table><colgroup span=1000000000><col span=999999999></table>",
        "<div style='height:1000000000px'></div>",
        "<div style='width:99999999999px'></div>",
        "<svg>" + "<g><use href='#a'/><use href='#a'/>" * 20 + "</svg>",
        f"<img src='data:image/png;base64,{huge_png()}'>",
        "<img src='data:image/png;base64,AAAA'><img src='data:,'><img src='data:image/png;base64,A'>",
        "<style>@import url(data:text/css,@import%20url(x.css)); p{color:red}</style>",
        "<style>:root{--a:var(--b);--b:var(--a)} p{color:var(--a)}</style>",
        "<style>p:has(b):has(i){color:red}</style>",
        "<style>@font-face{font-family:f;src:url(data:font/ttf;base64,AAAA)} p{font-family:f}</style>",
        "<p style='break-before:page;height:calc(9999px * 9999)'>",
        "<ol start=2000000000 type=I></ol>",
    ],
)
def test_text_after_bombs_is_read(markup: str) -> None:
    assert text_of(f"{markup}<p style='color:black'>Total").endswith("Total")


def test_entities_of_xhtml_are_not_expanded() -> None:
    entities = "".join(f'<!ENTITY e{level} "{f"&e{level - 1};" * 10}">' for level in range(1, 20))
    assert "Total" in text_of(
        f'<?xml version="1.0"?><!DOCTYPE html [{entities}]><html><title/><p>&e19; Total</p></html>'
    )


def test_too_much_is_refused() -> None:
    for markup in ("<b>" * (MAX_ELEMENTS + 1), "words " * 600_000):
        with pytest.raises(DocumentError) as refused:
            read(markup)
        assert refused.value.code is FailureCode.DOCUMENT_TOO_LARGE


def test_too_many_pages_are_refused_before_they_are_laid_out() -> None:
    with pytest.raises(DocumentError) as refused:
        read("<p style='break-before:page'>x" * 1000, max_pages=5)
    assert refused.value.code is FailureCode.DOCUMENT_TOO_LARGE


@pytest.mark.parametrize("markup", ["", "<", "<html>", "<p a='", "<!-- ", "<style>", "</p></div>", "<![CDATA["])
def test_nothing_is_no_error(markup: str) -> None:
    assert text_of(markup) in ("", "<")


def test_nothing_outside_the_file_is_opened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    secret = tmp_path / "secret.css"
    secret.write_text("p::before{content:'leaked '}")
    monkeypatch.setattr(socket, "socket", _refuse)
    monkeypatch.setattr(tempfile, "mkdtemp", _refuse)
    address, web = secret.as_uri(), "http://127.0.0.1:1/a"
    markup = (
        f"<base href='{address}'><link rel=stylesheet href='{address}'><link rel=stylesheet href='{web}'>"
        f"<style>@import url({address}); @font-face{{font-family:f;src:url({web}),local(f)}} p{{font-family:f;"
        f"background:url({web})}}</style><img src='{web}' alt=Logo><object data='{address}'>Object</object>"
        f"<embed src='{address}'><iframe src='{address}'></iframe><p>Total"
    )
    assert text_of(markup) == "Logo Object Total"


def test_nothing_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        read("<p style='unknown:1;color:x'>Total <img src=a.png>")
    assert not caplog.records


def _refuse(*_: Any, **__: Any) -> None:
    raise AssertionError("opened")
