"""Addresses of e-mail, and texts made fit to be shown."""

import pytest

from serve_app.domain.email_address import is_email_address, mail_server_form
from serve_app.domain.plain_text import one_line, shortened, without_controls


@pytest.mark.parametrize(
    "text",
    ["a@example.com", "a.b+c@mail.example.co.uk", "o'brien@example.com", "approver@intranet", "a@xn--mnchen-3ya.de"],
)
def test_a_plain_address_is_one(text: str) -> None:
    assert is_email_address(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a",
        "@example.com",
        "a@",
        "a@b@c.de",
        " a@example.com",
        "a@example.com\n",
        "a@example.com, b@example.com",
        "A <a@example.com>",
        '"a b"@example.com',
        "a(x)@example.com",
        ".a@example.com",
        "a..b@example.com",
        "a.@example.com",
        "a@-example.com",
        "a@example..com",
        "a@example.com.",
        "a@[127.0.0.1]",
        "ä@example.com",
        "a@exämple.com",
        "a@example.com\r\nBcc: b@example.com",
        "=?utf-8?q?a?=@x.de",
        "a=?@example.com",
        "a" * 65 + "@example.com",
        "a@" + ".".join(["b" * 60] * 5),
    ],
)
def test_anything_else_is_none(text: str) -> None:
    assert not is_email_address(text)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("boss@bücher.example", "boss@xn--bcher-kva.example"),
        ("boss@BÜCHER.example", "boss@xn--bcher-kva.example"),
        ("boss@straße.example", "boss@xn--strae-oqa.example"),
        ("o'brien@παράδειγμα.δοκιμή", "o'brien@xn--hxajbheg2az3al.xn--jxalpdlp"),
        ("Boss@example.com", "Boss@example.com"),
        ("böss@bücher.example", None),
        ("boss@bücher..example", None),
        ("boss@\u2066bücher.example", None),
        ("bücher.example", None),
        ("boss@" + "ü" * 300, None),
        ("boss@ü b.example", None),
    ],
)
def test_a_host_may_have_any_letters(text: str, form: str | None) -> None:
    assert mail_server_form(text) == form


def test_control_characters_are_dropped() -> None:
    assert without_controls("no\x00rth\r\n\x1b[31m\u2028 \u200fא") == "north[31m \u200fא"


def test_a_text_becomes_one_line_of_what_is_shown() -> None:
    assert one_line(" a\r\n\tb\u2028c\x00d\u202ee\ud800f  ") == "a b c d e f"
    assert one_line("नि\u200dम، 株式会社 «Ünïcode»") == "नि\u200dम، 株式会社 «Ünïcode»"


def test_a_long_text_is_cut_with_an_ellipsis() -> None:
    assert shortened("abcde", 5) == "abcde"
    assert shortened("abcdef", 5) == "abcd…"
