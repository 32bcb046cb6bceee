"""From rows about mails that came in to the domain's objects and back, for both stores."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from serve_app.domain.folding import folded
from serve_app.domain.inbound_mail import (
    Confirmation,
    Envelope,
    Heading,
    HeldFor,
    InboundMail,
    MailDocument,
    MailPart,
    MailState,
    Verdict,
)
from serve_app.domain.mail_address import Answering, Bodies, MailAddress, SenderPolicy
from serve_app.store.rows.codec import from_micros, optional_micros, optional_moment, to_micros
from serve_app.store.rows.columns import Fields

_WORDS_LENGTH = 4_000


class _Rules(msgspec.Struct):
    """What nothing is searched by in an address. New fields need a default, which rows of earlier versions get."""

    label: str
    entity_tag: str | None
    policy: SenderPolicy
    allowed: tuple[str, ...]
    denied: tuple[str, ...]
    bodies: Bodies
    answering: Answering
    ignored_pictures: tuple[str, ...] = ()


class _Content(msgspec.Struct):
    """The same of a mail."""

    envelope: Envelope
    is_admitted: bool
    entity_tag: str | None
    heading: Heading
    verdict: Verdict | None
    confirmation: Confirmation | None
    parts: tuple[MailPart, ...]
    has_raw: bool
    answered_at: datetime | None
    is_settled: bool = False


def address_row(address: MailAddress) -> dict[str, Any]:
    return {
        "id": str(address.id),
        "account_id": str(address.account_id),
        "local": address.local,
        "created_at": to_micros(address.created_at),
        "ends_at": optional_micros(address.ends_at),
        "revision": address.revision,
        "document": _taken(_Rules, address),
    }


def address_from(row: Fields, document: object) -> MailAddress:
    return MailAddress(
        id=UUID(row["id"]),
        account_id=UUID(row["account_id"]),
        local=row["local"],
        created_at=from_micros(row["created_at"]),
        ends_at=optional_moment(row["ends_at"]),
        revision=row["revision"],
        **_given(_Rules, document),
    )


def mail_row(mail: InboundMail) -> dict[str, Any]:
    return {
        "id": str(mail.id),
        "account_id": str(mail.account_id),
        "address_id": str(mail.address_id),
        "fingerprint": mail.fingerprint,
        "state": str(mail.state),
        "held_for": mail.held_for and str(mail.held_for),
        "received_at": to_micros(mail.received_at),
        "size": mail.size,
        "due_at": optional_micros(mail.due_at),
        "care_at": optional_micros(mail.care_at),
        "revision": mail.revision,
        "claims": mail.claims,
        "problems": mail.problems,
        "words": _words_of(mail),
        "document": _taken(_Content, mail),
    }


def _words_of(mail: InboundMail) -> str:
    """What it is found by: nothing of its text."""
    heading = mail.heading
    named = (heading.subject, heading.sender_name, heading.sender, mail.envelope.sender)
    return folded("\n".join(text for text in (*named, *(part.name for part in mail.parts)) if text))[:_WORDS_LENGTH]


def mail_from(row: Fields, document: object) -> InboundMail:
    return InboundMail(
        id=UUID(row["id"]),
        account_id=UUID(row["account_id"]),
        address_id=UUID(row["address_id"]),
        fingerprint=row["fingerprint"],
        state=MailState(row["state"]),
        held_for=HeldFor(row["held_for"]) if row["held_for"] else None,
        received_at=from_micros(row["received_at"]),
        size=row["size"],
        due_at=optional_moment(row["due_at"]),
        care_at=optional_moment(row["care_at"]),
        revision=row["revision"],
        claims=row["claims"],
        problems=row["problems"],
        **_given(_Content, document),
    )


def document_row(document: MailDocument) -> dict[str, Any]:
    return {
        "account_id": str(document.account_id),
        "sha256": document.sha256,
        "mail_id": str(document.mail_id),
        "path": document.path,
        "invoice_id": str(document.invoice_id),
        "received_at": to_micros(document.received_at),
    }


def document_from(row: Fields) -> MailDocument:
    return MailDocument(
        account_id=UUID(row["account_id"]),
        sha256=row["sha256"],
        mail_id=UUID(row["mail_id"]),
        path=row["path"],
        invoice_id=UUID(row["invoice_id"]),
        received_at=from_micros(row["received_at"]),
    )


def _taken(kind: type[msgspec.Struct], source: object) -> Any:
    return msgspec.to_builtins(kind(**{name: getattr(source, name) for name in kind.__struct_fields__}))


def _given(kind: type[msgspec.Struct], document: object) -> dict[str, Any]:
    content = msgspec.convert(document, kind)
    return {name: getattr(content, name) for name in kind.__struct_fields__}
