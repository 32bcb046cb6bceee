"""Mails as `/v1/mails` answers them."""

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Literal
from uuid import UUID

from pydantic import Field

from serve_app.domain import inbound_mail
from serve_app.domain.inbound_mail import FAILURES, HeldFor, InboundMail, MailState, Outcome, Way
from serve_app.domain.invoice import Resource


class ShownState(StrEnum):
    """The states of mails that anybody sees: those that are arriving or being removed are in no list."""

    QUEUED = MailState.QUEUED.value
    HELD = MailState.HELD.value
    READING = MailState.READING.value
    DONE = MailState.DONE.value
    DISCARDED = MailState.DISCARDED.value


class MailSender(Resource):
    """What a mail says about its sender; not proved."""

    address: Annotated[str | None, Field(examples=["anna@example.com"])]
    """The address in `From`; null if there is none."""
    name: Annotated[str, Field(examples=["Anna"])]
    """The name beside it; may be empty."""


class MailPart(Resource):
    """A part of a mail and what it came to."""

    path: Annotated[str, Field(examples=["1.2"])]
    """Where it is in the mail: `1.2` is the second part of the first; what a part contains has longer paths."""
    outcome: Annotated[Outcome, Field(examples=["invoice"])]
    """What became of it: `invoice`, `same_file` (the account has it already), `waiting` (until the mail is no longer
    held), `unpacked` (its contents follow), `ignored`, `links`, `erased`, or a problem."""
    reason: Annotated[str, Field(examples=["The PDF is an invoice."])]
    """Why, in words; may be empty."""
    problem: Annotated[bool, Field(examples=[False])]
    """Whether it came to nothing although the sender meant something by it."""
    file_name: Annotated[str | None, Field(examples=["invoice.pdf"])]
    """The name of the file."""
    mime_type: Annotated[str | None, Field(examples=["application/pdf"])]
    """What its bytes are, or else what the mail calls them."""
    size_bytes: Annotated[int, Field(examples=[48213])]
    """Its size."""
    invoice_id: Annotated[UUID | None, Field(examples=["019e2f3a-5b1c-7d4e-8f60-718293a4b5c6"])]
    """The invoice that it became, or whose file it repeats."""


class Mail(Resource):
    """A mail that came in, with its parts."""

    id: Annotated[UUID, Field(examples=["019e2f3a-4a5b-7c6d-8e7f-8091a2b3c4d5"])]
    """The mail's id."""
    object: Annotated[Literal["mail"], Field(examples=["mail"])] = "mail"
    """The kind of resource."""
    state: Annotated[ShownState, Field(examples=["done"])]
    """`queued`, `held`, `reading` (its documents are being read), `done` or `discarded`."""
    held_for: Annotated[HeldFor | None, Field(examples=[None])]
    """What a held mail waits for: a decision about its `sender`, or the `quota`."""
    received_at: Annotated[datetime, Field(examples=["2026-05-17T12:00:05Z"])]
    """When it was accepted."""
    way: Annotated[Way, Field(examples=["smtp"])]
    """How it came in."""
    recipient: Annotated[str, Field(examples=["acme-7f3k2m@in.example.com"])]
    """The private address that it came to."""
    sender: MailSender
    """Who says to have written it."""
    subject: Annotated[str, Field(examples=["Invoice NP-2026-0517"])]
    """Its subject; may be empty."""
    message_id: Annotated[str | None, Field(examples=["<1@example.com>"])]
    """Its Message-ID."""
    size_bytes: Annotated[int, Field(examples=[70123])]
    """Its size."""
    entity_tag: Annotated[str | None, Field(examples=["north"])]
    """The tag that its invoices got."""
    answered_at: Annotated[datetime | None, Field(examples=[None])]
    """When the service answered the sender about a problem."""
    parts: list[MailPart]
    """What it contains; empty until it has been taken apart."""


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
