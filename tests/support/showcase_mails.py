"""Mails as companies get them, in every state, for looking at the pages."""

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from serve_app.domain.account import Account
from serve_app.domain.ids import new_id
from serve_app.domain.inbound_mail import (
    Confirmation,
    Envelope,
    Heading,
    InboundMail,
    MailPart,
    Outcome,
    Verdict,
    Way,
)
from serve_app.domain.mail_address import MailAddress, SenderPolicy, new_local
from serve_app.store.base import Store
from tests.support.inbound import DONE, HELD, add_mail

_TEXT = MailPart("1", Outcome.IGNORED, "It is the text of the e-mail.", None, "text/html", 4200, "0" * 64)
_SIGNED = Verdict(
    ("koehler.example", "rechnung@koehler.example"),
    ("SPF: pass for koehler.example", "DKIM: pass for koehler.example", "DMARC: pass for koehler.example", "ARC: none"),
)
_FORWARDED = Verdict(
    ("anna@company.example",), ("SPF: pass for company.example", "DKIM: none", "DMARC: fail for hosting.example")
)
_PDF = "application/pdf"


async def add_showcase_mails(store: Store, account: Account, invoice: UUID, now: datetime) -> tuple[UUID, UUID]:
    """Two addresses and their mails; one of the mails made this invoice. Returns the ids of the address that has a list
    of senders, and of the mail that is held there."""
    open_one = MailAddress(new_id(), account.id, new_local("acme"), now - timedelta(days=40), "Suppliers", "berlin")
    listed = replace(open_one, id=new_id(), local=new_local("till"), label="Till", entity_tag=None)
    listed = replace(listed, policy=SenderPolicy.LISTED, allowed=("nordlicht.example", "anna@company.example"))
    for address in (open_one, listed):
        await store.mail_addresses.add(address)
    mails = (
        (open_one, 4, _done(invoice)),
        (open_one, 3, _forwarded(invoice)),
        (open_one, 2, _failing()),
        (open_one, 1, _question()),
    )
    for address, hours, fields in mails:
        await _add(store, address, now - timedelta(hours=hours), fields)
    held = await _add(store, listed, now - timedelta(minutes=20), _held())
    return listed.id, held.id


async def _add(store: Store, address: MailAddress, at: datetime, fields: dict[str, Any]) -> InboundMail:
    envelope = Envelope(f"{address.local}@in.example.com", Way.SMTP)
    more = {"size": 184_000, "envelope": envelope, "care_at": at + timedelta(days=7)}
    return await add_mail(store, address, str(at), received_at=at, **more, **fields)


def _done(invoice: UUID) -> dict[str, Any]:
    parts = (
        _TEXT,
        MailPart("2", Outcome.INVOICE, "", "Rechnung 2026-0412.pdf", _PDF, 151_000, "1" * 64, invoice),
        MailPart("3", Outcome.IGNORED, "It is a logo or decoration in the text, not a document.", "image001.png",
                 "image/png", 8_100, "2" * 64),
    )  # fmt: skip
    heading = Heading("rechnung@koehler.example", "Büroservice Köhler & Söhne", "Ihre Rechnung 2026-0412")
    return {**DONE, "heading": heading, "verdict": _SIGNED, "parts": parts}


def _forwarded(invoice: UUID) -> dict[str, Any]:
    parts = (
        replace(_TEXT, mime_type="text/plain"),
        MailPart("2", Outcome.UNPACKED, "A mail.", "Fwd.eml", "message/rfc822", 120_000),
        replace(_TEXT, path="2.1"),
        MailPart("2.2", Outcome.SAME_FILE, "The account has this file already.", "invoice.pdf", _PDF, 98_000, "3" * 64,
                 invoice),
        MailPart("2.3", Outcome.UNPACKED, "A ZIP archive.", "details.zip", "application/zip", 15_000),
        MailPart("2.3.1", Outcome.UNSUPPORTED, "It is an Excel document. Send the document as PDF, JPEG, PNG, HEIC or"
                 " HTML.", "hours.xlsx", None, 12_000, "4" * 64),
    )  # fmt: skip
    heading = Heading("anna@company.example", "Anna Berg", "Fwd: Nordlicht Hosting, invoice for May",
                      original_sender="billing@nordlicht.example")  # fmt: skip
    return {**DONE, "heading": heading, "verdict": _FORWARDED, "parts": parts}


def _failing() -> dict[str, Any]:
    reason = "The e-mail contains only links, which are not opened. Download the document and send it."
    parts = (
        replace(_TEXT, outcome=Outcome.LINKS, reason=reason, links=("https://portal.telefon.example/bill?id=8f3a91",)),
        MailPart("2", Outcome.NEEDS_PASSWORD,
                 "The file in the ZIP archive is protected with a password. Send it without a password.",
                 "statement.pdf", _PDF, 44_000, "5" * 64),
    )  # fmt: skip
    heading = Heading("noreply@telefon.example", "Beispiel Telefon AG", "Your bill is ready")
    return {**DONE, "heading": heading, "verdict": Verdict((), ("SPF: softfail",)), "parts": parts}


def _question() -> dict[str, Any]:
    link = "https://mail-settings.google.com/mail/vf-example"
    heading = Heading("forwarding-noreply@google.com", "Gmail Team", "(#418305277) Gmail Forwarding Confirmation")
    question = Confirmation("Gmail", "418305277", link)
    return {**DONE, "heading": heading, "confirmation": question, "parts": (_TEXT,)}


def _held() -> dict[str, Any]:
    parts = (_TEXT, MailPart("2", Outcome.WAITING, "", "offer and invoice.pdf", _PDF, 151_000, "6" * 64))
    heading = Heading("rechnung@koehler.example", "Büroservice Köhler & Söhne", "Rechnung Mai")
    return {**HELD, "heading": heading, "verdict": _SIGNED, "parts": parts}
