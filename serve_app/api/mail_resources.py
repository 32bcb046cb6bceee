"""Mails as `/v1/mails` answers them."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from serve_app.domain import inbound_mail
from serve_app.domain.inbound_mail import FAILURES, HeldFor, InboundMail, MailState, Outcome, Way
from serve_app.domain.resource import Resource


class ShownState(StrEnum):
    """The states of mails that anybody sees: those that are arriving or being removed are in no list."""

    QUEUED = MailState.QUEUED.value
    HELD = MailState.HELD.value
    READING = MailState.READING.value
    DONE = MailState.DONE.value
    DISCARDED = MailState.DISCARDED.value


class MailSender(Resource):
    """The sender that the mail names, without proof."""

    address: Annotated[str | None, Field(examples=["anna@example.com"])]
    """The address in `From`; null if there is none."""
    name: Annotated[str, Field(examples=["Anna"])]
    """The name beside it; may be empty."""


class MailPart(Resource):
    """A part of a mail and its outcome."""

    path: Annotated[str, Field(examples=["1.2"])]
    """Its position in the mail: `1.2` is the second part of the first."""
    outcome: Annotated[Outcome, Field(examples=["invoice"])]
    """The outcome: `invoice`, `same_file` (the account already has it), `waiting` (the mail is held), `unpacked` (its
    contents follow), `ignored`, `links`, `erased`, or a problem."""
    reason: Annotated[str, Field(examples=["The PDF is an invoice."])]
    """The reason in words, or an empty text."""
    problem: Annotated[bool, Field(examples=[False])]
    """Whether a part that looks like a document was not read."""
    file_name: Annotated[str | None, Field(examples=["invoice.pdf"])]
    """The name of the file."""
    mime_type: Annotated[str | None, Field(examples=["application/pdf"])]
    """The type of its bytes; if unknown, the type that the mail states."""
    size_bytes: Annotated[int, Field(examples=[48213])]
    """Its size."""
    invoice_id: Annotated[UUID | None, Field(examples=["019e2f3a-5b1c-7d4e-8f60-718293a4b5c6"])]
    """The invoice made from it, or the invoice with the same file."""


class Mail(Resource):
    """A mail that came in, with its parts."""

    id: Annotated[UUID, Field(examples=["019e2f3a-4a5b-7c6d-8e7f-8091a2b3c4d5"])]
    """The mail's id."""
    object: Annotated[Literal["mail"], Field(examples=["mail"])] = "mail"
    """The kind of resource."""
    state: Annotated[ShownState, Field(examples=["done"])]
    """`queued`, `held`, `reading` (its documents are being read), `done` or `discarded`."""
    held_for: Annotated[HeldFor | None, Field(examples=[None])]
    """The reason why the mail is held: its `sender` or the `quota`."""
    received_at: Annotated[datetime, Field(examples=["2026-05-17T12:00:05Z"])]
    """When it was accepted."""
    way: Annotated[Way, Field(examples=["smtp"])]
    """How it came in."""
    recipient: Annotated[str, Field(examples=["acme-7f3k2m@in.example.com"])]
    """The private address that received it."""
    sender: MailSender
    """The sender."""
    subject: Annotated[str, Field(examples=["Invoice NP-2026-0517"])]
    """Its subject, or an empty text."""
    message_id: Annotated[str | None, Field(examples=["<1@example.com>"])]
    """Its Message-ID."""
    size_bytes: Annotated[int, Field(examples=[70123])]
    """Its size."""
    entity_tag: Annotated[str | None, Field(examples=["north"])]
    """The entity tag of its invoices."""
    answered_at: Annotated[datetime | None, Field(examples=[None])]
    """When the service notified the sender of a problem."""
    parts: list[MailPart]
    """Its parts; empty until it has been unpacked."""


class MailList(Resource):
    """Mails, newest first."""

    object: Annotated[Literal["list"], Field(examples=["list"])] = "list"
    """The kind of answer."""
    data: list[Mail]
    """The mails."""
    has_more: Annotated[bool, Field(examples=[False])]
    """Whether anything follows."""


def mail_answer(mail: InboundMail) -> Mail:
    """The mail as it is answered."""
    heading = mail.heading
    return Mail(
        id=mail.id,
        state=ShownState(mail.state.value),
        held_for=mail.held_for,
        received_at=mail.received_at,
        way=mail.envelope.way,
        recipient=mail.envelope.recipient,
        sender=MailSender(address=heading.sender, name=heading.sender_name),
        subject=heading.subject,
        message_id=heading.message_id,
        size_bytes=mail.size,
        entity_tag=mail.entity_tag,
        answered_at=mail.answered_at,
        parts=_parts(mail.parts),
    )


def _parts(parts: Sequence[inbound_mail.MailPart]) -> list[MailPart]:
    return [
        MailPart(
            path=part.path,
            outcome=part.outcome,
            reason=part.reason,
            problem=part.outcome in FAILURES,
            file_name=part.name,
            mime_type=part.mime_type,
            size_bytes=part.size,
            invoice_id=part.invoice_id,
        )
        for part in parts
    ]
