"""The contents of the mail; hostile documents can add nothing but text."""

from datetime import timedelta
from decimal import Decimal
from email import message_from_bytes
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import default
from html.parser import HTMLParser

import pytest

from serve_app.domain.ids import new_id
from serve_app.domain.invoice import Confidence, Field, Invoice
from serve_app.mail.approval import ComposeApproval
from serve_app.services.approval.facts import ApprovalFacts
from serve_app.services.approval.service import ApprovalMail
from serve_app.services.ports import MailError
from tests.support import NOON, make_invoice
from tests.support.mails import READ, links_in, text_of

PAGE = "https://invoices.example/approvals/token"
SENDER = Address("Invoices", addr_spec="invoices@example.com")


def invoice_with(**values: object) -> Invoice:
    read = {name: getattr(READ, name) for name in type(READ).model_fields}
    return make_invoice().model_copy(update={**read, **values})


def sent(invoice: Invoice) -> EmailMessage:
    """The mail as it arrives."""
    mail = ApprovalMail(
        to="approver@example.com",
        asked_by="The till",
        facts=ApprovalFacts.of(invoice),
        approve_url=f"{PAGE}?answer=approve",
        reject_url=f"{PAGE}?answer=reject",
        sent_at=NOON,
        expires_at=NOON + timedelta(days=14),
    )
    return message_from_bytes(ComposeApproval(SENDER)(mail).as_bytes(), policy=default)


class Elements(HTMLParser):
    """The tags and the addresses of an HTML text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.addresses: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.addresses += [value or "" for name, value in attrs if name in {"href", "src"}]


@pytest.mark.parametrize("kind", ["plain", "html"])
def test_it_shows_who_asks_and_the_facts(kind: str) -> None:
    text = text_of(sent(invoice_with()), kind)
    for fact in (
        "The till",
        "ACME GmbH",
        "2026-17",
        "1\u00a0190.50 EUR",
        "190.00 EUR",
        "2026-05-02",
        "2026-06-01",
        "high",
    ):
        assert fact in text
    assert "2026-05-31 12:00 UTC" in text
    assert "duplicate" not in text


def test_both_links_are_in_both_forms() -> None:
    message = sent(invoice_with())
    assert links_in(message) == (f"{PAGE}?answer=approve", f"{PAGE}?answer=reject")
    assert Elements(text_of(message, "html")).addresses == list(links_in(message))


@pytest.mark.parametrize("kind", ["plain", "html"])
def test_it_warns_of_a_duplicate_and_of_an_unsure_amount(kind: str) -> None:
    unsure = invoice_with(duplicate_of=new_id(), field_confidence={Field.AMOUNT: Confidence.LOW})
    text = text_of(sent(unsure), kind)
    assert "Possible duplicate" in text
    assert "low: compare it with the document" in text


def test_what_was_not_found_is_said() -> None:
    text = text_of(sent(make_invoice()))
    assert "Amount: not found" in text
    assert "Please approve: invoice from an unknown vendor" in str(sent(make_invoice())["Subject"])


@pytest.mark.parametrize(
    ("amount", "currency", "shown"),
    [
        ("1234567.891", "EUR", "1 234 567.891 EUR"),
        ("5000", "JPY", "5 000 JPY"),
        ("-5", "USD", "-5.00 USD"),
        ("7", None, "7.00 (currency not found)"),
    ],
)
def test_amounts_are_exact(amount: str, currency: str | None, shown: str) -> None:
    text = text_of(sent(invoice_with(amount=Decimal(amount), currency=currency)))
    assert f"Amount: {shown}" in text.replace("\u00a0", " ")


def test_a_hostile_document_adds_no_header_no_tag_and_no_line() -> None:
    hostile = "x\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script><a href='https://evil'>\u202egnp.exe\ud800"
    message = sent(invoice_with(vendor_name=hostile, invoice_number=hostile, currency=hostile))
    assert message["Bcc"] is None
    assert message["To"] == "approver@example.com"
    elements = Elements(text_of(message, "html"))
    assert not elements.tags & {"script", "img"}
    assert elements.addresses == list(links_in(message))
    plain = text_of(message)
    assert "\u202e" not in plain
    assert not any(line.startswith("Bcc") for line in plain.splitlines())


@pytest.mark.parametrize(
    "name", ["=?utf-8?q?a?=", "=?utf-8?q?=00?=", "=?utf-8?q?x=0D=0ABcc:_victim@example.com?=", "==??q?"]
)
def test_a_text_that_mail_programs_would_decode_stays_what_it_is(name: str) -> None:
    message = sent(invoice_with(vendor_name=name))
    assert message["Subject"] == f"Please approve: invoice 2026-17 from {name.replace('=?', '= ?')}"
    assert message["Bcc"] is None
    assert f"Vendor: {name}" in text_of(message)


def test_what_cannot_be_composed_is_mail_that_cannot_be_sent(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails(*_: object, **__: object) -> bytes:
        raise IndexError("secret detail")

    monkeypatch.setattr(EmailMessage, "as_bytes", fails)
    with pytest.raises(MailError, match="IndexError") as caught:
        sent(invoice_with())
    assert "secret" not in str(caught.value)
    assert "secret detail" in caplog.text


def test_machines_are_asked_not_to_answer() -> None:
    message = sent(invoice_with())
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["Message-ID"].endswith("@example.com>")
