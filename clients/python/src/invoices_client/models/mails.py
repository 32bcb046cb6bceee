"""Answers about mails. Written by `python -m scripts.clients` from the OpenAPI document."""

from datetime import datetime

from invoices_client.models.base import Model
from invoices_client.models.enums import HeldFor, Outcome, ShownState, Way


class MailSender(Model):
    """The sender that the mail names, without proof."""

    address: str | None = None
    """The address in `From`; null if there is none."""
    name: str
    """The name beside it; may be empty."""


class MailPart(Model):
    """A part of a mail and its outcome."""

    path: str
    """Its position in the mail: `1.2` is the second part of the first."""
    outcome: Outcome
    """The outcome: `invoice`, `same_file` (the account already has it), `waiting` (the mail is held), `unpacked`
    (its contents follow), `ignored`, `links`, `erased`, or a problem.
    """
    reason: str
    """The reason in words, or an empty text."""
    problem: bool
    """Whether a part that looks like a document was not read."""
    file_name: str | None = None
    """The name of the file."""
    mime_type: str | None = None
    """The type of its bytes; if unknown, the type that the mail states."""
    size_bytes: int
    """Its size."""
    invoice_id: str | None = None
    """The invoice made from it, or the invoice with the same file."""


class Mail(Model):
    """A mail that came in, with its parts."""

    id: str
    """The mail's id."""
    object: str
    """The kind of resource."""
    state: ShownState
    """`queued`, `held`, `reading` (its documents are being read), `done` or `discarded`."""
    held_for: HeldFor | None = None
    """The reason why the mail is held: its `sender` or the `quota`."""
    received_at: datetime
    """When it was accepted."""
    way: Way
    """How it came in."""
    recipient: str
    """The private address that received it."""
    sender: MailSender
    """The sender."""
    subject: str
    """Its subject, or an empty text."""
    message_id: str | None = None
    """Its Message-ID."""
    size_bytes: int
    """Its size."""
    entity_tag: str | None = None
    """The entity tag of its invoices."""
    answered_at: datetime | None = None
    """When the service notified the sender of a problem."""
    parts: list[MailPart] = []
    """Its parts; empty until it has been unpacked."""


class MailList(Model):
    """Mails, newest first."""

    object: str
    """The kind of answer."""
    data: list[Mail] = []
    """The mails."""
    has_more: bool
    """Whether anything follows."""
