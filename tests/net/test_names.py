"""A file has the name that its server gives it."""

import pytest
from yarl import URL

from serve_app.net.names import file_name

ANYWHERE = URL("https://files.example/d/%E2%82%AC.pdf?name=x", encoded=True)


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ('attachment; filename="a b.pdf"', "a b.pdf"),
        ("inline; filename=a.pdf", "a.pdf"),
        ("attachment; filename*=UTF-8''%e2%82%ac%20rates.pdf", "€ rates.pdf"),
        ('attachment; filename="rechnung für.pdf"', "rechnung für.pdf"),
    ],
)
def test_the_header_names_it(header: str, name: str) -> None:
    assert file_name(ANYWHERE, header) == name


@pytest.mark.parametrize(
    "header",
    [
        None,
        "",
        "attachment",
        'attachment; filename=""',
        "attachment; filename*=a%00b''x",
        f"attachment; filename*{5000 * '9'}=x",
        "attachment; filename*=utf-8''a; filename*0*=x''b",
        ";;;=",
    ],
)
def test_else_the_url_does(header: str | None) -> None:
    assert file_name(ANYWHERE, header) == "€.pdf"


def test_bytes_that_are_no_text_are_left_out() -> None:
    assert file_name(ANYWHERE, "attachment; filename=a\udcff.pdf") == "a.pdf"


@pytest.mark.parametrize("url", ["https://files.example/", "https://files.example/d/"])
def test_or_nobody(url: str) -> None:
    assert file_name(URL(url), None) is None
