"""Every part of every mail has an outcome, and the right one."""

import base64
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from serve_app.documents.isolation.mail_opener import IsolatedOpener
from serve_app.documents.limits import MIB
from serve_app.documents.mail.headers import address_in
from serve_app.documents.mail.open import open_mail
from serve_app.documents.mail.opened import OpenedMail, OpenRules
from serve_app.documents.options import ReadOptions
from serve_app.documents.sniff import sniff
from serve_app.domain.inbound_mail import Outcome
from serve_app.domain.mail_address import Bodies
from tests import support
from tests.support.mail_cases import CASES, Case
from tests.support.mail_corpus import (
    INVOICE_TEXT,
    html_mail,
    mail,
    pdf,
    picture,
    with_file,
    with_logo,
    with_part,
    zipped,
)

RECURSION = 1000
"""Python's limit."""
SECONDS = 10.0
"""Of processor time: a mail that takes so long keeps its reader busy for ever, on any machine."""


@pytest.fixture(autouse=True)
def _usual_recursion() -> Iterator[None]:
    """As in a reader process: some packages raise the limit of the process that imports them."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(RECURSION)
    yield
    sys.setrecursionlimit(before)


def written(opened: OpenedMail) -> str:
    return ", ".join(f"{each.part.path} {each.part.outcome}" for each in opened.parts)


def outcomes(opened: OpenedMail) -> dict[str, str]:
    return {each.part.path: str(each.part.outcome) for each in opened.parts}


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.name))
def test_a_mail_is_taken_apart(case: Case) -> None:
    raw = case.make()
    started = time.process_time()
    opened = open_mail(raw, OpenRules())
    assert time.process_time() - started < SECONDS
    assert written(opened) == case.expected
    assert (opened.heading.sender, opened.heading.original_sender) == (case.sender, case.original)
    for each in opened.parts:
        is_document = each.part.outcome is Outcome.WAITING
        assert bool(each.data) is is_document
        # Everybody is told why something was left out.
        assert is_document or each.part.reason.endswith(".")
        assert not is_document or sniff(each.data) == each.part.mime_type


async def test_it_happens_in_a_process_of_its_own() -> None:
    opener = IsolatedOpener(ReadOptions())
    try:
        opened = await opener.open(with_file(pdf()), OpenRules())
        assert outcomes(opened) == {"1": "ignored", "2": "waiting"}
        assert opened.parts[1].data == pdf()
    finally:
        opener.close()


def test_headers_are_shown_decoded_and_cut() -> None:
    raw = mail("=?utf-8?q?Rechnung_f=C3=BCr?= =?iso-8859-1?q?_M=E4rz?=", sender="=?utf-8?q?=C3=84nne?= <a@b.example>")
    heading = open_mail(raw.as_bytes(), OpenRules()).heading
    assert (heading.subject, heading.sender_name, heading.sender) == ("Rechnung für März", "Änne", "a@b.example")
    plain = "From: Änne <a@b.example>\nSubject: Rechnung für \u202eMärz\n\n".encode()
    assert open_mail(plain, OpenRules()).heading.subject == "Rechnung für März"
    assert len(open_mail(b"Subject: " + b"x" * 100_000, OpenRules()).heading.subject) == 500


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: auto-replied", "Precedence: bulk", "List-Id: <l.example.com>", "X-Auto-Response-Suppress: All",
        "From: no-reply@example.com", "From: MAILER-DAEMON@example.com", "X-Loop: x",
    ],
)  # fmt: skip
def test_what_robots_send_is_known_as_theirs(header: str) -> None:
    rest = "" if header.startswith("From") else "From: anna@example.com\n"
    assert open_mail(f"{header}\n{rest}\nHello".encode(), OpenRules()).heading.is_automatic
    assert not open_mail(b"Auto-Submitted: no\nFrom: reply@example.com\n\nHello", OpenRules()).heading.is_automatic


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("Anna <Anna@Example.com>", "anna@example.com"), ('"bert@x.example" <anna@example.com>', "anna@example.com"),
        ("<@relay.example:anna@example.com>", "anna@example.com"), ("anna@example.com (Anna)", "anna@example.com"),
        ("anna", None), ("<>", None), ("Anna <>", None),
    ],
)  # fmt: skip
def test_addresses_are_read_as_they_come(text: str, address: str | None) -> None:
    assert address_in(text) == address


def test_the_text_is_a_document_as_the_address_says() -> None:
    text, see = mail(text=INVOICE_TEXT).as_bytes(), mail().as_bytes()
    with_both = with_file(pdf(), text=INVOICE_TEXT)
    found = {
        bodies: [outcomes(open_mail(raw, OpenRules(bodies)))["1"] for raw in (text, see, with_both)]
        for bodies in Bodies
    }
    assert found == {
        Bodies.NEVER: ["ignored", "attachment_missing", "ignored"],
        Bodies.ALONE: ["waiting", "attachment_missing", "ignored"],
        Bodies.ALWAYS: ["waiting", "waiting", "waiting"],
    }


def test_a_text_becomes_a_page_with_its_pictures() -> None:
    (page,) = [
        each.data
        for each in open_mail(
            with_logo(picture(100, 100), has_pdf=False, text="Invoice 4711, total 119.00"), OpenRules()
        ).parts
        if each.data
    ]
    assert b"data:image/jpeg;base64," in page
    assert b"cid:" not in page
    hostile = mail(text=f"<script>alert(1)</script> & {INVOICE_TEXT}").as_bytes()
    page_of_text = open_mail(hostile, OpenRules()).parts[0]
    assert b"&lt;script&gt;" in page_of_text.data
    assert page_of_text.part.name == "Invoice.html"


@pytest.mark.parametrize(
    "text", ["<b>Invoice 4711</b> total 119.00", "Invoice 4711<br>total 119.00", "Invoice 4711 119.00"]
)
def test_a_scrap_of_html_becomes_a_page(text: str) -> None:
    raw = f"From: anna@example.com\r\nContent-Type: text/html\r\n\r\n{text}".encode()
    assert written(open_mail(raw, OpenRules())) == "1 waiting"


@pytest.mark.parametrize("kind", ["plain", "html"])
@pytest.mark.parametrize(
    ("charset", "text"),
    [
        ("iso-8859-2", "Faktura č. 4711, celkem 119,00 Kč"), ("utf-8", "Rechnung für März, Betrag 119,00"),
        ("windows-1252", "Rechnung für März, Betrag 119,00 €"), ("iso-2022-jp", "請求書 invoice 119.00"),
        ("utf-16", "Rechnung für März, Betrag 119,00"),
    ],
)  # fmt: skip
def test_a_text_is_read_in_the_encoding_that_the_mail_names(kind: str, charset: str, text: str) -> None:
    data = f"<p>{text}</p>" if kind == "html" else text
    head = f"Content-Type: text/{kind}; charset={charset}\r\nContent-Transfer-Encoding: base64\r\n\r\n"
    (part,) = open_mail(head.encode() + base64.encodebytes(data.encode(charset)), OpenRules()).parts
    assert text in part.data.decode("utf-8-sig")


def test_links_are_listed_and_not_opened() -> None:
    links = "".join(f"<a href='{link}'>x</a>" for link in ("https://a.example/1", "javascript:alert(1)", "mailto:a@b"))
    opened = open_mail(html_mail(links), OpenRules())
    assert opened.parts[1].part.links == ("https://a.example/1",)


def test_a_picture_that_people_ignore_is_left_out_and_what_they_want_is_read() -> None:
    raw = with_file(picture(1200, 1600), "image/jpeg", "p.jpg")
    (part,) = [each.part for each in open_mail(raw, OpenRules()).parts if each.data]
    ignoring = OpenRules(ignored_pictures=(part.sha256 or "",))
    assert outcomes(open_mail(raw, ignoring))["2"] == "ignored"
    wanting = OpenRules(ignored_pictures=(part.sha256 or "",), requested=("2",))
    assert outcomes(open_mail(raw, wanting))["2"] == "waiting"
    assert outcomes(open_mail(mail().as_bytes(), OpenRules(requested=("1",))))["1"] == "waiting"


def test_a_document_over_the_limit_is_named() -> None:
    opened = open_mail(with_file(pdf() + bytes(1000)), OpenRules(max_file_bytes=len(pdf())))
    assert outcomes(opened)["2"] == "too_large"


def test_a_file_encoded_piece_by_piece_is_whole() -> None:
    data = pdf()
    pieces = base64.encodebytes(data[:400]) + base64.encodebytes(data[400:])
    raw = with_part(b"Content-Type: application/pdf", b"").replace(b"base64\r\n\r\n", b"base64\r\n\r\n" + pieces)
    assert [each.data for each in open_mail(raw, OpenRules()).parts] == [b"", data]


def test_all_archives_of_a_mail_share_the_limit() -> None:
    archive = zipped(*((f"{number}.bin", bytes(14_000_000) + os.urandom(160_000)) for number in range(4)))
    message = mail()
    for _ in range(4):
        message.add_attachment(archive, maintype="application", subtype="zip", filename="i.zip")
    found = [each.part.outcome for each in open_mail(message.as_bytes(), OpenRules()).parts]
    assert found.count(Outcome.UNSUPPORTED) == 60 * MIB // 14_160_000
    assert found.count(Outcome.TOO_LARGE) == 16 - 60 * MIB // 14_160_000


def test_headers_beyond_ascii_are_read_in_the_likely_encoding() -> None:
    raw = "From: Jörg <j@b.example>\nSubject: Rechnung für März\n\n".encode("latin-1")
    heading = open_mail(raw, OpenRules()).heading
    assert (heading.subject, heading.sender_name) == ("Rechnung für März", "Jörg")


def test_mails_that_nobody_here_wrote_are_taken_apart() -> None:
    paths = sorted((Path(support.__file__).parent / "cpython_mails").glob("msg_*.txt"))
    assert len(paths) == 12
    for path in paths:
        opened = open_mail(path.read_bytes(), OpenRules())
        assert opened.parts, path.name
        assert len({each.part.path for each in opened.parts}) == len(opened.parts), path.name


def test_all_mails_of_an_installed_python_are_taken_apart() -> None:
    data = Path(pytest.importorskip("test.test_email").__file__).parent / "data"
    paths = sorted(data.glob("msg_*.txt"))
    for path in paths:
        for each in open_mail(path.read_bytes(), OpenRules()).parts:
            assert bool(each.data) is (each.part.outcome is Outcome.WAITING), path.name
            assert each.data or each.part.reason.endswith("."), path.name
    assert len(paths) > 40
